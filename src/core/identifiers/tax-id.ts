/** Checks a tax identifier of any country: determines the country, then applies the rule of this country. */
import { checkEuVat, euPrefixOf } from './eu-vat.ts'
import { compact, isDigit, MAX_RAW_LENGTH, startsWithTwoLetters } from './id-text.ts'
import { spanishTaxId } from './spanish-ids.ts'
import type { TaxIdCheck, TaxIdReason } from './tax-id-types.ts'

/** Longest identifier that is kept for a country without a check. */
const MAX_OTHER_LENGTH = 64

const refuse = (reason: TaxIdReason, country: string | null, normalized = ''): TaxIdCheck => ({
  valid: false,
  kind: null,
  normalized,
  person_type_code: null,
  country,
  reason,
})

/** Accepts any non-blank text, because there is no offline check for other countries. */
const other = (value: string, country: string): TaxIdCheck => {
  const normalized = value.trim().toUpperCase()
  if (normalized.length > MAX_OTHER_LENGTH) return refuse('length', country)
  return { valid: true, kind: 'OTHER', normalized, person_type_code: null, country, reason: null }
}

/**
 * Country codes that are treated as another country: `EL`, the VIES code of Greece, and Monaco, which is part of France
 * for VAT.
 */
const SAME_NUMBERS: Readonly<Record<string, string>> = { EL: 'GR', MC: 'FR' }

/** Returns the country code; `undefined` if absent, `null` if invalid. */
const countryCode = (country: unknown): string | null | undefined => {
  if (country === undefined || country === null || country === '') return undefined
  if (country === 'ES') return country
  if (typeof country !== 'string' || country.length > MAX_RAW_LENGTH) return null
  const code = country.trim().toUpperCase()
  return SAME_NUMBERS[code] ?? (/^[A-Z]{2}$/.test(code) ? code : null)
}

/** Checks a value without a given country. The prefix of the value determines the country; the default is Spain. */
const withoutCountry = (value: string, text: string): TaxIdCheck => {
  const start = text.slice(0, 2)
  const prefix = euPrefixOf(start)
  if (prefix !== undefined) return checkEuVat(text, prefix)
  // A value of nine characters may be a mistyped NIF. In a value of any other length, two letters at the start are an
  // unknown prefix.
  const unknown = startsWithTwoLetters(text) && start !== 'ES' && text.length !== 9
  return unknown ? refuse('unknown_country', null, text) : spanishTaxId(value)
}

/**
 * Checks a tax identifier and normalises it. Never throws, whatever the value.
 *
 * Spain: RD 1065/2007 arts. 18 to 22 and Orden EHA/451/2008. Other member states and Northern Ireland: Directive
 * 2006/112/EC art. 215, structure and check digit. Elsewhere there is no offline check: any non-blank text is valid
 * with kind `OTHER`. For other member states, only VAT numbers are valid, not the tax ids of private persons. `valid`
 * never means that the number was issued.
 *
 * @param value The identifier. Blanks, dots, hyphens, slashes and lower case are normalised. A value that is not a
 * string, or has more than 128 characters, is not valid.
 * @param country ISO 3166-1 alpha-2 (also `EL` and `XI`; `MC` means France), or any two letters. Default: the prefix of
 * the value, otherwise `ES`.
 * @returns Kind, normalised value, type of person, country and, if not valid, the reason.
 * @example
 * checkTaxId('es-a58818501').normalized // => 'A58818501'
 * checkTaxId('00000000T').reason // => 'placeholder'
 * checkTaxId('40303265045', 'FR').normalized // => 'FR40303265045'
 * checkTaxId('094259216', 'GR').normalized // => 'EL094259216'
 * checkTaxId('40303265045', 'MC').country // => 'FR'
 * checkTaxId('GB980780684').valid // => false
 * checkTaxId('12-3456789', 'US').kind // => 'OTHER'
 */
export const checkTaxId = (value: unknown, country?: string): TaxIdCheck => {
  const code = countryCode(country)
  if (typeof value !== 'string') return refuse('type', code ?? null)
  if (code === 'ES') return spanishTaxId(value)
  if (value.length > MAX_RAW_LENGTH) return refuse('length', code ?? null)
  // The usual case: if the second character is a digit, there is no prefix.
  if (code === undefined && value.length === 9 && isDigit(value.charCodeAt(1))) return spanishTaxId(value)
  const text = compact(value)
  if (text.length === 0) return refuse('empty', code ?? null)
  if (code === undefined) return withoutCountry(value, text)
  if (code === null) return refuse('unknown_country', null, text)
  const prefix = euPrefixOf(code)
  return prefix === undefined ? other(value, code) : checkEuVat(text, prefix)
}

/**
 * Checks the tax id of a party in a country. A foreign entity (N), and its Spanish establishment (W), may have a NIF in
 * Spain (RD 1065/2007 art. 22 and Orden EHA/451/2008). That NIF identifies them in any country, unless the text is a
 * VAT number of the party's country.
 *
 * @example
 * checkPartyTaxId('N0012622G', 'FR').country // => 'ES'
 * checkPartyTaxId('FR40303265045', 'FR').country // => 'FR'
 */
export function checkPartyTaxId(value: unknown, country: string): TaxIdCheck {
  const own = checkTaxId(value, country)
  if (country === 'ES' || (own.valid && own.kind === 'EU_VAT')) return own
  const spanish = checkTaxId(value, 'ES')
  return spanish.valid && /^[NW]/.test(spanish.normalized) ? spanish : own
}
