/** Maps lines of the semantic model to lines of json_1_1 with exactly the same amounts. */
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
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
import type { ReadingReport } from '../model/index.ts'
import type { Allowance, DocumentAllowance, Line } from './en16931-model.ts'
import { joinTexts } from './en16931-texts.ts'
import type { Treatment } from './en16931-treatment.ts'
import { unitOfCode } from './en16931-units.ts'
import { withoutUndefined } from './tree.ts'

export type LineInput = CanonicalInvoiceInput['invoice']['lines'][number]

export interface LineContext {
  readonly report: ReadingReport
  /** -1 if amounts change their sign from the document to json_1_1, as in a credit note; otherwise 1. */
  readonly sign: 1 | -1
  readonly treatmentOf: (line: Line | DocumentAllowance) => Treatment
  /** Returns the regime key of a treatment: 07 if the document mentions the cash basis and the treatment allows it. */
  readonly keyOf: (treatment: Treatment) => string | undefined
  /** Whether the ids of the lines can be used as sequence numbers. */
  readonly numbered: boolean
}

const sumOf = (allowances: readonly Allowance[], isCharge: boolean): Minor => {
  let sum = 0
  for (const one of allowances) if (one.isCharge === isCharge) sum += toMinor(one.amount)
  return sum
}

/** Returns the number of decimals of a price, at least two. */
const decimalsOf = (price: number): number => {
  const [, decimals = ''] = String(price).split('.')
  return Math.max(2, /e/.test(decimals) ? 8 : decimals.length)
}

interface Price {
  readonly used: number
  /** True if the price `used` differs from the stated price only because the latter was rounded. */
  readonly isRounding: boolean
}

/** Returns the stated price of one unit. */
const statedPrice = ({ price, priceQuantity = 1 }: Line): number =>
  priceQuantity === 1 ? price : exactNumber(roundExact(exact(price).div(priceQuantity || 1), 8))

/**
 * Returns the unit price from which the amount of the line results, or undefined if no such price exists. EN 16931 has
 * no rule that the amount must result from the price: issuers round the price (3.33 for ten thirds) or misuse the base
 * quantity. The amount prevails, because the totals are the sum of the amounts.
 */
function priceOf(line: Line, cost: Minor): Price | undefined {
  const { quantity, price, priceQuantity = 1 } = line
  const unit = statedPrice(line)
  const difference = multiply(quantity, unit) - cost
  if (difference === 0) return { used: unit, isRounding: true }
  if (quantity === 0) return undefined
  const used = exactNumber(roundExact(exact(toNumber(cost)).div(quantity), 8))
  if (multiply(quantity, used) !== cost) return undefined
  const lastDigit = exact(Number(`1e-${decimalsOf(price)}`))
  const half = lastDigit.div(2).div(Math.abs(priceQuantity) || 1)
  const isClose = !half.lessThan(exact(used).minus(unit).abs())
  return { used, isRounding: isClose || Math.abs(difference) <= 1 }
}

/** Adds a warning if the price used differs from the stated price, or if no price results in the amount of the line. */
function reportPrice(
  line: Line,
  found: Price | undefined,
  report: ReadingReport,
  discount: Minor,
  charge: Minor,
) {
  const stated = statedPrice(line)
  if (found?.used === stated) return
  const { quantity, net, at } = line
  const values = {
    received: net,
    quantity,
    price: stated,
    expected: toNumber(multiply(quantity, stated) - discount + charge),
  }
  if (!found) report.refuse('en16931.line_net', at, values)
  else if (found.isRounding) report.warn('en16931.price_rounded', at, { received: stated, used: found.used })
  else report.warn('en16931.line_price', at, { ...values, used: found.used })
}

/** Returns the stated rate if the stated amount results from it. */
const rateOf = (allowances: readonly Allowance[], isCharge: boolean, cost: Minor): number | undefined => {
  const [only, ...more] = allowances.filter((one) => one.isCharge === isCharge)
  if (!only || more.length > 0 || only.percent === undefined || only.percent < 0 || only.percent > 100)
    return undefined
  return percentOf(cost, only.percent) === toMinor(only.amount) ? only.percent : undefined
}

/** Codes of a discount (UNTDID 5189) and of an agreed charge (UNTDID 7161) without a specific reason. */
export const DISCOUNT_CODE = '95'
export const CHARGE_CODE = 'ZZZ'

const DISCOUNT_TEXT = 'Descuento'
const CHARGE_TEXT = 'Cargo'

const reasonsOf = (allowances: readonly Allowance[]): string[] =>
  allowances.flatMap(({ isCharge, reason }) =>
    reason === undefined || reason === (isCharge ? CHARGE_TEXT : DISCOUNT_TEXT)
      ? []
      : `${isCharge ? CHARGE_TEXT : DISCOUNT_TEXT}: ${reason}`,
  )

const signed = (amount: Minor, sign: 1 | -1): number | undefined =>
  amount === 0 ? undefined : toNumber(sign * amount)

/** Maps a line with its amounts. The quantity gets the sign of the document; the price keeps its sign. */
export function lineInputOf(line: Line, context: LineContext, facts: readonly string[] = []): LineInput {
  const { report, sign } = context
  const discount = sumOf(line.allowances, false)
  const charge = sumOf(line.allowances, true)
  const cost = toMinor(line.net) + discount - charge
  const found = priceOf(line, cost)
  reportPrice(line, found, report, discount, charge)
  const { unit, original } = unitOfCode(line.unit ?? 'C62')
  const treatment = context.treatmentOf(line)
  const number = context.numbered ? Number(line.id) : undefined
  const texts = [
    line.note,
    line.description,
    original === undefined ? undefined : `Unidad: ${original}`,
    line.id === undefined || context.numbered ? undefined : `Línea: ${line.id}`,
    ...reasonsOf(line.allowances),
    ...facts,
  ]
  return withoutUndefined({
    sequence_number: number,
    item_description: line.name ?? '',
    quantity: sign * line.quantity + 0,
    unit_of_measure: unit,
    article_code: line.sellerItemId,
    unit_price_without_tax: found?.used ?? line.price,
    discount_rate: rateOf(line.allowances, false, cost),
    discount_amount: signed(discount, sign),
    charge_rate: rateOf(line.allowances, true, cost),
    charge_amount: signed(charge, sign),
    ...treatment,
    tax_regime_key: context.keyOf(treatment),
    line_item_period_start_date: line.period?.start,
    line_item_period_end_date: line.period?.end,
    additional_line_item_information: joinTexts(texts, line.at, report),
    references: line.orderLine === undefined ? undefined : { receiver_transaction_reference: line.orderLine },
  }) as LineInput
}

/** Maps a document-level allowance or charge to a line, if it does not apply to all rates in proportion. */
export function allowanceLine(one: DocumentAllowance, context: LineContext): LineInput {
  const treatment = context.treatmentOf(one)
  const direction = (one.isCharge ? 1 : -1) * (one.amount < 0 ? -1 : 1) * context.sign
  return withoutUndefined({
    item_description: one.reason ?? (one.isCharge ? CHARGE_TEXT : DISCOUNT_TEXT),
    quantity: direction,
    unit_of_measure: '01',
    unit_price_without_tax: Math.abs(one.amount),
    ...treatment,
    tax_regime_key: context.keyOf(treatment),
  }) as LineInput
}

/** Whether the ids of the lines are unique positive integers. */
export function hasNumericLineIds(lines: readonly Line[]): boolean {
  const seen = new Set<string>()
  for (const { id } of lines) {
    if (id === undefined || !/^[1-9]\d{0,5}$/.test(id) || seen.has(id)) return false
    seen.add(id)
  }
  return true
}
