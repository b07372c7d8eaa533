/** Values of headers with parameters (RFC 9110, section 5.6.6), as they arrive and as they are sent. */

/** A token, `=`, and a token or a quoted text. Each alternative begins differently, so that no text takes long. */
const PARAMETER = /;\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))/gs

export interface HeaderValue {
  /** What stands before the first parameter, in lower case. */
  readonly value: string
  /** Parameters by name in lower case; of one that is repeated the first. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Bytes that Node and the form parser hand on one to a character, as the UTF-8 that they mostly are. */
function fromBytes(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const decoded = bytes.toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

/** `UTF-8''na%C3%AFve.pdf` of RFC 8187; undefined where it is something else. */
function extended(text: string): string | undefined {
  const encoded = /^utf-8'[\w-]*'(.*)$/i.exec(text)?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/**
 * Takes a header value apart. A backslash escapes only a quote and itself: some clients send whole Windows paths.
 *
 * For example, `form-data; name="file"; filename="a b.pdf"` has the parameters `name` and `filename`.
 */
export function parseHeaderValue(header: string): HeaderValue {
  const [value = ''] = header.split(';', 1)
  const parameters: Record<string, string> = Object.create(null)
  for (const [, name = '', quoted, plain = ''] of header.slice(value.length).matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    const text = quoted === undefined ? plain : quoted.replaceAll(/\\(["\\])/g, '$1')
    if (key.endsWith('*')) {
      const decoded = extended(text)
      if (decoded !== undefined) parameters[key] ??= decoded
    } else parameters[key] ??= fromBytes(text)
  }
  return { value: value.trim().toLowerCase(), parameters }
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * The name of a file beside what is to be done with it (RFC 6266): ASCII for old clients, and the whole name in UTF-8.
 * Nothing of the name can end the value or the header.
 */
function named(disposition: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(fileName.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /['()*!]/g,
    percent,
  )
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** `Content-Disposition` of a file to be saved. */
export const attachmentNamed = (fileName: string): string => named('attachment', fileName)

/** `Content-Disposition` of a file to be shown. */
export const inlineNamed = (fileName: string): string => named('inline', fileName)
