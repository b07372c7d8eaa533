/** Checks arguments other than the invoice. Throws an error that names an unknown member or one of a wrong type. */

import { isDate } from '#core/invoice/date.ts'
import { OptionError } from '#core/invoice/index.ts'
import { KINDS } from './generated/texts/options.ts'

/** The type of an option, or the values that it may have. */
export type OptionKind = keyof typeof KINDS | readonly string[]

/** The languages of messages. */
export const LOCALE = ['en', 'es'] as const

/** The type of every option of an interface. */
export type OptionKinds<T> = Readonly<Record<keyof T & string, OptionKind>>

type Members = Readonly<Record<string, unknown>>

/** Formats a value as a short text for the message of an exception. */
export function displayTextOf(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'number') return String(value)
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
  if (typeof kind !== 'string') return typeof value === 'string' && kind.includes(value)
  if (kind === 'any') return true
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'object') return isObject(value)
  if (kind === 'number') return Number.isFinite(value)
  if (kind === 'day') return isDate(value)
  if (kind === 'month') return typeof value === 'string' && isDate(`${value}-01`)
  return typeof value === (kind === 'text' ? 'string' : kind)
}

/** Asserts that an argument is an object. Throws a `TypeError` otherwise. */
export function checkObject(value: unknown, name: string): asserts value is Members {
  if (!isObject(value)) throw new TypeError(`cuadra: ${name} is ${displayTextOf(value)}; pass an object`)
}

/** Asserts that an argument is an array. Throws a `TypeError` otherwise. */
export function checkList(value: unknown, name: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`cuadra: ${name} is ${displayTextOf(value)}; pass an array`)
}

/**
 * Checks that an argument has only known members, and that each present member has its type. Throws a `TypeError`
 * otherwise.
 */
export function checkMembers(
  value: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
  name: string,
): void {
  checkObject(value, name)
  for (const member of Object.keys(value)) {
    if (!Object.hasOwn(kinds, member))
      throw new OptionError({
        en: `${name} has no "${member}"; it has ${Object.keys(kinds).join(', ')}`,
        es: `opción desconocida: «${member}»; existen ${Object.keys(kinds).join(', ')}`,
      })
  }
  checkKinds(value, kinds, name)
}

/** Checks that each listed member of an argument has its type, if present. Other members are allowed. */
export function checkKinds(value: Members, kinds: Readonly<Record<string, OptionKind>>, name: string): void {
  for (const [member, kind] of Object.entries(kinds)) {
    const own = value[member]
    if (own !== undefined && !isKind(own, kind))
      throw new OptionError({
        en: `"${member}" of ${name} is ${displayTextOf(own)}; pass ${typeof kind === 'string' ? KINDS[kind].en : `one of ${kind.join(', ')}`}`,
        es: `la opción «${member}» es ${displayTextOf(own)}; indique ${typeof kind === 'string' ? KINDS[kind].es : `una de ${kind.join(', ')}`}`,
      })
  }
}
