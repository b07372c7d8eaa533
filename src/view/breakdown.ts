/** Bases and taxes, group by group. */
import { required } from '../errors/index.ts'
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE, type TaxOutput } from '../invoice/index.ts'
import { percent } from './format.ts'
import { BREAKDOWN } from './labels.ts'
import type { InvoiceView } from './model.ts'
import { countryName, nameOf, taxName } from './names.ts'
import { hidesTax, type Subject } from './subject.ts'

/** What is taxed, or why nothing is: `Exenta por el artículo 25 (E5)`. */
function kindOf({ say, group }: Subject, entry: TaxOutput): string {
  const { tax_treatment_code: treatment, consumption_country_code: country } = entry
  if (country !== undefined) {
    const [es, en] = countryName(country)
    return say.text([
      `${BREAKDOWN.foreign[0]} ${es} (${country})`,
      `${BREAKDOWN.foreign[1]} ${en} (${country})`,
    ])
  }
  if (treatment === REVERSE_CHARGE) return say.text(BREAKDOWN.reverseCharge)
  if (treatment === NON_TAXABLE) {
    const reason = entry.non_taxable_reason
    return say.text(reason === undefined ? BREAKDOWN.nonTaxable : nameOf('non-taxable-reasons', reason))
  }
  if (treatment !== EXEMPT) return say.text(taxName(group))
  const code = entry.exemption_reason_code
  if (code === undefined) return say.text(BREAKDOWN.exempt)
  return `${say.text(nameOf('exemption-reasons', code, group))} (${code})`
}

/** Rate of a group: the foreign one where the tax is foreign, and none where no tax is charged. */
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
    text: ({ say }, entry) => {
      const rate = rateOf(entry)
      return rate === undefined ? '' : percent(rate, say.locale)
    },
  },
  {
    key: 'tax_amount',
    text: (subject, entry) => {
      const tax = entry.consumption_tax_amount ?? euroPart(subject, entry).tax_amount ?? 0
      return rateOf(entry) === undefined && tax === 0 ? '' : subject.amount(tax)
    },
  },
  {
    key: 'equivalence_surcharge',
    text: ({ say }, { equivalence_surcharge: rate }) => (rate === undefined ? '' : percent(rate, say.locale)),
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
  const { say, invoice } = subject
  const entries = (invoice.taxes_outputs ?? []).filter((entry) => !hidesTax(subject, entry.tax_regime_key))
  if (entries.length === 0) return null
  const texts = CELLS.map((cell) => entries.map((entry) => cell.text(subject, entry)))
  const used = CELLS.map((_, at) => at).filter((at) => required(texts[at]).some(Boolean))
  return {
    label: say.label(BREAKDOWN.title),
    columns: used.map((at) => {
      const { key } = required(CELLS[at])
      return { key, label: say.label(BREAKDOWN[key]), align: key === 'kind' ? 'start' : 'end' }
    }),
    rows: entries.map((_, row) => used.map((at) => required(required(texts[at])[row]))),
  }
}
