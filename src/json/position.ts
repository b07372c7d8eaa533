/** Lines and columns, both from 1, of offsets in a text. */
export interface Position {
  readonly line: number
  readonly column: number
}

export class Lines {
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

  /** The other way round; a place that the text does not have is the nearest one. */
  offsetOf({ line, column }: Position): number {
    const start = this.#starts[Math.min(line, this.count) - 1]!
    return Math.min(start + column - 1, this.text.length)
  }

  /** Text of a line, without its end. At most 100,000 characters: nobody reads more. */
  line(number: number, from = 0): string {
    const start = this.#starts[number - 1]!
    const end = this.#starts[number] ?? this.text.length + 1
    return this.text.slice(start + from, Math.min(end - 1, start + from + 100_000)).replace(/\r$/, '')
  }
}
