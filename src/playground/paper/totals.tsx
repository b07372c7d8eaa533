/** Breakdown and totals of the printed invoice. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { rateOf, treatmentName } from '../totals/breakdown.tsx'
import { amount, money, plain } from '../words/format.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'

interface PaperTotalsProps {
  readonly invoice: CanonicalInvoice['invoice']
}

const SUMS = [
  ['total_general_discounts', '−'],
  ['total_general_surcharges', ''],
  ['total_gross_amount_before_taxes', ''],
  ['total_tax_outputs', ''],
  ['total_consumption_taxes', ''],
] as const

const AFTER = [
  ['total_taxes_withheld', '−'],
  ['total_payments_on_account', '−'],
  ['total_reimbursable_expenses', ''],
  ['rounding_amount', ''],
] as const

export function PaperTotals({ invoice }: PaperTotalsProps) {
  const { locale, words } = useWords()
  const { totals, taxes_outputs: outputs = [] } = invoice
  const row = ([name, sign]: readonly [keyof typeof totals, string]) => {
    const value = totals[name]
    if (typeof value !== 'number' || value === 0) return null
    return (
      <tr key={name}>
        <th scope="row">{labelOf(name, locale)}</th>
        <td>{sign + amount(value, locale)}</td>
      </tr>
    )
  }
  const surcharged = outputs.some((entry) => entry.equivalence_surcharge_amount !== undefined)
  const toPay = totals.total_executable_amount ?? totals.invoice_total
  return (
    <div class="paper-sums">
      <table class="paper-breakdown">
        <thead>
          <tr>
            <th scope="col">{words.treatment}</th>
            <th scope="col">{words.rate}</th>
            <th scope="col">{words.base}</th>
            <th scope="col">{words.tax}</th>
            {surcharged ? <th scope="col">{words.surcharge}</th> : null}
          </tr>
        </thead>
        <tbody>
          {outputs.map((entry, index) => {
            const rate = rateOf(entry)
            return (
              <tr key={index}>
                <th scope="row">
                  {treatmentName(entry.tax_treatment_code, locale)} {entry.exemption_reason_code ?? ''}
                </th>
                <td>{rate === undefined ? '' : `${plain(rate, locale)} %`}</td>
                <td>{amount(entry.taxable_base, locale)}</td>
                <td>{amount(entry.consumption_tax_amount ?? entry.tax_amount, locale)}</td>
                {surcharged ? <td>{amount(entry.equivalence_surcharge_amount ?? 0, locale)}</td> : null}
              </tr>
            )
          })}
        </tbody>
      </table>
      <table class="paper-totals">
        <tbody>
          {SUMS.map(row)}
          <tr class="paper-total">
            <th scope="row">{labelOf('invoice_total', locale)}</th>
            <td>{money(totals.invoice_total, locale)}</td>
          </tr>
          {AFTER.map(row)}
          {toPay === totals.invoice_total ? null : (
            <tr class="paper-pay">
              <th scope="row">{labelOf('total_executable_amount', locale)}</th>
              <td>{money(toPay, locale)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
