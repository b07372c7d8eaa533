/** What sums of the page consist of: discounts, charges, withholdings, advances, outlays, each with its own words. */
import { day, percent } from './format.ts'
import { DETAILS, SUMS } from './labels.ts'
import type { FactsView } from './model.ts'
import { followed, type Pair, type Speaker } from './speak.ts'
import type { Invoice, Subject } from './subject.ts'

export interface Item {
  /** What it is, without the kind of it; may be empty. */
  readonly name: string
  /** In euros, with the sign that it has in the document. */
  readonly value: number
}

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(', ')

/** A figure stays with its sign. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

const rate = (say: Speaker, value: number | undefined): string => (value ? percent(value, say.locale) : '')

/** The sums that have items, and what these are. */
const ITEMS = {
  total_general_discounts: ({ totals }: Invoice, { say }: Subject): Item[] =>
    (totals.general_discounts ?? []).map(({ discount_reason, discount_rate, discount_amount = 0 }) => ({
      name: joined(discount_reason, rate(say, discount_rate)),
      value: discount_amount,
    })),
  total_general_surcharges: ({ totals }: Invoice, { say }: Subject): Item[] =>
    (totals.general_surcharges ?? []).map(({ charge_reason, charge_rate, charge_amount = 0 }) => ({
      name: joined(charge_reason, rate(say, charge_rate)),
      value: charge_amount,
    })),
  total_taxes_withheld: ({ taxes_withheld = [] }: Invoice, { say, euros }: Subject): Item[] =>
    taxes_withheld.map(({ tax_rate, taxable_base, tax_amount }) => ({
      name: [percent(tax_rate, say.locale), say.text(['sobre', 'of']), euros(taxable_base)]
        .map(unbroken)
        .join(' '),
      value: tax_amount,
    })),
  total_payments_on_account: ({ totals }: Invoice): Item[] =>
    (totals.payments_on_account ?? []).map((one) => ({
      name: joined(day(one.payment_on_account_date), one.description),
      value: one.payment_on_account_amount,
    })),
  total_reimbursable_expenses: ({ totals }: Invoice): Item[] =>
    (totals.reimbursable_expenses ?? []).map((one) => ({
      name: joined(one.invoice_series_code, one.invoice_number, day(one.issue_date), one.description),
      value: one.reimbursable_expenses_amount ?? 0,
    })),
} as const

export type ItemSum = keyof typeof ITEMS

export const ITEM_SUMS = Object.keys(ITEMS) as readonly ItemSum[]

const TITLES: Readonly<Record<ItemSum, Pair>> = {
  total_general_discounts: DETAILS.general_discounts,
  total_general_surcharges: DETAILS.general_surcharges,
  total_taxes_withheld: DETAILS.taxes_withheld,
  total_payments_on_account: DETAILS.payments_on_account,
  total_reimbursable_expenses: DETAILS.reimbursable_expenses,
}

/** The longest name that stands in the row of its sum. */
const SHORT = 48

const itemsOf = (subject: Subject, sum: ItemSum): Item[] => ITEMS[sum](subject.invoice, subject)

/** More than one, long words, euros beside a sum in another currency, or no sum that would say it. */
const needsBlock = ({ currency, invoice }: Subject, sum: ItemSum, items: readonly Item[]): boolean =>
  items.length > 1 ||
  items.some(({ name }) => name.length > SHORT || (name !== '' && (!currency.isEuro || !invoice.totals[sum])))

/** The words of a sum: those of its only item with it, where they are short. */
export function sumMessages(subject: Subject, sum: ItemSum): Pair {
  const items = itemsOf(subject, sum)
  return needsBlock(subject, sum, items) ? SUMS[sum] : followed(SUMS[sum], items[0]?.name ?? '')
}

/** A block of its own for each sum that is made of more than a line can say. */
export function itemBlocks(subject: Subject): FactsView[] {
  const { say, euros } = subject
  return ITEM_SUMS.flatMap((sum) => {
    const items = itemsOf(subject, sum)
    if (!needsBlock(subject, sum, items)) return []
    const facts = items.map(({ name, value }) => ({
      label: name ? { text: name } : say.label(SUMS[sum]),
      value: euros(value),
    }))
    return [{ label: say.label(TITLES[sum]), facts }]
  })
}
