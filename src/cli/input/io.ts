/** What a run reads and writes beside files: a terminal, or a test. */
import type { Writable } from 'node:stream'

/** A stream that may be a terminal. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that names of files start from. */
  readonly cwd: string
  /** The standard input; called when it is read. */
  readonly input: () => AsyncIterable<Uint8Array>
  readonly out: Screen
  readonly err: Screen
}
