/** Tax identifier of any country: finds out whose it is, then asks the rule of that country. */
import { euPrefixOf, euVat } from './eu-vat.ts'
import { spanishTaxId } from './spanish.ts'
import { compact, isDigit, MAX_RAW_LENGTH, startsWithTwoLetters } from './text.ts'
import type { TaxIdCheck, TaxIdReason } from './types.ts'

/** Longest identifier kept for a country without a check. */
const MAX_OTHER_LENGTH = 64

const refuse = (reason: TaxIdReason, country: string | null, normalized = ''): TaxIdCheck => ({
  valid: false,
  kind: null,
  normalized,
  person_type_code: null,
  country,
  reason,
})

/** No check exists offline for the rest of the world: anything that is not blank is accepted as it stands. */
const other = (value: string, country: string): TaxIdCheck => {
  const normalized = value.trim().toUpperCase()
  if (normalized.length > MAX_OTHER_LENGTH) return refuse('length', country)
  return { valid: true, kind: 'OTHER', normalized, person_type_code: null, country, reason: null }
}

/** Codes under which the numbers of another country are used: Greece as VIES has it, and Monaco, which is France for VAT. */
const SAME_NUMBERS: Readonly<Record<string, string>> = { EL: 'GR', MC: 'FR' }

/** `undefined` when absent, `null` when it is no country code at all. */
const countryCode = (country: unknown): string | null | undefined => {
  if (country === undefined || country === null || country === '') return undefined
  if (country === 'ES') return country
  if (typeof country !== 'string' || country.length > MAX_RAW_LENGTH) return null
  const code = country.trim().toUpperCase()
  return SAME_NUMBERS[code] ?? (/^[A-Z]{2}$/.test(code) ? code : null)
}

/** Country absent: the prefix of the value decides, else it is Spanish. */
const withoutCountry = (value: string, text: string): TaxIdCheck => {
  const start = text.slice(0, 2)
  const prefix = euPrefixOf(start)
  if (prefix !== undefined) return euVat(text, prefix)
  // Nine characters may be a mistyped NIF; two letters in front of anything else are a prefix nobody here knows.
  const unknown = startsWithTwoLetters(text) && start !== 'ES' && text.length !== 9
  return unknown ? refuse('unknown_country', null, text) : spanishTaxId(value)
}

/**
 * Checks a tax identifier and brings it into its canonical form. Never throws, whatever the value.
 *
 * Spain: RD 1065/2007 arts. 18 to 22 and Orden EHA/451/2008. Other members and Northern Ireland: Directive
 * 2006/112/EC art. 215, structure and check digit. Elsewhere no check exists offline: any text that is not blank is
 * valid with kind `OTHER`. `valid` never means that the number was issued.
 *
 * @param value   The identifier; blanks, dots, hyphens, slashes and lower case are put right. Anything that is no
 *                string, or is longer than 128 characters, is not valid.
 * @param country ISO 3166-1 alpha-2 (also `EL` and `XI`; `MC` means France), any two letters. Absent: the prefix of the value, else `ES`.
 * @returns Kind, canonical form, type of person, country and, when not valid, the reason.
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
  // The usual case: a digit in second place cannot follow a prefix.
  if (code === undefined && value.length === 9 && isDigit(value.charCodeAt(1))) return spanishTaxId(value)
  const text = compact(value)
  if (text.length === 0) return refuse('empty', code ?? null)
  if (code === undefined) return withoutCountry(value, text)
  if (code === null) return refuse('unknown_country', null, text)
  const prefix = euPrefixOf(code)
  return prefix === undefined ? other(value, code) : euVat(text, prefix)
}

/**
 * The id of a party of a country. A foreign entity may have a NIF of its own in Spain (N), as may the Spanish
 * establishment of one (W, RD 1065/2007 art. 22 and Orden EHA/451/2008): it identifies it whatever the country,
 * unless the text is a VAT number of that country.
 *
 * @example
 * partyTaxId('N0012622G', 'FR').country // => 'ES'
 * partyTaxId('FR40303265045', 'FR').country // => 'FR'
 */
export function partyTaxId(value: unknown, country: string): TaxIdCheck {
  const own = checkTaxId(value, country)
  if (country === 'ES' || (own.valid && own.kind === 'EU_VAT')) return own
  const spanish = checkTaxId(value, 'ES')
  return spanish.valid && /^[NW]/.test(spanish.normalized) ? spanish : own
}
