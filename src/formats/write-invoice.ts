/** `writeInvoice`: writes a canonical invoice as XML. */

import { required } from '#core/errors/index.ts'
import {
  type CanonicalInvoice,
  type CanonicalInvoiceInput,
  type Locale,
  OptionError,
  type Text,
} from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { violationsOf, writeXml } from '#core/xml/index.ts'
import {
  type EmbeddedFile,
  type ExportItem,
  FORMAT_CODES,
  type FormatCode,
  PROFILE_CODES,
  PROFILES,
  type Profile,
  type ProfileCode,
  WritingItems,
} from './model/index.ts'
import { formatOf } from './registry.ts'
import { calculate, documentToCompare } from './settle-amounts.ts'

const EURO = 'EUR'

export interface WriteInvoiceOptions {
  /**
   * Rules of the receiver in addition to the format: `peppol` (Peppol BIS Billing 3.0, `ubl_2_1`), `facturx` (the CII
   * of a Factur-X file, `cii_d16b`), `face` (the Spanish public sector, `facturae_3_2_2`). UBL and CII are written in
   * the profile `en16931` by default.
   */
  readonly profile?: ProfileCode | undefined
  readonly locale?: Locale | undefined
  /** Spaces for each level; 0 (default) writes one line. */
  readonly indent?: number | undefined
  /** Files to embed, if the format can carry them. */
  readonly attachments?: readonly EmbeddedFile[] | undefined
}

export interface Written {
  /** The document in UTF-8; null if it was refused: see `errors`. */
  readonly xml: string | null
  /** Items of code `export_not_possible`, with the reason in `extra.reason`; paths point into the invoice. */
  readonly errors: readonly ExportItem[]
}

/** Whether the engine has calculated the invoice. A calculated invoice has members that only the engine adds. */
function isCalculated(document: CanonicalInvoiceInput | CanonicalInvoice): document is CanonicalInvoice {
  const { header, supplier, issue_data, lines, totals } = (document as CanonicalInvoice)?.invoice ?? {}
  return (
    typeof header?.is_simplified === 'boolean' &&
    typeof totals?.invoice_total === 'number' &&
    Boolean(supplier && issue_data) &&
    Array.isArray(lines) &&
    lines.every((line) => typeof line?.sequence_number === 'number')
  )
}

/** Whether the document is a received one in another currency without an exchange rate, as read from XML. */
function isWithoutEuros({ meta, invoice }: CanonicalInvoiceInput): boolean {
  const { invoice_currency_code: code = EURO, exchange_rate: rate } =
    invoice?.issue_data?.invoice_currency ?? {}
  return meta?.direction === 'received' && code !== EURO && rate === undefined
}

/** Removes the exchange rate 1, with which the amounts were calculated in their own currency. */
function withoutRate(data: CanonicalInvoice): CanonicalInvoice {
  const { issue_data: issue } = data.invoice
  const { invoice_currency_code } = required(issue.invoice_currency)
  const invoice_currency = { invoice_currency_code } as NonNullable<typeof issue.invoice_currency>
  return { ...data, invoice: { ...data.invoice, issue_data: { ...issue, invoice_currency } } }
}

/**
 * Returns the calculated invoice, or null if it is invalid. An invoice without an exchange rate is calculated in its
 * own currency only.
 */
function calculated(document: CanonicalInvoiceInput | CanonicalInvoice, items: WritingItems) {
  if (isCalculated(document)) return document
  const operation = document?.meta?.direction === 'received' ? 'received' : 'import'
  const isOwn = Boolean(document) && isWithoutEuros(document)
  const { data, errors } = calculate(isOwn ? documentToCompare(document) : document, {
    operation,
    totals: 'check',
    locale: items.locale,
  })
  if (data === null)
    for (const { path, message, code } of errors)
      items.refuse('not_calculated', path, { problem: message, canonical_code: code })
  return data && isOwn ? withoutRate(data) : data
}

function checkOption(name: Text, value: unknown, allowed: readonly string[]): void {
  if (allowed.includes(value as string)) return
  const [received, list] = [JSON.stringify(value), allowed.join(', ')]
  throw new OptionError({
    en: `the ${name.en} is ${received}; it must be one of ${list}`,
    es: `el ${name.es} es ${received}; debe ser uno de ${list}`,
  })
}

const profilesOf = (format: FormatCode): ProfileCode[] =>
  PROFILE_CODES.filter((code) => PROFILES[code].formats.includes(format))

/** Returns the requested profile, otherwise the default profile of the format. Facturae has no default profile. */
const profileOf = (format: FormatCode, code: ProfileCode | undefined): Profile | null =>
  code === undefined && format === 'facturae_3_2_2' ? null : PROFILES[code ?? 'en16931']

/** Refuses an invoice without a field that the profile requires. */
function checkRequired(document: CanonicalInvoice, { requires = [] }: Profile, items: WritingItems): void {
  for (const fields of requires)
    if (!fields.some((path) => Boolean(valueAt(document, path)))) items.refuse('missing', required(fields[0]))
}

/**
 * Writes an invoice in the format of another system: `facturae_3_2_2`, `ubl_2_1` or `cii_d16b`.
 *
 * `document` is a canonical invoice, preferably as the engine returned it (`validate(...).data`); otherwise it is
 * calculated first. The XML is valid against the official schema. Data that the format cannot represent is refused with
 * a reason, never shortened or omitted. With a `profile`, an invoice without data that the receiver requires is
 * refused; the item names the missing field.
 *
 * Source: API specification, "GET /issued-invoices/{invoice_id}/export".
 *
 * Throws a `TypeError` only for an invalid option.
 *
 * @example
 * const unfinished = { schema_version: 'json_1_1' } as never
 * writeInvoice(unfinished, 'facturae_3_2_2').errors[0]?.extra?.reason // => 'not_calculated'
 */
export function writeInvoice(
  document: CanonicalInvoiceInput | CanonicalInvoice,
  format: FormatCode,
  { locale = 'en', indent = 0, attachments = [], profile: code }: WriteInvoiceOptions = {},
): Written {
  checkOption({ en: 'format', es: 'formato' }, format, FORMAT_CODES)
  if (code !== undefined) checkOption({ en: 'profile', es: 'perfil' }, code, PROFILE_CODES)
  const profiles = profilesOf(format)
  const isKnown = code === undefined || profiles.includes(code)
  const items = new WritingItems(locale, format, isKnown ? code : undefined)
  const known = formatOf(format)
  const refused = (): Written => ({ xml: null, errors: items.items })
  if (!known?.write) {
    items.refuse('not_written', '')
    return refused()
  }
  if (!isKnown) {
    items.refuse('profile', '', { received: code, allowed: profiles.join(', ') })
    return refused()
  }
  const profile = profileOf(format, code)
  const data = calculated(document, items)
  if (data && profile) checkRequired(data, profile, items)
  const made = data && known.write(data, items, { attachments, profile })
  if (!made || items.items.length > 0) return refused()
  const vocabulary = known.vocabulary()
  const { root, tree } = made
  // Refuses values that the mapping accepted and the schema does not allow.
  for (const { path, kind, received, allowed } of violationsOf(
    tree,
    required(vocabulary.roots.get(root)).type,
    root,
  ))
    items.refuse('not_in_form', path, { violation: kind, received, allowed })
  if (items.items.length > 0) return refused()
  return { xml: writeXml(vocabulary, root, tree, { indent }), errors: [] }
}
