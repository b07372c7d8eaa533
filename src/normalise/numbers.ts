/** Numbers with more decimals than the engine keeps: rounded, used, and said (calculation page, section 2). */
import { keepDecimals, scaleOf } from '../money/index.ts'
import type { Facts } from './facts.ts'

/** Keeps a quantity, price or rate to 8 decimals. */
export function tidyDecimal(value: number, facts: Facts, path: () => string): number {
  if (scaleOf(value) >= 0) return value + 0
  const used = keepDecimals(value)
  if (used !== value) facts.excess.push({ path: path(), received: value, used })
  return used + 0
}

/** Keeps an amount to the currency's minor units. */
export function tidyAmount(value: number, decimals: number, facts: Facts, path: () => string): number {
  const used = keepDecimals(value, decimals)
  if (used !== value) facts.excess.push({ path: path(), received: value, used })
  return used + 0
}

/** Tidies the named members of a fresh object in place. */
export function tidyMembers(
  target: Record<string, unknown>,
  names: readonly string[],
  decimals: number | null,
  facts: Facts,
  path: string,
): void {
  for (const name of names) {
    const value = target[name]
    if (typeof value !== 'number') continue
    const at = () => `${path}/${name}`
    target[name] = decimals === null ? tidyDecimal(value, facts, at) : tidyAmount(value, decimals, facts, at)
  }
}
