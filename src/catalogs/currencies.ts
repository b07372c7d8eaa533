import data from './currencies.compact.json' with { type: 'json' }
import { lazy } from './lazy.ts'

const units = /* @__PURE__ */ lazy(() => {
  const index = new Map<string, number | undefined>()
  for (const [digits, codes] of Object.entries(data.minor_units)) {
    for (const code of codes.split(' ')) index.set(code, digits === 'none' ? undefined : Number(digits))
  }
  return index
})

const countries = /* @__PURE__ */ lazy(() => {
  const index = new Map<string, string>()
  for (const [currency, codes] of Object.entries(data.countries)) {
    for (const code of codes.split(' ')) index.set(code, currency)
  }
  return index
})

/**
 * Whether a value is a currency code of ISO 4217, in use or withdrawn.
 *
 * @example
 * isCurrencyCode('USD') // => true
 * isCurrencyCode('HRK') // => true
 * isCurrencyCode('EURO') // => false
 */
export function isCurrencyCode(code: string): boolean {
  return units().has(code)
}

/**
 * The decimals of the minor unit of a currency (ISO 4217); `undefined` for an unknown code and for those
 * without one, such as gold.
 *
 * @example
 * minorUnitsOf('EUR') // => 2
 * minorUnitsOf('JPY') // => 0
 * minorUnitsOf('KWD') // => 3
 * minorUnitsOf('XAU') // => undefined
 */
export function minorUnitsOf(code: string): number | undefined {
  return units().get(code)
}

/**
 * The currency in use today in a country (alpha-2), the main one where there are several (ISO 4217).
 *
 * @example
 * currencyOfCountry('BG') // => 'EUR'
 * currencyOfCountry('CH') // => 'CHF'
 * currencyOfCountry('XX') // => undefined
 */
export function currencyOfCountry(alpha2: string): string | undefined {
  return countries().get(alpha2)
}
