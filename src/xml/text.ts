/** Characters of XML 1.0, and names as steps of a JSON Pointer. */

/**
 * Index of the first UTF-16 unit that XML 1.0 cannot carry (control characters, lone surrogates), or -1.
 *
 * @example
 * firstForbiddenCharacter('Señal\u0007') // => 5
 * firstForbiddenCharacter('Añil 💶') // => -1
 */
export function firstForbiddenCharacter(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x20 && unit < 0xd800) continue
    if (unit === 0x09 || unit === 0x0a || unit === 0x0d) continue
    if (unit < 0x20 || unit === 0xfffe || unit === 0xffff) return i
    if (unit >= 0xe000) continue
    const next = text.charCodeAt(i + 1)
    if (unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) i++
    else return i
  }
  return -1
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/**
 * Text content of an element. A carriage return is written as a reference: a reader would turn it into a newline.
 *
 * @example
 * escapeText('A&B <1>') // => 'A&amp;B &lt;1&gt;'
 */
export const escapeText = (text: string): string =>
  /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character) : text

/** Value of an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  text
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[\n\t]/g, (c) => `&#${c.charCodeAt(0)};`)

/**
 * The step of a JSON Pointer to a member.
 *
 * @example
 * pointerOf('a/b') // => '/a~1b'
 */
export const pointerOf = (name: string): string => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`
