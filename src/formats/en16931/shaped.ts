/** Converts a tree with undefined members to the form that the XML writer expects. */
import { exact, exactText, toMinor } from '#core/money/index.ts'
import type { Member, Type } from '#core/xml/index.ts'

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a value in the form of an XML type: repeatable elements as lists, and the text of an element with attributes
 * under `#`. Removes undefined and empty members. Returns undefined if no members remain.
 */
export function toXmlForm(value: unknown, type: Type): unknown {
  if (value === undefined || value === '') return undefined
  if (type.members === null) return type.attributes && typeof value === 'string' ? { '#': value } : value
  if (!isBlock(value)) return value
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const member = type.byName.get(name)
    const made = member ? shapedMember(inner, member) : inner
    if (made !== undefined) kept[name] = made
  }
  return Object.keys(kept).length === 0 ? undefined : kept
}

const shapedMember = (value: unknown, member: Member): unknown =>
  member.repeated ? repeated(value, member.type) : toXmlForm(value, member.type)

function repeated(value: unknown, type: Type): unknown[] | undefined {
  const list = (Array.isArray(value) ? value : [value])
    .map((one) => toXmlForm(one, type))
    .filter((one) => one !== undefined)
  return list.length === 0 ? undefined : list
}

/**
 * Formats an amount as EN 16931 requires: two decimals, and no minus sign for zero.
 *
 * @example
 * amountText(-12.1) // => '-12.10'
 * amountText(-0) // => '0.00'
 */
export function amountText(amount: number): string {
  const cents = toMinor(amount)
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Formats a price, a quantity or a rate with all its decimals.
 *
 * @example
 * decimalText(0.0000001) // => '0.0000001'
 * decimalText(21) // => '21'
 */
export function decimalText(value: number): string {
  const text = String(value + 0)
  return text.includes('e') ? exactText(exact(value)) : text
}
