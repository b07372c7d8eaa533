/**
 * Scans the tokens of a JSON text (RFC 8259) and reports exactly where it is not valid. Documents are read by
 * `JSON.parse`, whose error messages differ between versions of V8. The scanner determines the positions and reasons of
 * these errors.
 */
export type FaultReason =
  | 'empty'
  | 'value'
  | 'key'
  | 'colon'
  | 'comma_object'
  | 'comma_array'
  | 'trailing_comma'
  | 'unclosed'
  | 'unclosed_string'
  | 'control_character'
  | 'escape'
  | 'number'
  | 'single_quotes'
  | 'comment'
  | 'after_end'

/** Thrown by the scanner, and caught by its callers in this folder. */
export class JsonFault extends Error {
  constructor(
    readonly reason: FaultReason,
    readonly offset: number,
  ) {
    super(reason)
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const HEX = /^[0-9a-fA-F]{4}$/
const QUOTE = 34
const BACKSLASH = 92

export class JsonScanner {
  at = 0
  constructor(readonly text: string) {}

  fail(reason: FaultReason, offset = this.at): never {
    throw new JsonFault(offset >= this.text.length && reason !== 'empty' ? 'unclosed' : reason, offset)
  }

  /** Skips white space and returns the next character, or an empty string at the end. */
  peek(): string {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return this.text.charAt(this.at)
      this.at++
    }
  }

  string(): void {
    const start = this.at++
    for (; ; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code === QUOTE) {
        this.at++
        return
      }
      if (Number.isNaN(code) || code === 10 || code === 13) throw new JsonFault('unclosed_string', start)
      if (code < 32) this.fail('control_character')
      if (code === BACKSLASH) this.#escape()
    }
  }

  #escape(): void {
    const start = this.at++
    const letter = this.text.charAt(this.at)
    if (letter === 'u') {
      if (!HEX.test(this.text.slice(this.at + 1, this.at + 5))) this.fail('escape', start)
      this.at += 4
    } else if (letter === '' || !'"\\/bfnrt'.includes(letter)) this.fail('escape', start)
  }

  /** Scans a string, number, `true`, `false` or `null`. */
  scalar(): void {
    const character = this.peek()
    if (character === '"') {
      this.string()
      return
    }
    for (const word of ['true', 'false', 'null'])
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return
      }
    NUMBER.lastIndex = this.at
    const number = NUMBER.exec(this.text)
    if (number) {
      const end = this.at + number[0].length
      if (/[\w.+-]/.test(this.text.charAt(end))) this.fail('number')
      this.at = end
      return
    }
    this.fail(/[-+.\d]/.test(character) ? 'number' : this.#guess('value'))
  }

  /** Returns the reason for a common mistake that the next character reveals; without one, returns `otherwise`. */
  #guess(otherwise: FaultReason): FaultReason {
    const character = this.text.charAt(this.at)
    if (character === "'") return 'single_quotes'
    return character === '/' || character === '#' ? 'comment' : otherwise
  }

  key(): void {
    if (this.peek() !== '"') this.fail(this.#guess('key'))
    this.string()
  }

  colon(): void {
    if (this.peek() !== ':') this.fail('colon')
    this.at++
  }

  /** Scans the comma or closing bracket after a member. Returns whether another member follows. */
  next(close: '}' | ']'): boolean {
    const character = this.peek()
    const comma = this.at
    if (character !== ',' && character !== close)
      this.fail(this.#guess(close === '}' ? 'comma_object' : 'comma_array'))
    this.at++
    if (character === close) return false
    if (this.peek() === close) this.fail('trailing_comma', comma)
    return true
  }

  end(): void {
    if (this.peek() !== '') this.fail(this.#guess('after_end'))
  }
}
