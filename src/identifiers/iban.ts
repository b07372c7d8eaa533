/**
 * IBAN, ISO 13616-1: length and structure by country, check digits (ISO 7064 MOD 97-10) and, for Spain, the control
 * digits inside the account number. The national control digits of other countries are not checked: the IBAN's own
 * check digits find a mistyped account, and the structures differ from bank to bank.
 */
import { ibanStructure } from './iban-structures.ts'
import { compact, MAX_RAW_LENGTH } from './text.ts'
import type { IbanCheck, IbanReason } from './types.ts'

const answer = (normalized: string, country: string | null, reason: IbanReason | null) =>
  ({ valid: reason === null, normalized, country, reason }) as IbanCheck

const DIGITS = /^\d+$/
const ANY = /^[A-Z\d]+$/
const CLASSES: Readonly<Record<string, RegExp>> = { n: DIGITS, a: /^[A-Z]+$/, c: ANY }

interface Structure {
  /** Of the whole IBAN. */
  readonly length: number
  /** The parts of the account number, in order. */
  readonly parts: readonly { readonly of: RegExp; readonly end: number }[]
}

const structures = new Map<string, Structure>()

/** The structure of a country's IBAN, read once; undefined where it has none. */
function structureOf(country: string): Structure | undefined {
  const known = structures.get(country)
  if (known) return known
  const text = ibanStructure(country)
  if (text === undefined) return undefined
  let end = 0
  const parts = [...text.matchAll(/([nac])(\d+)/g)].map(([, kind = '', length]) => {
    end += Number(length)
    return { of: CLASSES[kind] ?? ANY, end }
  })
  const structure = { length: end + 4, parts }
  structures.set(country, structure)
  return structure
}

/** Whether an account number has its country's structure; its length is right already. */
function hasStructure(account: string, { parts }: Structure): boolean {
  let at = 0
  for (const { of, end } of parts) {
    if (!of.test(account.slice(at, end))) return false
    at = end
  }
  return true
}

/** Digits that a number takes beside a remainder of two digits and stays exact. */
const CHUNK = 13

/** Remainder of the IBAN, country and check digits last and letters as 10 to 35, divided by 97: 1 when right. */
function remainder(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (let at = 0; at < digits.length; at += CHUNK) rest = Number(rest + digits.slice(at, at + CHUNK)) % 97
  return rest
}

const SPANISH_WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]

/** Control digit of bank and branch, or of the account, as ten digits (CSB rules). */
function spanishControl(digits: string): string {
  const sum = SPANISH_WEIGHTS.reduce((total, weight, i) => total + Number(digits[i]) * weight, 0)
  const control = 11 - (sum % 11)
  return String(control === 11 ? 0 : control === 10 ? 1 : control)
}

const hasSpanishControl = (account: string): boolean =>
  account.slice(8, 10) === spanishControl(`00${account.slice(0, 8)}`) + spanishControl(account.slice(10))

/**
 * Checks an account number and brings it into its electronic form. Never throws, whatever the value.
 *
 * The Spanish control digits (bank and branch, account) are checked too: an account number whose IBAN digits were
 * computed over a mistyped account is refused with `national_control`.
 *
 * @param value The account number; blanks, dots, hyphens, slashes and lower case are put right.
 * @example
 * checkIban('ES91 2100 0418 4502 0005 1332').normalized // => 'ES9121000418450200051332'
 * checkIban('ES9121000418450200051333').reason // => 'control'
 * checkIban('ES2921000418460200051332').reason // => 'national_control'
 */
export const checkIban = (value: unknown): IbanCheck => {
  if (typeof value !== 'string') return answer('', null, 'type')
  if (value.length > MAX_RAW_LENGTH) return answer('', null, 'length')
  const iban = compact(value)
  if (iban.length === 0) return answer('', null, 'empty')
  if (!ANY.test(iban)) return answer(iban, null, 'format')
  if (iban.length > 34) return answer(iban, null, 'length')
  const country = iban.slice(0, 2)
  const structure = structureOf(country)
  if (structure === undefined) return answer(iban, null, 'unknown_country')
  if (iban.length !== structure.length) return answer(iban, country, 'length')
  if (!DIGITS.test(iban.slice(2, 4)) || !hasStructure(iban.slice(4), structure))
    return answer(iban, country, 'format')
  // ISO 7064: the check digits of a number are 02 to 98.
  const digits = Number(iban.slice(2, 4))
  if (digits < 2 || digits > 98 || remainder(iban) !== 1) return answer(iban, country, 'control')
  if (country === 'ES' && !hasSpanishControl(iban.slice(4))) return answer(iban, country, 'national_control')
  return answer(iban, country, null)
}
