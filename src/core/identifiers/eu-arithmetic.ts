/** Arithmetic shared by the check digits of the member states. The numbers have already passed the format check. */

/** Returns the value of the digit at `index`. */
export const digitAt = (body: string, index: number): number => body.charCodeAt(index) - 48

/** Returns the sum of the digits from `start`, each times its weight. There are as many digits as weights. */
export const weightedSum = (body: string, weights: readonly number[], start = 0): number =>
  weights.reduce((sum, weight, i) => sum + digitAt(body, start + i) * weight, 0)

/**
 * Returns the Luhn sum: every second digit from the right is doubled, starting with the second. A number is correct if
 * the sum is 0 mod 10.
 */
export const luhn = (digits: string): number => {
  let sum = 0
  for (let i = digits.length - 1, twice = false; i >= 0; i--, twice = !twice) {
    const digit = digitAt(digits, i)
    sum += twice ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum
}

/** Whether the digits satisfy ISO 7064 MOD 11,10. The last digit is the check digit. */
export const isValidIso7064 = (digits: string): boolean => {
  let product = 10
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (digitAt(digits, i) + product) % 10 || 10
    product = (2 * sum) % 11
  }
  return (product + digitAt(digits, digits.length - 1)) % 10 === 1
}

/** Returns the ISO 7064 MOD 97-10 remainder of digits and letters (A is 10), without large numbers. */
export const mod97 = (text: string): number => {
  let rest = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    rest = (code < 65 ? rest * 10 + code - 48 : rest * 100 + code - 55) % 97
  }
  return rest
}

/** Whether day and month are possible. This check is sufficient for birth dates in personal numbers. */
export const isPlausibleDate = (month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31
