/** One document from one format to another: read, judged, written. Loaded only where something is converted. */
import { type Options, type ValidationItem, validate } from '../../api/index.ts'
import { type FormatCode, readInvoice, splitInvoices, writeInvoice } from '../../formats/index.ts'
import { COMPUTED_MEMBERS } from '../../invoice/terms.ts'
import { withoutSchema } from '../../json/without-schema.ts'
import { faultItem, warningItem } from './faults.ts'
import { looksLikeXml } from './inputs.ts'
import type { Settings, TARGETS } from './settings.ts'
import { type Answer, answerOf, checkDocument, type Origin, type Verdict } from './verdict.ts'
import { sourceOf, verdictOf } from './xml-verdict.ts'

export interface ConvertSettings extends Settings {
  readonly from: 'auto' | FormatCode | 'json_1_1'
  readonly to: (typeof TARGETS)[number]
  /** What an XML document is to the company. */
  readonly direction: 'received' | 'issued'
  /** Files of several invoices are divided. */
  readonly split: boolean
}

export interface Conversion {
  readonly verdict: Verdict
  /** What the document is; null where that is not known. */
  readonly from: FormatCode | 'json_1_1' | null
  /** In a file that was divided: which one it is from 1, and of how many. */
  readonly part: { readonly number: number; readonly count: number } | null
  /** Text of XML, or an invoice; null where it was refused. */
  readonly content: string | object | null
}

const hasErrors = (items: readonly ValidationItem[]): boolean =>
  items.some(({ severity }) => severity === 'error')

/** An invoice that exists already is held against its rules and its amounts, not completed. */
const optionsFor = ({ options }: ConvertSettings, direction: unknown): Options => ({
  ...options,
  operation: direction === 'received' ? 'received' : 'import',
  totals: 'check',
})

/** What is made of an invoice, and what is said of it. Neither part of the answer where the other says no. */
interface Made {
  readonly content: string | object | null
  readonly errors: readonly ValidationItem[]
}

/** An XML piece: what it states is json_1_1 as it is; another format takes only what the rules allow. */
function made(reading: ReturnType<typeof readInvoice>, settings: ConvertSettings): Made {
  const { document, errors, attachments } = reading
  const { to, locale, direction } = settings
  if (document === null) return { content: null, errors }
  if (to === 'json_1_1') {
    const kept = attachments.length
    const note = kept > 0 ? [warningItem('convert.attachments', { count: kept }, locale)] : []
    return { content: document, errors: [...errors, ...note] }
  }
  const judged = validate(document, optionsFor(settings, direction))
  const told = [...errors, ...judged.errors]
  if (!judged.is_valid || judged.data === null) return { content: null, errors: told }
  const written = writeInvoice(judged.data, to, { locale, indent: 2, attachments })
  return { content: written.xml, errors: [...told, ...written.errors] }
}

function fromXml(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion[] {
  const { locale, direction } = settings
  const format = settings.from === 'auto' || settings.from === 'json_1_1' ? undefined : settings.from
  const convert = (piece: Uint8Array | string, number: number, count: number): Conversion => {
    const reading = readInvoice(piece, { format, locale, direction })
    const part = typeof piece === 'string' ? { number, text: piece } : undefined
    const { content, errors } = made(reading, settings)
    const answer: Answer = { is_valid: content !== null, format: reading.format, errors }
    return {
      verdict: verdictOf(origin, sourceOf(bytes, reading, part), answer, reading.document),
      from: reading.format,
      part: count > 1 ? { number: number + 1, count } : null,
      content,
    }
  }
  if (!settings.split) return [convert(bytes, 0, 1)]
  const { documents } = splitInvoices(bytes, { format, locale })
  // One invoice stays as it came, signature and all; what cannot be divided is told by whoever reads it.
  if (documents.length < 2) return [convert(bytes, 0, 1)]
  return documents.map((text, index) => convert(text, index, documents.length))
}

interface Sent {
  readonly meta?: { readonly direction?: unknown }
  readonly invoice?: { readonly header?: { readonly is_simplified?: unknown } }
}

function parsed(bytes: Uint8Array): { readonly text: string; readonly sent: Sent | null } {
  const text = new TextDecoder().decode(bytes)
  try {
    return { text, sent: JSON.parse(text) as Sent | null }
  } catch {
    return { text, sent: null }
  }
}

/**
 * A document in JSON, as it is sent or as the engine and the server answer it. What they have computed is no part of
 * what is sent: it is computed again, and the amounts are held against those that are there.
 */
function judgedJson(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Verdict {
  const { text, sent } = parsed(bytes)
  const options = optionsFor(settings, sent?.meta?.direction)
  const asked: Settings = { ...settings, command: 'validate', withData: true, options }
  if (typeof sent?.invoice?.header?.is_simplified !== 'boolean') return checkDocument(bytes, origin, asked)
  const document = withoutSchema(
    JSON.parse(text, (name, value: unknown) => (COMPUTED_MEMBERS.has(name) ? undefined : value)),
  )
  return { ...origin, text, answer: answerOf(document, asked), document: sent, faultAt: null }
}

function fromJson(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion {
  const { to, locale } = settings
  const verdict = judgedJson(bytes, origin, settings)
  const { is_valid, errors, data } = verdict.answer
  const answered = (content: Conversion['content'], items: readonly ValidationItem[]): Conversion => ({
    verdict: { ...verdict, answer: { is_valid: content !== null, errors: items } },
    from: 'json_1_1',
    part: null,
    content,
  })
  if (!is_valid || !data) return answered(null, errors)
  if (to === 'json_1_1') return answered(data, errors)
  const written = writeInvoice(data, to, { locale, indent: 2 })
  return answered(written.xml, [...errors, ...written.errors])
}

/** Converts a document, or each of a file of several. Nothing that it holds makes it throw. */
export function convertDocument(bytes: Uint8Array, origin: Origin, settings: ConvertSettings): Conversion[] {
  try {
    const { from } = settings
    const isXml = from === 'auto' ? looksLikeXml(bytes) : from !== 'json_1_1'
    const found = isXml ? fromXml(bytes, origin, settings) : [fromJson(bytes, origin, settings)]
    return found.map((one) => (hasErrors(one.verdict.answer.errors) ? { ...one, content: null } : one))
  } catch (error) {
    const item = faultItem('engine.failure', { reason: (error as Error).message }, settings.locale)
    const answer = { is_valid: false, errors: [item] }
    const verdict = { ...origin, text: '', answer, document: undefined, faultAt: 0 }
    return [{ verdict, from: null, part: null, content: null }]
  }
}
