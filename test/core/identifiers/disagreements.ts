/** Known differences from the two libraries: named, bounded, each with an example. */
import type { Library } from './oracles.ts'

export interface Disagreement {
  readonly prefix: string
  /** `refuses`: the library accepts what is refused here; `accepts`: neither library accepts what is accepted here. */
  readonly we: 'refuses' | 'accepts'
  readonly library?: Library
  readonly why: string
  /** The bodies that it can concern. */
  readonly where: RegExp
  readonly example: string
}

const refuses = (
  prefix: string,
  library: Library,
  where: RegExp,
  example: string,
  why: string,
): Disagreement => ({
  prefix,
  we: 'refuses',
  library,
  why,
  where,
  example,
})

const accepts = (prefix: string, where: RegExp, example: string, why: string): Disagreement => ({
  prefix,
  we: 'accepts',
  why,
  where,
  example,
})

export const DISAGREEMENTS: readonly Disagreement[] = [
  refuses(
    'BG',
    'stdnum',
    /^\d{10}$/,
    '1035554909',
    'ten digits: stdnum turns the test of the third formula round',
  ),
  refuses('BG', 'jsvat', /^\d{4}(?:00|3[2-9])\d{4}$/, '3429348080', 'jsvat takes the days 00 and 32 to 39'),
  refuses('CZ', 'jsvat', /^\d{9,10}$/, '456100847', 'jsvat takes months and days that no calendar has'),
  refuses('CZ', 'stdnum', /^6\d{8}$/, '691558970', 'stdnum counts the leading 6 of the special series'),
  refuses(
    'CZ',
    'stdnum',
    /^\d\d[2-47-9]\d{6}$/,
    '322816497',
    'nine digits end in 1953, month + 20 began in 2004',
  ),
  accepts('CZ', /^\d{9,10}$/, '900431894', 'the last day of the month is not looked up'),
  refuses('DE', 'stdnum', /^0/, '067194350', 'stdnum takes a leading zero'),
  refuses('FI', 'jsvat', /0$/, '75136480', 'remainder 1 would ask for the check digit 10: not issued'),
  refuses('FR', 'jsvat', /^(?:[A-Z]|\d[A-Z])/, 'XC974384520', 'jsvat does not check a key with letters'),
  refuses('IE', 'stdnum', /^\d{7}[A-W][J-V]$/, '8123713VM', 'a second letter goes from A to I'),
  refuses(
    'IE',
    'stdnum',
    /^\d[A-Z+*]\d{5}[A-W][A-W]$/,
    '6E14364BA',
    'old numbers have one letter at the end',
  ),
  refuses('IT', 'stdnum', /^0{7}/, '00000000075', 'stdnum takes the taxpayer 0000000'),
  refuses('LV', 'jsvat', /^[0-3]/, '02115381254', 'jsvat does not check personal codes'),
  accepts(
    'LV',
    /^3[2-9]/,
    '37258094808',
    'personal codes since 2017 carry neither date nor published check digit',
  ),
  refuses('SI', 'stdnum', /1$/, '92695451', 'remainder 0 would ask for the check digit 11: not issued'),
  refuses('SI', 'stdnum', /^0/, '09035028', 'stdnum takes a leading zero'),
  accepts(
    'SK',
    /^\d{10}$/,
    '6010326102',
    'birth numbers of sole traders: only the divisibility by 11 is asked',
  ),
]
