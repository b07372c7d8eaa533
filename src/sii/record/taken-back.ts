/**
 * What a correction by substitution takes back of a received invoice: what the same book had of it, not what its paper
 * states (calculation page, section 11).
 */
import { required } from '../../errors/index.ts'
import { fitsRates, statedAmounts, type TakenBack } from '../../fiscal/correction.ts'
import { type InvoiceBlock, isMarginKey } from '../../invoice/index.ts'
import { percentOf, sum } from '../../money/index.ts'
import { isVat } from '../model/keys.ts'
import type { Detail } from './received-details.ts'

/** Returns the amounts of a book of received invoices: with the tax that the recipient assesses. */
export const bookedAmounts = (details: readonly Detail[]): TakenBack => {
  const parts = details.flatMap((detail) => detail.parts)
  return { base: sum(parts.map(({ base }) => base)), tax: sum(parts.map(({ tax }) => tax)) }
}

/**
 * Returns what a correction takes back of an invoice that is not at hand. The correction states its base and its tax;
 * the paper of a reverse charge or an intra-Community purchase has no tax, so the tax is that of the correction's rate.
 * Under a margin scheme the book has neither. Returns undefined if the amounts do not follow from the correction: if only
 * a part is under a margin scheme, if the recipient assesses the tax of a part or at several rates, and if the tax stated
 * shows another kind of original.
 */
export function statedInBook(block: InvoiceBlock, details: readonly Detail[]): TakenBack | undefined {
  const stated = statedAmounts(block, isVat(block))
  if (!isVat(block)) return fitsRates(block) ? stated : undefined
  const entries = required(block.taxes_outputs)
  const margin = entries.filter((entry) => isMarginKey(entry.tax_regime_key))
  if (margin.length > 0) return margin.length === entries.length ? { base: 0, tax: 0 } : undefined
  const assessed = details.filter(({ parts }) => parts.some((part) => part.selfAssessed))
  // A base without tax may have been self-assessed.
  if (assessed.length === 0)
    return stated.tax === 0 && stated.base !== 0 && !fitsRates(block) ? undefined : stated
  if (assessed.length < details.length) return undefined
  if (stated.tax !== 0) return stated
  const rates = new Set(assessed.map(({ rate }) => rate))
  return rates.size === 1 ? { ...stated, tax: percentOf(stated.base, required(assessed[0]).rate) } : undefined
}
