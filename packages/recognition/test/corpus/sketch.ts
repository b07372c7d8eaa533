/** The content of an invoice without positions on a page. Each generator lays it out in its own way. */

import { amountOf, type Party, type Truth } from './truth.ts'
import {
  amountIn,
  type Dating,
  dateIn,
  type Language,
  NOTATIONS,
  type Notation,
  type Words,
  wordsOf,
} from './words.ts'

export type Row = readonly [label: string, value: string]

export interface Sketch {
  readonly title: string
  readonly facts: readonly Row[]
  readonly supplier: readonly string[]
  readonly customerLabel: string
  readonly customer: readonly string[]
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly totals: readonly Row[]
  readonly notes: readonly string[]
  /** Texts in the smallest type, at the foot of the page. */
  readonly small: readonly string[]
  /** The content whose tax QR is printed. */
  readonly code: Truth | null
}

export interface Style {
  readonly language?: Language
  readonly notation?: keyof typeof NOTATIONS
  readonly dating?: Dating
  /** Labels that replace the usual ones of the language. */
  readonly words?: Partial<Words>
  readonly hasCode?: boolean
  /** Whether prices and amounts of the lines include tax. */
  readonly isTaxIncluded?: boolean
  /** Whether the supplier's tax id is printed only in the small print. */
  readonly isIdSmall?: boolean
  /** Entry in the trade register, printed at the foot. */
  readonly register?: string
  /** Whether each line has its tax rate. */
  readonly hasRates?: boolean
  readonly notes?: readonly string[]
  /** Rows between the invoice total and the amount payable: label and amount. */
  readonly extras?: readonly (readonly [string, number])[]
}

const lines = ({ name, street, town, tax_id }: Party, label: string): string[] => [
  name,
  street,
  town,
  `${label}: ${tax_id}`,
]

function totalsOf(truth: Truth, style: Style, words: Words, money: (amount: number) => string): Row[] {
  const rows: Row[] = []
  const rate = (value: number) => `${String(value).replace('.', ',')}%`
  const several = truth.taxes.length > 1
  if (!several || truth.exempt_base !== null) rows.push([words.base, money(truth.base)])
  for (const tax of truth.taxes) {
    if (several) rows.push([`${words.base} ${rate(tax.rate)}`, money(tax.base)])
    rows.push([`${words.tax} ${rate(tax.rate)}`, money(tax.amount)])
    if (tax.surcharge !== null)
      rows.push([`${words.surcharge} ${rate(tax.surcharge_rate ?? 0)}`, money(tax.surcharge)])
  }
  const extras = style.extras ?? []
  const withheld = truth.withheld
  if (withheld || extras.length > 0) rows.push([words.total, money(truth.invoice_total)])
  if (withheld) rows.push([`${words.withheld} ${rate(withheld.rate)}`, money(-withheld.amount)])
  for (const [label, amount] of extras) rows.push([label, money(amount)])
  const payable = extras.reduce((sum, [, amount]) => sum + amount, truth.total)
  rows.push([withheld || extras.length > 0 ? words.payable : words.total, money(payable)])
  return rows
}

export function sketchOf(truth: Truth, style: Style = {}): Sketch {
  const { language = 'es', dating = '/', isTaxIncluded = false } = style
  const notation: Notation = NOTATIONS[style.notation ?? 'spanish']
  const words: Words = { ...wordsOf(language), ...style.words }
  const money = (amount: number, places = 2) => amountIn(notation, amount, places)
  const plain = (amount: number) =>
    amountIn({ ...notation, currency: 'none' }, amount, Number.isInteger(amount) ? 0 : 2)
  const date = (value: string) => dateIn(language, dating, value)
  const facts: Row[] = [
    [words.number, truth.number],
    [words.date, date(truth.issue_date)],
  ]
  if (truth.due_date) facts.push([words.due, date(truth.due_date)])
  if (truth.corrects) facts.push(['Factura rectificada', truth.corrects])
  const supplier = lines(truth.supplier, words.id)
  const rows = truth.items.map((item) => {
    const factor = isTaxIncluded ? 1 + (item.rate ?? 0) / 100 : 1
    const places = Number(item.price.toFixed(2)) === item.price ? 2 : 4
    return [
      item.text,
      plain(item.quantity),
      money(item.price * factor, places),
      ...(style.hasRates ? [item.rate === null ? words.exempt : `${item.rate}%`] : []),
      money(amountOf(item) * factor),
    ]
  })
  return {
    title: words.title,
    facts,
    supplier: style.isIdSmall ? supplier.slice(0, 3) : supplier,
    customerLabel: words.customer,
    customer: truth.customer ? lines(truth.customer, words.id) : [],
    head: [words.concept, words.quantity, words.price, ...(style.hasRates ? [words.tax] : []), words.amount],
    rows,
    totals: totalsOf(truth, style, words, money),
    notes: [
      ...(truth.iban ? [`${words.account}: ${truth.iban.replace(/(.{4})(?=.)/g, '$1 ')}`] : []),
      ...(style.notes ?? []),
    ],
    small: [
      ...(style.register ? [`${truth.supplier.name}. ${style.register}`] : []),
      ...(style.isIdSmall
        ? [`${truth.supplier.street} - ${truth.supplier.town} - ${words.id} ${truth.supplier.tax_id}`]
        : []),
    ],
    code: style.hasCode ? truth : null,
  }
}
