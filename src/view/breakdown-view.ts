/** The tax breakdown of the page: one row for each entry of `taxes_outputs` whose tax may be shown. */
import { required } from '#core/errors/index.ts'
import type { TaxOutput } from '#core/invoice/index.ts'
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE } from '#core/invoice/terms.ts'
import { percentText } from './display-format.ts'
import { countryName, nameOf, taxName } from './display-names.ts'
import { hidesTax, type Subject } from './subject.ts'
import { BREAKDOWN } from './view-labels.ts'
import type { InvoiceView } from './view-model.ts'

/** Returns the operation of the entry, or the reason why it is not taxed: `Exenta por el artículo 25 (E5)`. */
function kindOf({ lang, group }: Subject, entry: TaxOutput): string {
  const { tax_treatment_code: treatment, consumption_country_code: country } = entry
  if (country !== undefined) {
    const [es, en] = countryName(country)
    return lang.text([
      `${BREAKDOWN.foreign[0]} ${es} (${country})`,
      `${BREAKDOWN.foreign[1]} ${en} (${country})`,
    ])
  }
  if (treatment === REVERSE_CHARGE) return lang.text(BREAKDOWN.reverseCharge)
  if (treatment === NON_TAXABLE) {
    const reason = entry.non_taxable_reason
    return lang.text(reason === undefined ? BREAKDOWN.nonTaxable : nameOf('non-taxable-reasons', reason))
  }
  if (treatment !== EXEMPT) return lang.text(taxName(group))
  const code = entry.exemption_reason_code
  if (code === undefined) return lang.text(BREAKDOWN.exempt)
  return `${lang.text(nameOf('exemption-reasons', code, group))} (${code})`
}

/** Returns the tax rate of an entry (one-stop shop: that of the member state of consumption); undefined if untaxed. */
function rateOf(entry: TaxOutput): number | undefined {
  const untaxed = [NON_TAXABLE, EXEMPT, REVERSE_CHARGE].includes(entry.tax_treatment_code ?? '')
  return entry.consumption_tax_rate ?? (untaxed && entry.tax_rate === 0 ? undefined : entry.tax_rate)
}

interface Cell {
  readonly key: keyof typeof BREAKDOWN
  readonly text: (subject: Subject, entry: TaxOutput) => string
}

const euroPart = ({ currency }: Subject, entry: TaxOutput): Partial<TaxOutput> =>
  currency.isEuro ? entry : { ...entry, ...entry.invoice_currency }

const CELLS: readonly Cell[] = [
  { key: 'kind', text: kindOf },
  {
    key: 'taxable_base',
    text: (subject, entry) => subject.amount(euroPart(subject, entry).taxable_base ?? 0),
  },
  {
    key: 'tax_rate',
    text: ({ lang }, entry) => {
      const rate = rateOf(entry)
      return rate === undefined ? '' : percentText(rate, lang.locale)
    },
  },
  {
    key: 'tax_amount',
    text: (subject, entry) => {
      const foreign = entry.consumption_tax_amount
      // The entry states the tax of the member state of consumption only in euros.
      if (foreign !== undefined && !subject.currency.isEuro) return subject.euros(foreign)
      const tax = foreign ?? euroPart(subject, entry).tax_amount ?? 0
      return rateOf(entry) === undefined && tax === 0 ? '' : subject.amount(tax)
    },
  },
  {
    key: 'equivalence_surcharge',
    text: ({ lang }, { equivalence_surcharge: rate }) =>
      rate === undefined ? '' : percentText(rate, lang.locale),
  },
  {
    key: 'equivalence_surcharge_amount',
    text: (subject, entry) => {
      const surcharge = euroPart(subject, entry).equivalence_surcharge_amount
      return surcharge === undefined ? '' : subject.amount(surcharge)
    },
  },
]

export function breakdownOf(subject: Subject): InvoiceView['breakdown'] {
  const { lang, invoice } = subject
  const entries = (invoice.taxes_outputs ?? []).filter((entry) => !hidesTax(subject, entry.tax_regime_key))
  if (entries.length === 0) return null
  const texts = CELLS.map((cell) => entries.map((entry) => cell.text(subject, entry)))
  const used = CELLS.map((_, at) => at).filter((at) => required(texts[at]).some(Boolean))
  return {
    label: lang.label(BREAKDOWN.title),
    columns: used.map((at) => {
      const { key } = required(CELLS[at])
      return { key, label: lang.label(BREAKDOWN[key]), align: key === 'kind' ? 'start' : 'end' }
    }),
    rows: entries.map((_, row) => used.map((at) => required(required(texts[at])[row]))),
  }
}
