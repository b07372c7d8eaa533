/** Writes breakdown and totals. The invoice total of Facturae is after withholding. */
import { required } from '#core/errors/index.ts'
import type { COMPUTED_TOTALS, TaxOutput } from '#core/invoice/index.ts'
import { TAXED } from '#core/invoice/terms.ts'
import { percentOf, toMinor, toNumber } from '#core/money/index.ts'
import type { ListEntry } from '../model/index.ts'
import { addUp, distance } from './facturae-amounts.ts'
import { WITHHELD_TYPE } from './facturae-codes.ts'
import { decimal, twoDecimals, type Writer } from './write-context.ts'
import { taxTypeOf } from './write-facturae-lines.ts'

const PATH = '/invoice/totals'

const isTaxed = (entry: TaxOutput): boolean => entry.tax_treatment_code === TAXED && entry.tax_rate !== 0

function surchargeOf(writer: Writer, entry: TaxOutput, path: string) {
  const { equivalence_surcharge: rate, equivalence_surcharge_amount: amount } = entry
  if (rate === undefined && !amount && !entry.invoice_currency?.equivalence_surcharge_amount) return {}
  return {
    ...(rate === undefined ? {} : { EquivalenceSurcharge: twoDecimals(rate) }),
    EquivalenceSurchargeAmount: writer.block(
      writer.amount(entry, 'equivalence_surcharge_amount', path),
      amount,
    ),
  }
}

/**
 * Refuses a tax in another currency that is not base x rate. The amounts were converted from euros, and a cent may be
 * several units of the last decimal of that currency.
 */
function refuseRounded(writer: Writer, entry: TaxOutput, path: string): void {
  const { decimals } = writer
  const [base, received] = [
    writer.amount(entry, 'taxable_base', path),
    writer.amount(entry, 'tax_amount', path),
  ]
  const tax = percentOf(toMinor(base, decimals), entry.tax_rate)
  const lines = writer.invoice.lines.filter(({ tax_output_rate: rate }) => rate === entry.tax_rate).length
  if (writer.isForeign && Math.abs(toMinor(received, decimals) - tax) > lines)
    writer.report.refuse('sums', `${path}/invoice_currency/tax_amount`, {
      received,
      expected: toNumber(tax, decimals),
    })
}

const taxedEntry = (writer: Writer, entry: TaxOutput, path: string) => ({
  TaxTypeCode: taxTypeOf(writer, entry.tax_regime_key),
  TaxRate: decimal(entry.tax_rate),
  TaxableBase: writer.block(writer.amount(entry, 'taxable_base', path), entry.taxable_base),
  TaxAmount: writer.block(writer.amount(entry, 'tax_amount', path), entry.tax_amount),
  ...surchargeOf(writer, entry, path),
})

/** Returns the tax breakdown. Untaxed amounts with any reason are added up in an entry of rate 0 for each tax type. */
export function taxesOutputsOf(writer: Writer): object[] {
  const taxed: object[] = []
  const untaxed = new Map<string, { base: number[]; euros: number[] }>()
  const entries = writer.invoice.taxes_outputs ?? []
  entries.forEach((entry, index) => {
    const path = `/invoice/taxes_outputs/${index}`
    if (isTaxed(entry)) {
      refuseRounded(writer, entry, path)
      taxed.push(taxedEntry(writer, entry, path))
      return
    }
    const surcharge =
      entry.equivalence_surcharge_amount || entry.invoice_currency?.equivalence_surcharge_amount
    if (surcharge)
      writer.report.refuse('surcharge_untaxed', `${path}/equivalence_surcharge_amount`, {
        received: surcharge,
      })
    const type = taxTypeOf(writer, entry.tax_regime_key)
    const known = untaxed.get(type) ?? { base: [], euros: [] }
    untaxed.set(type, known)
    known.base.push(writer.amount(entry, 'taxable_base', path))
    known.euros.push(entry.taxable_base)
  })
  return [
    ...taxed,
    ...[...untaxed].map(([type, { base, euros }]) => ({
      TaxTypeCode: type,
      TaxRate: decimal(0),
      TaxableBase: writer.block(addUp(base), addUp(euros)),
      TaxAmount: writer.block(0, 0),
    })),
  ]
}

export function taxesWithheldOf(writer: Writer): object[] {
  const { taxes_withheld: entries = [], lines } = writer.invoice
  return entries.map((entry, index) => {
    const path = `/invoice/taxes_withheld/${index}`
    // Breakdown entries of withholding have no amounts in the original currency, but the lines do.
    const foreign = (member: 'tax_withheld_base' | 'tax_withheld_amount'): number => {
      const alike = lines.filter((line) => line.tax_withheld_rate === entry.tax_rate)
      const amounts = alike.map((line) => line.invoice_currency?.[member])
      if (amounts.includes(undefined)) writer.missingAmount(path)
      return addUp(amounts.map((amount) => amount ?? 0))
    }
    const base = writer.isForeign ? foreign('tax_withheld_base') : entry.taxable_base
    const { decimals } = writer
    const amount = writer.isForeign
      ? toNumber(percentOf(toMinor(base, decimals), entry.tax_rate), decimals)
      : entry.tax_amount
    return {
      TaxTypeCode: WITHHELD_TYPE,
      TaxRate: decimal(entry.tax_rate),
      TaxableBase: writer.block(base, entry.taxable_base),
      TaxAmount: writer.block(amount, entry.tax_amount),
    }
  })
}

/** Maps the entries of a list, with their amounts in the currency of the invoice. */
function listOf<T>(
  writer: Writer,
  entries: readonly T[] | undefined,
  amountOf: (entry: T) => ListEntry,
  total: number,
  path: string,
  gross?: number,
): { readonly entry: T; readonly amount: number; readonly path: string }[] {
  const list = entries ?? []
  const amounts = writer.amountsOf(list.map(amountOf), total, gross)
  return list.map((entry, index) => ({ entry, amount: required(amounts[index]), path: `${path}/${index}` }))
}

export interface WrittenTotals {
  readonly block: object
  /** Invoice total in the currency of the invoice, and in euros. */
  readonly invoiceTotal: readonly [number, number]
  readonly outstanding: readonly [number, number]
  readonly executable: readonly [number, number]
}

/** Returns the totals, each obtained with `amount`. */
const sumsOf = (amount: (member: (typeof COMPUTED_TOTALS)[number]) => number) => ({
  gross: amount('total_gross_amount'),
  discounts: amount('total_general_discounts'),
  surcharges: amount('total_general_surcharges'),
  beforeTaxes: amount('total_gross_amount_before_taxes'),
  outputs: amount('total_tax_outputs'),
  withheld: amount('total_taxes_withheld'),
  total: amount('invoice_total'),
  onAccount: amount('total_payments_on_account'),
  expenses: amount('total_reimbursable_expenses'),
  executable: amount('total_executable_amount'),
})
type Sums = ReturnType<typeof sumsOf>

const afterWithholding = ({ total, withheld }: Sums): number => addUp([total, -withheld])
const outstandingOf = (sums: Sums): number => addUp([afterWithholding(sums), -sums.onAccount])

/** Refuses an amount payable that is not the sum of its parts: Facturae has no rounding amount. */
function checkPayable(writer: Writer, sums: Sums): void {
  const expected = addUp([outstandingOf(sums), sums.expenses])
  if (distance(expected, sums.executable) === 0) return
  const received = sums.executable
  if (writer.invoice.totals.rounding_amount)
    writer.report.refuse('rounding_amount', `${PATH}/rounding_amount`, { received, expected })
  else writer.report.refuse('sums', `${PATH}/total_executable_amount`, { received, expected })
}

function adjustmentsOf(writer: Writer, name: 'Discount' | 'Charge', gross: number, total: number) {
  const { general_discounts: discounts, general_surcharges: surcharges } = writer.invoice.totals
  const isDiscount = name === 'Discount'
  const sent = isDiscount
    ? discounts?.map((one) => [one.discount_amount, one.discount_rate, one.discount_reason] as const)
    : surcharges?.map((one) => [one.charge_amount, one.charge_rate, one.charge_reason] as const)
  const path = `${PATH}/${isDiscount ? 'general_discounts' : 'general_surcharges'}`
  const [member, usual] = isDiscount ? ['discount', 'Descuento'] : ['charge', 'Cargo']
  // A total without a list becomes one entry.
  const entries = sent ?? (total === 0 ? [] : [[total, undefined, undefined] as const])
  const list = listOf(writer, entries, ([amount, rate]) => ({ amount, rate }), total, path, gross)
  if (list.length === 0) return undefined
  return {
    [name]: list.map(({ entry: [, rate, reason], amount, path: at }) => ({
      [`${name}Reason`]: writer.need(reason ?? usual, 2500, `${at}/${member}_reason`),
      [`${name}Rate`]: rate === undefined ? undefined : decimal(rate),
      [`${name}Amount`]: decimal(amount),
    })),
  }
}

function paymentsOf(writer: Writer, total: number) {
  const path = `${PATH}/payments_on_account`
  const sent = writer.invoice.totals.payments_on_account
  const list = listOf(writer, sent, ({ payment_on_account_amount: amount }) => ({ amount }), total, path)
  if (list.length === 0) return undefined
  return {
    PaymentOnAccount: list.map(({ entry, amount }) => ({
      PaymentOnAccountDate: entry.payment_on_account_date,
      PaymentOnAccountAmount: decimal(amount),
    })),
  }
}

function expensesOf(writer: Writer, total: number) {
  const path = `${PATH}/reimbursable_expenses`
  const sent = writer.invoice.totals.reimbursable_expenses
  const list = listOf(writer, sent, ({ reimbursable_expenses_amount: amount }) => ({ amount }), total, path)
  if (list.length === 0) return undefined
  return {
    ReimbursableExpenses: list.map(({ entry, amount, path: at }) => ({
      IssueDate: entry.issue_date,
      InvoiceNumber: writer.textOf(entry, 'invoice_number', 20, at),
      InvoiceSeriesCode: writer.textOf(entry, 'invoice_series_code', 20, at),
      ReimbursableExpensesAmount: decimal(amount),
    })),
  }
}

export function totalsOf(writer: Writer): WrittenTotals {
  const { totals } = writer.invoice
  const euros = sumsOf((member) => totals[member] ?? 0)
  // An amount may be zero in euros, but not in the original currency.
  const own = totals.invoice_currency
  const sums = writer.isForeign
    ? sumsOf((member) => own?.[member] ?? (totals[member] ? writer.amount(totals, member, PATH) : 0))
    : euros
  checkPayable(writer, sums)
  if (totals.total_consumption_taxes || own?.total_consumption_taxes)
    writer.report.refuse('one_stop_shop', `${PATH}/total_consumption_taxes`)
  const some = (name: string, value: number) => (value === 0 ? {} : { [name]: decimal(value) })
  const block = {
    TotalGrossAmount: decimal(sums.gross),
    GeneralDiscounts: adjustmentsOf(writer, 'Discount', sums.gross, sums.discounts),
    GeneralSurcharges: adjustmentsOf(writer, 'Charge', sums.gross, sums.surcharges),
    ...some('TotalGeneralDiscounts', sums.discounts),
    ...some('TotalGeneralSurcharges', sums.surcharges),
    TotalGrossAmountBeforeTaxes: decimal(sums.beforeTaxes),
    TotalTaxOutputs: decimal(sums.outputs),
    TotalTaxesWithheld: decimal(sums.withheld),
    InvoiceTotal: decimal(afterWithholding(sums)),
    PaymentsOnAccount: paymentsOf(writer, sums.onAccount),
    ReimbursableExpenses: expensesOf(writer, sums.expenses),
    TotalOutstandingAmount: decimal(outstandingOf(sums)),
    ...some('TotalPaymentsOnAccount', sums.onAccount),
    TotalExecutableAmount: decimal(sums.executable),
    ...some('TotalReimbursableExpenses', sums.expenses),
  }
  return {
    block,
    invoiceTotal: [afterWithholding(sums), afterWithholding(euros)],
    outstanding: [outstandingOf(sums), outstandingOf(euros)],
    executable: [sums.executable, euros.executable],
  }
}
