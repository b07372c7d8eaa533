/** Check digits of western and northern member states. `body` is the number without prefix. */
import { digitAt, luhn, mod97, weightedSum } from './eu-arithmetic.ts'

/** Checks that the Luhn sum of the first seven digits, the check digit and 4 add up to a multiple of ten. */
export const isAustrianVat = (body: string): boolean =>
  (luhn(body.slice(1, 8)) + digitAt(body, 8) + 4) % 10 === 0

/** Accepts numbers that start with 00, because libraries disagree. */
export const isBelgianVat = (body: string): boolean =>
  97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8))

export const isDanishVat = (body: string): boolean => weightedSum(body, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

export const isFinnishVat = (body: string): boolean => weightedSum(body, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0

const KEY = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/**
 * Checks the key against the SIREN. The check digit of the SIREN itself is not checked, because numbers of Monaco have
 * none.
 */
export const isFrenchVat = (body: string): boolean => {
  const siren = Number(body.slice(2))
  const first = KEY.indexOf(body.charAt(0))
  const second = KEY.indexOf(body.charAt(1))
  if (first < 10 && second < 10) return (siren * 100 + 12) % 97 === first * 10 + second
  const key = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100
  return (siren + 1 + Math.floor(key / 11)) % 11 === key % 11
}

const IRISH_LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV'

/**
 * Checks an Irish number. A second letter counts nine times its index in the alphabet. In numbers from before 2013, the
 * first digit counts as the last.
 */
export const isIrishVat = (body: string): boolean => {
  const old = !/^\d\d/.test(body)
  const digits = old ? `0${body.slice(2, 7)}${body.charAt(0)}` : body.slice(0, 7)
  const extra = body.length === 9 ? IRISH_LETTERS.indexOf(body.charAt(8)) * 9 : 0
  return IRISH_LETTERS.charAt((weightedSum(digits, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23) === body.charAt(7)
}

export const isLuxembourgVat = (body: string): boolean =>
  Number(body.slice(0, 6)) % 89 === Number(body.slice(6))

/**
 * Checks companies with modulus 11, and sole traders (since 2020) with MOD 97-10 of the whole number with its prefix.
 */
export const isDutchVat = (body: string): boolean =>
  (weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 10 === digitAt(body, 8) || mod97(`NL${body}`) === 1

export const isSwedishVat = (body: string): boolean => luhn(body.slice(0, 10)) % 10 === 0

/**
 * Applies the British algorithm, for the old series and the new series (from 100 on). Departments (GD) and health
 * authorities (HA) have no check digits.
 */
export const isNorthernIrishVat = (body: string): boolean => {
  if (body.length === 5) return body.startsWith('GD') === Number(body.slice(2)) < 500
  const sum = weightedSum(body, [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97
  return sum === 0 || (body >= '1' && (sum === 42 || sum === 55))
}
