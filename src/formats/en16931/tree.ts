/** Parts of an XML tree (`src/xml`): a leaf is a text, or an object with its text under `#` and its attributes. */
import { isDate } from '../../invoice/index.ts'
import { keepDecimals } from '../../money/index.ts'

export type Block = Readonly<Record<string, unknown>>

const NONE: Block = {}

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A block, or an empty one where there is none. */
export const blockOf = (value: unknown): Block => (isBlock(value) ? value : NONE)

/** The block below a block, name by name; of a list the first. */
export function below(block: Block, ...names: readonly string[]): Block {
  let found: unknown = block
  for (const name of names) {
    const next = blockOf(found)[name]
    found = Array.isArray(next) ? next[0] : next
  }
  return blockOf(found)
}

/** Every element of a name, whether the schema lets it repeat or not. */
export function listOf(block: Block, name: string): readonly Block[] {
  const value = block[name]
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map((one) => (isBlock(one) ? one : { '#': one }))
}

/** The text of an element, trimmed; undefined where it is absent or empty. */
export function textOf(block: Block, name: string): string | undefined {
  const value = block[name]
  const first = Array.isArray(value) ? value[0] : value
  return contentOf(isBlock(first) ? first['#'] : first)
}

export const contentOf = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined
  const trimmed = text.trim()
  return trimmed === '' ? undefined : trimmed
}

/** An attribute of an element. */
export function attributeOf(block: Block, name: string, attribute: string): string | undefined {
  const value = block[name]
  const first = Array.isArray(value) ? value[0] : value
  return isBlock(first) ? contentOf(first[`@${attribute}`]) : undefined
}

/** More digits than a number of JSON keeps. */
const MAX_DIGITS = 15
const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?$/

/**
 * A decimal of XML as the number that prints alike; undefined for what is none. Decimals beyond 8 are rounded, as
 * quantities and prices are everywhere.
 *
 * @example
 * decimalOf('+021.500') // => 21.5
 * decimalOf('3.14159265358979') // => 3.14159265
 * decimalOf('1e3') // => undefined
 */
export function decimalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [match, whole = '', decimals = ''] = DECIMAL.exec(text) ?? []
  if (match === undefined || (whole === '' && decimals === '')) return undefined
  const digits = whole.replace(/^0+/, '').length
  if (digits > MAX_DIGITS) return undefined
  const value = Number(text)
  return decimals.length > 8 ? keepDecimals(value) : value + 0
}

/** True where an amount has more than two decimals that count. */
export const isFiner = (text: string): boolean => /\.\d\d\d*[1-9]/.test(text)

/** The day of an `xs:date`, whatever zone it names: a date of an invoice is never moved through one. */
export function dayOf(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10)
  return day !== undefined && isDate(day) ? day : undefined
}

/** The day of a date of CII: `20270131`, format 102. */
export function compactDay(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{8}/.test(text)) return undefined
  return dayOf(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`)
}

/** Without the members that are undefined. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) kept[name] = member
  }
  return kept as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** A block without its empty members, or undefined where nothing is left: XML has no empty groups. */
export function filled(value: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || (Array.isArray(member) && member.length === 0)) continue
    kept[name] = member
  }
  return Object.keys(kept).length === 0 ? undefined : kept
}
