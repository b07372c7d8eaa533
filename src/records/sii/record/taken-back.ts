/**
 * Amounts of a received invoice that a correction by substitution takes back. They are the amounts that the book had,
 * not those on the invoice itself (calculation page, section 11).
 */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { isMarginKey } from '#core/invoice/terms.ts'
import { percentOf, sum } from '#core/money/index.ts'
import { isCorrectedTaxAtRates, type ReversedAmounts, statedAmounts } from '../../fiscal/correction.ts'
import { isVat } from '../model/sii-keys.ts'
import type { Detail } from './received-details.ts'

/** Returns the sums of breakdown details in the book of received invoices, self-assessed tax included. */
export const bookedAmounts = (details: readonly Detail[]): ReversedAmounts => {
  const parts = details.flatMap((detail) => detail.parts)
  return { base: sum(parts.map(({ base }) => base)), tax: sum(parts.map(({ tax }) => tax)) }
}

/**
 * Returns the amounts that a correction takes back if the corrected invoice is not available. The correction states its
 * base and tax. For self-assessed tax, which the corrected invoice does not state, the tax is calculated at the rate of
 * the correction. Under a margin scheme both amounts are 0. Returns undefined if the correction does not determine the
 * amounts: only a part is under a margin scheme, or the tax is self-assessed only in part or at several rates, or the
 * stated tax does not fit the rates of the correction.
 */
export function bookedAmountsFromCorrection(
  block: InvoiceBlock,
  details: readonly Detail[],
): ReversedAmounts | undefined {
  const stated = statedAmounts(block, isVat(block))
  if (!isVat(block)) return isCorrectedTaxAtRates(block) ? stated : undefined
  const entries = required(block.taxes_outputs)
  const margin = entries.filter((entry) => isMarginKey(entry.tax_regime_key))
  if (margin.length > 0) return margin.length === entries.length ? { base: 0, tax: 0 } : undefined
  const assessed = details.filter(({ parts }) => parts.some((part) => part.selfAssessed))
  // The tax on a base that is stated without tax may have been self-assessed.
  if (assessed.length === 0)
    return stated.tax === 0 && stated.base !== 0 && !isCorrectedTaxAtRates(block) ? undefined : stated
  if (assessed.length < details.length) return undefined
  if (stated.tax !== 0) return stated
  const rates = new Set(assessed.map(({ rate }) => rate))
  return rates.size === 1 ? { ...stated, tax: percentOf(stated.base, required(assessed[0]).rate) } : undefined
}
