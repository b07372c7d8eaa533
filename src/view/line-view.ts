/** The table of the lines. */
import type { Line, LineCurrencyBlock } from '#core/invoice/index.ts'
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE } from '#core/invoice/terms.ts'
import { type Minor, sum, toMinor, toNumber } from '#core/money/index.ts'
import {
  amountText,
  dateText,
  decimalsOf,
  moneyText,
  percentText,
  periodText,
  plainNumberText,
} from './display-format.ts'
import { nameOf, taxName } from './display-names.ts'
import { labelFollowedBy, type Pair } from './page-language.ts'
import { hidesTax, type Subject } from './subject.ts'
import { LINES, PAGE } from './view-labels.ts'
import { type InvoiceView, LINE_COLUMNS, type LineColumn, type LineView } from './view-model.ts'

/**
 * How the amounts of lines are shown. They include tax if all prices of the invoice include tax, or under a margin
 * scheme.
 */
interface Basis {
  readonly allWithTax: boolean
  /** Decimals shown for every unit price. */
  readonly priceDecimals: number
}

const showsTax = (subject: Subject, line: Line, { allWithTax }: Basis): boolean =>
  allWithTax || hidesTax(subject, line.tax_regime_key)

/** Returns the amounts in the currency of the page. */
const amountsOf = ({ currency }: Subject, line: Line): LineCurrencyBlock =>
  currency.isEuro ? line : { ...line.invoice_currency }

/** Returns the amount charged for a line. */
function chargedFor(subject: Subject, line: Line, basis: Basis): number {
  const amounts = amountsOf(subject, line)
  const charged = showsTax(subject, line, basis)
    ? amounts.gross_amount_with_tax
    : amounts.gross_amount_without_tax
  return charged ?? amounts.gross_amount_without_tax ?? 0
}

/**
 * Returns the tax and rate of a line. Returns an empty text under a margin scheme, because that tax must not be shown.
 */
function taxOf(subject: Subject, line: Line): string {
  const { lang } = subject
  if (hidesTax(subject, line.tax_regime_key)) return ''
  if (line.consumption_tax_rate !== undefined)
    return `${line.consumption_country_code ?? ''} ${percentText(line.consumption_tax_rate, lang.locale)}`.trim()
  if (line.tax_treatment_code === EXEMPT) return line.exemption_reason_code ?? lang.text(LINES.exempt)
  if (line.tax_treatment_code === REVERSE_CHARGE) return lang.text(LINES.reverseCharge)
  if (line.tax_treatment_code === NON_TAXABLE) return lang.text(LINES.nonTaxable)
  return line.tax_output_rate === undefined ? '' : percentText(line.tax_output_rate, lang.locale)
}

/** Codes of units whose name is not shown: units (01) and others (05). */
const UNNAMED: ReadonlySet<string> = new Set(['01', '05'])

function quantityOf({ lang }: Subject, { quantity, unit_of_measure: unit }: Line): string {
  const figure = plainNumberText(quantity, lang.locale)
  if (unit === undefined || UNNAMED.has(unit)) return figure
  return `${figure} ${lang.text(nameOf('units', unit)).toLowerCase()}`
}

/**
 * Returns the unit price as entered, with or without tax. Under a margin scheme, omits a price without tax, because the
 * amount of the line includes the tax.
 */
function priceOf(subject: Subject, line: Line): number | undefined {
  const { unit_price_with_tax: withTax, unit_price_without_tax: without } = amountsOf(subject, line)
  return withTax ?? (hidesTax(subject, line.tax_regime_key) ? undefined : without)
}

/** Returns the number of decimals for all prices, so that they align: the largest of the prices and the currency. */
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
    price: price === undefined ? '' : amountText(price, subject.lang.locale, basis.priceDecimals),
    discount: line.discount_rate ? percentText(line.discount_rate, subject.lang.locale) : '',
    tax: taxOf(subject, line),
    amount: subject.amount(chargedFor(subject, line, basis)),
  }
}

/** Returns the line's discount and charge, with the amount they apply to. */
function adjustments(subject: Subject, line: Line, basis: Basis): string[] {
  const { lang } = subject
  const amounts = amountsOf(subject, line)
  const cost = showsTax(subject, line, basis) ? amounts.total_cost_with_tax : amounts.total_cost_without_tax
  const describe = (label: Pair, rate: number | undefined, value: number | undefined) =>
    value
      ? [
          [
            lang.text(labelFollowedBy(label, rate ? percentText(rate, lang.locale) : '')),
            `${subject.amount(value)}${cost === undefined ? '' : ` ${lang.text(LINES.on)} ${subject.amount(cost)}`}`,
          ].join(': '),
        ]
      : []
  return [
    ...describe(LINES.discounted, line.discount_rate, amounts.discount_amount),
    ...describe(LINES.charged, line.charge_rate, amounts.charge_amount),
  ]
}

/** Returns the line's amount in euros, if the page is in another currency. */
function inEuros(subject: Subject, line: Line): string[] {
  const { lang, currency } = subject
  if (currency.isEuro || line.gross_amount_without_tax === undefined) return []
  return [`${lang.text(LINES.euros)}: ${moneyText(line.gross_amount_without_tax, lang.locale)}`]
}

const REFERENCES = [
  'receiver_transaction_reference',
  'receiver_contract_reference',
  'issuer_contract_reference',
  'file_reference',
] as const

function references({ lang }: Subject, { references: named = {} }: Line): string[] {
  const texts = REFERENCES.flatMap((name) => {
    const date = name === 'issuer_contract_reference' ? dateText(named.issuer_contract_date) : ''
    return named[name] ? [`${lang.text(LINES[name])}: ${[named[name], date].filter(Boolean).join(', ')}`] : []
  })
  const notes = (named.delivery_notes ?? []).map(({ number, date }) =>
    [number, dateText(date)].filter(Boolean).join(', '),
  )
  return notes.length > 0 ? [...texts, `${lang.text(LINES.delivery_note)}: ${notes.join('; ')}`] : texts
}

/** Returns the texts about the deductible part of the tax on a received invoice. */
function deduction({ lang, direction }: Subject, line: Line): string[] {
  if (direction !== 'received') return []
  const { deduction_rate: rate, non_deductible_reason: reason } = line
  return [
    ...(rate === undefined ? [] : [`${lang.text(LINES.deduction_rate)}: ${percentText(rate, lang.locale)}`]),
    ...(reason === undefined
      ? []
      : [
          `${lang.text(LINES.non_deductible_reason)}: ${lang.text(nameOf('non-deductible-reasons', reason))}`,
        ]),
  ]
}

function notesOf(subject: Subject, line: Line, basis: Basis): string[] {
  const { lang } = subject
  const period = periodText(line.line_item_period_start_date, line.line_item_period_end_date)
  const mixed = line.unit_price_with_tax !== undefined && !showsTax(subject, line, basis)
  return [
    ...(line.additional_line_item_information ? [line.additional_line_item_information] : []),
    ...(period ? [`${lang.text(LINES.period)}: ${period}`] : []),
    ...(line.transaction_date ? [`${lang.text(LINES.transaction)}: ${dateText(line.transaction_date)}`] : []),
    ...references(subject, line),
    ...adjustments(subject, line, basis),
    ...(mixed ? [lang.text(LINES.withTax)] : []),
    ...deduction(subject, line),
    ...inEuros(subject, line),
  ]
}

/** Returns the lines with their running total, which is an exact sum. */
function rowsOf(subject: Subject, basis: Basis): LineView[] {
  const { decimals } = subject.currency
  let runningTotal: Minor = toMinor(0, decimals)
  return subject.invoice.lines.map((line) => {
    runningTotal = sum([runningTotal, toMinor(chargedFor(subject, line, basis), decimals)])
    return {
      cells: cellsOf(subject, line, basis),
      notes: notesOf(subject, line, basis),
      running: subject.amount(toNumber(runningTotal, decimals)),
    }
  })
}

const FIGURES: readonly LineColumn[] = ['quantity', 'price', 'discount', 'tax', 'amount']

export function linesOf(subject: Subject): InvoiceView['lines'] {
  const { lang, currency, invoice, group } = subject
  const basis = {
    allWithTax: invoice.lines.every(
      (line) => line.unit_price_with_tax !== undefined || hidesTax(subject, line.tax_regime_key),
    ),
    priceDecimals: priceDecimals(subject),
  }
  const rows = rowsOf(subject, basis)
  const sign = currency.isEuro ? '' : `(${currency.code})`
  const labels: Readonly<Record<LineColumn, Pair>> = {
    ...LINES,
    price: labelFollowedBy(basis.allWithTax ? LINES.priceWithTax : LINES.price, sign),
    amount: labelFollowedBy(basis.allWithTax ? LINES.amountWithTax : LINES.amount, sign),
    tax: taxName(group),
  }
  const columns = LINE_COLUMNS.filter((key) => rows.some(({ cells }) => cells[key]))
  return {
    columns: columns.map((key) => ({
      key,
      label: lang.label(labels[key]),
      align: FIGURES.includes(key) ? 'end' : 'start',
    })),
    rows,
    carriedForward: lang.label(PAGE.carriedForward),
    broughtForward: lang.label(PAGE.broughtForward),
  }
}
