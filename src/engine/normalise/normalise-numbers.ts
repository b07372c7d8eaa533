/** Rounds numbers with more decimals than the engine keeps, and records them (calculation page, section 2). */
import { keepDecimals } from '#core/money/index.ts'
import type { NormalisationFacts } from './facts.ts'

/** The parent of a number: the index of a line, or the path of another object. The path is built only if needed. */
export type ParentPath = number | string

const pathOf = (parent: ParentPath, name: string): string =>
  `${typeof parent === 'number' ? `/invoice/lines/${parent}` : parent}/${name}`

/** Rounds a quantity, price or rate to 8 decimals. */
export function roundDecimal(
  value: number,
  facts: NormalisationFacts,
  parent: ParentPath,
  name: string,
): number {
  const used = keepDecimals(value)
  if (used !== value) facts.excess.push({ path: pathOf(parent, name), received: value, used })
  return used
}

/** Rounds an amount to the currency's minor units. */
export function roundAmount(
  value: number,
  decimals: number,
  facts: NormalisationFacts,
  parent: ParentPath,
  name: string,
): number {
  const used = keepDecimals(value, decimals)
  if (used !== value) facts.excess.push({ path: pathOf(parent, name), received: value, used })
  return used
}

/** Rounds the named members of an object in place. */
export function roundMembers(
  target: Record<string, unknown>,
  names: readonly string[],
  decimals: number | null,
  facts: NormalisationFacts,
  parent: ParentPath,
): void {
  for (const name of names) {
    const value = target[name]
    if (typeof value !== 'number') continue
    target[name] =
      decimals === null
        ? roundDecimal(value, facts, parent, name)
        : roundAmount(value, decimals, facts, parent, name)
  }
}
