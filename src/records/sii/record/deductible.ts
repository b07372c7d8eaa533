/** Calculates the deductible input tax of a received invoice (arts. 92-106 Ley 37/1992). */

import { rows as reasons } from '#catalogs/non-deductible-reasons.json'
import type { Line } from '#core/invoice/index.ts'
import { type Minor, percentOf } from '#core/money/index.ts'

/** The deduction of a line. */
export interface Deduction {
  /** Percentage of the tax, before the general pro rata. */
  readonly percent: number
  /** True if the general pro rata also applies. */
  readonly proRata: boolean
  /** True if the percentage comes from the general pro rata alone. */
  readonly needsProRata: boolean
}

const PRO_RATA = 'PRO_RATA'

const typicalPercent = (reason: string): number =>
  reasons.find((row) => row.code === reason)?.typical_deduction_percent ?? 0

/**
 * Returns the percentage that the line states. Otherwise returns the usual percentage of its reason (50 for a passenger
 * car, 0 for any other reason), or 100 without a reason.
 *
 * @example
 * deductionOf({ item_description: 'Car', quantity: 1, non_deductible_reason: 'VEHICLE_PRESUMPTION' }).percent
 * // => 50
 */
export function deductionOf(line: Line): Deduction {
  const { deduction_rate: rate, non_deductible_reason: reason } = line
  const special = reason === PRO_RATA
  if (rate !== undefined) return { percent: rate, proRata: !special, needsProRata: false }
  if (special) return { percent: 100, proRata: true, needsProRata: true }
  return { percent: reason === undefined ? 100 : typicalPercent(reason), proRata: true, needsProRata: false }
}

/** A tax amount and the deduction that applies to it. */
export interface TaxShare {
  readonly tax: Minor
  readonly deduction: Deduction
}

/**
 * Returns the deductible tax. Applies each percentage once to the sum of its tax amounts, then the general pro rata to
 * those results that are subject to it.
 *
 * @example
 * const whole = { percent: 100, proRata: true, needsProRata: false }
 * deductibleOf([{ tax: 5200, deduction: whole }], 20) // => 1040
 */
export function deductibleOf(shares: readonly TaxShare[], proRata = 100): Minor {
  const sums = new Map<string, { deduction: Deduction; tax: Minor }>()
  for (const { tax, deduction } of shares) {
    const key = `${deduction.percent}|${deduction.proRata}`
    const known = sums.get(key)
    if (known) known.tax += tax
    else sums.set(key, { deduction, tax })
  }
  let covered = 0
  let own = 0
  for (const { deduction, tax } of sums.values())
    if (deduction.proRata) covered += percentOf(tax, deduction.percent)
    else own += percentOf(tax, deduction.percent)
  return own + percentOf(covered, proRata)
}
