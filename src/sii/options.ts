/** What callers pass besides invoices: names and kinds are checked, so that no option is lost by a slip of the pen. */
import { isDate } from '../invoice/index.ts'

/** Kind of an option, in the words of the exception. */
const KINDS = {
  boolean: 'true or false',
  text: 'a text',
  number: 'a number',
  list: 'a list',
  object: 'an object',
  /** Checked where it is used. */
  any: '',
} as const

export type OptionKind = keyof typeof KINDS

/** Every option of an interface with its kind. */
export type OptionKinds<T> = Readonly<Record<keyof T & string, OptionKind>>

type Members = Readonly<Record<string, unknown>>

/** A value in an exception: any value has words, short ones. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  try {
    const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))
    return text.length > 80 ? `${text.slice(0, 80)}…` : text
  } catch {
    return String(value)
  }
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKind = (value: unknown, kind: OptionKind): boolean => {
  if (kind === 'any') return true
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'object') return isObject(value)
  return typeof value === (kind === 'text' ? 'string' : kind)
}

/** An argument that must be an object; anything else throws a `TypeError`. */
export function checkObject(value: unknown, name: string): asserts value is Members {
  if (!isObject(value)) throw new TypeError(`cuadra: ${name} is ${shown(value)}; pass an object`)
}

/** An argument that must be a list; anything else throws a `TypeError`. */
export function checkList(value: unknown, name: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`cuadra: ${name} is ${shown(value)}; pass a list`)
}

/** Members of an argument: known names, each of its kind or left out; anything else throws a `TypeError`. */
export function checkMembers(
  value: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
  name: string,
): void {
  checkObject(value, name)
  for (const member of Object.keys(value)) {
    if (!Object.hasOwn(kinds, member))
      throw new TypeError(`cuadra: ${name} has no "${member}"; it has ${Object.keys(kinds).join(', ')}`)
  }
  checkKinds(value, kinds, name)
}

/** Members of an argument that may have others besides: each of its kind or left out. */
export function checkKinds(value: Members, kinds: Readonly<Record<string, OptionKind>>, name: string): void {
  for (const [member, kind] of Object.entries(kinds)) {
    const own = value[member]
    if (own !== undefined && !isKind(own, kind))
      throw new TypeError(`cuadra: "${member}" of ${name} is ${shown(own)}; pass ${KINDS[kind]}`)
  }
}

/** The options of a function, each known and of its kind. */
export const checkOptions = (options: unknown, kinds: Readonly<Record<string, OptionKind>>): void =>
  checkMembers(options, kinds, 'options')

const REFERENCE: Readonly<Record<string, OptionKind>> = { invoice_number: 'text', issue_date: 'any' }

/** A list of invoices by number and day. */
export function checkReferences(name: string, list: readonly unknown[] | undefined): void {
  list?.forEach((reference, index) => {
    const place = `options.${name}[${index}]`
    checkMembers(reference, REFERENCE, place)
    const { invoice_number: number, issue_date: day } = reference as Members
    if (typeof number !== 'string' || number.trim() === '')
      throw new TypeError(`cuadra: "invoice_number" of ${place} is ${shown(number)}; pass a text`)
    if (typeof day !== 'string' || !isDate(day))
      throw new TypeError(`cuadra: "issue_date" of ${place} is ${shown(day)}; pass a date YYYY-MM-DD`)
  })
}

/**
 * Members of a record that the caller passes: only the names that the type allows.
 *
 * @example
 * fieldsOf({ Cupon: 'S' }, { Cupon: true }) // => { Cupon: 'S' }
 */
export function fieldsOf<T extends object>(
  fields: T | undefined,
  allowed: Readonly<Record<keyof T & string, true>>,
): T {
  for (const name of Object.keys(fields ?? {}))
    if (!Object.hasOwn(allowed, name))
      throw new TypeError(
        `cuadra: option "fields" must not have "${name}"; it takes ${Object.keys(allowed).join(', ')}`,
      )
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as T
}
