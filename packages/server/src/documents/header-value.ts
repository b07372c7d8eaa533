/** Parses and formats header values with parameters (RFC 9110, section 5.6.6). */

/**
 * Matches a token, `=`, and a token or a quoted text. The alternatives begin with different characters, so that
 * matching takes linear time.
 */
const PARAMETER = /;\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))/gs

export interface HeaderValue {
  /** The text before the first parameter, in lower case. */
  readonly value: string
  /** Parameters by their name in lower case. If a parameter is repeated, its first value is used. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Decodes a text in which Node or the form parser stores one byte per character. The bytes are usually UTF-8. */
function fromBytes(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const decoded = bytes.toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

/** Decodes `UTF-8''na%C3%AFve.pdf` (RFC 8187). Returns undefined for anything else. */
function extended(text: string): string | undefined {
  const encoded = /^utf-8'[\w-]*'(.*)$/i.exec(text)?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/**
 * Parses a header value. A backslash escapes only a quotation mark or another backslash, because some clients send
 * whole Windows paths.
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
 * Formats `Content-Disposition` with a file name (RFC 6266): once in ASCII for old clients, and once complete in UTF-8.
 * No character of the name can end the value or the header.
 */
function named(disposition: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(fileName.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /['()*!]/g,
    percent,
  )
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Returns `Content-Disposition` for a file that the client saves. */
export const attachmentDisposition = (fileName: string): string => named('attachment', fileName)

/** Returns `Content-Disposition` for a file that the client displays. */
export const inlineDisposition = (fileName: string): string => named('inline', fileName)
