/**
 * Allocation by largest remainder: whole cents that add up to the cent.
 *
 * Each share has an exact ideal, `unit x weight / divisor`. Every share first gets the whole cents of its
 * ideal (rounded down), then the cents still missing go to the largest fractional parts. Equal fractional
 * parts go to the larger weight, then by `prefer`, never by the position of a line, so that the order of lines
 * cannot change a total (calculation page, section 4).
 */
import { type Exact, exact, exactRatio } from './exact.ts'
import type { Minor } from './money.ts'
import { MAX_EXACT } from './scale.ts'

/** Decides a tie between two shares of equal weight: negative when `a` takes the cent before `b`. */
export type Prefer = (a: number, b: number) => number

interface Parts {
  readonly floors: number[]
  /** Compares two fractional parts: negative when `a` has the larger. */
  readonly byRest: Prefer
}

/** Floors and rests of `unit x weight / divisor` in safe integers, or null when one does not fit. */
function safeParts(unit: number, weights: readonly number[], divisor: number): Parts | null {
  const floors = new Array<number>(weights.length)
  const rests = new Array<number>(weights.length)
  for (let i = 0; i < weights.length; i++) {
    const product = unit * weights[i]!
    if (product > MAX_EXACT / 2 || product < -MAX_EXACT / 2) return null
    // Exact: see `divideRounded`.
    floors[i] = Math.floor(product / divisor)
    rests[i] = product - floors[i]! * divisor
  }
  return { floors, byRest: (a, b) => rests[b]! - rests[a]! }
}

/** The same in exact decimals. */
function exactParts(unit: number, weights: readonly number[], divisor: number): Parts {
  const [factor, whole] = [exact(unit), exact(divisor)]
  const floors: number[] = []
  const rests: Exact[] = []
  for (const weight of weights) {
    const product = factor.times(weight)
    const towardsZero = product.divToInt(whole)
    const rest = product.minus(towardsZero.times(whole))
    const below = rest.lt(0)
    floors.push(towardsZero.toNumber() - (below ? 1 : 0))
    rests.push(below ? rest.plus(whole) : rest)
  }
  return { floors, byRest: (a, b) => rests[b]!.cmp(rests[a]!) }
}

function distribute(total: Minor, parts: Parts, weights: readonly Minor[], prefer: Prefer): Minor[] {
  const { floors, byRest } = parts
  let missing = total
  for (let i = 0; i < floors.length; i++) missing -= floors[i]!
  if (missing !== 0) {
    const order = floors.map((_, i) => i)
    order.sort((a, b) => byRest(a, b) || weights[b]! - weights[a]! || prefer(a, b) || a - b)
    // A total that is not the rounded sum of its ideals (a client's own bases, a cent apart) may be short of
    // the floors, or more than one cent per share above them: the round starts again, or runs backwards.
    const count = order.length
    // Weights that nearly cancel blow the shares up beyond exact sums: one share takes the rest, and the caller
    // finds an amount that is out of range.
    if (!(Math.abs(missing) <= 4 * count)) {
      floors[order[0]!]! += missing
      return floors
    }
    for (let k = 0; missing > 0; k++, missing--) floors[order[k % count]!]! += 1
    for (let k = 0; missing < 0; k++, missing++) floors[order[count - 1 - (k % count)]!]! -= 1
  }
  return floors.map((share) => share + 0)
}

const flip = (values: readonly number[]): number[] => values.map((value) => 0 - value)

/**
 * Spreads `total` over shares in proportion to `weights` (amounts in minor units).
 *
 * Negating the total negates the shares; negating all weights changes nothing. Weights that add up to zero are
 * taken by size; if all are zero, the first share by `prefer` takes everything.
 *
 * @example
 * allocate(1000, [1, 1, 1], () => 0) // => [334, 333, 333]
 * allocate(-1000, [1, 1, 1], () => 0) // => [-334, -333, -333]
 */
export function allocate(total: Minor, weights: readonly Minor[], prefer: Prefer): Minor[] {
  if (weights.length === 1) return [total]
  if (total < 0) return flip(allocate(0 - total, weights, prefer))
  let divisor = 0
  for (const weight of weights) divisor += weight
  if (divisor < 0) return allocate(total, flip(weights), prefer)
  if (divisor === 0) {
    const sizes = weights.map((weight) => Math.abs(weight))
    if (sizes.some((size) => size > 0)) return allocate(total, sizes, prefer)
    const first = weights.map((_, i) => i).sort((a, b) => prefer(a, b) || a - b)[0]
    return weights.map((_, i) => (i === first ? total : 0))
  }
  const parts = safeParts(total, weights, divisor) ?? exactParts(total, weights, divisor)
  return distribute(total, parts, weights, prefer)
}

/**
 * Spreads `total`, the rounded sum of `weight x numerator / divisor`, back over its addends: the bases of
 * tax-included lines, or the taxes of margin lines. `ratio` is `[numerator, divisor]`, whole and positive.
 *
 * @example
 * spread(2477, [999, 999, 999], [100, 121], () => 0) // => [826, 826, 825]
 */
export function spread(
  total: Minor,
  weights: readonly Minor[],
  ratio: readonly [number, number],
  prefer: Prefer,
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
 * A percentage as a pair of whole numbers `[percent x 10^n, 100 x 10^n]`.
 *
 * @example
 * percentRatio(21) // => [21, 100]
 * percentRatio(25.5) // => [255, 1000]
 */
export const percentRatio = exactRatio
