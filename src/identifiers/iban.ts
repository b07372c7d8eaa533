/**
 * IBAN, ISO 13616-1: length and structure by country (SWIFT registry), check digits (ISO 7064 MOD 97-10) and, where
 * the country has them, the control digits inside the account number. The tables are those of `ibantools`.
 */
import { ValidationErrorsIBAN as Failure, validateIBAN } from 'ibantools'
import { compact, MAX_RAW_LENGTH } from './text.ts'
import type { IbanCheck, IbanReason } from './types.ts'

/** ISO 13616 allows 34 characters. */
const MAX_LENGTH = 34

/** Failures of the library, the one that says most first. */
const REASONS: readonly (readonly [Failure, IbanReason])[] = [
  [Failure.NoIBANCountry, 'unknown_country'],
  [Failure.WrongBBANLength, 'length'],
  [Failure.ChecksumNotNumber, 'format'],
  [Failure.WrongBBANFormat, 'format'],
  [Failure.WrongIBANChecksum, 'control'],
  [Failure.WrongAccountBankBranchChecksum, 'national_control'],
]

const answer = (normalized: string, country: string | null, reason: IbanReason | null): IbanCheck => ({
  valid: reason === null,
  normalized,
  country,
  reason,
})

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
  // The library expects plain letters and digits: it throws on a character outside the basic plane.
  if (!/^[A-Z\d]+$/.test(iban)) return answer(iban, null, 'format')
  if (iban.length > MAX_LENGTH) return answer(iban, null, 'length')
  const { valid, errorCodes } = validateIBAN(iban)
  const country = errorCodes.includes(Failure.NoIBANCountry) ? null : iban.slice(0, 2)
  if (valid) return answer(iban, country, null)
  const found = REASONS.find(([failure]) => errorCodes.includes(failure))
  return answer(iban, country, found === undefined ? 'format' : found[1])
}
