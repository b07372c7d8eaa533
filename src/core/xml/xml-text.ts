/** Characters that XML 1.0 does not allow, escaping, and names as segments of a JSON Pointer. */

/**
 * Returns the index of the first UTF-16 unit that XML 1.0 does not allow (control characters, lone surrogates), or -1.
 *
 * @example
 * firstForbiddenCharacter('Señal\u0007') // => 5
 * firstForbiddenCharacter('Añil 💶') // => -1
 */
export function firstForbiddenCharacter(text: string): number {
  return text.search(FORBIDDEN)
}

const FORBIDDEN = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/**
 * Escapes the text of an element. Writes a carriage return as a reference, because XML parsers turn it into a newline.
 *
 * @example
 * escapeText('A&B <1>') // => 'A&amp;B &lt;1&gt;'
 */
export const escapeText = (text: string): string =>
  /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character) : text

/** Escapes the value of an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  text
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[\n\t]/g, (c) => `&#${c.charCodeAt(0)};`)

/**
 * Returns the segment of a JSON Pointer for a member, with a leading slash.
 *
 * @example
 * pointerOf('a/b') // => '/a~1b'
 */
export const pointerOf = (name: string): string => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`
