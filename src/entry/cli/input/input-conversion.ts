/** Converts one document from one format to another: reads, validates, writes. Loaded on demand. */

import { COMPUTED_MEMBERS } from '#core/invoice/terms.ts'
import { withoutSchema } from '#core/json/index.ts'
import {
  type CanonicalInvoice,
  type CanonicalInvoiceInput,
  type ValidationItem,
  validate,
} from '#engine/index.ts'
import { type FormatCode, readInvoice, splitInvoices, writeInvoice } from '#formats/index.ts'
import {
  checkDocument,
  type DocumentResult,
  jsonOf,
  type Origin,
  type Outcome,
  outcomeOf,
} from './check-document.ts'
import { sourceOf, xmlResultOf } from './check-xml.ts'
import { type Conversion, type ConvertSettings, hasErrors, optionsFor } from './convert-settings.ts'
import { errorItem, warningItem } from './input-faults.ts'
import type { Settings } from './input-settings.ts'
import { looksLikeXml } from './inputs.ts'
import { fromSheet, rowsFor } from './sheet-conversion.ts'

/** A converted invoice with its items. */
interface WrittenInvoice {
  readonly content: Conversion['content']
  readonly errors: readonly ValidationItem[]
}

/** Writes a valid invoice in the target format. XML and JSON are written from `data`, CSV rows from `document`. */
function writeTo(
  data: CanonicalInvoice,
  document: unknown,
  settings: ConvertSettings,
  attachments: ReturnType<typeof readInvoice>['attachments'] = [],
): WrittenInvoice {
  const { to, profile, locale, sheet } = settings
  if (to === 'json_1_1') return { content: data, errors: [] }
  if (to !== 'csv') {
    const { xml, errors } = writeInvoice(data, to, { locale, profile, indent: 2, attachments })
    return { content: xml, errors }
  }
  if (!sheet) throw new Error('no mapping')
  const kept = attachments.length
  const note = kept > 0 ? [warningItem('convert.attachments', { count: kept }, locale)] : []
  const { content, errors } = rowsFor(sheet, document, data, settings)
  return { content, errors: [...errors, ...note] }
}

type Target = ConvertSettings['to']
const isXml = (to: Target): to is Exclude<Target, 'json_1_1' | 'csv'> => to !== 'json_1_1' && to !== 'csv'

const NO_RATE = 'format.exchange_rate_missing'

/**
 * Reads an XML document. If the target is XML, reads an invoice in another currency like a received invoice, whose
 * amounts stay in that currency: the invoice may state neither an exchange rate nor amounts in euros.
 */
function readToConvert(
  source: Uint8Array | string,
  format: FormatCode | undefined,
  { to, locale, direction }: ConvertSettings,
) {
  const reading = readInvoice(source, { format, locale, direction })
  return isXml(to) && reading.errors.some(({ code }) => code === NO_RATE)
    ? readInvoice(source, { format, locale })
    : reading
}

/** Whether an invoice in another currency has no exchange rate, so that its amounts in euros are unknown. */
function isOnlyForeign({ invoice: { issue_data } }: CanonicalInvoiceInput): boolean {
  const currency = issue_data.invoice_currency
  return currency !== undefined && currency.exchange_rate === undefined
}

/**
 * Converts an invoice read from XML. Writes it without validation to json_1_1 and, if its amounts in euros are unknown,
 * to another XML format. Otherwise the invoice must be valid.
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
  if (isXml(to) && isOnlyForeign(document)) {
    const { xml, errors: refused } = writeInvoice(document, to, {
      locale,
      profile: settings.profile,
      indent: 2,
      attachments,
    })
    return { content: xml, errors: [...errors, ...refused] }
  }
  const validated = validate(document, optionsFor(settings, direction))
  const items = [...errors, ...validated.errors]
  if (!validated.is_valid || validated.data === null) return { content: null, errors: items }
  const written = writeTo(validated.data, document, settings, attachments)
  return { content: written.content, errors: [...items, ...written.errors] }
}

function fromXml(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion[] {
  const { from, locale } = settings
  const format = from === 'auto' || from === 'json_1_1' || from === 'csv' ? undefined : from
  const convert = (source: Uint8Array | string, number: number, count: number): Conversion => {
    const reading = readToConvert(source, format, settings)
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

function parsed(bytes: Uint8Array, origin: Origin) {
  const text = new TextDecoder().decode(bytes)
  const json = jsonOf(origin, text)
  try {
    return { text, json, sent: JSON.parse(json) as SentDocument | null }
  } catch {
    return { text, json, sent: null }
  }
}

/**
 * Checks a JSON invoice, whether written by a client or returned by the engine or the server. Computed fields are
 * removed and computed again, and the amounts are compared with those in the document.
 */
export function checkJson(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): DocumentResult {
  const { text, json, sent } = parsed(bytes, origin)
  const options = optionsFor(settings, sent?.meta?.direction)
  const asked: Settings = { ...settings, command: 'validate', withData: true, options }
  if (typeof sent?.invoice?.header?.is_simplified !== 'boolean') return checkDocument(bytes, origin, asked)
  const document = withoutSchema(
    JSON.parse(json, (name, value: unknown) => (COMPUTED_MEMBERS.has(name) ? undefined : value)),
  )
  return { ...origin, text, outcome: outcomeOf(document, asked), document: sent, faultAt: null }
}

function fromJson(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion {
  const result = checkJson(bytes, origin, settings)
  const { is_valid, errors, data } = result.outcome
  const conversionWith = (content: Conversion['content'], items: readonly ValidationItem[]): Conversion => ({
    result: { ...result, outcome: { is_valid: content !== null, errors: items } },
    from: 'json_1_1',
    part: null,
    content,
  })
  if (!is_valid || !data) return conversionWith(null, errors)
  const written = writeTo(data, result.document, settings)
  return conversionWith(written.content, [...errors, ...written.errors])
}

/** Converts a document, or each document of a file. Never throws, whatever the document contains. */
export function convertDocument(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion[] {
  try {
    const { from, sheet } = settings
    const isXml = from === 'auto' ? looksLikeXml(bytes) : from !== 'json_1_1'
    const found =
      from === 'csv' && sheet
        ? fromSheet(sheet, bytes, origin, settings)
        : isXml
          ? fromXml(bytes, origin, settings)
          : [fromJson(bytes, origin, settings)]
    return found.map((one) => (hasErrors(one.result.outcome.errors) ? { ...one, content: null } : one))
  } catch (error) {
    const item = errorItem('engine.failure', { reason: (error as Error).message }, settings.locale)
    const outcome = { is_valid: false, errors: [item] }
    const result = { ...origin, text: '', outcome, document: undefined, faultAt: 0 }
    return [{ result, from: null, part: null, content: null }]
  }
}
