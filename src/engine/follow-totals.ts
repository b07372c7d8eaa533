/**
 * Moves the amounts that were not sent by the cents that the totals sent differ from them, since a supplier may round
 * each line (calculation page, section 5). Larger differences are reported, and nothing is moved.
 */
import type { Context } from '../../rules/index.ts'
import type { CalculatedInvoice } from '../calculate/index.ts'
import { isMarginKey } from '../invoice/index.ts'
import { allocate, type Minor, sum, toMinor, toNumber } from '../money/index.ts'

/** The amounts that one object of `data` keeps: those sent, and those that follow the totals sent. */
export interface Kept {
  /** Path of the object in the document sent. */
  readonly from: string
  readonly amounts: Record<string, number>
  /** Names of the amounts that were not sent and follow the totals. */
  readonly follows?: readonly string[]
}

type Total = keyof CalculatedInvoice['totals']
type List = 'lines' | 'taxes_outputs' | 'taxes_withheld'

const TOTALS = '/invoice/totals'

class Following {
  constructor(
    readonly kept: Map<string, Kept>,
    readonly invoice: CalculatedInvoice,
    readonly decimals: number,
    readonly block: string,
  ) {}

  minor(amount: unknown): Minor {
    return toMinor((amount as number | undefined) ?? 0, this.decimals)
  }

  #sent(path: string, name: string): number | undefined {
    return this.kept.get(path + this.block)?.amounts[name]
  }

  set(path: string, name: string, amount: Minor): void {
    const { from, amounts, follows = [] } = this.kept.get(path + this.block) ?? { from: path, amounts: {} }
    this.kept.set(path + this.block, {
      from,
      amounts: { ...amounts, [name]: toNumber(amount, this.decimals) },
      follows: [...follows, name],
    })
  }

  /** Returns a total as sent or, if it was not sent, as calculated. */
  total(name: Total): Minor {
    return this.minor(this.#sent(TOTALS, name) ?? this.invoice.totals[name])
  }

  /** Returns by how much a total that was sent differs from the calculated one. */
  movedBy(name: Total): Minor {
    return this.total(name) - this.minor(this.invoice.totals[name])
  }

  #isTolerated(difference: Minor): boolean {
    return difference !== 0 && Math.abs(difference) <= Math.max(1, this.invoice.lines.length)
  }

  /** Sets a total that was not sent. */
  setTotal(name: Total, amount: Minor): void {
    if (this.#sent(TOTALS, name) === undefined && this.#isTolerated(amount - this.total(name)))
      this.set(TOTALS, name, amount)
  }

  /** Spreads the difference from a total over the entries of a list of which no amount was sent. */
  spread(list: List, total: Minor, name: string, alike = name): void {
    const entries = (this.invoice[list] ?? []) as readonly object[] as readonly Record<string, number>[]
    const path = (index: number): string => `/invoice/${list}/${index}`
    const amounts = entries.map((entry) => this.minor(entry[name]))
    const missing = total - sum(amounts)
    const sizes = amounts.map((amount) => Math.abs(amount))
    if (!this.#isTolerated(missing) || sum(sizes) === 0) return
    if (entries.some((_, index) => this.#sent(path(index), name) !== undefined)) return
    allocate(missing, sizes, () => 0).forEach((part, index) => {
      if (part === 0) return
      for (const one of new Set([name, alike]))
        if (this.#sent(path(index), one) === undefined && this.minor(entries[index]![one]) === amounts[index])
          this.set(path(index), one, amounts[index]! + part)
    })
  }
}

/** Adds to `kept` the amounts that follow the totals sent. `block` is the suffix of the paths of the amounts sent. */
export function followTotals(kept: Map<string, Kept>, { sent, stated }: Context, block: string): void {
  const { invoice, calculation } = stated
  const amounts = new Following(kept, invoice, calculation.decimals, block)
  const { taxes_outputs: outputs, payment_details: details } = invoice
  const before = amounts.total('total_gross_amount_before_taxes')
  const adjustment = amounts.total('total_general_discounts') - amounts.total('total_general_surcharges')
  amounts.setTotal('total_gross_amount', before + adjustment)
  amounts.spread('lines', amounts.total('total_gross_amount'), 'gross_amount_without_tax', 'tax_output_base')
  if (!outputs.some((entry) => isMarginKey(entry.tax_regime_key)))
    amounts.spread('taxes_outputs', before, 'taxable_base')
  const others = outputs.map(
    ({ consumption_tax_amount: foreign, equivalence_surcharge_amount: surcharge }) =>
      amounts.minor(foreign) + amounts.minor(surcharge),
  )
  const tax = amounts.total('invoice_total') - before - sum(others)
  amounts.spread('taxes_outputs', tax, 'tax_amount')
  if (block === '') amounts.spread('taxes_withheld', amounts.total('total_taxes_withheld'), 'tax_amount')
  const payable =
    amounts.minor(invoice.totals.total_executable_amount) +
    amounts.movedBy('invoice_total') -
    amounts.movedBy('total_taxes_withheld') -
    amounts.movedBy('total_payments_on_account') +
    amounts.movedBy('total_reimbursable_expenses')
  amounts.setTotal('total_executable_amount', payable)
  // The engine fills in the amount of a single instalment.
  const isFilled = details?.length === 1 && sent.payment_details?.[0]?.installment_amount === undefined
  if (block === '' && isFilled)
    amounts.set('/invoice/payment_details/0', 'installment_amount', amounts.total('total_executable_amount'))
}
