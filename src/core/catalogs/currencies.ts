import data from './currencies.compact.json' with { type: 'json' }
import { lazy } from './lazy.ts'

const codesOf = (codes: string): readonly string[] => codes.split(' ')

/** Currencies whose first two letters are the code of their country. `withoutCountry`: currencies of no country. */
const ofItsCountry = /* @__PURE__ */ codesOf(data.of_its_country)
const withoutCountry = /* @__PURE__ */ codesOf(data.nowhere)

const units = /* @__PURE__ */ lazy(() => {
  const index = new Map<string, number | undefined>()
  for (const code of [
    ...ofItsCountry,
    ...Object.keys(data.elsewhere),
    ...Object.keys(data.withdrawn),
    ...withoutCountry,
  ])
    index.set(code, 2)
  for (const [digits, codes] of Object.entries(data.minor_units))
    for (const code of codesOf(codes)) index.set(code, digits === 'none' ? undefined : Number(digits))
  return index
})

const countries = /* @__PURE__ */ lazy(() => {
  const index = new Map(ofItsCountry.map((currency) => [currency.slice(0, 2), currency]))
  for (const [currency, codes] of Object.entries(data.elsewhere))
    for (const code of codesOf(codes)) index.set(code, currency)
  return index
})

/**
 * Whether a value is an ISO 4217 currency code, current or withdrawn.
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
 * Returns the decimals of a currency's minor unit (ISO 4217). Unknown codes, and codes without a minor unit such as
 * gold, return `undefined`.
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
 * Returns the current currency of a country (alpha-2). If the country has several, returns the main one (ISO 4217).
 *
 * @example
 * currencyOfCountry('BG') // => 'EUR'
 * currencyOfCountry('CH') // => 'CHF'
 * currencyOfCountry('XX') // => undefined
 */
export function currencyOfCountry(alpha2: string): string | undefined {
  return countries().get(alpha2)
}

const lastDays: Readonly<Record<string, string>> = data.withdrawn

/**
 * Returns the last day of a withdrawn currency; an empty text for codes that do not denote a currency (XTS, XXX).
 *
 * @example
 * lastDayOfCurrency('HRK') // => '2022-12-31'
 * lastDayOfCurrency('XXX') // => ''
 * lastDayOfCurrency('EUR') // => undefined
 */
export const lastDayOfCurrency = (code: string): string | undefined => lastDays[code]
