/** Comments in JSON, as editors allow them in `.jsonc` files. */

/** Matches the beginning of a string, or of a comment. */
const START = /"|\/[/*]/g
/** Matches the end of a string, or an escaped character in it. */
const IN_STRING = /\\[\s\S]|["\n]/g

/** Returns the offset after the first match of `mark` from an offset, or the end of the text. */
const afterNext = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** Returns the offset after the string that begins at `start`. A string ends at its line, even if it is not closed. */
function endOfString(text: string, start: number): number {
  IN_STRING.lastIndex = start + 1
  for (let found = IN_STRING.exec(text); found; found = IN_STRING.exec(text))
    if (found[0].length === 1) return IN_STRING.lastIndex
  return text.length
}

/**
 * Returns the text with blanks instead of its comments, which begin with two slashes, or with a slash and an asterisk.
 * Offsets, lines and columns stay the same.
 *
 * @example
 * withoutComments('{ "a": 1 } // one') // => '{ "a": 1 }       '
 */
export function withoutComments(text: string): string {
  let result = ''
  let kept = 0
  START.lastIndex = 0
  for (let found = START.exec(text); found; found = START.exec(text)) {
    const start = found.index
    if (found[0] === '"') START.lastIndex = endOfString(text, start)
    else {
      const end = found[0] === '//' ? afterNext(text, '\n', start) : afterNext(text, '*/', start + 2)
      result += text.slice(kept, start) + text.slice(start, end).replace(/[^\n\r]/g, ' ')
      kept = end
      START.lastIndex = end
    }
  }
  return result + text.slice(kept)
}
