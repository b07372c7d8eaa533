/** Lines of the semantic model as lines of json_1_1: the same amounts, to the cent. */
import type { CanonicalInvoiceInput } from '../../invoice/index.ts'
import {
  exact,
  exactNumber,
  type Minor,
  multiply,
  percentOf,
  roundExact,
  toMinor,
  toNumber,
} from '../../money/index.ts'
import type { ReadingReport } from '../model/index.ts'
import type { Allowance, DocumentAllowance, Line } from './model.ts'
import { joinTexts } from './texts.ts'
import type { Treatment } from './treatment.ts'
import { present } from './tree.ts'
import { unitOfCode } from './units.ts'

export type LineInput = CanonicalInvoiceInput['invoice']['lines'][number]

export interface LineContext {
  readonly report: ReadingReport
  /** -1 where the document is positive for what it takes back. */
  readonly sign: 1 | -1
  readonly treatmentOf: (line: Line | DocumentAllowance) => Treatment
  readonly regimeKey: string | undefined
  /** True where the lines count themselves. */
  readonly numbered: boolean
}

const sumOf = (allowances: readonly Allowance[], isCharge: boolean): Minor => {
  let sum = 0
  for (const one of allowances) if (one.isCharge === isCharge) sum += toMinor(one.amount)
  return sum
}

/** Decimals that a price was rounded to, at least cents. */
const decimalsOf = (price: number): number => {
  const [, decimals = ''] = String(price).split('.')
  return Math.max(2, /e/.test(decimals) ? 8 : decimals.length)
}

interface Price {
  readonly used: number
  /** True where rounding explains that the stated price does not give the amount of the line. */
  readonly isRounding: boolean
}

/** The price of one as the document states it. */
const statedPrice = ({ price, priceQuantity = 1 }: Line): number =>
  priceQuantity === 1 ? price : exactNumber(roundExact(exact(price).div(priceQuantity || 1), 8))

/**
 * The price of one that gives the amount of the line again. EN 16931 has no rule that holds the two together: issuers
 * round the price (3.33 for ten thirds), or mean something else by the quantity that it is for. The amount is what the
 * totals are made of, so it counts. Undefined where no price gives it.
 */
function priceOf(line: Line, cost: Minor): Price | undefined {
  const { quantity, price, priceQuantity = 1 } = line
  const unit = statedPrice(line)
  const difference = multiply(quantity, unit) - cost
  if (difference === 0) return { used: unit, isRounding: true }
  if (quantity === 0) return undefined
  const used = exactNumber(roundExact(exact(toNumber(cost)).div(quantity), 8))
  if (multiply(quantity, used) !== cost) return undefined
  const lastPlace = exact(Number(`1e-${decimalsOf(price)}`))
  const half = lastPlace.div(2).div(Math.abs(priceQuantity) || 1)
  const isClose = !half.lessThan(exact(used).minus(unit).abs())
  return { used, isRounding: isClose || Math.abs(difference) <= 1 }
}

/** Tells that the price is not the stated one, or that there is none. */
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

/** A rate is kept where it is the one that the amount was made with. */
const rateOf = (allowances: readonly Allowance[], isCharge: boolean, cost: Minor): number | undefined => {
  const [only, ...more] = allowances.filter((one) => one.isCharge === isCharge)
  if (!only || more.length > 0 || only.percent === undefined || only.percent < 0 || only.percent > 100)
    return undefined
  return percentOf(cost, only.percent) === toMinor(only.amount) ? only.percent : undefined
}

/** Codes that say that it is a discount (UNTDID 5189) or something else agreed on (UNTDID 7161), and no more. */
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

/** A line with its amounts. The price keeps its sign: the quantity carries that of the line. */
export function lineInputOf(line: Line, context: LineContext, facts: readonly string[] = []): LineInput {
  const { report, sign, regimeKey } = context
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
  return present({
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
    tax_regime_key: treatment.tax_treatment_code === 'TAXABLE_NON_EXEMPT' ? regimeKey : undefined,
    line_item_period_start_date: line.period?.start,
    line_item_period_end_date: line.period?.end,
    additional_line_item_information: joinTexts(texts, line.at, report),
    references: line.orderLine === undefined ? undefined : { receiver_transaction_reference: line.orderLine },
  }) as LineInput
}

/** An allowance or a charge of the document as a line of its own, where it is of one rate and not of all. */
export function allowanceLine(one: DocumentAllowance, context: LineContext): LineInput {
  const treatment = context.treatmentOf(one)
  const direction = (one.isCharge ? 1 : -1) * (one.amount < 0 ? -1 : 1) * context.sign
  return present({
    item_description: one.reason ?? (one.isCharge ? CHARGE_TEXT : DISCOUNT_TEXT),
    quantity: direction,
    unit_of_measure: '01',
    unit_price_without_tax: Math.abs(one.amount),
    ...treatment,
    tax_regime_key: treatment.tax_treatment_code === 'TAXABLE_NON_EXEMPT' ? context.regimeKey : undefined,
  }) as LineInput
}

/** True where the numbers of the lines are numbers, each once. */
export function areNumbered(lines: readonly Line[]): boolean {
  const seen = new Set<string>()
  for (const { id } of lines) {
    if (id === undefined || !/^[1-9]\d{0,5}$/.test(id) || seen.has(id)) return false
    seen.add(id)
  }
  return true
}
