/**
 * Makes text safe for terminals. Invoices are untrusted: control characters could move the cursor or colour the screen,
 * and direction marks could reverse text. Replaces these characters by visible ones.
 */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const NARROW = /^[\u0020-\u02ff\u2010-\u2027]*$/
/** Escape sequences for colours and links (OSC 8). */
const ESC = String.fromCharCode(27)
const COLOR = new RegExp(`${ESC}(?:\\[[0-9;]*m|\\]8;;[^${ESC}]*${ESC}\\\\)`, 'g')

const picture = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? '␡' : '�'
}

/** Returns one line of printable text: one column per control character, two spaces per tab. */
export const printable = (text: string): string =>
  text.replaceAll('\t', '  ').replaceAll('\n', '␊').replace(UNSAFE, picture)

/** Returns the columns that a text takes on a terminal, without colour sequences. */
export function widthOf(colored: string): number {
  const text = colored.replace(COLOR, '')
  if (NARROW.test(text)) return text.length
  let width = 0
  for (const character of text) width += /\p{M}|\u200d/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

/** Cuts a text to `width` columns, with an ellipsis. */
export const clip = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Wraps text into lines of at most `width` columns. A longer word is not broken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
