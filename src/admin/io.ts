/** The environment and streams of a command, provided by the terminal or a test. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Opens the standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
}
