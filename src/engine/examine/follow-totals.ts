/**
 * Adjusts computed amounts that were not sent, so that they add up to the totals sent. They may differ by cents,
 * because a supplier may round each line (calculation page, section 5). Larger differences are reported, and nothing is
 * adjusted.
 */

import { isMarginKey } from '#core/invoice/terms.ts'
import { type Minor, sum, toleranceOf, toMinor, toNumber } from '#core/money/index.ts'
import type { Context } from '#rules/index.ts'
import type { CalculatedInvoice, TaxGroup, WithheldGroup } from '../calculate/index.ts'

/** Amounts of one object of `data` that replace computed amounts: those sent, and those adjusted to the totals sent. */
export interface KeptAmounts {
  /** Path of the object in the document sent. */
  readonly from: string
  readonly amounts: Record<string, number>
  /** Names of the amounts that were not sent and were adjusted to the totals. */
  readonly follows?: readonly string[]
}

type Total = keyof CalculatedInvoice['totals']
type List = 'lines' | 'taxes_outputs' | 'taxes_withheld'

const TOTALS = '/invoice/totals'

class Following {
  constructor(
    readonly kept: Map<string, KeptAmounts>,
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

  #isTolerated(difference: Minor): boolean {
    return difference !== 0 && Math.abs(difference) <= toleranceOf(this.invoice)
  }

  /** Sets a total that was not sent, if it differs from the computed total within the tolerance. */
  setTotal(name: Total, amount: Minor): void {
    if (this.#sent(TOTALS, name) === undefined && this.#isTolerated(amount - this.total(name)))
      this.set(TOTALS, name, amount)
  }

  /**
   * Adds a difference within the tolerance to the amounts `name` of a list, unless one of them was sent: the largest
   * first, except those that are 0. Each changes by at most its limit, or 1 without limits, so that the result is
   * accepted when it is sent. If that is not enough, nothing changes. If the amount `alike` of an entry is equal to its
   * amount `name`, it changes with it.
   */
  #move(
    list: List,
    all: readonly number[],
    missing: Minor,
    limits: readonly Minor[],
    name: string,
    alike = name,
  ): void {
    const sent = (index: number, one: string) => this.#sent(`/invoice/${list}/${index}`, one) !== undefined
    if (!this.#isTolerated(missing) || all.some((index) => sent(index, name))) return
    const entries = this.#entriesOf(list)
    const amountOf = (index: number, one = name): Minor => this.minor(entries[index]![one])
    let rest = missing
    const parts = [...all]
      .sort((a, b) => Math.abs(amountOf(b)) - Math.abs(amountOf(a)))
      .map((index) => {
        const limit = amountOf(index) === 0 ? 0 : (limits[index] ?? 1)
        const part = Math.max(-limit, Math.min(limit, rest))
        rest -= part
        return [index, part] as const
      })
    if (rest !== 0) return
    for (const [index, part] of parts)
      for (const one of part === 0 ? [] : new Set([name, alike])) {
        const amount = amountOf(index)
        if (amountOf(index, one) === amount && !sent(index, one))
          this.set(`/invoice/${list}/${index}`, one, amount + part)
      }
  }

  #entriesOf(list: List): readonly Record<string, number>[] {
    return (this.invoice[list] ?? []) as readonly object[] as readonly Record<string, number>[]
  }

  /** Adjusts the amounts `name` of the rows of groups so that they add up to a total, unless one of them was sent. */
  spread(list: List, groups: readonly (TaxGroup | WithheldGroup)[], total: Minor, name: string): void {
    const limits = groups.flatMap((group) => group.rows.map(() => toleranceOf(group)))
    const missing = total - sum(this.#entriesOf(list).map((entry) => this.minor(entry[name])))
    this.#move(list, [...limits.keys()], missing, limits, name)
  }

  /** Adjusts the lines of each group by the same difference as its base, unless an amount of these lines was sent. */
  moveLines(groups: readonly TaxGroup[]): void {
    let row = 0
    for (const { rows, lines } of groups) {
      let moved = 0
      for (const { base } of rows) {
        const kept = this.#sent(`/invoice/taxes_outputs/${row++}`, 'taxable_base')
        if (kept !== undefined) moved += this.minor(kept) - base
      }
      this.#move('lines', lines, moved, [], 'gross_amount_without_tax', 'tax_output_base')
    }
  }
}

/** Adds the adjusted amounts to `kept`. `block` is the path suffix of the block that contains the amounts sent. */
export function addAmountsAdjustedToTotals(
  kept: Map<string, KeptAmounts>,
  { sent, stated }: Context,
  block: string,
): void {
  const { invoice, calculation } = stated
  const { groups, withheld } = calculation
  const amounts = new Following(kept, invoice, calculation.decimals, block)
  const { taxes_outputs: outputs, payment_details: details } = invoice
  const before = amounts.total('total_gross_amount_before_taxes')
  const adjustment = amounts.total('total_general_discounts') - amounts.total('total_general_surcharges')
  amounts.setTotal('total_gross_amount', before + adjustment)
  if (!outputs.some((entry) => isMarginKey(entry.tax_regime_key)))
    amounts.spread('taxes_outputs', groups, before, 'taxable_base')
  amounts.moveLines(groups)
  const others = outputs.map(
    ({ consumption_tax_amount: foreign, equivalence_surcharge_amount: surcharge }) =>
      amounts.minor(foreign) + amounts.minor(surcharge),
  )
  const tax = amounts.total('invoice_total') - before - sum(others)
  amounts.spread('taxes_outputs', groups, tax, 'tax_amount')
  if (block === '')
    amounts.spread('taxes_withheld', withheld, amounts.total('total_taxes_withheld'), 'tax_amount')
  const payable =
    amounts.total('invoice_total') -
    amounts.total('total_taxes_withheld') -
    amounts.total('total_payments_on_account') +
    amounts.total('total_reimbursable_expenses') +
    amounts.minor(invoice.totals.rounding_amount)
  amounts.setTotal('total_executable_amount', payable)
  // The engine fills in the amount of a single instalment.
  const isFilled = details?.length === 1 && sent.payment_details?.[0]?.installment_amount === undefined
  if (block === '' && isFilled)
    amounts.set('/invoice/payment_details/0', 'installment_amount', amounts.total('total_executable_amount'))
}
