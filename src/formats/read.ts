/** `readInvoice`: bytes to canonical invoice. */
import { required } from '../errors/index.ts'
import { type CanonicalInvoiceInput, type Locale, OptionError } from '../invoice/index.ts'
import { MAX_XML_BYTES, readStrict, writeXml } from '../xml/index.ts'
import { type Detection, detectText } from './detect.ts'
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
import { refuseEncoding, refuseProblem } from './problems.ts'
import { FORMATS, formatOf } from './registry.ts'
import { settle } from './settle.ts'
import { decode } from './text.ts'

export interface ReadOptions {
  /** What the document is said to be: it is refused where it is something else. Absent: what it is. */
  readonly format?: FormatCode | undefined
  readonly locale?: Locale | undefined
  /** Seen from the company: `received` (default), or `issued` for its own invoices. */
  readonly direction?: 'received' | 'issued' | undefined
}

/** A document that was read, or refused: `document` tells which. */
export type Reading = ReadingNotes &
  (
    | {
        /** What the document is. */
        readonly format: FormatCode
        /** Canonical invoice, to be sent as it is. */
        readonly document: CanonicalInvoiceInput
      }
    | {
        /** What the document is; null where it is none of the formats. */
        readonly format: FormatCode | null
        /** Null: an item of `errors` is an error. */
        readonly document: null
      }
  )

/** What is said of a document, whether it was read or refused. */
interface ReadingNotes {
  /** Paths are element paths of the XML; `extra.line` is the line. */
  readonly errors: readonly ReadingItem[]
  /** Files inside of the document. */
  readonly attachments: readonly EmbeddedFile[]
  /** What the signature says of itself, unverified; null where there is none. */
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
      en: `option "${name}" is ${received}; it must be ${allowed.join(', ')}`,
      es: `la opción «${name}» es ${received}; debe ser ${allowed.join(', ')}`,
    })
  }
  refuse('format', format, FORMAT_CODES)
  refuse('locale', locale, ['en', 'es'])
  refuse('direction', direction, ['received', 'issued'])
}

/** The text of a document of a size that is read, or null. */
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

/** True of a document type, before which no root element is looked for: refused for what it is. */
function refuseDoctype(text: string, items: ReadingItems): boolean {
  const { problems } = readStrict(required(FORMATS[0]).vocabulary(), text)
  const doctype = problems.find(({ kind }) => kind === 'doctype')
  if (doctype) refuseProblem(doctype, items)
  return doctype !== undefined
}

/** The format to read a document as: its own, which has to be the one that it is said to be. */
function choose(
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

/** The tree of a document that its official schema allows, or null. */
function treeOf(format: Format, text: string, items: ReadingItems): { root: string; tree: Tree } | null {
  const vocabulary = format.vocabulary()
  const { name, value, problems, more } = readStrict(vocabulary, text)
  for (const problem of problems) refuseProblem(problem, items)
  items.count(more)
  if (name === null || items.refused) return null
  items.locate(vocabulary, name, text)
  return { root: name, tree: value as Tree }
}

interface Opened {
  readonly format: Format
  readonly root: string
  readonly tree: Tree
  readonly text: string
}

/** The document as a tree of its format, which is that of the caller; null where it is refused. */
function open(
  document: string | Uint8Array | ArrayBuffer,
  wanted: FormatCode | undefined,
  items: ReadingItems,
): { readonly detected: FormatCode | null; readonly opened: Opened | null } {
  const decoded = textOf(document, items)
  if (decoded === null) return { detected: null, opened: null }
  const detection = detectText(decoded)
  const format = choose(detection, decoded.text, wanted, items)
  const read = format && treeOf(format, decoded.text, items)
  const opened = read && { ...read, format, text: decoded.text }
  return { detected: detection.format, opened: opened as Opened | null }
}

/** The part of a number before its count, and what stands where there is none. */
const seriesOf = (number: string): string =>
  /^(.*(?:\p{L}|\p{N}(?=[^\p{L}\p{N}])))[^\p{L}\p{N}]*\d+$/u.exec(number)?.[1]?.slice(0, 60) ?? 'SIN-SERIE'

/** An issued invoice has a series; where the document names none, its number tells one. */
function withSeries(
  document: CanonicalInvoiceInput | null,
  { placeOf }: Statement,
  items: ReadingItems,
): CanonicalInvoiceInput | null {
  if (document?.meta.direction !== 'issued') return document
  const { invoice_series_code: series, ...header } = document.invoice.header
  if (series !== undefined) return document
  const used = seriesOf(header.invoice_number ?? '')
  items.warn('format.series_assumed', placeOf('/invoice/header/invoice_number'), { used })
  return {
    ...document,
    invoice: { ...document.invoice, header: { ...header, invoice_series_code: used } },
  }
}

/**
 * Reads an invoice of another system into the canonical `json_1_1`.
 *
 * `document` is the XML: its bytes as they came (in UTF-8, UTF-16, ISO-8859-1, ISO-8859-15 or Windows-1252, as they
 * declare), or its text. The answer's `document` can be validated and sent as it is; it is null where an item of
 * `errors` is an error: what the official schema refuses, amounts that do not add up, amounts that the canonical form
 * has no place for. Amounts are those that the document states, in its own currency. Business rules are not judged
 * here: `validate` does that.
 *
 * Source: API specification, "XML import rules"; official schemas of Facturae, UBL 2.1 and CII D16B; EN 16931.
 *
 * Throws a `TypeError` for a wrong option and for what is neither text nor bytes, and for nothing else.
 *
 * @example
 * readInvoice('<Invoice>').errors.map(({ code, severity }) => `${code} ${severity}`) // => ['format.unknown error']
 */
export function readInvoice(document: string | Uint8Array | ArrayBuffer, options: ReadOptions = {}): Reading {
  checkOptions(options)
  const items = new ReadingItems(options.locale ?? 'en')
  const { detected, opened } = open(document, options.format, items)
  if (opened === null) return refusal(detected, items)
  const { format, root, tree } = opened
  const count = format.count?.(tree) ?? 1
  if (count > 1) items.refuse('format.several_invoices', '', { received: count })
  const reading = { direction: options.direction ?? 'received' }
  const statement = items.refused ? null : format.read(root, tree, items, reading)
  if (statement === null || items.refused) return refusal(detected, items)
  const { attachments = [], signature = null } = statement
  const settled = withSeries(settle(statement, items), statement, items)
  const { code } = format
  return { format: code, document: settled, errors: items.items, attachments, signature } as Reading
}

export interface Split {
  readonly format: FormatCode | null
  /** The XML of each invoice alone; empty where an item of `errors` is an error. */
  readonly documents: readonly string[]
  readonly errors: readonly ReadingItem[]
}

/**
 * Divides a file of several invoices (Facturae, `Modality` `L`) into files of one. Amounts and texts stay as they are; a
 * signature was of the whole file and is left out. A file of one invoice is answered as it is.
 *
 * `document` is as in `readInvoice`, and the answer's `errors` are of the same kind: what the official schema refuses is
 * not divided. Each of `documents` is an XML text in UTF-8, to be given to `readInvoice`.
 *
 * Source: Facturae 3.2.2, `FileHeader/Modality` and `FileHeader/Batch`.
 *
 * Throws a `TypeError` for a wrong option and for what is neither text nor bytes, and for nothing else.
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
  const { detected, opened } = open(document, options.format, items)
  if (opened === null) return { format: detected, documents: [], errors: items.items }
  const { format, root, tree, text } = opened
  const alone = (format.count?.(tree) ?? 1) === 1
  const documents =
    alone || !format.split
      ? [text]
      : format.split(tree).map((one) => writeXml(format.vocabulary(), root, one, { declaration: true }))
  return { format: format.code, documents, errors: items.items }
}
