/**
 * Allocates a total by the largest remainder method. The shares are whole cents and add up exactly to the total.
 *
 * The exact value of each share is `unit x weight / divisor`. Every share first gets its exact value rounded down. The
 * missing cents then go to the largest fractional parts. Equal fractional parts are ordered by weight, then by
 * `prefer`, never by the position of a line: the order of lines must not change a total (calculation page, section 4).
 */
import { type Exact, exact, exactRatio } from './exact.ts'
import type { Minor } from './money.ts'
import { MAX_EXACT } from './scale.ts'

/** Breaks a tie between two shares of equal weight: returns a negative number if `a` gets the cent before `b`. */
export type TieBreaker = (a: number, b: number) => number

interface Parts {
  readonly wholes: number[]
  /** Compares two fractional parts: returns a negative number if the part of `a` is larger. */
  readonly byRest: TieBreaker
}

/**
 * Returns integer parts and remainders of `unit x weight / divisor` in safe integers, or null if a product is too
 * large.
 */
function safeParts(unit: number, weights: readonly number[], divisor: number): Parts | null {
  const wholes = new Array<number>(weights.length)
  const rests = new Array<number>(weights.length)
  for (let i = 0; i < weights.length; i++) {
    const product = unit * weights[i]!
    if (product > MAX_EXACT / 2 || product < -MAX_EXACT / 2) return null
    // The integer part is exact: see `divideRounded`.
    wholes[i] = Math.floor(product / divisor)
    rests[i] = product - wholes[i]! * divisor
  }
  return { wholes, byRest: (a, b) => rests[b]! - rests[a]! }
}

/** Returns the same parts as `safeParts`, computed with exact decimals. */
function exactParts(unit: number, weights: readonly number[], divisor: number): Parts {
  const [factor, whole] = [exact(unit), exact(divisor)]
  const wholes: number[] = []
  const rests: Exact[] = []
  for (const weight of weights) {
    const product = factor.times(weight)
    const towardsZero = product.divToInt(whole)
    const rest = product.minus(towardsZero.times(whole))
    const below = rest.lt(0)
    wholes.push(towardsZero.toNumber() - (below ? 1 : 0))
    rests.push(below ? rest.plus(whole) : rest)
  }
  return { wholes, byRest: (a, b) => rests[b]!.cmp(rests[a]!) }
}

function distribute(total: Minor, parts: Parts, weights: readonly Minor[], prefer: TieBreaker): Minor[] {
  const { wholes, byRest } = parts
  let missing = total
  for (let i = 0; i < wholes.length; i++) missing -= wholes[i]!
  if (missing !== 0) {
    const order = wholes.map((_, i) => i)
    order.sort((a, b) => byRest(a, b) || weights[b]! - weights[a]! || prefer(a, b))
    // If the bases sent by the client differ by cents, the total may differ from the rounded sum of the exact values.
    // More than one cent per share may then be missing, so the loop may run over the shares several times. Surplus
    // cents are removed in reverse order.
    const count = order.length
    // Weights that nearly cancel out make the shares too large for exact sums. The remainder is then added to the first
    // share, and the caller reports an amount that is out of range.
    if (!(Math.abs(missing) <= 4 * count)) {
      wholes[order[0]!]! += missing
      return wholes
    }
    for (let k = 0; missing > 0; k++, missing--) wholes[order[k % count]!]! += 1
    for (let k = 0; missing < 0; k++, missing++) wholes[order[count - 1 - (k % count)]!]! -= 1
  }
  return wholes.map((share) => share + 0)
}

const flip = (values: readonly number[]): number[] => values.map((value) => 0 - value)

/**
 * Spreads `total` over shares in proportion to `weights` (amounts in minor units).
 *
 * Negating the total negates the shares; negating all weights changes nothing. If the weights add up to 0, their
 * absolute values are used; if all are 0, the first share by `prefer` gets the whole total.
 *
 * @example
 * allocate(1000, [1, 1, 1], () => 0) // => [334, 333, 333]
 * allocate(-1000, [1, 1, 1], () => 0) // => [-334, -333, -333]
 */
export function allocate(total: Minor, weights: readonly Minor[], prefer: TieBreaker): Minor[] {
  if (weights.length === 1) return [total]
  if (total < 0) return flip(allocate(0 - total, weights, prefer))
  let divisor = 0
  for (const weight of weights) divisor += weight
  if (divisor < 0) return allocate(total, flip(weights), prefer)
  if (divisor === 0) {
    const sizes = weights.map((weight) => Math.abs(weight))
    if (sizes.some((size) => size > 0)) return allocate(total, sizes, prefer)
    const first = weights.map((_, i) => i).sort(prefer)[0]
    return weights.map((_, i) => (i === first ? total : 0))
  }
  const parts = safeParts(total, weights, divisor) ?? exactParts(total, weights, divisor)
  return distribute(total, parts, weights, prefer)
}

/**
 * Spreads `total`, the rounded sum of `weight x numerator / divisor`, over its addends: the bases of tax-included
 * lines, or the taxes of margin lines. `ratio` is `[numerator, divisor]`, positive integers.
 *
 * @example
 * spread(2477, [999, 999, 999], [100, 121], () => 0) // => [826, 826, 825]
 */
export function spread(
  total: Minor,
  weights: readonly Minor[],
  ratio: readonly [number, number],
  prefer: TieBreaker,
): Minor[] {
  if (weights.length === 1) return [total]
  let weight = 0
  for (const part of weights) weight += part
  if (weight < 0) return flip(spread(0 - total, flip(weights), ratio, prefer))
  const [numerator, divisor] = ratio
  const parts = safeParts(numerator, weights, divisor) ?? exactParts(numerator, weights, divisor)
  return distribute(total, parts, weights, prefer)
}

/**
 * Returns a percentage as a pair of integers `[percent x 10^n, 100 x 10^n]`.
 *
 * @example
 * percentRatio(21) // => [21, 100]
 * percentRatio(25.5) // => [255, 1000]
 */
export const percentRatio = exactRatio
