import type { Country } from './country.ts'
import { rows } from './generated/countries.ts'
import { lazy } from './lazy.ts'

export type { Country }

const index = /* @__PURE__ */ lazy(() => {
  const byCode = new Map<string, Country>()
  for (const row of rows) byCode.set(row.code, row).set(row.alpha3, row)
  return byCode
})

/**
 * Returns the country of an upper-case ISO 3166-1 code: alpha-2 or alpha-3.
 *
 * @example
 * countryOf('ESP')?.code // => 'ES'
 * countryOf('GRC')?.vat_prefix // => 'EL'
 * countryOf('es') // => undefined
 */
export function countryOf(code: string): Country | undefined {
  return index().get(code)
}

/**
 * Returns the country (alpha-2) whose VAT territory includes a country. Usually it is the country itself.
 *
 * @example
 * vatTerritoryOf('MC') // => 'FR'
 * vatTerritoryOf('PT') // => 'PT'
 */
export function vatTerritoryOf(alpha2: string): string {
  return index().get(alpha2)?.vat_as ?? alpha2
}

/**
 * Whether a country (alpha-2) is a member state for VAT (Directive 2006/112/EC, articles 5 to 7) on a day
 * (`YYYY-MM-DD`); without a day, whether it is one of the current twenty-seven. Monaco is treated as France. The United
 * Kingdom is a member state until 2020-12-31, the end of its transition period.
 *
 * @example
 * isEuMember('HR') // => true
 * isEuMember('HR', '2013-06-30') // => false
 * isEuMember('MC') // => true
 * isEuMember('GB') // => false
 * isEuMember('GB', '2019-07-01') // => true
 */
export function isEuMember(alpha2: string, on?: string): boolean {
  if (alpha2.length !== 2) return false
  const country = index().get(vatTerritoryOf(alpha2))
  if (country === undefined || country.eu_joined === undefined) return false
  if (on === undefined) return country.eu_left === undefined
  const last = country.eu_vat_until ?? country.eu_left
  return country.eu_joined <= on && (last === undefined || on <= last)
}
