/** Numbers with more decimals than the engine keeps: rounded, used, and said (calculation page, section 2). */
import { keepDecimals, scaleOf } from '../money/index.ts'
import type { Facts } from './facts.ts'

/** Where a number stands: a line by its index, anything else by its path. Spelled out only when it is needed. */
export type Place = number | string

const pathOf = (place: Place, name: string): string =>
  `${typeof place === 'number' ? `/invoice/lines/${place}` : place}/${name}`

/** Keeps a quantity, price or rate to 8 decimals. */
export function tidyDecimal(value: number, facts: Facts, place: Place, name: string): number {
  if (scaleOf(value) >= 0) return value + 0
  const used = keepDecimals(value)
  if (used !== value) facts.excess.push({ path: pathOf(place, name), received: value, used })
  return used
}

/** Keeps an amount to the currency's minor units. */
export function tidyAmount(
  value: number,
  decimals: number,
  facts: Facts,
  place: Place,
  name: string,
): number {
  const used = keepDecimals(value, decimals)
  if (used !== value) facts.excess.push({ path: pathOf(place, name), received: value, used })
  return used
}

/** Tidies the named members of a fresh object in place. */
export function tidyMembers(
  target: Record<string, unknown>,
  names: readonly string[],
  decimals: number | null,
  facts: Facts,
  place: Place,
): void {
  for (const name of names) {
    const value = target[name]
    if (typeof value !== 'number') continue
    target[name] =
      decimals === null
        ? tidyDecimal(value, facts, place, name)
        : tidyAmount(value, decimals, facts, place, name)
  }
}
