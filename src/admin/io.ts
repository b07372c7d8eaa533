/** What a command reads and writes beside the store: a terminal, or a test. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** The standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
}
