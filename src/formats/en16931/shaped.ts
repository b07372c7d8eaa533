/** Trees as the writer of XML takes them, from trees that say only what there is. */
import { exact, exactText } from '../../money/index.ts'
import type { Type } from '../../xml/index.ts'

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A value as a type has it: elements that may repeat in lists, texts of types with attributes under `#`, and nothing
 * that is undefined or empty. Undefined where nothing is left.
 */
export function shaped(value: unknown, type: Type): unknown {
  if (value === undefined || value === '') return undefined
  if (type.members === null) return type.attributes && typeof value === 'string' ? { '#': value } : value
  if (!isBlock(value)) return value
  const kept: Record<string, unknown> = {}
  let some = false
  for (const name of Object.keys(value)) {
    const member = type.byName.get(name)
    const made = member?.repeated
      ? repeated(value[name], member.type)
      : member
        ? shaped(value[name], member.type)
        : value[name]
    if (made === undefined) continue
    kept[name] = made
    some = true
  }
  return some ? kept : undefined
}

function repeated(value: unknown, type: Type): unknown[] | undefined {
  const list = (Array.isArray(value) ? value : [value])
    .map((one) => shaped(one, type))
    .filter((one) => one !== undefined)
  return list.length === 0 ? undefined : list
}

/** An amount as EN 16931 has it: two decimals, and no sign of nothing. */
export function amountText(amount: number): string {
  const text = exact(amount).toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

/** A price, a quantity or a rate with the decimals that it has. */
export const decimalText = (value: number): string => exactText(exact(value + 0))
