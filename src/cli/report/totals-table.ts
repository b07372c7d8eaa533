/** The breakdown and the totals of an invoice, as a table. */
import type { CanonicalInvoice } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import { printable, widthOf } from '../../terminal/printable.ts'
import { rowLines } from '../../terminal/rows.ts'
import type { Align } from '../../terminal/table.ts'
import type { Colors } from '../input/colors.ts'
import { numbersOf } from '../input/numbers.ts'
import type { Settings } from '../input/settings.ts'
import { wordsOf } from './words.ts'

/** Lines of the table, without indentation. */
export function totalsTable(
  data: CanonicalInvoice,
  { locale, width: room }: Settings,
  colors: Colors,
): string[] {
  const words = wordsOf(locale)
  const { amount, percent } = numbersOf(locale)
  const { taxes_outputs: outputs = [], taxes_withheld: withheld = [], totals, issue_data } = data.invoice
  const surcharged = outputs.some((entry) => entry.equivalence_surcharge_amount !== undefined)
  const abroad = outputs.some((entry) => entry.consumption_tax_amount !== undefined)

  const head = [words.treatment, words.regime, words.rate, words.base, words.tax]
  if (surcharged) head.push(words.surcharge)
  if (abroad) head.push(words.foreignTax)
  const rows: string[][] = []
  for (const entry of outputs) {
    const foreign = entry.consumption_tax_rate
    const cells = [
      printable(entry.tax_treatment_code ?? ''),
      printable(entry.tax_regime_key ?? ''),
      foreign === undefined
        ? percent(entry.tax_rate)
        : `${printable(entry.consumption_country_code ?? '')} ${percent(foreign)}`,
      amount(entry.taxable_base),
      amount(entry.tax_amount),
    ]
    if (surcharged) {
      const { equivalence_surcharge_amount: value, equivalence_surcharge: rate } = entry
      cells.push(
        value === undefined ? '' : `${rate === undefined ? '' : `${percent(rate)}  `}${amount(value)}`,
      )
    }
    if (abroad)
      cells.push(entry.consumption_tax_amount === undefined ? '' : amount(entry.consumption_tax_amount))
    rows.push(cells)
  }

  const sums: [string, number][] = []
  const optional = (label: string, value: number | undefined) => {
    if (value) sums.push([label, value])
  }
  const total = totals.invoice_total ?? 0
  sums.push([words.beforeTaxes, totals.total_gross_amount_before_taxes ?? 0])
  sums.push([words.tax, totals.total_tax_outputs ?? 0])
  optional(words.foreignTax, totals.total_consumption_taxes)
  sums.push([words.invoiceTotal, total])
  for (const entry of withheld)
    sums.push([words.withheld(percent(entry.tax_rate), amount(entry.taxable_base)), -entry.tax_amount])
  optional(words.onAccount, totals.total_payments_on_account && -totals.total_payments_on_account)
  optional(words.reimbursable, totals.total_reimbursable_expenses)
  optional(words.rounding, totals.rounding_amount)
  sums.push([words.toPay, totals.total_executable_amount ?? total])

  const aligns: Align[] = ['left', 'left', 'right', 'right', 'right', 'right', 'right']
  const breakdown = rowLines({ fields: head, cells: rows, aligns: aligns.slice(0, head.length) }, room - 2)
  const widest = Math.max(...sums.map(([label, value]) => label.length + 2 + amount(value).length))
  const width = Math.min(Math.max(widest, ...breakdown.map(widthOf)), room - 2)
  const bold: string[] = [words.invoiceTotal, words.toPay]
  const summed = sums.map(([label, value]) => {
    const text = amount(value)
    const line = `${label}${' '.repeat(Math.max(2, width - label.length - text.length))}${text}`
    return bold.includes(label) ? colors.bold(line) : line
  })
  const rule = colors.dim('─'.repeat(width))
  const lines = [colors.dim(required(breakdown[0])), ...breakdown.slice(1), rule, ...summed]
  const currency = issue_data.invoice_currency?.invoice_currency_code
  const original = totals.invoice_currency?.invoice_total
  if (currency !== undefined && original !== undefined) {
    const label = words.inCurrency(printable(currency))
    const text = amount(original)
    lines.push(colors.dim(`${label}${' '.repeat(Math.max(2, width - label.length - text.length))}${text}`))
  }
  return lines
}
