/**
 * Builds records of collections and payments of cash-basis invoices (regime key 07; arts. 163 decies-sexiesdecies Ley
 * 37/1992).
 */
import { required } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import type { CanonicalInvoice, InvoiceBlock, Locale } from '#core/invoice/index.ts'
import { CASH_BASIS } from '#core/invoice/terms.ts'
import { sum, toMinor, toNumber } from '#core/money/index.ts'
import {
  checkKinds,
  checkList,
  checkObject,
  displayTextOf,
  LOCALE,
  type OptionKinds,
} from '../../fiscal/check-options.ts'
import { replacedBy } from '../../fiscal/correction.ts'
import type { Validated } from '../../fiscal/fiscal-document.ts'
import { operationDateOf } from '../../fiscal/fiscal-operation-day.ts'
import { toFecha, toImporte } from '../../fiscal/literals.ts'
import { checkShape, type Refuse, refusals, resultOf, type SiiResult } from '../model/sii-items.ts'
import { checkOptions } from '../model/sii-options.ts'
import type { CobroPago, RegistroCobros, RegistroPagos } from '../model/sii-record-types.ts'
import { receivedIdentity } from './received-record.ts'
import { calculatedInvoice, documentForBook, totalOf } from './sii-document.ts'
import { issuerNif, numberAndDateOf } from './sii-identity.ts'

/** One collection or payment. */
export interface SiiPayment {
  /** Date, `YYYY-MM-DD`. */
  readonly date: string
  /** Amount in euros, VAT included. Negative for a correction or a refund. */
  readonly amount: number
  /** Catalog `payment-methods`, `01` to `19`. */
  readonly payment_method_code?: string
  /** Account or means of payment; at most 34 characters. */
  readonly account?: string
  /**
   * True for an amount that was not collected or paid, but accrues by law: on 31 December of the year after the
   * operation, or in an insolvency.
   */
  readonly forced_accrual?: boolean
}

export interface SiiPaymentOptions {
  readonly counterparty_not_in_census?: boolean
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

const OPTIONS: OptionKinds<SiiPaymentOptions> = { counterparty_not_in_census: 'boolean', locale: LOCALE }

/**
 * Types of the optional members of a payment. Further members are ignored, so that callers can pass their own objects.
 */
const PAYMENT = { forced_accrual: 'boolean', payment_method_code: 'text', account: 'text' } as const

const NOT_PAID = '03'
const OTHER_MEANS = '04'

/** Code of the SII for each payment method. Payment methods that are not listed have code 04 (other). */
const MEANS: Readonly<Record<string, CobroPago['Medio']>> = {
  '04': '01',
  '11': '02',
  '16': '02',
  '17': '02',
  '02': '05',
  '03': '05',
}

/**
 * Returns `Medio` of a payment method: 01 transfer, 02 cheque, 05 direct debit, 04 any other.
 *
 * @example
 * meansOf('04') // => '01'
 * meansOf('19') // => '04'
 */
export const meansOf = (code: string | undefined): CobroPago['Medio'] => MEANS[code ?? ''] ?? OTHER_MEANS

/** Checks the entries and the types of their members. Throws a `TypeError` for anything else. */
function checkPayments(payments: unknown, name: string): void {
  checkList(payments, name)
  payments.forEach((payment, index) => {
    const location = `${name}[${index}]`
    checkObject(payment, location)
    checkKinds(payment, PAYMENT, location)
  })
}

const isAmount = (amount: unknown): amount is number =>
  Number.isFinite(amount) && toMinor(amount as number) !== 0

/**
 * Returns the first day on which an invoice can be paid: the date of operation or the date of issue, whichever is
 * earlier.
 */
const firstDay = (block: InvoiceBlock): string => {
  const issued = block.issue_data.issue_date!
  const operation = operationDateOf(block) ?? issued
  return [issued, operation].sort()[0]!
}

function paymentOf(payment: SiiPayment, first: string, path: string, refuse: Refuse): CobroPago {
  const { date, amount } = payment
  const forced = payment.forced_accrual === true
  const dated = isDate(date)
  if (!dated) refuse('sii.payment_date', `${path}/date`, { received: date ?? '' })
  else if (forced && date.slice(5) !== '12-31')
    refuse('sii.forced_accrual', `${path}/date`, { received: date })
  else if (date < first) refuse('sii.payment_early', `${path}/date`, { received: date, expected: first })
  const paid = isAmount(amount)
  if (!paid) refuse('sii.payment_amount', `${path}/amount`, { received: amount ?? '' })
  const account = payment.account?.trim()
  return {
    Fecha: dated ? toFecha(date) : '',
    Importe: paid ? toImporte(toMinor(amount)) : '',
    Medio: forced ? NOT_PAID : meansOf(payment.payment_method_code),
    // A forced accrual has no account (AEAT 1152).
    ...(account && !forced ? { Cuenta_O_Medio: account } : {}),
  }
}

const hasKey = ({ taxes_outputs: entries }: InvoiceBlock): boolean =>
  required(entries).some((entry) => entry.tax_regime_key === CASH_BASIS)

function listOf({ invoice }: CanonicalInvoice, payments: readonly SiiPayment[], refuse: Refuse): CobroPago[] {
  if (!hasKey(invoice))
    refuse('sii.not_cash_basis', '/invoice/taxes_outputs', {
      received: [...new Set(required(invoice.taxes_outputs).map((entry) => entry.tax_regime_key ?? '01'))],
    })
  if (payments.length === 0) refuse('sii.no_payments', '')
  const first = firstDay(invoice)
  const list = payments.map((payment, index) => paymentOf(payment, first, `/${index}`, refuse))
  const paid = sum(payments.map(({ amount }) => (isAmount(amount) ? toMinor(amount) : 0)))
  const total = totalOf(invoice)
  if (hasKey(invoice) && Math.abs(paid) > Math.abs(total))
    refuse('sii.payment_total', '', { received: paid / 100, expected: total / 100 })
  return list
}

/** Direction of the invoice, root element of the message, and element name of the record. */
const COLLECTIONS = ['issued', 'SuministroLRCobrosEmitidas', 'RegistroLRCobros'] as const
const PAYMENTS = ['received', 'SuministroLRPagosRecibidas', 'RegistroLRPagos'] as const

function paid<T>(
  [direction, root, element]: typeof COLLECTIONS | typeof PAYMENTS,
  input: CanonicalInvoice | Validated,
  payments: readonly SiiPayment[],
  options: SiiPaymentOptions,
  make: (document: CanonicalInvoice, list: CobroPago[], refuse: Refuse) => T,
): SiiResult<T> {
  checkOptions(options, OPTIONS)
  const found = refusals(options.locale)
  const { items, refuse } = found
  const document = documentForBook(input, direction, refuse)
  if (!document) return { ok: false, items }
  const record = make(document, listOf(document, payments, refuse), refuse)
  if (items.length === 0) checkShape(record, root, element, refuse)
  return resultOf(record, found)
}

/**
 * Builds the record of collections of an issued invoice with regime key 07: `{ IDFactura, Cobros }`.
 *
 * Send it after the invoice is registered. An amount not collected by 31 December of the year after the operation is
 * reported as one entry of that day with `forced_accrual`, which `forcedAccrualOf` returns. Paths of items about a
 * collection start at the list (`/0/date`); all other paths point into the invoice.
 *
 * Source: art. 61 decies RD 1624/1992; art. 163 terdecies Ley 37/1992.
 *
 * @example
 * const result = collectionRecord({ schema_version: 'json_1_1', meta: {}, invoice: {} } as never, [])
 * result.ok === false && result.items.map((item) => item.code) // => ['sii.not_normalised']
 */
export function collectionRecord(
  invoice: CanonicalInvoice | Validated,
  collections: readonly SiiPayment[],
  options: SiiPaymentOptions = {},
): SiiResult<RegistroCobros> {
  checkPayments(collections, 'collections')
  return paid(COLLECTIONS, invoice, collections, options, ({ invoice: block }, Cobro, refuse) => ({
    IDFactura: { IDEmisorFactura: { NIF: issuerNif(block, refuse) }, ...numberAndDateOf(block) },
    Cobros: { Cobro },
  }))
}

/**
 * Builds the record of payments of a received invoice with regime key 07: `{ IDFactura, Pagos }`. It is due even if the
 * company itself is not under cash basis. Otherwise it works like `collectionRecord`. Source: art. 61 decies RD
 * 1624/1992.
 *
 * @example
 * const result = paymentRecord({ schema_version: 'json_1_1', meta: {}, invoice: {} } as never, [])
 * result.ok === false && result.items.map((item) => item.code) // => ['sii.not_normalised']
 */
export function paymentRecord(
  invoice: CanonicalInvoice | Validated,
  payments: readonly SiiPayment[],
  options: SiiPaymentOptions = {},
): SiiResult<RegistroPagos> {
  checkPayments(payments, 'payments')
  return paid(PAYMENTS, invoice, payments, options, ({ invoice: block }, Pago, refuse) => ({
    IDFactura: { IDEmisorFactura: receivedIdentity(block, options, refuse), ...numberAndDateOf(block) },
    Pagos: { Pago },
  }))
}

/**
 * Returns the amount not yet collected or paid on 31 December of the year after the operation, as one entry with forced
 * accrual; null if there is none. `payments` after that day are ignored. Amounts are in euros, VAT included; a payment
 * includes the income tax that the payer withheld. For a correction by substitution, also pass the payments of the
 * invoice that it replaces, which has no forced accrual of its own. Throws a `TypeError` unless `invoice` is the `data`
 * of `validate` and `payments` a list of payments.
 *
 * Source: art. 163 terdecies Ley 37/1992.
 */
export function forcedAccrualOf(
  invoice: CanonicalInvoice,
  payments: readonly SiiPayment[],
): SiiPayment | null {
  const block = calculatedInvoice(invoice)
  checkPayments(payments, 'payments')
  payments.forEach(({ date, amount }, index) => {
    if (!isDate(date))
      throw new TypeError(
        `cuadra: "date" of payments[${index}] is ${displayTextOf(date)}; pass a date YYYY-MM-DD`,
      )
    if (!Number.isFinite(amount))
      throw new TypeError(`cuadra: "amount" of payments[${index}] is ${displayTextOf(amount)}; pass euros`)
  })
  const day = operationDateOf(block) ?? block.issue_data.issue_date
  if (day === undefined) return null
  const due = `${Number(day.slice(0, 4)) + 1}-12-31`
  const issued = block.issue_data.issue_date ?? day
  // A correction issued after the day of the accrual accrues at the end of its own year.
  const last = replacedBy(block) && issued > due ? `${issued.slice(0, 4)}-12-31` : due
  const total = totalOf(block)
  let pending = total
  for (const payment of payments) if (payment.date <= last) pending -= toMinor(payment.amount)
  if (pending === 0) return null
  // An amount collected above the total pays disbursements and does not accrue. If forced accruals of a replaced
  // invoice are above the total, the excess is taken back.
  const isAbove = pending > 0 !== total > 0
  if (isAbove && !payments.some(({ forced_accrual }) => forced_accrual)) return null
  return { date: last, amount: toNumber(pending), forced_accrual: true }
}
