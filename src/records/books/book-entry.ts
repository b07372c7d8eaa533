/** An invoice in the books: its document, its data in the settings, and the cells that are equal in all its rows. */
import { required } from '#core/errors/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoice, InvoiceBlock } from '#core/invoice/index.ts'
import { CASH_BASIS, isMarginKey } from '#core/invoice/terms.ts'
import type { ItemCollector } from '#core/messages/index.ts'
import { type Minor, sum, toMinor, toNumber } from '#core/money/index.ts'
import type { ReplacedInvoice } from '../fiscal/correction.ts'
import { documentOf, type Validated } from '../fiscal/fiscal-document.ts'
import { correctiveType, externalRefOf } from '../fiscal/fiscal-operation.ts'
import { operationDateOf } from '../fiscal/fiscal-operation-day.ts'
import { type FiscalParty, truncate } from '../fiscal/fiscal-party.ts'
import { checkTotals } from '../sii/record/consistency.ts'
import { issuedPeriodDate } from '../sii/record/issued-record.ts'
import { meansOf, type SiiPayment } from '../sii/record/payments-record.ts'
import { registrationDay } from '../sii/record/received-record.ts'
import type { BookCode } from './book-messages.ts'
import { type BookCompany, type InvoiceFacts, QUARTERS, type Quarter } from './book-settings.ts'

/** The cells of a row by column name. Amounts are in euros, dates are `YYYY-MM-DD`. Blank cells are omitted. */
export type Row = Readonly<Record<string, string | number>>

export interface BookInvoice {
  /** Name of the document in messages: its file or its id. */
  readonly source: string
  readonly invoice: CanonicalInvoice | Validated
  /** True for an invoice that replaces simplified invoices (F3). The type stated in the settings takes precedence. */
  readonly replaces?: boolean
  /** Collections or payments under cash basis, besides those of the settings. */
  readonly payments?: readonly SiiPayment[]
}

export interface Context {
  readonly company: BookCompany
  readonly refuse: ItemCollector<BookCode>['refuse']
  readonly warn: ItemCollector<BookCode>['warn']
  /** Returns the filing period of a day; undefined if it is not between 1 January and the end of the last quarter. */
  readonly quarterIn: (day: string) => { readonly year: number; readonly period: Quarter } | undefined
  /** Returns the invoice with this number in the book of `like`; among received invoices, that of the same supplier. */
  readonly find: (like: Entry, number: string, issueDate: string | undefined) => Entry | undefined
  /** Returns the first correction by substitution of an invoice. */
  readonly replacementOf: (entry: Entry) => Entry | undefined
  /** Returns the invoice of type F3 that replaces a simplified invoice. */
  readonly exchangeOf: (entry: Entry) => Entry | undefined
  /** Returns why a known invoice that an entry replaces is not in the books. */
  readonly notBooked: (entry: Entry, replaced: ReplacedInvoice) => NotBooked['status'] | undefined
}

/** A known invoice that is not in the books: cancelled, or received with errors. */
export interface NotBooked {
  readonly direction: string
  readonly number: string
  readonly issue_date: string | null
  readonly supplier_tax_id: string | null
  readonly status: 'cancelled' | 'draft'
}

export interface Entry {
  readonly document: CanonicalInvoice
  readonly block: InvoiceBlock
  readonly isIssued: boolean
  /** Number and source of the invoice, for messages. */
  readonly label: string
  readonly number: string
  readonly issueDate: string
  /** The day that determines the period. */
  readonly day: string
  readonly facts: Partial<InvoiceFacts>
  readonly payments: readonly SiiPayment[]
  /** Reception number; undefined for issued invoices and for invoices of another year. */
  receptionNumber?: string | undefined
}

export const quarterOf = (day: string): Quarter =>
  required(QUARTERS[Math.floor((Number(day.slice(5, 7)) - 1) / 3)])

const normalised = (taxId: string | undefined): string => checkTaxId(taxId ?? '').normalized

/** Returns a text that identifies an invoice: its number and, for a received invoice, its supplier. */
export const identityOf = (number: string, supplierTaxId?: string): string =>
  supplierTaxId === undefined ? number : `${number}|${normalised(supplierTaxId)}`

/** Returns the identity of the entry, or of another invoice number in the same book and of the same supplier. */
export const identityInSameBook = ({ block, isIssued, number }: Entry, other = number): string =>
  identityOf(other, isIssued ? undefined : (block.supplier.tax_id ?? ''))

/** Returns the entry of a document, or undefined after refusing it. */
export function entryOf(
  { source, invoice, replaces, payments = [] }: BookInvoice,
  context: Context,
): Entry | undefined {
  const { company, refuse } = context
  const named = 'data' in invoice ? invoice.data?.invoice.header.invoice_number : undefined
  const document = documentOf(invoice, (code, path, extra) =>
    refuse(code === 'not_normalised' ? 'books.not_canonical' : 'books.errors', path, {
      invoice: named === undefined ? source : `${named} (${source})`,
      ...extra,
    }),
  )
  if (!document) return undefined
  const block = document.invoice
  const { header, issue_data: data, supplier } = block
  const isIssued = document.meta.direction === 'issued'
  const number = header.invoice_number?.trim()
  if (!number || !data.issue_date) {
    const missing = number ? 'issue_data/issue_date' : 'header/invoice_number'
    refuse('books.not_canonical', `/invoice/${missing}`, { invoice: source })
    return undefined
  }
  const label = `${number} (${source})`
  const currency = data.tax_currency_code ?? 'EUR'
  if (currency !== 'EUR')
    refuse('books.currency', '/invoice/issue_data/tax_currency_code', { invoice: label, received: currency })
  checkOwner(document, label, context)
  checkTotals(block, (_, path, extra) => refuse('books.totals_differ', path, { invoice: label, ...extra }))
  const identity = identityOf(number, isIssued ? undefined : (supplier.tax_id ?? ''))
  const facts: Partial<InvoiceFacts> = {
    ...(replaces && { type: 'F3' }),
    ...company.books.invoices?.find((one) => identityOf(one.number, one.supplier_tax_id) === identity),
  }
  const own = { document, block, isIssued, label, number, issueDate: data.issue_date, facts }
  return { ...own, day: dayOf(own, refuse), payments: [...payments, ...(facts.payments ?? [])] }
}

/** Refuses an invoice of another company than that of the books. */
function checkOwner({ meta, invoice }: CanonicalInvoice, label: string, { company, refuse }: Context): void {
  const own = meta.direction === 'issued' ? 'supplier' : 'customer'
  const received = invoice[own]?.tax_id?.trim()
  if (received && normalised(received) !== normalised(company.tax_id))
    refuse('books.company', `/invoice/${own}/tax_id`, { invoice: label, received, expected: company.tax_id })
}

function dayOf(entry: Omit<Entry, 'day' | 'payments'>, refuse: Context['refuse']): string {
  const { block, isIssued, issueDate, label } = entry
  if (isIssued) return issuedPeriodDate(block)
  const received = registrationDay(block, {})
  const last = [issueDate, operationDay(entry) ?? issueDate].sort()[1]!
  if (block.issue_data.receipt_date === undefined) return last
  if (received < last)
    refuse('books.receipt_date', '/invoice/issue_data/receipt_date', {
      invoice: label,
      received,
      expected: last,
    })
  return received
}

/**
 * Returns the operation date if it differs from the issue date. Undefined for a corrective invoice, whose issue date
 * counts.
 */
const operationDay = ({ block }: Pick<Entry, 'block'>): string | undefined =>
  correctiveType(block) === undefined ? operationDateOf(block) : undefined

export const MAX_NAME = 40
const MAX_REFERENCE = 40

export const withoutBlankCells = (all: Readonly<Record<string, string | number | undefined>>): Row =>
  Object.fromEntries(
    Object.entries(all).filter((one): one is [string, string | number] => one[1] !== undefined),
  )

/** Returns the cells that the books of issued and received invoices have in common. `leased` is true for a lease. */
export function commonCells(entry: Entry, leased: boolean, { company, warn }: Context): Row {
  const { facts, document, issueDate, number } = entry
  const { books } = company
  const { code, type, iae } = facts.activity ?? books.activity
  const property = facts.property ?? books.property
  const isLease = leased || code === 'D' || (code === 'A' && type === '01')
  if (isLease && !property) warn('books.property', '', { invoice: entry.label })
  const reference = externalRefOf(document)
  return withoutBlankCells({
    activity_code: code,
    activity_type: type,
    iae,
    issue_date: issueDate,
    operation_date: operationDay(entry),
    final_number: facts.final_number,
    agreement: books.agreement,
    property_situation: isLease ? property?.situation : undefined,
    cadastral_reference: isLease ? property?.cadastral_reference : undefined,
    // Empty for an imported invoice without a reference, which is stored with its number as reference.
    external_reference:
      reference !== number && [...(reference ?? '')].length <= MAX_REFERENCE ? reference : undefined,
  })
}

export const partyCells = ({ NombreRazon, NIF, IDOtro }: FiscalParty): Row =>
  withoutBlankCells({
    id_type: IDOtro?.IDType,
    country: IDOtro?.CodigoPais,
    id: IDOtro?.ID ?? NIF,
    name: truncate(NombreRazon, MAX_NAME),
  })

/** The amounts of a row, in cents. */
export interface Amounts {
  readonly base: Minor
  readonly tax: Minor
  readonly surcharge: Minor
  readonly rate: number
  readonly surchargeRate: number | undefined
  readonly isSurcharged: boolean
}

/** Returns the cells of the amounts. `total` is the total of the row. */
export const amountCells = (amounts: Amounts, total = amounts.base + amounts.tax + amounts.surcharge): Row =>
  withoutBlankCells({
    total: toNumber(total),
    base: toNumber(amounts.base),
    rate: amounts.rate,
    tax: toNumber(amounts.tax),
    surcharge_rate: amounts.surchargeRate,
    surcharge: amounts.isSurcharged ? toNumber(amounts.surcharge) : undefined,
  })

const AMOUNTS = ['total', 'base', 'tax', 'surcharge', 'deductible']
const OF_RATE = [...AMOUNTS, 'rate', 'surcharge_rate']

/** Returns a row with all amounts negated. */
export const negated = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, AMOUNTS.includes(name) ? 0 - Number(value) : value]),
  )

/**
 * Returns one row per collection or payment of the period, without base, rate and tax. A forced accrual counts as a
 * payment. Invoices without regime key 07 have no such rows.
 */
export function paymentRows(
  { payments }: Entry,
  rows: readonly Row[],
  accrualOf: () => SiiPayment | null,
  { quarterIn }: Context,
): Row[] {
  const first = rows.find(({ key }) => key === CASH_BASIS)
  if (!first) return []
  const accrual = accrualOf()
  const shared = Object.fromEntries(Object.entries(first).filter(([name]) => !OF_RATE.includes(name)))
  return [...payments, ...(accrual ? [accrual] : [])].flatMap(
    ({ date, amount, payment_method_code, account, forced_accrual }) => {
      const when = quarterIn(date)
      if (!when) return []
      const payment_means = forced_accrual ? '03' : meansOf(payment_method_code)
      const own = { payment_date: date, payment_amount: amount, payment_means, payment_account: account }
      return [withoutBlankCells({ ...shared, ...when, ...own })]
    },
  )
}

/**
 * Returns the rows with totals that add up to the total of the invoice. Adds the difference to the margin-scheme row
 * (the untaxed part of the price) or, without such a row, to the largest row (cents within the tolerance).
 */
export function withTotal(rows: readonly Row[], total: Minor): Row[] {
  const totals = rows.map((row) => toMinor(Number(row.total)))
  const rest = total - sum(totals)
  if (rest === 0 || rows.length === 0) return [...rows]
  const margin = rows.findIndex(({ key }) => isMarginKey(String(key)))
  const largest = totals.reduce((best, one, at) => (Math.abs(one) > Math.abs(totals[best]!) ? at : best), 0)
  const taking = margin === -1 ? largest : margin
  return rows.map((row, at) => (at === taking ? { ...row, total: toNumber(totals[at]! + rest) } : row))
}

/**
 * Splits an invoice number into series and number for their two columns.
 *
 * @example
 * splitNumber('A-101', 'A') // => { series: 'A', number: '101' }
 * splitNumber('101', 'A') // => { number: '101' }
 */
export function splitNumber(number: string, series: string | undefined) {
  const rest =
    series && number.startsWith(series) ? number.slice(series.length).replace(/^[-/._\s]+/, '') : ''
  return series && rest !== '' ? { series, number: rest } : { number }
}
