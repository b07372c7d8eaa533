/** `readInvoice`: reads bytes into a canonical invoice. */
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoiceInput, collapseLines, type Locale, OptionError } from '#core/invoice/index.ts'
import { MAX_XML_BYTES, readStrict, writeXml } from '#core/xml/index.ts'
import { decode } from './decode-text.ts'
import { type Detection, detectText } from './detect.ts'
import { inEuros } from './euros.ts'
import { withFarmersKey } from './farmers.ts'
import { refuseEncoding, refuseProblem } from './format-problems.ts'
import {
  type EmbeddedFile,
  FORMAT_CODES,
  type Format,
  type FormatCode,
  type ReadingItem,
  ReadingItems,
  type SignatureNote,
  type Statement,
  type Tree,
} from './model/index.ts'
import { FORMATS, formatOf } from './registry.ts'
import { reconcileStatedAmounts } from './settle-amounts.ts'

export interface ReadOptions {
  /** Expected format; any other format is refused. By default, the format is detected. */
  readonly format?: FormatCode | undefined
  readonly locale?: Locale | undefined
  /** `received` (default), or `issued` if the company itself issued the invoice. */
  readonly direction?: 'received' | 'issued' | undefined
}

/** Result of reading a document: `document` is null if it was refused. */
export type Reading = ReadingNotes &
  (
    | {
        readonly format: FormatCode
        /** Canonical invoice, which can be sent without changes. */
        readonly document: CanonicalInvoiceInput
      }
    | {
        /** Detected format, or null if the document has no supported format. */
        readonly format: FormatCode | null
        /** Always null: `errors` has an item of severity `error`. */
        readonly document: null
      }
  )

/** Members of every result, whether the document was read or refused. */
interface ReadingNotes {
  /** Paths are element paths of the XML; `extra.line` is the line. */
  readonly errors: readonly ReadingItem[]
  /** Files embedded in the document. */
  readonly attachments: readonly EmbeddedFile[]
  /** The unverified data of the signature; null if the document has no signature. */
  readonly signature: SignatureNote | null
}

const refusal = (format: FormatCode | null, { items }: ReadingItems): Reading => ({
  format,
  document: null,
  errors: items,
  attachments: [],
  signature: null,
})

function checkOptions({ format, locale, direction }: ReadOptions): void {
  const refuse = (name: string, value: unknown, allowed: readonly string[]): void => {
    if (value === undefined || allowed.includes(value as string)) return
    const received = JSON.stringify(value)
    throw new OptionError({
      en: `option "${name}" is ${received}; it must be one of ${allowed.join(', ')}`,
      es: `la opción «${name}» es ${received}; debe ser ${allowed.join(', ')}`,
    })
  }
  refuse('format', format, FORMAT_CODES)
  refuse('locale', locale, ['en', 'es'])
  refuse('direction', direction, ['received', 'issued'])
}

/** Returns the decoded text, or null if the document is empty, too large or not decodable. */
function textOf(document: string | Uint8Array | ArrayBuffer, items: ReadingItems) {
  const { text, encoding, problem } = decode(document)
  const size = typeof document === 'string' ? document.length : document.byteLength
  if (problem) refuseEncoding(problem, size, items)
  else if (size > MAX_XML_BYTES)
    items.refuse('format.too_large', '', { received: size, allowed: MAX_XML_BYTES })
  else if (text === null || text.trim() === '') items.refuse('format.empty', '')
  else return { text, encoding, problem }
  return null
}

/** Refuses a document type declaration, and returns whether the text has one. */
function refuseDoctype(text: string, items: ReadingItems): boolean {
  const { problems } = readStrict(required(FORMATS[0]).vocabulary(), text)
  const doctype = problems.find(({ kind }) => kind === 'doctype')
  if (doctype) refuseProblem(doctype, items)
  return doctype !== undefined
}

/** Returns the detected format. If `wanted` is given and differs, refuses the document. */
function chooseFormat(
  { format, root, namespace }: Detection,
  text: string,
  wanted: FormatCode | undefined,
  items: ReadingItems,
) {
  if (root === null && wanted === undefined) {
    if (!refuseDoctype(text, items)) items.refuse('format.unknown', '', { received: null })
  } else if (root !== null && format === null)
    items.refuse('format.unknown', `/${root}`, { received: root, namespace })
  else if (wanted !== undefined && format !== null && format !== wanted)
    items.refuse('format.different', `/${root}`, { expected: wanted, received: format })
  else return formatOf(format ?? required(wanted)) ?? null
  return null
}

/** Returns the tree of a document that is valid against its official schema, or null. */
function treeOf(format: Format, text: string, items: ReadingItems): { root: string; tree: Tree } | null {
  const vocabulary = format.vocabulary()
  const { name, value, problems, more } = readStrict(vocabulary, text)
  for (const problem of problems) refuseProblem(problem, items)
  items.count(more)
  if (name === null || items.refused) return null
  items.locate(vocabulary, name, text)
  return { root: name, tree: value as Tree }
}

interface ParsedDocument {
  readonly format: Format
  readonly root: string
  readonly tree: Tree
  readonly text: string
}

/** Parses the document into the tree of its format. `opened` is null if the document is refused. */
function parseDocument(
  document: string | Uint8Array | ArrayBuffer,
  wanted: FormatCode | undefined,
  items: ReadingItems,
): { readonly detected: FormatCode | null; readonly parsed: ParsedDocument | null } {
  const decoded = textOf(document, items)
  if (decoded === null) return { detected: null, parsed: null }
  const detection = detectText(decoded)
  const format = chooseFormat(detection, decoded.text, wanted, items)
  const read = format && treeOf(format, decoded.text, items)
  const parsed = read && { ...read, format, text: decoded.text }
  return { detected: detection.format, parsed: parsed as ParsedDocument | null }
}

/** Returns the part of a number before its counter, or `SIN-SERIE` if there is no such part. */
const seriesOf = (number: string): string =>
  /^(.*(?:\p{L}|\p{N}(?=[^\p{L}\p{N}])))[^\p{L}\p{N}]*\d+$/u.exec(number)?.[1]?.slice(0, 60) ?? 'SIN-SERIE'

/**
 * Adds the series that an issued invoice must have. Without a series in the document, it is derived from the number.
 */
function withSeries(
  document: CanonicalInvoiceInput | null,
  { locationOf }: Statement,
  items: ReadingItems,
): CanonicalInvoiceInput | null {
  if (document?.meta.direction !== 'issued') return document
  const { invoice_series_code: series, ...header } = document.invoice.header
  if (series !== undefined) return document
  const used = seriesOf(header.invoice_number ?? '')
  items.warn('format.series_assumed', locationOf('/invoice/header/invoice_number'), { used })
  return {
    ...document,
    invoice: { ...document.invoice, header: { ...header, invoice_series_code: used } },
  }
}

/**
 * Reads an invoice of another system into the canonical `json_1_1`.
 *
 * `document` is the XML as text, or as bytes in the encoding that they declare: UTF-8, UTF-16, ISO-8859-1, ISO-8859-15
 * or Windows-1252. The returned `document` can be validated and sent unchanged. It is null if `errors` has an item of
 * severity `error`: the official schema refuses the XML, its amounts do not add up, or `json_1_1` cannot hold them.
 * Amounts are as stated in the document, in its own currency; an issued invoice in another currency is converted to
 * euros, with its own amounts in the `invoice_currency` blocks. Business rules are not checked here: use `validate`.
 *
 * Source: API specification, "XML import rules"; official schemas of Facturae, UBL 2.1 and CII D16B; EN 16931.
 *
 * Throws a `TypeError` only for an invalid option, or if `document` is neither text nor bytes.
 *
 * @example
 * readInvoice('<Invoice>').errors.map(({ code, severity }) => `${code} ${severity}`) // => ['format.unknown error']
 */
export function readInvoice(document: string | Uint8Array | ArrayBuffer, options: ReadOptions = {}): Reading {
  checkOptions(options)
  const items = new ReadingItems(options.locale ?? 'en')
  const { detected, parsed } = parseDocument(document, options.format, items)
  if (parsed === null) return refusal(detected, items)
  const { format, root, tree } = parsed
  const count = format.count?.(tree) ?? 1
  if (count > 1) items.refuse('format.several_invoices', '', { received: count })
  const reading = { direction: options.direction ?? 'received' }
  const read = items.refused ? null : format.read(root, tree, items, reading)
  if (read === null || items.refused) return refusal(detected, items)
  const statement = { ...read, document: collapseLines(withFarmersKey(read.document)) }
  const { attachments = [], signature = null } = statement
  const settled = reconcileStatedAmounts(statement, items)
  const converted = settled && inEuros(settled, statement, items)
  const final = withSeries(converted, statement, items)
  const { code } = format
  return { format: code, document: final, errors: items.items, attachments, signature } as Reading
}

export interface Split {
  readonly format: FormatCode | null
  /** XML of each invoice; empty if `errors` has an item of severity `error`. */
  readonly documents: readonly string[]
  readonly errors: readonly ReadingItem[]
}

/**
 * Splits a file of several invoices (Facturae, `Modality` `L`) into files with one invoice. Amounts and texts do not
 * change. The signature is dropped, because it covers the whole file. A file of one invoice is returned unchanged.
 *
 * `document` and `errors` are as in `readInvoice`: a file that the official schema refuses is not split. Each of
 * `documents` is XML text in UTF-8 for `readInvoice`.
 *
 * Source: Facturae 3.2.2, `FileHeader/Modality` and `FileHeader/Batch`.
 *
 * Throws a `TypeError` only for an invalid option, or if `document` is neither text nor bytes.
 *
 * @example
 * splitInvoices('<Invoice>').errors.map(({ code }) => code) // => ['format.unknown']
 */
export function splitInvoices(
  document: string | Uint8Array | ArrayBuffer,
  options: Pick<ReadOptions, 'format' | 'locale'> = {},
): Split {
  checkOptions(options)
  const items = new ReadingItems(options.locale ?? 'en')
  const { detected, parsed } = parseDocument(document, options.format, items)
  if (parsed === null) return { format: detected, documents: [], errors: items.items }
  const { format, root, tree, text } = parsed
  const alone = (format.count?.(tree) ?? 1) === 1
  const documents =
    alone || !format.split
      ? [text]
      : format.split(tree).map((one) => writeXml(format.vocabulary(), root, one, { declaration: true }))
  return { format: format.code, documents, errors: items.items }
}
