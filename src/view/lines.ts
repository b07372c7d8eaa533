/** The table of the lines. */
import type { Line, LineCurrencyBlock } from '../invoice/index.ts'
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE } from '../invoice/index.ts'
import { type Minor, sum, toMinor, toNumber } from '../money/index.ts'
import { amount, day, decimalsOf, money, percent, plain, span } from './format.ts'
import { LINES, PAGE } from './labels.ts'
import { type InvoiceView, LINE_COLUMNS, type LineColumn, type LineView } from './model.ts'
import { nameOf, taxName } from './names.ts'
import { followed, type Pair } from './speak.ts'
import { hidesTax, type Subject } from './subject.ts'

/** How amounts of a line are shown: with their tax where all prices of the invoice are, and of a margin scheme. */
interface Basis {
  readonly allWithTax: boolean
  /** Decimals that every unit price is shown with. */
  readonly priceDecimals: number
}

const showsTax = (subject: Subject, line: Line, { allWithTax }: Basis): boolean =>
  allWithTax || hidesTax(subject, line.tax_regime_key)

/** The amounts in the currency of the page. */
const amountsOf = ({ currency }: Subject, line: Line): LineCurrencyBlock =>
  currency.isEuro ? line : { ...line.invoice_currency }

/** What is charged for a line. */
function chargedFor(subject: Subject, line: Line, basis: Basis): number {
  const amounts = amountsOf(subject, line)
  const charged = showsTax(subject, line, basis)
    ? amounts.gross_amount_with_tax
    : amounts.gross_amount_without_tax
  return charged ?? amounts.gross_amount_without_tax ?? 0
}

/** What is taxed at which rate; nothing of a margin, whose tax is not told. */
function taxOf(subject: Subject, line: Line): string {
  const { say } = subject
  if (hidesTax(subject, line.tax_regime_key)) return ''
  if (line.consumption_tax_rate !== undefined)
    return `${line.consumption_country_code ?? ''} ${percent(line.consumption_tax_rate, say.locale)}`.trim()
  if (line.tax_treatment_code === EXEMPT) return line.exemption_reason_code ?? say.text(LINES.exempt)
  if (line.tax_treatment_code === REVERSE_CHARGE) return say.text(LINES.reverseCharge)
  if (line.tax_treatment_code === NON_TAXABLE) return say.text(LINES.nonTaxable)
  return line.tax_output_rate === undefined ? '' : percent(line.tax_output_rate, say.locale)
}

/** Units that say no more than the figure: pieces, and whatever else. */
const UNNAMED: ReadonlySet<string> = new Set(['01', '05'])

function quantityOf({ say }: Subject, { quantity, unit_of_measure: unit }: Line): string {
  const figure = plain(quantity, say.locale)
  if (unit === undefined || UNNAMED.has(unit)) return figure
  return `${figure} ${say.text(nameOf('units', unit)).toLowerCase()}`
}

/** The unit price as it was agreed on. Of a margin priced without tax there is none that makes the amount. */
function priceOf(subject: Subject, line: Line): number | undefined {
  const { unit_price_with_tax: withTax, unit_price_without_tax: without } = amountsOf(subject, line)
  return withTax ?? (hidesTax(subject, line.tax_regime_key) ? undefined : without)
}

/** As many decimals as the price that has the most, and never fewer than the currency: a column is read downwards. */
const priceDecimals = (subject: Subject): number =>
  subject.invoice.lines.reduce(
    (most, line) => Math.max(most, decimalsOf(priceOf(subject, line) ?? 0)),
    subject.currency.decimals,
  )

function cellsOf(subject: Subject, line: Line, basis: Basis): Record<LineColumn, string> {
  const price = priceOf(subject, line)
  return {
    reference: line.article_code ?? '',
    description: line.item_description,
    quantity: quantityOf(subject, line),
    price: price === undefined ? '' : amount(price, subject.say.locale, basis.priceDecimals),
    discount: line.discount_rate ? percent(line.discount_rate, subject.say.locale) : '',
    tax: taxOf(subject, line),
    amount: subject.amount(chargedFor(subject, line, basis)),
  }
}

/** What was taken off or put on before the amount, and from what. */
function adjustments(subject: Subject, line: Line, basis: Basis): string[] {
  const { say } = subject
  const amounts = amountsOf(subject, line)
  const cost = showsTax(subject, line, basis) ? amounts.total_cost_with_tax : amounts.total_cost_without_tax
  const told = (words: Pair, rate: number | undefined, value: number | undefined) =>
    value
      ? [
          [
            say.text(followed(words, rate ? percent(rate, say.locale) : '')),
            `${subject.amount(value)}${cost === undefined ? '' : ` ${say.text(LINES.on)} ${subject.amount(cost)}`}`,
          ].join(': '),
        ]
      : []
  return [
    ...told(LINES.discounted, line.discount_rate, amounts.discount_amount),
    ...told(LINES.charged, line.charge_rate, amounts.charge_amount),
  ]
}

/** What the line comes to in euros, beside an amount in another currency. */
function inEuros(subject: Subject, line: Line): string[] {
  const { say, currency } = subject
  if (currency.isEuro || line.gross_amount_without_tax === undefined) return []
  return [`${say.text(LINES.euros)}: ${money(line.gross_amount_without_tax, say.locale)}`]
}

const REFERENCES = [
  'receiver_transaction_reference',
  'receiver_contract_reference',
  'issuer_contract_reference',
  'file_reference',
] as const

function references({ say }: Subject, { references: named = {} }: Line): string[] {
  const texts = REFERENCES.flatMap((name) => {
    const date = name === 'issuer_contract_reference' ? day(named.issuer_contract_date) : ''
    return named[name] ? [`${say.text(LINES[name])}: ${[named[name], date].filter(Boolean).join(', ')}`] : []
  })
  const notes = (named.delivery_notes ?? []).map(({ number, date }) =>
    [number, day(date)].filter(Boolean).join(', '),
  )
  return notes.length > 0 ? [...texts, `${say.text(LINES.delivery_note)}: ${notes.join('; ')}`] : texts
}

/** Of a received invoice: what of its tax may be deducted. */
function deduction({ say, direction }: Subject, line: Line): string[] {
  if (direction !== 'received') return []
  const { deduction_rate: rate, non_deductible_reason: reason } = line
  return [
    ...(rate === undefined ? [] : [`${say.text(LINES.deduction_rate)}: ${percent(rate, say.locale)}`]),
    ...(reason === undefined
      ? []
      : [`${say.text(LINES.non_deductible_reason)}: ${say.text(nameOf('non-deductible-reasons', reason))}`]),
  ]
}

function notesOf(subject: Subject, line: Line, basis: Basis): string[] {
  const { say } = subject
  const period = span(line.line_item_period_start_date, line.line_item_period_end_date)
  const mixed = line.unit_price_with_tax !== undefined && !showsTax(subject, line, basis)
  return [
    ...(line.additional_line_item_information ? [line.additional_line_item_information] : []),
    ...(period ? [`${say.text(LINES.period)}: ${period}`] : []),
    ...(line.transaction_date ? [`${say.text(LINES.transaction)}: ${day(line.transaction_date)}`] : []),
    ...references(subject, line),
    ...adjustments(subject, line, basis),
    ...(mixed ? [say.text(LINES.withTax)] : []),
    ...deduction(subject, line),
    ...inEuros(subject, line),
  ]
}

/** The lines with what they come to so far, added up exactly. */
function rowsOf(subject: Subject, basis: Basis): LineView[] {
  const { decimals } = subject.currency
  let so_far: Minor = toMinor(0, decimals)
  return subject.invoice.lines.map((line) => {
    so_far = sum([so_far, toMinor(chargedFor(subject, line, basis), decimals)])
    return {
      cells: cellsOf(subject, line, basis),
      notes: notesOf(subject, line, basis),
      running: subject.amount(toNumber(so_far, decimals)),
    }
  })
}

const FIGURES: readonly LineColumn[] = ['quantity', 'price', 'discount', 'tax', 'amount']

export function linesOf(subject: Subject): InvoiceView['lines'] {
  const { say, currency, invoice, group } = subject
  const basis = {
    allWithTax: invoice.lines.every(
      (line) => line.unit_price_with_tax !== undefined || hidesTax(subject, line.tax_regime_key),
    ),
    priceDecimals: priceDecimals(subject),
  }
  const rows = rowsOf(subject, basis)
  const sign = currency.isEuro ? '' : `(${currency.code})`
  const words: Readonly<Record<LineColumn, Pair>> = {
    ...LINES,
    price: followed(basis.allWithTax ? LINES.priceWithTax : LINES.price, sign),
    amount: followed(basis.allWithTax ? LINES.amountWithTax : LINES.amount, sign),
    tax: taxName(group),
  }
  const columns = LINE_COLUMNS.filter((key) => rows.some(({ cells }) => cells[key]))
  return {
    columns: columns.map((key) => ({
      key,
      label: say.label(words[key]),
      align: FIGURES.includes(key) ? 'end' : 'start',
    })),
    rows,
    carriedForward: say.label(PAGE.carriedForward),
    broughtForward: say.label(PAGE.broughtForward),
  }
}
