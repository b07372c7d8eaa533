/** Converts invoices from and to spreadsheets. */

import { valueAt } from '#core/invoice/pointer.ts'
import { COMPUTED_MEMBERS, COMPUTED_TOTALS, TAXED } from '#core/invoice/terms.ts'
import { type CanonicalInvoice, type Options, type ValidationItem, validate } from '#engine/index.ts'
import { writeInvoice } from '#formats/index.ts'
import { addressOf } from '../spreadsheet/cell-address.ts'
import type { Problem } from '../spreadsheet/problem.ts'
import type { SheetInvoice } from '../spreadsheet/read-invoices.ts'
import type { SheetReading, SpreadsheetFormat } from '../spreadsheet/sheet.ts'
import type { Origin } from './check-document.ts'
import {
  type Conversion,
  type ConvertSettings,
  hasErrors,
  optionsFor,
  type Rows,
} from './convert-settings.ts'
import { errorItem, warningItem } from './input-faults.ts'
import { documentInEuros, documentOfSheet, foreignTotalsProblems } from './sheet-currency.ts'
import { omissionsOnce } from './sheet-omissions.ts'

type Members = Readonly<Record<string, unknown>>

/** Members of an invoice, in the order of the specification. */
const ORDER = [
  'supplier',
  'customer',
  'header',
  'issue_data',
  'lines',
  'taxes_outputs',
  'taxes_withheld',
  'totals',
]
const REQUIRED_TOTALS = ['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total'] as const

const withoutComputed = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) => (COMPUTED_MEMBERS.has(name) ? undefined : member)),
  )

/** Returns the members of an invoice in the order of the specification. */
function inOrder(invoice: Members): Members {
  const rest = Object.keys(invoice).filter((name) => !ORDER.includes(name))
  return Object.fromEntries(
    [...ORDER, ...rest].flatMap((name) => (invoice[name] === undefined ? [] : [[name, invoice[name]]])),
  )
}

/** An invoice of a spreadsheet, completed with calculated amounts. */
interface Completed {
  /** The document with totals and, if a line states an equivalence surcharge, with the breakdown. */
  readonly document: Members
  readonly data: CanonicalInvoice | null
  readonly errors: readonly ValidationItem[]
}

/** Returns the options of an invoice. Without a number, it is a draft, which only `json_1_1` and CSV can represent. */
function optionsOf(document: Members, settings: ConvertSettings): Options {
  const options = optionsFor(settings, valueAt(document, '/meta/direction'))
  const isDraft =
    options.operation === 'import' &&
    (settings.to === 'json_1_1' || settings.to === 'csv') &&
    !settings.sheet?.mapping.columns.some(({ field }) => field === '/invoice/header/invoice_number')
  return { ...options, ...(isDraft ? { operation: 'draft' } : {}), totals: 'recalculate' }
}

/** Returns amounts as the document states them: in the invoice currency for received invoices, or else in euros. */
function asStated<T extends { readonly invoice_currency?: object }>(
  amounts: T,
  { meta }: CanonicalInvoice,
): T {
  const { invoice_currency: own, ...euros } = amounts
  return meta.direction === 'received' && own ? ({ ...euros, ...own } as T) : amounts
}

/** Returns the calculated breakdown with the surcharges of the lines. */
function breakdownWith(data: CanonicalInvoice, surcharges: SheetInvoice['surcharges']): unknown {
  const { lines, taxes_outputs: entries } = data.invoice
  return withoutComputed(
    (entries ?? []).map((euros) => {
      const entry = asStated(euros, data)
      const rate = surcharges.find((_, index) => lines[index]?.tax_output_rate === entry.tax_rate)
      return rate === undefined ? entry : { ...entry, equivalence_surcharge: rate }
    }),
  )
}

/**
 * Calculates the totals that the cells of an invoice do not state, and the breakdown if lines state a surcharge.
 * Compares totals stated in cells with the calculated totals. Converts an invoice issued in another currency to euros.
 */
export function completeInvoice(sheetInvoice: SheetInvoice, settings: ConvertSettings): Completed {
  const { document, surcharges } = sheetInvoice
  const completed = completeInEuros({ ...sheetInvoice, document: documentInEuros(document) }, settings)
  const isDraft = optionsOf(document, settings).operation === 'draft'
  const isSurcharged = surcharges.some((rate) => rate !== undefined)
  const breakdownOf = isSurcharged ? (data: CanonicalInvoice) => breakdownWith(data, surcharges) : null
  const problems = isDraft ? [] : foreignTotalsProblems(document, breakdownOf, settings)
  return { ...completed, errors: [...completed.errors, ...problems] }
}

function completeInEuros(
  { document, surcharges }: Pick<SheetInvoice, 'document' | 'surcharges'>,
  settings: ConvertSettings,
): Completed {
  const invoice = document.invoice as Members
  const stated = (invoice.totals ?? {}) as Members
  const options = optionsOf(document, settings)
  const zeros = Object.fromEntries(REQUIRED_TOTALS.map((name) => [name, 0]))
  const complete = (parts: Members): Completed => {
    const whole = { ...document, invoice: inOrder({ ...invoice, totals: { ...zeros, ...stated }, ...parts }) }
    const { data, errors } = validate(whole, options)
    return { document: whole, data, errors }
  }
  let completed = complete({})
  if (completed.data && surcharges.some((rate) => rate !== undefined))
    completed = complete({ taxes_outputs: breakdownWith(completed.data, surcharges) })
  if (!completed.data) return completed
  const { data: first } = completed
  const entries = first.invoice.taxes_outputs?.map((entry) => asStated(entry, first))
  const totals = asStated(first.invoice.totals, first)
  const calculated = Object.fromEntries(REQUIRED_TOTALS.map((name) => [name, totals[name]]))
  const { taxes_outputs: sent } = completed.document.invoice as Members
  const whole = {
    ...document,
    invoice: inOrder({
      ...invoice,
      totals: { ...calculated, ...stated },
      // These entries include the surcharge amounts, which the first validation calculated.
      ...(sent === undefined || invoice.taxes_outputs ? {} : { taxes_outputs: withoutComputed(entries) }),
    }),
  }
  const isChecked =
    options.operation !== 'draft' && COMPUTED_TOTALS.some((name) => stated[name] !== undefined)
  const { data, errors } = validate(whole, isChecked ? { ...options, totals: 'check' } : options)
  // `taxes_withheld` preserves withholding on the amount without the farmers' compensation. Without this list, a later
  // calculation would withhold on the amount with the compensation.
  const isNet = errors.some(({ code }) => code === 'withholding_base_net')
  const kept = isNet && { taxes_withheld: withoutComputed(data?.invoice.taxes_withheld) }
  return { document: { ...whole, invoice: inOrder({ ...whole.invoice, ...kept }) }, data, errors }
}

/** Members of a problem's `extra` that the message shows without quotes. */
const UNQUOTED = new Set(['cell', 'other_cell', 'expected'])

/** Returns the values to insert into a message. Texts are quoted, so that 2026-03-05 is not formatted as a date. */
const shownIn = (extra: Problem['extra']): Members =>
  Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [
      name,
      UNQUOTED.has(name) || typeof value === 'number'
        ? value
        : Array.isArray(value)
          ? value.map((one) => JSON.stringify(one))
          : JSON.stringify(value ?? ''),
    ]),
  )

/** Returns the item of a problem, with the location of its cell in `extra`. */
function itemOf({ code, path, extra, position }: Problem, { locale }: ConvertSettings): ValidationItem {
  const { line, column } = position
  const item = errorItem(code, shownIn(extra), locale)
  const { column: name, ...others } = extra
  return { ...item, path, extra: { ...others, ...(name === undefined ? {} : { name }), line, column } }
}

/** Returns the scalar values of a document (neither objects nor lists), by pointer. */
function leavesOf(value: unknown, pointer = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) found.set(pointer, value)
  else for (const [name, child] of Object.entries(value)) leavesOf(child, `${pointer}/${name}`, found)
  return found
}

/** Returns a tax rate with several surcharges in the breakdown, if any. Lines in rows cannot state these surcharges. */
function dividedRate({ invoice: { taxes_outputs: entries = [] } }: CanonicalInvoice): number | undefined {
  const surcharges = new Map<number, number>()
  for (const { tax_rate: rate, tax_treatment_code, equivalence_surcharge: surcharge = 0 } of entries) {
    if (tax_treatment_code !== TAXED) continue
    if ((surcharges.get(rate) ?? surcharge) !== surcharge) return rate
    surcharges.set(rate, surcharge)
  }
  return undefined
}

/** Totals whose change is reported by name, in this order. */
const NAMED_TOTALS = ['invoice_total', 'total_executable_amount', 'total_tax_outputs'] as const

/** Returns a warning about the first total that changes when the invoice is written as rows and read again. */
function totalsLost(
  before: CanonicalInvoice,
  after: CanonicalInvoice | null,
  locale: ConvertSettings['locale'],
) {
  if (after === null) return []
  const pairs = [
    [before.invoice.totals, after.invoice.totals],
    [before.invoice.totals.invoice_currency ?? {}, after.invoice.totals.invoice_currency ?? {}],
  ] as const
  for (const [expected, received] of pairs) {
    const name = NAMED_TOTALS.find((one) => expected[one] !== received[one])
    if (name === undefined) continue
    const extra = { name, expected: expected[name] ?? 0, received: received[name] ?? 0 }
    return [warningItem('csv.total_differs', extra, locale)]
  }
  return []
}

/**
 * Writes an invoice as rows, then reads the rows again and warns about values that were lost. `data` is the completed
 * invoice.
 */
export function rowsFor(
  sheet: SpreadsheetFormat,
  document: unknown,
  data: CanonicalInvoice,
  settings: ConvertSettings,
): { readonly content: Rows | null; readonly errors: readonly ValidationItem[] } {
  const { locale } = settings
  const rate = dividedRate(data)
  if (rate !== undefined)
    return { content: null, errors: [errorItem('csv.surcharge_divided', { rate }, locale)] }
  const hasBoth = sheet.mapping.columns.some(({ field }) =>
    /\/invoice_currency\/(?!invoice_currency_code|exchange)/.test(field),
  )
  const { rows, problems } = sheet.rowsOf(documentOfSheet(document, data, hasBoth))
  if (problems.length > 0) return { content: null, errors: problems.map((one) => itemOf(one, settings)) }
  const read = sheet.invoiceOf(rows)
  if (!read)
    return {
      content: null,
      errors: [
        errorItem(
          'csv.key_missing',
          { columns: sheet.mapping.groupBy.map((one) => JSON.stringify(one)) },
          locale,
        ),
      ],
    }
  const returned = completeInvoice(read, settings)
  const found = leavesOf(returned.data ?? returned.document)
  const lost = [...leavesOf(returned.data ? data : document)].filter(
    ([pointer, value]) => found.get(pointer) !== value,
  )
  if (lost.length === 0) return { content: rows, errors: [] }
  const fields = lost.map(([pointer]) => pointer).slice(0, 5)
  const warning = warningItem('csv.not_written', { count: lost.length, fields }, locale)
  return { content: rows, errors: [...totalsLost(data, returned.data, locale), warning] }
}

/** Writes a completed invoice of a spreadsheet in the target format. */
function contentOf(completed: Completed, settings: ConvertSettings) {
  const { document, data } = completed
  const { to, sheet, locale } = settings
  if (!data || hasErrors(completed.errors)) return { content: null, errors: [] }
  if (to === 'json_1_1') return { content: document, errors: [] }
  if (to === 'csv') return sheet ? rowsFor(sheet, document, data, settings) : { content: null, errors: [] }
  const { xml, errors } = writeInvoice(data, to, { locale, profile: settings.profile, indent: 2 })
  return { content: xml, errors }
}

/** Converts one invoice of a spreadsheet. Adds the location of a cell to each item. */
function convertInvoice(
  invoice: SheetInvoice,
  { text, locate }: SheetReading,
  origin: Origin,
  settings: ConvertSettings,
) {
  const located = (item: ValidationItem): ValidationItem => {
    const { position, row, column } = locate(invoice, item.path)
    const cell = addressOf({ row, column })
    return { ...item, extra: { ...item.extra, cell, row, line: position.line, column: position.column } }
  }
  const { problems } = invoice
  const completed = problems.length > 0 ? null : completeInvoice(invoice, settings)
  const { content, errors } = completed
    ? contentOf(completed, settings)
    : { content: null, errors: problems.map((one) => itemOf(one, settings)) }
  const items = completed ? [...completed.errors, ...errors].map(located) : errors
  const positions = completed
    ? items.map(({ path }) => locate(invoice, path).position)
    : problems.map((one) => one.position)
  const result = {
    ...origin,
    text,
    outcome: { is_valid: content !== null, errors: items },
    document: invoice.document,
    faultAt: null,
    positions,
  }
  return { result, from: 'csv' as const, content }
}

/** Converts each invoice of a spreadsheet. */
export function fromSheet(
  sheet: SpreadsheetFormat,
  bytes: Uint8Array,
  origin: Origin,
  settings: ConvertSettings,
): Conversion[] {
  const reading = sheet.read(bytes)
  const { text, invoices, problems } = reading
  if (problems.length > 0) {
    const errors = problems.map((problem) => itemOf(problem, settings))
    const positions = problems.map(({ position }) => position)
    const outcome = { is_valid: false, errors }
    const result = { ...origin, text, outcome, document: undefined, faultAt: null, positions }
    return [{ result, from: 'csv', part: null, content: null }]
  }
  const conversions = invoices.map((invoice, index) => ({
    ...convertInvoice(invoice, reading, origin, settings),
    part: { number: index + 1, count: invoices.length },
  }))
  return omissionsOnce(conversions, sheet.mapping, settings)
}
