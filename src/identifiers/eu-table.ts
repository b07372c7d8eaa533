/**
 * VAT numbers of the European Union: Directive 2006/112/EC arts. 214 and 215 (prefix: ISO 3166-1 alpha-2, `EL` for
 * Greece); structures as published by VIES. Northern Ireland is `XI`, for goods only (Protocol to the Withdrawal
 * Agreement). Great Britain left on 1 January 2021 and is not listed. Spain has its own rules in `spanish.ts`.
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
  ['AT', rule([9], /^U\d{8}$/, west.austria)],
  ['BE', rule([10], /^[01]\d{9}$/, west.belgium)],
  ['BG', rule([9, 10], DIGITS, east.bulgaria)],
  ['CY', rule([9], /^\d{8}[A-Z]$/, south.cyprus)],
  ['CZ', rule([8, 9, 10], DIGITS, east.czechia)],
  ['DE', rule([9], NOT_ZERO_FIRST, east.germany)],
  ['DK', rule([8], DIGITS, west.denmark)],
  ['EE', rule([9], DIGITS, east.estonia)],
  ['EL', rule([9], DIGITS, south.greece)],
  ['FI', rule([8], DIGITS, west.finland)],
  ['FR', rule([11], /^[A-HJ-NP-Z\d]{2}\d{9}$/, west.france)],
  ['HR', rule([11], DIGITS, south.croatia)],
  ['HU', rule([8], DIGITS, east.hungary)],
  ['IE', rule([8, 9], /^(?:\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/, west.ireland)],
  ['IT', rule([11], DIGITS, south.italy)],
  ['LT', rule([9, 12], DIGITS, east.lithuania)],
  ['LU', rule([8], DIGITS, west.luxembourg)],
  ['LV', rule([11], DIGITS, east.latvia)],
  ['MT', rule([8], DIGITS, south.malta)],
  ['NL', rule([12], /^\d{9}B\d{2}$/, west.netherlands)],
  ['PL', rule([10], DIGITS, east.poland)],
  ['PT', rule([9], DIGITS, south.portugal)],
  ['RO', rule([2, 3, 4, 5, 6, 7, 8, 9, 10], NOT_ZERO_FIRST, east.romania)],
  ['SE', rule([12], /^\d{10}01$/, west.sweden)],
  ['SI', rule([8], NOT_ZERO_FIRST, south.slovenia)],
  ['SK', rule([10], NOT_ZERO_FIRST, east.slovakia)],
  ['XI', rule([5, 9, 12], /^(?:\d+|(?:GD|HA)\d{3})$/, west.northernIreland)],
])
