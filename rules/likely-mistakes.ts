/**
 * Likely mistakes of the client that explain mismatching amounts. After the fix in the message, the calculated total
 * equals the total sent.
 */

import { toleranceOf, toMinor } from '#core/money/index.ts'
import type { Calculation } from '#engine/calculate/index.ts'
import type { Context, MessageCaseInput } from './rule.ts'

const mistake = (en: string, es: string): MessageCaseInput => ({
  en: ['{field} is {received}, but the lines give {expected}.', en],
  es: ['{field} es {received}, pero de las líneas resulta {expected}.', es],
})

/** Messages that name a likely mistake, for the rules about mismatching amounts. */
export const MISMATCH_CASES = {
  price: mistake(
    'Send the prices in {price}: they then match the totals.',
    'Envíe los precios en {price}: así cuadran con los totales.',
  ),
  twice: mistake(
    'Remove the discount or surcharge from totals: the lines already have it.',
    'Quite de totals el descuento o recargo: ya está en las líneas.',
  ),
}

/** Paths of the totals that `mistakeOf` compares to find a mistake. */
export const COMPARED_TOTALS = [
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'total_consumption_taxes',
  'invoice_total',
].map((name) => `/invoice/totals/${name}`)

/** Returns a function that tests whether two totals differ by at most the tolerance of the calculation. */
export const toleranceTest =
  (calculation: Calculation) =>
  (a: number, b: number): boolean =>
    Math.abs(a - b) <= toleranceOf(calculation)

/**
 * Returns the mistake that explains the totals sent, as properties for `extra`: prices with tax sent as prices without
 * tax or vice versa, or a discount or surcharge of the lines repeated in the totals.
 */
export function mistakeOf({ sent, stated: { calculation }, uses }: Context) {
  const { decimals, totals, adjustment } = calculation
  const near = toleranceTest(calculation)
  const sentAs = (name: keyof typeof totals): number => toMinor(sent.totals[name] ?? 0, decimals)
  const base = sentAs('total_gross_amount_before_taxes')
  const total = sentAs('invoice_total')
  const before = totals.total_gross_amount_before_taxes
  const isConsistent = near(base + sentAs('total_tax_outputs') + sentAs('total_consumption_taxes'), total)
  if (!isConsistent || near(base, before)) return undefined
  if (adjustment !== 0)
    return uses.adjustments && near(base, totals.total_gross_amount) ? { case: 'twice' } : undefined
  if (!uses.withTax && near(total, before)) return { case: 'price', price: 'unit_price_with_tax' }
  return !uses.withoutTax && near(base, totals.invoice_total)
    ? { case: 'price', price: 'unit_price_without_tax' }
    : undefined
}
