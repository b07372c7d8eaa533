/** The sums from the lines to the amount due. An invoice in another currency also shows them in euros. */
import { minorUnitsOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import { sum, toMinor, toNumber } from '#core/money/index.ts'
import { dateText, moneyText, percentText, plainNumberText } from './display-format.ts'
import { taxName } from './display-names.ts'
import { ITEM_SUMS, type ItemSum, itemBlocks, sumLabel } from './item-view.ts'
import { labelFollowedBy, type Pair } from './page-language.ts'
import { amountToPay } from './payment-view.ts'
import { hidesTax, type Subject } from './subject.ts'
import { BREAKDOWN, DETAILS, SUMS } from './view-labels.ts'
import type { Fact, FactsView, SumView } from './view-model.ts'

type Name = Exclude<keyof typeof SUMS, 'refund'>

/** The totals in the order of the page, with the sign with which each is added; -1 for totals that are subtracted. */
const ORDER: readonly (readonly [Name, 1 | -1])[] = [
  ['total_gross_amount', 1],
  ['total_general_discounts', -1],
  ['total_general_surcharges', 1],
  ['total_gross_amount_before_taxes', 1],
  ['total_non_taxable_amount', 1],
  ['total_tax_outputs', 1],
  ['total_equivalence_surcharges', 1],
  ['total_consumption_taxes', 1],
  ['invoice_total', 1],
  ['total_taxes_withheld', -1],
  ['total_payments_on_account', -1],
  ['total_reimbursable_expenses', 1],
  ['rounding_amount', 1],
  ['total_executable_amount', 1],
]

/** Totals that would reveal the tax under a margin scheme. */
const TELLS_TAX: ReadonlySet<Name> = new Set([
  'total_gross_amount',
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'total_equivalence_surcharges',
])

type Totals = Partial<Record<Name, number>>

/** Returns the totals with the equivalence surcharge separate from `total_tax_outputs`, which includes it. */
function withSurcharge(totals: Totals, surcharges: readonly (number | undefined)[]): Totals {
  const total_equivalence_surcharges = toNumber(sum(surcharges.map((one) => toMinor(one ?? 0))))
  if (totals.total_tax_outputs === undefined || total_equivalence_surcharges === 0) return totals
  const total_tax_outputs = toNumber(
    toMinor(totals.total_tax_outputs) - toMinor(total_equivalence_surcharges),
  )
  return { ...totals, total_tax_outputs, total_equivalence_surcharges }
}

/** Returns the totals in euros, and the totals in the currency of the invoice. */
function totalsOf({ invoice: { totals, taxes_outputs: taxes = [] } }: Subject): {
  euros: Totals
  own: Totals
} {
  return {
    euros: withSurcharge(
      totals,
      taxes.map((entry) => entry.equivalence_surcharge_amount),
    ),
    own: withSurcharge(
      { ...totals.invoice_currency },
      taxes.map((entry) => entry.invoice_currency?.equivalence_surcharge_amount),
    ),
  }
}

const hidesAny = (subject: Subject): boolean =>
  (subject.invoice.taxes_outputs ?? []).some((entry) => hidesTax(subject, entry.tax_regime_key))

function isShown(subject: Subject, totals: Totals, name: Name): boolean {
  const value = totals[name]
  if (value === undefined || (TELLS_TAX.has(name) && hidesAny(subject))) return false
  if (name === 'invoice_total' || name === 'total_gross_amount_before_taxes') return true
  if (name === 'total_gross_amount') return value !== totals.total_gross_amount_before_taxes
  if (name === 'total_executable_amount') return value !== totals.invoice_total
  if (name === 'total_tax_outputs') return value !== 0 || !totals.total_consumption_taxes
  return value !== 0
}

const isItemSum = (name: Name): name is ItemSum => (ITEM_SUMS as readonly Name[]).includes(name)

function labelOf(subject: Subject, name: Name): Pair {
  if (isItemSum(name)) return sumLabel(subject, name)
  if (name === 'total_executable_amount' && amountToPay(subject.invoice) < 0) return SUMS.refund
  if (name !== 'total_tax_outputs') return SUMS[name]
  const [es, en] = taxName(subject.group)
  return [`${SUMS[name][0]} ${es}`, `${SUMS[name][1]} ${en}`]
}

const WEIGHTS: Partial<Record<Name, SumView['weight']>> = {
  invoice_total: 'total',
  total_executable_amount: 'pay',
}

export function sumsOf(subject: Subject): SumView[] {
  const { lang, currency } = subject
  const { euros, own } = totalsOf(subject)
  const totals = currency.isEuro ? euros : own
  return ORDER.filter(([name]) => isShown(subject, totals, name)).map(([name, sign]) => {
    const weight = WEIGHTS[name] ?? 'normal'
    const value = sign * required(totals[name])
    return {
      label: lang.label(labelOf(subject, name)),
      value: weight === 'normal' ? subject.amount(value) : subject.money(value),
      weight,
    }
  })
}

const BASES = ['taxable_base', 'tax_amount', 'equivalence_surcharge_amount'] as const

/** Returns bases and taxes in euros, which the tax authority requires for invoices in any currency. */
function euroTaxes(subject: Subject): Fact[] {
  const { lang, invoice, euros } = subject
  return (invoice.taxes_outputs ?? [])
    .filter((entry) => !hidesTax(subject, entry.tax_regime_key))
    .flatMap((entry) =>
      BASES.flatMap((name) => {
        const value = entry[name]
        if (!value) return []
        const label = lang.label(labelFollowedBy(BREAKDOWN[name], percentText(entry.tax_rate, lang.locale)))
        return [{ label, value: euros(value) }]
      }),
    )
}

function otherTotals(subject: Subject, totals: Totals, written: (value: number) => string): Fact[] {
  return ORDER.filter(([name]) => isShown(subject, totals, name)).map(([name, sign]) => ({
    label: subject.lang.label(isItemSum(name) ? SUMS[name] : labelOf(subject, name)),
    value: written(sign * required(totals[name])),
  }))
}

function rateFact({ lang, invoice: { issue_data } }: Subject): Fact[] {
  const {
    invoice_currency_code: code,
    exchange_rate: rate,
    exchange_rate_date: on,
  } = required(issue_data.invoice_currency)
  if (rate === undefined) return []
  const written = `1 ${code} = ${plainNumberText(rate, lang.locale)} €`
  return [{ label: lang.label(DETAILS.exchange_rate), value: on ? `${written} (${dateText(on)})` : written }]
}

/** Returns the amounts in the currency that the page does not use. */
function otherCurrency(subject: Subject): FactsView[] {
  const { lang, invoice, currency, euros } = subject
  const code = invoice.issue_data.invoice_currency?.invoice_currency_code ?? 'EUR'
  if (code === 'EUR') return []
  const totals = totalsOf(subject)
  const facts = currency.isEuro
    ? otherTotals(subject, totals.own, (value) => moneyText(value, lang.locale, code, minorUnitsOf(code)))
    : [...euroTaxes(subject), ...otherTotals(subject, totals.euros, euros)]
  // An invoice may be stored without amounts in the other currency. The block of that currency would then be empty.
  if (facts.length === 0) return []
  const title: Pair = currency.isEuro ? [`Importes en ${code}`, `Amounts in ${code}`] : DETAILS.euros
  return [{ label: lang.label(title), facts: [...rateFact(subject), ...facts] }]
}

export const detailsOf = (subject: Subject): FactsView[] => [
  ...itemBlocks(subject),
  ...otherCurrency(subject),
]
