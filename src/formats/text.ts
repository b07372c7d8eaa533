/** Bytes as text. */

export interface Decoded {
  /** Null where the bytes are not in their encoding, or it is one that is not read. */
  readonly text: string | null
  readonly encoding: string | null
}

declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean },
) => { readonly decode: (bytes: Uint8Array) => string }

const isBytes = (value: unknown): value is Uint8Array => ArrayBuffer.isView(value)

export function bytesOf(document: unknown): Uint8Array | null {
  if (isBytes(document)) return document
  return document instanceof ArrayBuffer ? new Uint8Array(document) : null
}

/** What is neither text nor bytes is a programmer's mistake and throws a `TypeError`. */
export function decode(document: unknown): Decoded {
  if (typeof document === 'string') return { text: document, encoding: null }
  const bytes = bytesOf(document)
  if (bytes === null)
    throw new TypeError('cuadra: pass the document as a text, a Uint8Array or an ArrayBuffer')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: null, encoding: null }
  }
}
