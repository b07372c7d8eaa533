/** Check digits of southern member states (Spain has its own file). `body` is the number without prefix. */
import { digitAt, isValidIso7064, luhn, weightedSum } from './eu-arithmetic.ts'

const CYPRIOT_ODD: readonly number[] = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]

export const isCypriotVat = (body: string): boolean => {
  let sum = 0
  for (let i = 0; i < 8; i++) sum += i % 2 === 0 ? CYPRIOT_ODD[digitAt(body, i)]! : digitAt(body, i)
  return (sum % 26) + 65 === body.charCodeAt(8)
}

export const isGreekVat = (body: string): boolean =>
  (weightedSum(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digitAt(body, 8)

export const isCroatianVat = isValidIso7064

/** Checks seven digits of the taxpayer, not all zero, followed by the issuing office: 1 to 201, 888 or 999. */
export const isItalianVat = (body: string): boolean => {
  const office = Number(body.slice(7, 10))
  const known = (office >= 1 && office <= 201) || office === 888 || office === 999
  return known && !body.startsWith('0000000') && luhn(body) % 10 === 0
}

/** Checks a Maltese number. Accepts all check digits congruent modulo 37, not only 01 to 37: libraries disagree. */
export const isMalteseVat = (body: string): boolean => weightedSum(body, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0

export const isPortugueseVat = (body: string): boolean =>
  ((11 - (weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === digitAt(body, 8)

/** Checks a Slovenian number. Refuses a remainder of 0: numbers that require the check digit 11 are not issued. */
export const isSlovenianVat = (body: string): boolean => {
  const rest = weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) % 11
  return rest !== 0 && (11 - rest) % 10 === digitAt(body, 7)
}
