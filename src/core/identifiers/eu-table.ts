/**
 * VAT numbers of the European Union: Directive 2006/112/EC arts. 214 and 215 (prefix: ISO 3166-1 alpha-2, `EL` for
 * Greece); structures as published by VIES. Northern Ireland is `XI`, for goods only (Protocol to the Withdrawal
 * Agreement). Great Britain left on 1 January 2021 and is not listed. Spain has its own rules in `spanish-ids.ts`.
 *
 * If published algorithms disagree, the most permissive applies: a number is refused only for its format, or for a
 * check digit that is wrong in all of them. The tests list the differing results of other libraries. Whether a number
 * exists is not checked: only VIES has this information.
 */
import * as east from './eu-east.ts'
import * as south from './eu-south.ts'
import * as west from './eu-west.ts'

/** Rule of one member state: valid lengths of the body (for the reason `length`), structure and check. */
export interface EuVatRule {
  readonly lengths: readonly number[]
  readonly pattern: RegExp
  readonly check: (body: string) => boolean
}

const rule = (lengths: readonly number[], pattern: RegExp, check: (body: string) => boolean): EuVatRule => ({
  lengths,
  pattern,
  check,
})

/** A body of digits only. The lengths are checked separately. */
const DIGITS = /^\d+$/
const NOT_ZERO_FIRST = /^[1-9]\d+$/

/** Rules of the member states, by VAT prefix. */
export const EU_VAT_RULES: ReadonlyMap<string, EuVatRule> = new Map([
  ['AT', rule([9], /^U\d{8}$/, west.isAustrianVat)],
  ['BE', rule([10], /^[01]\d{9}$/, west.isBelgianVat)],
  ['BG', rule([9, 10], DIGITS, east.isBulgarianVat)],
  ['CY', rule([9], /^\d{8}[A-Z]$/, south.isCypriotVat)],
  ['CZ', rule([8, 9, 10], DIGITS, east.isCzechVat)],
  ['DE', rule([9], NOT_ZERO_FIRST, east.isGermanVat)],
  ['DK', rule([8], DIGITS, west.isDanishVat)],
  ['EE', rule([9], DIGITS, east.isEstonianVat)],
  ['EL', rule([9], DIGITS, south.isGreekVat)],
  ['FI', rule([8], DIGITS, west.isFinnishVat)],
  ['FR', rule([11], /^[A-HJ-NP-Z\d]{2}\d{9}$/, west.isFrenchVat)],
  ['HR', rule([11], DIGITS, south.isCroatianVat)],
  ['HU', rule([8], DIGITS, east.isHungarianVat)],
  ['IE', rule([8, 9], /^(?:\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/, west.isIrishVat)],
  ['IT', rule([11], DIGITS, south.isItalianVat)],
  ['LT', rule([9, 12], DIGITS, east.isLithuanianVat)],
  ['LU', rule([8], DIGITS, west.isLuxembourgVat)],
  ['LV', rule([11], DIGITS, east.isLatvianVat)],
  ['MT', rule([8], DIGITS, south.isMalteseVat)],
  ['NL', rule([12], /^\d{9}B\d{2}$/, west.isDutchVat)],
  ['PL', rule([10], DIGITS, east.isPolishVat)],
  ['PT', rule([9], DIGITS, south.isPortugueseVat)],
  ['RO', rule([2, 3, 4, 5, 6, 7, 8, 9, 10], NOT_ZERO_FIRST, east.isRomanianVat)],
  ['SE', rule([12], /^\d{10}01$/, west.isSwedishVat)],
  ['SI', rule([8], NOT_ZERO_FIRST, south.isSlovenianVat)],
  ['SK', rule([10], NOT_ZERO_FIRST, east.isSlovakVat)],
  ['XI', rule([5, 9, 12], /^(?:\d+|(?:GD|HA)\d{3})$/, west.isNorthernIrishVat)],
])
