/**
 * Parsers of option values. An invalid value is a usage error. Every command loads this file, so parsers that need a
 * catalog or a service are in `known-values.ts` instead.
 */
import { InvalidArgumentError } from 'commander'
import { isValidText } from '#core/invoice/characters.ts'
import { isDate } from '#core/invoice/date.ts'
import { parseAddressRanges } from '../src/environment/ip-addresses.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MOST_PER_MINUTE = 1_000_000

export const rejectArgument = (message: string): never => {
  throw new InvalidArgumentError(message)
}

/** Returns a parser that trims a text and accepts it only if it matches a pattern. */
export const patternParser =
  (form: RegExp, problem: string) =>
  (text: string): string =>
    form.test(text.trim()) ? text.trim() : rejectArgument(problem)

export const parseUuid = (text: string): string =>
  UUID.test(text)
    ? text.toLowerCase()
    : rejectArgument('Use an id such as 7d0c7a52-3f5e-4a7c-9a51-0c1f6a4f2b11.')

export const parseDay = (text: string): string =>
  isDate(text) ? text : rejectArgument('Use a date YYYY-MM-DD.')

export const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Parses a list of addresses and ranges, and appends it to the lists of earlier uses of the option. */
export function parseAddresses(text: string, before: readonly string[] = []): string[] {
  const entries = parseList(text)
  try {
    parseAddressRanges(entries)
  } catch (error) {
    rejectArgument((error as Error).message)
  }
  return [
    ...before,
    ...(entries.length > 0 ? entries : rejectArgument('Use an address or a range (10.0.0.0/8).')),
  ]
}

/** Returns a parser of whole numbers within limits. */
export const wholeNumberParser =
  (least: number, most: number) =>
  (text: string): number =>
    /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : rejectArgument(`Use a whole number from ${least} to ${most}.`)

export const parseRateLimit = wholeNumberParser(1, MOST_PER_MINUTE)
/** Parses a counter, which has at most twelve digits. */
export const parseCounter = wholeNumberParser(1, 999_999_999_999)

export function parseAmount(text: string): number {
  if (!/^-?\d{1,12}\.\d\d$/.test(text)) rejectArgument('Use an amount with two decimals, such as 100.00.')
  return Number(text) === 0 ? rejectArgument('Use an amount other than zero.') : Number(text)
}

/** Returns a parser that trims a one-line text and rejects control characters, as invoices do. */
export const singleLineParser =
  (most: number) =>
  (text: string): string => {
    const line = text.trim()
    return line.length <= most && line !== '' && isValidText('line', line)
      ? line
      : rejectArgument(`Use 1 to ${most} characters on one line, without control characters.`)
  }

/** Parses an account or another means of payment (`Cuenta_O_Medio` of the SII). */
export const parseAccount = singleLineParser(34)
export const parseSeriesCode = singleLineParser(60)
