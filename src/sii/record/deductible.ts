/** How much of the input tax of a received invoice may be deducted (arts. 92-106 Ley 37/1992). */
import { rows as reasons } from '../../../catalogs/non-deductible-reasons.json'
import type { Line } from '../../invoice/index.ts'
import { type Minor, percentOf } from '../../money/index.ts'

/** What a line says of its deduction. */
export interface Deduction {
  /** Of the tax, before the general pro rata. */
  readonly percent: number
  /** True where the general pro rata comes on top. */
  readonly proRata: boolean
  /** True where the line leaves the percentage to the general pro rata. */
  readonly needsProRata: boolean
}

const PRO_RATA = 'PRO_RATA'

const typicalPercent = (reason: string): number =>
  reasons.find((row) => row.code === reason)?.typical_deduction_percent ?? 0

/**
 * The line's own percentage; else what its reason usually leaves (a passenger car 50, the rest nothing); else all.
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

/** Tax amounts and what the lines behind them allow. */
export interface TaxShare {
  readonly tax: Minor
  readonly deduction: Deduction
}

/**
 * The deductible part: each percentage once on the sum of its taxes, then the general pro rata on what it covers.
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
