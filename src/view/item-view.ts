/** Items that make up the totals on the page: discounts, charges, withholdings, advances and disbursements. */
import { dateText, percentText } from './display-format.ts'
import { labelFollowedBy, type PageLanguage, type Pair } from './page-language.ts'
import type { Invoice, Subject } from './subject.ts'
import { DETAILS, SUMS } from './view-labels.ts'
import type { FactsView } from './view-model.ts'

export interface Item {
  /** Description of the item without its type; may be empty. */
  readonly name: string
  /** Amount in euros, with its sign in the document. */
  readonly value: number
}

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(', ')

/** Keeps a number and its sign on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

const rate = (lang: PageLanguage, value: number | undefined): string =>
  value ? unbroken(percentText(value, lang.locale)) : ''

/** The totals that have items, with the functions that list them. */
const ITEMS = {
  total_general_discounts: ({ totals }: Invoice, { lang }: Subject): Item[] =>
    (totals.general_discounts ?? []).map(({ discount_reason, discount_rate, discount_amount = 0 }) => ({
      name: joined(discount_reason, rate(lang, discount_rate)),
      value: discount_amount,
    })),
  total_general_surcharges: ({ totals }: Invoice, { lang }: Subject): Item[] =>
    (totals.general_surcharges ?? []).map(({ charge_reason, charge_rate, charge_amount = 0 }) => ({
      name: joined(charge_reason, rate(lang, charge_rate)),
      value: charge_amount,
    })),
  total_taxes_withheld: ({ taxes_withheld = [] }: Invoice, { lang, euros }: Subject): Item[] =>
    taxes_withheld.map(({ tax_rate, taxable_base, tax_amount }) => ({
      name: [percentText(tax_rate, lang.locale), lang.text(['sobre', 'of']), euros(taxable_base)]
        .map(unbroken)
        .join(' '),
      value: tax_amount,
    })),
  total_payments_on_account: ({ totals }: Invoice): Item[] =>
    (totals.payments_on_account ?? []).map((one) => ({
      name: joined(dateText(one.payment_on_account_date), one.description),
      value: one.payment_on_account_amount,
    })),
  total_reimbursable_expenses: ({ totals }: Invoice): Item[] =>
    (totals.reimbursable_expenses ?? []).map((one) => ({
      name: joined(one.invoice_series_code, one.invoice_number, dateText(one.issue_date), one.description),
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

/** Maximum number of characters of a description that is shown in the row of its sum. */
const SHORT = 48

const itemsOf = (subject: Subject, sum: ItemSum): Item[] => ITEMS[sum](subject.invoice, subject)

/**
 * Whether the items of a sum need a separate block: if there are several, or if one has a description and either the
 * description is long, the sum is 0, or the page is in another currency.
 */
const needsBlock = ({ currency, invoice }: Subject, sum: ItemSum, items: readonly Item[]): boolean =>
  items.length > 1 ||
  items.some(({ name }) => name.length > SHORT || (name !== '' && (!currency.isEuro || !invoice.totals[sum])))

/** Returns the label of a sum, followed by the description of its only item if that is short. */
export function sumLabel(subject: Subject, sum: ItemSum): Pair {
  const items = itemsOf(subject, sum)
  return needsBlock(subject, sum, items) ? SUMS[sum] : labelFollowedBy(SUMS[sum], items[0]?.name ?? '')
}

/** Returns a block for each sum whose items are not shown in the row of the sum. */
export function itemBlocks(subject: Subject): FactsView[] {
  const { lang, euros } = subject
  return ITEM_SUMS.flatMap((sum) => {
    const items = itemsOf(subject, sum)
    if (!needsBlock(subject, sum, items)) return []
    const facts = items.map(({ name, value }) => ({
      label: name ? { text: name } : lang.label(SUMS[sum]),
      value: euros(value),
    }))
    return [{ label: lang.label(TITLES[sum]), facts }]
  })
}
