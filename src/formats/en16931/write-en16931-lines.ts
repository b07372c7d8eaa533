/** Maps lines of json_1_1 to lines of the semantic model. Prices are never negative, and amounts have two decimals. */
import {
  exact,
  exactNumber,
  type Minor,
  multiply,
  percentOf,
  roundExact,
  toMinor,
  toNumber,
} from '#core/money/index.ts'
import type { Allowance, Line } from './en16931-model.ts'
import type { TaxGroup } from './en16931-treatment.ts'
import { codeOfUnit } from './en16931-units.ts'
import type { CanonicalLine } from './en16931-view.ts'
import { CHARGE_CODE, DISCOUNT_CODE } from './read-en16931-lines.ts'
import { categoryOf } from './write-taxes.ts'

const amountOf = (amount: number | undefined, rate: number | undefined, cost: Minor): Minor =>
  amount !== undefined ? toMinor(amount) : rate !== undefined ? percentOf(cost, rate) : 0

/**
 * Returns discount and charge of a line. Any rounding difference is added to the charge, so that the net amount does
 * not change.
 */
function allowancesOf(line: CanonicalLine, cost: Minor, net: Minor): Allowance[] {
  const { discount_rate: discountRate, charge_rate: chargeRate } = line
  const discount = amountOf(line.discount_amount, discountRate, cost)
  const charge = net - cost + discount
  const made = (isCharge: boolean, amount: Minor, percent: number | undefined): Allowance[] => {
    if (amount === 0) return []
    const reasonCode = isCharge ? CHARGE_CODE : DISCOUNT_CODE
    const rate =
      percent !== undefined && percentOf(cost, percent) === amount ? { percent, base: toNumber(cost) } : {}
    return [{ isCharge, amount: toNumber(amount), reasonCode, ...rate }]
  }
  return [...made(false, discount, discountRate), ...made(true, charge, chargeRate)]
}

/**
 * Returns the price without tax, to 8 decimals. If rounding would change the amount of the line, the price is
 * calculated from the line's cost.
 */
function netPriceOf(line: CanonicalLine, cost: Minor): number {
  const { quantity, unit_price_with_tax: withTax, unit_price_without_tax: without } = line
  const derived = (): number => exactNumber(roundExact(exact(toNumber(cost)).div(quantity || 1), 8))
  if (without !== undefined) return without
  if (withTax === undefined) return derived()
  const rate = line.tax_treatment_code === 'TAXABLE_NON_EXEMPT' ? (line.tax_output_rate ?? 0) : 0
  const price = exactNumber(roundExact(exact(withTax).times(100).div(exact(rate).plus(100)), 8))
  if (quantity === 0 || multiply(quantity, price) === cost) return price
  return derived()
}

/** Returns the data without a term in EN 16931, as text. */
function noteOf(line: CanonicalLine): string | undefined {
  const { references: refs } = line
  const dated = (text: string | undefined, date: string | undefined): string =>
    [text, date === undefined ? undefined : `(${date})`].filter((part) => part !== undefined).join(' ')
  const labelled = (label: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : [`${label}: ${text}`]
  const texts = [
    ...(line.additional_line_item_information === undefined ? [] : [line.additional_line_item_information]),
    ...labelled('Fecha', line.transaction_date),
    ...labelled(
      'Contrato del emisor',
      refs && dated(refs.issuer_contract_reference, refs.issuer_contract_date),
    ),
    ...labelled('Contrato del receptor', refs?.receiver_contract_reference),
    ...labelled('Expediente', refs?.file_reference),
    ...(refs?.delivery_notes ?? []).flatMap(({ number, date }) => labelled('Albarán', dated(number, date))),
    ...(line.legal_literals ?? []).map(({ legal_reference: text }) => text),
  ]
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** Maps a line. `sign` is -1 if amounts change their sign in the document, as in a credit note. */
export function lineOf(line: CanonicalLine, index: number, group: TaxGroup, sign: 1 | -1): Line {
  const net = toMinor(line.gross_amount_without_tax ?? 0)
  // A line priced with tax has no discounts: its cost is its net amount.
  const isWithTax = line.unit_price_with_tax !== undefined && line.unit_price_without_tax === undefined
  const cost = isWithTax ? net : toMinor(line.total_cost_without_tax ?? 0)
  const price = netPriceOf(line, cost)
  const turned = price < 0 ? -1 : 1
  const { category, rate } = categoryOf(line, line.tax_output_rate, group)
  const { line_item_period_start_date: start, line_item_period_end_date: end } = line
  return {
    at: '',
    id: String(line.sequence_number ?? index + 1),
    note: noteOf(line),
    quantity: sign * turned * line.quantity + 0,
    unit: codeOfUnit(line.unit_of_measure),
    net: toNumber(sign * net),
    orderLine: line.references?.receiver_transaction_reference,
    period: start === undefined && end === undefined ? undefined : { start, end },
    allowances: allowancesOf(line, cost, net).map((one) => ({
      ...one,
      amount: sign * one.amount + 0,
      ...(one.base === undefined ? {} : { base: sign * one.base + 0 }),
    })),
    price: turned * price + 0,
    category,
    rate,
    name: line.item_description,
    sellerItemId: line.article_code,
  }
}
