/** Recognises receipts of the farmers' regime (REAGYP), for which no format has a code. */
import { farmersCompensationOf, taxRatesOf } from '#core/catalogs/index.ts'
import { type CanonicalInvoiceInput, operationDay } from '#core/invoice/index.ts'
import { FARMERS_OR_EXPORT } from '#core/invoice/terms.ts'

type Invoice = CanonicalInvoiceInput['invoice']

const MENTION = /\breagyp\b|r[eé]gimen\s+especial\s+de\s+(?:la\s+)?agricultura/i

const namesRegime = ({ legal_literals = [], issue_data, additional_data }: Invoice): boolean =>
  [
    ...legal_literals.map(({ legal_reference }) => legal_reference),
    issue_data.invoice_description,
    additional_data?.invoice_additional_information,
  ].some((text) => text !== undefined && MENTION.test(text))

/**
 * Sets regime key 02 on lines and breakdown entries of a received invoice whose tax rate is the compensation of a
 * Spanish farmer. A rate that is not a tax rate on that day is the compensation if the compensation in force has this
 * rate, or if a mention names the regime (arts. 130 and 134 Ley 37/1992).
 */
export function withFarmersKey(document: CanonicalInvoiceInput): CanonicalInvoiceInput {
  const { meta, invoice } = document
  const { header, issue_data: issue, lines, supplier, taxes_outputs: outputs } = invoice
  const isSpanish = issue.tax_group_code === 'IVA' && (supplier.country_code ?? 'ES') === 'ES'
  if (meta.direction !== 'received' || !isSpanish) return document
  const { issue_date: issued } = issue
  const dated = operationDay({ ...header, is_corrective: header.corrective !== undefined }, issue, issued)
  const rates = taxRatesOf('IVA', dated?.day ?? issued)
  const compensation = farmersCompensationOf(dated?.day ?? issued)
  const isNamed = namesRegime(invoice)
  const keyOf = (rate = 0, key?: string): { readonly tax_regime_key?: string } =>
    key === undefined && !rates.includes(rate) && (compensation.includes(rate) || isNamed)
      ? { tax_regime_key: FARMERS_OR_EXPORT }
      : {}
  return {
    ...document,
    invoice: {
      ...invoice,
      lines: lines.map((line) => ({ ...line, ...keyOf(line.tax_output_rate, line.tax_regime_key) })),
      ...(outputs && {
        taxes_outputs: outputs.map((one) => ({ ...one, ...keyOf(one.tax_rate, one.tax_regime_key) })),
      }),
    },
  }
}
