/** Headers that describe a body: `Content-Type` and `Content-Encoding`. */

/** Whether a `Content-Encoding` header without outer blanks declares an uncompressed body. */
export const isIdentity = (header: string | null): boolean =>
  header === null || header === '' || header.toLowerCase() === 'identity'

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/i
const UTF8 = /^"?utf-?8"?$/i

/**
 * Whether a `Content-Type` is JSON: `application/json` or any `+json`, in UTF-8, which is the default.
 *
 * @example
 * isJsonType('application/vnd.factura+json; charset="UTF-8"') // => true
 * isJsonType('application/json; charset=iso-8859-1') // => false
 */
export function isJsonType(header: string | null): boolean {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim())
  return (
    JSON_TYPE.test(type) &&
    parameters.every((text) => {
      const [name, value = ''] = text.split('=')
      return name!.trim().toLowerCase() !== 'charset' || UTF8.test(value.trim())
    })
  )
}
