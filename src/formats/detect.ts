/** Which format a document has: told by its root element, never by its name or its first bytes. */
import { rootOf } from '../xml/index.ts'
import type { FormatCode } from './model/index.ts'
import { FORMATS } from './registry.ts'
import { decode, type Text } from './text.ts'

/** What a document is: `format` tells which of the two. */
export type Detection = {
  readonly namespace: string | null
  /** Encoding of the bytes, `UTF-8`; null where it cannot be read. */
  readonly encoding: string | null
} & (
  | {
      readonly format: FormatCode
      /** Local name of the root element. */
      readonly root: string
    }
  | {
      /** Null: the root element is none of an invoice that can be read. */
      readonly format: null
      /** Local name of the root element; null where there is none. */
      readonly root: string | null
    }
)

/** The same of what was decoded already. */
export function detectText({ text, encoding }: Text): Detection {
  const root = text === null ? null : rootOf(text)
  if (root === null) return { format: null, root: null, namespace: null, encoding }
  const { name, namespace } = root
  const format = FORMATS.find(({ roots }) =>
    roots.some((one) => one.name === name && one.namespace === namespace),
  )
  return { format: format?.code ?? null, root: name, namespace, encoding }
}

/**
 * The format of a document, from its root element and namespace. Bytes are decoded as their mark or their declaration
 * says; nothing after the root's start tag is looked at. Never throws for what is in the document.
 *
 * Source: API specification, "POST /received-invoices/import"; official schemas of each format.
 *
 * @example
 * detectFormat('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>').root // => 'Invoice'
 * detectFormat('<html/>').format // => null
 */
export const detectFormat = (document: string | Uint8Array | ArrayBuffer): Detection =>
  detectText(decode(document))
