/** Check digits of central and eastern member states. `body` is the number without prefix. */
import { digitAt, isPlausibleDate, isValidIso7064, weightedSum } from './eu-arithmetic.ts'

/**
 * Checks nine digits of an entity, or ten digits of a person (EGN, with a birth date), a foreigner (PNF) or another
 * holder. Ten digits are valid if any of the three formulas matches.
 */
export const isBulgarianVat = (body: string): boolean => {
  if (body.length === 9) {
    const first = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
    const check = first === 10 ? (weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first
    return check === digitAt(body, 8)
  }
  const last = digitAt(body, 9)
  const month = Number(body.slice(2, 4))
  const born = month < 53 && isPlausibleDate(month % 20, Number(body.slice(4, 6)))
  const person = (weightedSum(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10
  const foreigner = weightedSum(body, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10
  const other = (11 - (weightedSum(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return (born && last === person) || last === foreigner || last === other
}

/**
 * Checks a birth number. For women, 50 is added to the month. Since 2004, a further 20 may be added to the month if the
 * numbers of a day are used up.
 */
const birthNumber = (body: string): boolean => {
  const year = Number(body.slice(0, 2))
  const month = Number(body.slice(2, 4)) % 50
  const day = Number(body.slice(4, 6))
  // Numbers of nine digits without check digit were assigned until 1953. Years from 60 to 80 are refused.
  if (body.length === 9) return (year < 60 || year > 80) && isPlausibleDate(month, day)
  const rest = Number(body.slice(0, 9)) % 11
  const check = rest === 10 && year >= 54 && year < 85 ? 0 : rest
  return isPlausibleDate(month % 20, day) && check === digitAt(body, 9)
}

export const isCzechVat = (body: string): boolean => {
  if (body.length === 8)
    return ((11 - (weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 || 1) % 10 === digitAt(body, 7)
  if (body.length === 9 && body.startsWith('6')) {
    return ((weightedSum(body, [8, 7, 6, 5, 4, 3, 2], 1) % 11) + 8) % 10 === digitAt(body, 8)
  }
  return birthNumber(body)
}

export const isGermanVat = isValidIso7064

export const isEstonianVat = (body: string): boolean =>
  weightedSum(body, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0

export const isHungarianVat = (body: string): boolean =>
  weightedSum(body, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0

const LITHUANIAN: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]

/**
 * Checks a Lithuanian number. The second-to-last digit must be 1. If the remainder is 10, the sum is repeated with the
 * weights shifted by two.
 */
export const isLithuanianVat = (body: string): boolean => {
  const last = body.length - 1
  if (digitAt(body, last - 1) !== 1) return false
  const first = weightedSum(body, LITHUANIAN.slice(0, last)) % 11
  const check = first === 10 ? (weightedSum(body, LITHUANIAN.slice(2, last + 2)) % 11) % 10 : first
  return check === digitAt(body, last)
}

/**
 * Checks a number of an entity (first digit above 3) or a personal code. Personal codes contain a date, except those
 * assigned since 2017, which start with 32 to 39.
 */
export const isLatvianVat = (body: string): boolean => {
  if (body > '4') {
    const check = ((14 - (weightedSum(body, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6]) % 11)) % 11) % 10
    return check === digitAt(body, 10)
  }
  if (body >= '32') return true
  const check = ((1 + weightedSum(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10
  return isPlausibleDate(Number(body.slice(2, 4)), Number(body.slice(0, 2))) && check === digitAt(body, 10)
}

export const isPolishVat = (body: string): boolean =>
  (weightedSum(body, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11) % 10 === digitAt(body, 9)

/** Checks a Romanian number. Short numbers are padded with zeros on the left. */
export const isRomanianVat = (body: string): boolean => {
  const digits = body.padStart(10, '0')
  return ((10 * weightedSum(digits, [7, 5, 3, 2, 1, 7, 5, 3, 2])) % 11) % 10 === digitAt(digits, 9)
}

export const isSlovakVat = (body: string): boolean => Number(body) % 11 === 0
