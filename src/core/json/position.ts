/** Line and column in a text, both counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export class LineIndex {
  readonly #starts: number[] = [0]
  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  get count(): number {
    return this.#starts.length
  }

  positionOf(offset: number): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 }
  }

  /** Returns the offset of a position. For a position outside the text, returns the nearest offset. */
  offsetOf({ line, column }: Position): number {
    const start = this.#starts[Math.min(line, this.count) - 1]!
    return Math.min(start + column - 1, this.text.length)
  }

  /** Returns the text of a line without its line break, cut to 100,000 characters. */
  line(number: number, from = 0): string {
    const start = this.#starts[number - 1]!
    const end = this.#starts[number] ?? this.text.length + 1
    return this.text.slice(start + from, Math.min(end - 1, start + from + 100_000)).replace(/\r$/, '')
  }
}
