/** Checks VAT numbers of member states other than Spain. The texts are compact: upper case, without separators. */
import { EU_VAT_RULES, type EuVatRule } from './eu-table.ts'
import type { TaxIdCheck, TaxIdReason } from './tax-id-types.ts'

/** Maximum length that the AEAT accepts, prefix included. Longer values are not kept in the result. */
const MAX_LENGTH = 20

/** Matches a body of zeros, such as `U00000000`, `000000000B00` or the Swedish `000000000001`. */
const ZEROS = /^(?:U?0+(?:B0+|[A-Z]{1,2})?|0{10}01)$/

/**
 * Returns the VAT prefix of a country: its code, `EL` for Greece, or `undefined` for a country without a rule in the
 * table.
 */
export const euPrefixOf = (country: string): string | undefined => {
  const prefix = country === 'GR' ? 'EL' : country
  return EU_VAT_RULES.has(prefix) ? prefix : undefined
}

const failure = (body: string, { lengths, pattern, check }: EuVatRule): TaxIdReason | null => {
  if (!lengths.includes(body.length)) return 'length'
  if (!pattern.test(body)) return 'format'
  if (ZEROS.test(body)) return 'placeholder'
  return check(body) ? null : 'control'
}

const isPrefix = (start: string): boolean => start === 'ES' || euPrefixOf(start) !== undefined

const bodyOf = (text: string, prefix: string): string => {
  const own = text.startsWith(prefix) || (prefix === 'EL' && text.startsWith('GR'))
  return own ? text.slice(2) : text
}

/**
 * Checks a compact text, with or without its prefix. `prefix` is a key of the table.
 *
 * A French body may itself start with two letters. If they are `FR`, the number must be written with its prefix.
 */
export const checkEuVat = (text: string, prefix: string): TaxIdCheck => {
  const body = bodyOf(text, prefix)
  const ownReason = failure(body, EU_VAT_RULES.get(prefix)!)
  const foreign = ownReason !== null && body === text && isPrefix(text.slice(0, 2))
  const long = body.length > MAX_LENGTH - 2
  return {
    valid: ownReason === null,
    kind: long || foreign ? null : 'EU_VAT',
    normalized: long ? '' : foreign ? text : prefix + body,
    person_type_code: null,
    country: prefix === 'EL' ? 'GR' : prefix,
    reason: foreign && !long ? 'prefix' : ownReason,
  } as TaxIdCheck
}
