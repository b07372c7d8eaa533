/**
 * IBAN, ISO 13616-1: length by country, check digits (ISO 7064 MOD 97-10) and, for Spain, the control digits of the
 * account number. The structure and the control digits of account numbers of other countries are not checked, because
 * the IBAN's own check digits find mistakes.
 */
import { ibanLength } from './iban-lengths.ts'
import { compact, MAX_RAW_LENGTH } from './id-text.ts'
import type { IbanCheck, IbanReason } from './tax-id-types.ts'

const checked = (normalized: string, country: string | null, reason: IbanReason | null) =>
  ({ valid: reason === null, normalized, country, reason }) as IbanCheck

const DIGITS = /^\d+$/
const ANY = /^[A-Z\d]+$/

/** Digits processed at once. With the two digits of the previous remainder before them, they are still exact. */
const CHUNK = 13

/**
 * Returns the remainder of the IBAN divided by 97, with country and check digits last and letters as 10 to 35. An IBAN
 * is correct if the remainder is 1.
 */
function remainder(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (let at = 0; at < digits.length; at += CHUNK) rest = Number(rest + digits.slice(at, at + CHUNK)) % 97
  return rest
}

const SPANISH_WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]

/** Calculates a Spanish control digit from ten digits: of bank and branch, or of the account (CSB rules). */
function spanishControl(digits: string): string {
  const sum = SPANISH_WEIGHTS.reduce((total, weight, i) => total + Number(digits[i]) * weight, 0)
  const control = 11 - (sum % 11)
  return String(control === 11 ? 0 : control === 10 ? 1 : control)
}

const hasSpanishControl = (account: string): boolean =>
  account.slice(8, 10) === spanishControl(`00${account.slice(0, 8)}`) + spanishControl(account.slice(10))

/**
 * Checks an account number and normalises it to its electronic form. Never throws, whatever the value.
 *
 * The Spanish control digits (of bank and branch, and of the account) are also checked. They detect an IBAN computed
 * from a mistyped account number: reason `national_control`.
 *
 * @param value The account number. Blanks, dots, hyphens, slashes and lower case are normalised.
 * @example
 * checkIban('ES91 2100 0418 4502 0005 1332').normalized // => 'ES9121000418450200051332'
 * checkIban('ES9121000418450200051333').reason // => 'control'
 * checkIban('ES2921000418460200051332').reason // => 'national_control'
 */
export const checkIban = (value: unknown): IbanCheck => {
  if (typeof value !== 'string') return checked('', null, 'type')
  if (value.length > MAX_RAW_LENGTH) return checked('', null, 'length')
  const iban = compact(value)
  if (iban.length === 0) return checked('', null, 'empty')
  if (!ANY.test(iban)) return checked(iban, null, 'format')
  if (iban.length > 34) return checked(iban, null, 'length')
  const country = iban.slice(0, 2)
  const length = ibanLength(country)
  if (length === undefined) return checked(iban, null, 'unknown_country')
  if (iban.length !== length) return checked(iban, country, 'length')
  if (!DIGITS.test(country === 'ES' ? iban.slice(2) : iban.slice(2, 4)))
    return checked(iban, country, 'format')
  // ISO 7064: check digits range from 02 to 98.
  const digits = Number(iban.slice(2, 4))
  if (digits < 2 || digits > 98 || remainder(iban) !== 1) return checked(iban, country, 'control')
  if (country === 'ES' && !hasSpanishControl(iban.slice(4))) return checked(iban, country, 'national_control')
  return checked(iban, country, null)
}
