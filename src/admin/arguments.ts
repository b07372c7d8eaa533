/**
 * Values of options, checked while the command line is read: what is wrong there is wrong use. Those that need a
 * catalog or a service to be checked are in `known-values.ts`: every command line loads this file.
 */
import { InvalidArgumentError } from 'commander'
import { isDate } from '../invoice/date.ts'
import { ranges } from '../server/environment/addresses.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MOST_PER_MINUTE = 1_000_000

export const wrong = (words: string): never => {
  throw new InvalidArgumentError(words)
}

/** A text of a form, as it is. */
export const matching =
  (form: RegExp, problem: string) =>
  (text: string): string =>
    form.test(text) ? text : wrong(problem)

export const uuid = (text: string): string =>
  UUID.test(text)
    ? text.toLowerCase()
    : wrong('It must be an id such as 7d0c7a52-3f5e-4a7c-9a51-0c1f6a4f2b11.')

export const day = (text: string): string => (isDate(text) ? text : wrong('It must be a day as YYYY-MM-DD.'))

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** May be repeated, and each may be a list. */
export function addresses(text: string, before: readonly string[] = []): string[] {
  const entries = listOf(text)
  try {
    ranges(entries)
  } catch (error) {
    wrong((error as Error).message)
  }
  return [
    ...before,
    ...(entries.length > 0 ? entries : wrong('It must be an address or a range (10.0.0.0/8).')),
  ]
}

/** A whole number within limits. */
export const whole =
  (least: number, most: number) =>
  (text: string): number =>
    /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : wrong(`It must be a whole number from ${least} to ${most}.`)

export const rate = whole(1, MOST_PER_MINUTE)
/** Counters have at most twelve digits. */
export const counter = whole(1, 999_999_999_999)

export function amount(text: string): number {
  if (!/^-?\d{1,12}\.\d\d$/.test(text)) wrong('It must be an amount with two decimals, such as 100.00.')
  return Number(text) === 0 ? wrong('It must not be zero.') : Number(text)
}

/** `Cuenta_O_Medio` of the SII. */
export function account(text: string): string {
  const trimmed = text.trim()
  return trimmed.length >= 1 && trimmed.length <= 34 && !/\p{Cc}/u.test(trimmed)
    ? trimmed
    : wrong('It must have 1 to 34 characters.')
}

export function seriesCode(text: string): string {
  const fits = text.length >= 1 && text.length <= 60 && text.trim() === text && !/\p{Cc}/u.test(text)
  return fits ? text : wrong('It must have 1 to 60 characters, without blanks around them.')
}
