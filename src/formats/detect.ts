/** Detects the format of a document from its root element. The file name is not used. */
import { rootOf } from '#core/xml/index.ts'
import { type DecodedText, decode } from './decode-text.ts'
import type { FormatCode } from './model/index.ts'
import { FORMATS } from './registry.ts'

/** Format of a document. `format` is null if the document has no supported format. */
export type Detection = {
  readonly namespace: string | null
  /** Encoding of the bytes, such as `UTF-8`; null if unknown. */
  readonly encoding: string | null
} & (
  | {
      readonly format: FormatCode
      /** Local name of the root element. */
      readonly root: string
    }
  | {
      /** Null if the root element belongs to no supported format. */
      readonly format: null
      /** Local name of the root element, or null if the document has none. */
      readonly root: string | null
    }
)

/** Returns the format of a document that is already decoded. */
export function detectText({ text, encoding }: DecodedText): Detection {
  const root = text === null ? null : rootOf(text)
  if (root === null) return { format: null, root: null, namespace: null, encoding }
  const { name, namespace } = root
  const format = FORMATS.find(({ roots }) =>
    roots.some((one) => one.name === name && one.namespace === namespace),
  )
  return { format: format?.code ?? null, root: name, namespace, encoding }
}

/**
 * Returns the format of a document, from the name and namespace of its root element. Decodes bytes by their byte order
 * mark or XML declaration, and reads nothing after the start tag of the root. Never throws for the content of the
 * document.
 *
 * Source: API specification, "POST /received-invoices/import"; official schemas of each format.
 *
 * @example
 * detectFormat('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>').root // => 'Invoice'
 * detectFormat('<html/>').format // => null
 */
export const detectFormat = (document: string | Uint8Array | ArrayBuffer): Detection =>
  detectText(decode(document))
