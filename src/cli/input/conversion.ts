/** Converts one document from one format to another: reads, validates, writes. Loaded on demand. */
import { type Options, type ValidationItem, validate } from '../../api/index.ts'
import { type FormatCode, readInvoice, splitInvoices, writeInvoice } from '../../formats/index.ts'
import { COMPUTED_MEMBERS } from '../../invoice/terms.ts'
import { withoutSchema } from '../../json/without-schema.ts'
import { checkDocument, type DocumentResult, type Origin, type Outcome, outcomeOf } from './check-document.ts'
import { sourceOf, xmlResultOf } from './check-xml.ts'
import { faultItem, warningItem } from './faults.ts'
import { looksLikeXml } from './inputs.ts'
import type { Settings, TARGETS } from './settings.ts'

export interface ConvertSettings extends Settings {
  readonly from: 'auto' | FormatCode | 'json_1_1'
  readonly to: (typeof TARGETS)[number]
  /** Whether the company received or issued an XML document. */
  readonly direction: 'received' | 'issued'
  /** Whether files with several invoices are split. */
  readonly split: boolean
}

export interface Conversion {
  readonly result: DocumentResult
  /** Format of the document; null if unknown. */
  readonly from: FormatCode | 'json_1_1' | null
  /** For a split file: the number of this document, from 1, and the total number of documents. */
  readonly part: { readonly number: number; readonly count: number } | null
  /** XML text, or an invoice; null if the conversion failed. */
  readonly content: string | object | null
}

const hasErrors = (items: readonly ValidationItem[]): boolean =>
  items.some(({ severity }) => severity === 'error')

/** Returns options that check the rules and amounts of an existing invoice instead of completing it. */
const optionsFor = ({ options }: ConvertSettings, direction: unknown): Options => ({
  ...options,
  operation: direction === 'received' ? 'received' : 'import',
  totals: 'check',
})

/** A converted invoice with its items. */
interface WrittenInvoice {
  readonly content: string | object | null
  readonly errors: readonly ValidationItem[]
}

/**
 * Converts an invoice read from XML. It is written to json_1_1 without validation; other formats require a valid
 * invoice.
 */
function convertReading(reading: ReturnType<typeof readInvoice>, settings: ConvertSettings): WrittenInvoice {
  const { document, errors, attachments } = reading
  const { to, locale, direction } = settings
  if (document === null) return { content: null, errors }
  if (to === 'json_1_1') {
    const kept = attachments.length
    const note = kept > 0 ? [warningItem('convert.attachments', { count: kept }, locale)] : []
    return { content: document, errors: [...errors, ...note] }
  }
  const validated = validate(document, optionsFor(settings, direction))
  const items = [...errors, ...validated.errors]
  if (!validated.is_valid || validated.data === null) return { content: null, errors: items }
  const written = writeInvoice(validated.data, to, { locale, indent: 2, attachments })
  return { content: written.xml, errors: [...items, ...written.errors] }
}

function fromXml(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion[] {
  const { locale, direction } = settings
  const format = settings.from === 'auto' || settings.from === 'json_1_1' ? undefined : settings.from
  const convert = (source: Uint8Array | string, number: number, count: number): Conversion => {
    const reading = readInvoice(source, { format, locale, direction })
    const part = typeof source === 'string' ? { number, text: source } : undefined
    const { content, errors } = convertReading(reading, settings)
    const outcome: Outcome = { is_valid: content !== null, format: reading.format, errors }
    return {
      result: xmlResultOf(origin, sourceOf(bytes, reading, part), outcome, reading.document),
      from: reading.format,
      part: count > 1 ? { number: number + 1, count } : null,
      content,
    }
  }
  if (!settings.split) return [convert(bytes, 0, 1)]
  const { documents } = splitInvoices(bytes, { format, locale })
  // A single invoice is converted from the original bytes. The reader reports files that cannot be split.
  if (documents.length < 2) return [convert(bytes, 0, 1)]
  return documents.map((text, index) => convert(text, index, documents.length))
}

interface SentDocument {
  readonly meta?: { readonly direction?: unknown }
  readonly invoice?: { readonly header?: { readonly is_simplified?: unknown } }
}

function parsed(bytes: Uint8Array): { readonly text: string; readonly sent: SentDocument | null } {
  const text = new TextDecoder().decode(bytes)
  try {
    return { text, sent: JSON.parse(text) as SentDocument | null }
  } catch {
    return { text, sent: null }
  }
}

/**
 * Checks a JSON document, as a client sends it or as the engine or the server returns it. Computed fields are removed
 * and computed again, and the amounts are compared with those in the document.
 */
function checkJson(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): DocumentResult {
  const { text, sent } = parsed(bytes)
  const options = optionsFor(settings, sent?.meta?.direction)
  const asked: Settings = { ...settings, command: 'validate', withData: true, options }
  if (typeof sent?.invoice?.header?.is_simplified !== 'boolean') return checkDocument(bytes, origin, asked)
  const document = withoutSchema(
    JSON.parse(text, (name, value: unknown) => (COMPUTED_MEMBERS.has(name) ? undefined : value)),
  )
  return { ...origin, text, outcome: outcomeOf(document, asked), document: sent, faultAt: null }
}

function fromJson(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion {
  const { to, locale } = settings
  const result = checkJson(bytes, origin, settings)
  const { is_valid, errors, data } = result.outcome
  const conversionWith = (content: Conversion['content'], items: readonly ValidationItem[]): Conversion => ({
    result: { ...result, outcome: { is_valid: content !== null, errors: items } },
    from: 'json_1_1',
    part: null,
    content,
  })
  if (!is_valid || !data) return conversionWith(null, errors)
  if (to === 'json_1_1') return conversionWith(data, errors)
  const written = writeInvoice(data, to, { locale, indent: 2 })
  return conversionWith(written.xml, [...errors, ...written.errors])
}

/** Converts a document, or each document of a file. Never throws, whatever the document contains. */
export function convertDocument(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion[] {
  try {
    const { from } = settings
    const isXml = from === 'auto' ? looksLikeXml(bytes) : from !== 'json_1_1'
    const found = isXml ? fromXml(bytes, origin, settings) : [fromJson(bytes, origin, settings)]
    return found.map((one) => (hasErrors(one.result.outcome.errors) ? { ...one, content: null } : one))
  } catch (error) {
    const item = faultItem('engine.failure', { reason: (error as Error).message }, settings.locale)
    const outcome = { is_valid: false, errors: [item] }
    const result = { ...origin, text: '', outcome, document: undefined, faultAt: 0 }
    return [{ result, from: null, part: null, content: null }]
  }
}
