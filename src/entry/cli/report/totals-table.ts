/** Formats the breakdown and the totals of an invoice as a table. */
import { type CanonicalInvoice, catalog, type Locale } from '#engine/index.ts'
import { printable, widthOf } from '../../terminal/printable.ts'
import { type Rows, rowLines } from '../../terminal/terminal-rows.ts'
import type { Align } from '../../terminal/terminal-table.ts'
import type { Colors } from '../input/colors.ts'
import { numbersOf } from '../input/input-numbers.ts'
import type { Settings } from '../input/input-settings.ts'
import { messagesOf } from './report-messages.ts'

type Output = NonNullable<CanonicalInvoice['invoice']['taxes_outputs']>[number]

/** Returns the treatment of an entry: its code or, in Spanish, its name. */
function treatmentOf({ tax_treatment_code: code = '' }: Output, locale: Locale): string {
  const row = locale === 'es' ? catalog('tax-treatments').find((one) => one.code === code) : undefined
  return row?.name ?? printable(code)
}

/** Returns the breakdown. The columns for surcharge and for the one-stop shop's foreign VAT appear only if used. */
function breakdownOf(outputs: readonly Output[], locale: Locale): Rows {
  const messages = messagesOf(locale)
  const { amount, percent } = numbersOf(locale)
  const rateOf = ({ consumption_tax_rate: foreign, consumption_country_code: country, tax_rate }: Output) =>
    foreign === undefined ? percent(tax_rate) : `${printable(country ?? '')} ${percent(foreign)}`
  const surchargeOf = ({ equivalence_surcharge_amount: value, equivalence_surcharge: rate }: Output) =>
    value === undefined ? '' : `${rate === undefined ? '' : `${percent(rate)}  `}${amount(value)}`
  const columns: readonly (readonly [field: string, align: Align, cell: (entry: Output) => string])[] = [
    [messages.treatment, 'left', (entry) => treatmentOf(entry, locale)],
    [messages.regime, 'left', (entry) => printable(entry.tax_regime_key ?? '')],
    [messages.rate, 'right', rateOf],
    [messages.base, 'right', (entry) => amount(entry.taxable_base)],
    [messages.tax, 'right', (entry) => amount(entry.tax_amount)],
    [messages.surcharge, 'right', surchargeOf],
    [
      messages.foreignTax,
      'right',
      ({ consumption_tax_amount: tax }) => (tax === undefined ? '' : amount(tax)),
    ],
  ]
  const optional: readonly string[] = [messages.surcharge, messages.foreignTax]
  const shown = columns.filter(
    ([field, , cell]) => !optional.includes(field) || outputs.some((entry) => cell(entry) !== ''),
  )
  return {
    fields: shown.map(([field]) => field),
    aligns: shown.map(([, align]) => align),
    cells: outputs.map((entry) => shown.map(([, , cell]) => cell(entry))),
  }
}

/** Returns the sums below the breakdown. Optional sums are shown unless they are 0. */
function sumsOf({ invoice }: CanonicalInvoice, locale: Locale): [label: string, value: number][] {
  const messages = messagesOf(locale)
  const { amount, percent } = numbersOf(locale)
  const { totals, taxes_withheld: withheld = [] } = invoice
  const total = totals.invoice_total ?? 0
  const optional = (label: string, value = 0): [string, number][] => (value ? [[label, value]] : [])
  return [
    [messages.beforeTaxes, totals.total_gross_amount_before_taxes ?? 0],
    [messages.tax, totals.total_tax_outputs ?? 0],
    ...optional(messages.foreignTax, totals.total_consumption_taxes),
    [messages.invoiceTotal, total],
    ...withheld.map((entry): [string, number] => [
      messages.withheld(percent(entry.tax_rate), amount(entry.taxable_base)),
      -entry.tax_amount,
    ]),
    ...optional(messages.onAccount, -(totals.total_payments_on_account ?? 0)),
    ...optional(messages.reimbursable, totals.total_reimbursable_expenses),
    ...optional(messages.rounding, totals.rounding_amount),
    [messages.toPay, totals.total_executable_amount ?? total],
  ]
}

/** Returns the lines of the table, without indentation. */
export function totalsTable(data: CanonicalInvoice, { locale, width: most }: Settings, colors: Colors) {
  const messages = messagesOf(locale)
  const { amount } = numbersOf(locale)
  const textWidth = most - 2
  const { taxes_outputs: outputs = [], totals, issue_data } = data.invoice
  const [head = '', ...body] = rowLines(breakdownOf(outputs, locale), textWidth)
  const sums = sumsOf(data, locale)
  const widest = Math.max(...sums.map(([label, value]) => label.length + 2 + amount(value).length))
  const width = Math.min(Math.max(widest, ...[head, ...body].map(widthOf)), textWidth)
  const line = (label: string, value: number) => {
    const text = amount(value)
    return `${label}${' '.repeat(Math.max(2, width - label.length - text.length))}${text}`
  }
  const bold: readonly string[] = [messages.invoiceTotal, messages.toPay]
  const summed = sums.map(([label, value]) =>
    bold.includes(label) ? colors.bold(line(label, value)) : line(label, value),
  )
  const lines = [colors.dim(head), ...body, colors.dim('─'.repeat(width)), ...summed]
  const currency = issue_data.invoice_currency?.invoice_currency_code
  const original = totals.invoice_currency?.invoice_total
  if (currency !== undefined && original !== undefined)
    lines.push(colors.dim(line(messages.inCurrency(printable(currency)), original)))
  return lines
}
