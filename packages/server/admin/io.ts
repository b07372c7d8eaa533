/** The environment and streams of a command. The terminal or a test provides them. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Opens the standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
}
