/** Names of codes in both languages, from the catalogs. */

import { rows as countryNames } from '#catalogs/country-names-en.json'
import { rows as roles } from '#catalogs/facturae-roles.json'
import { type CatalogName, catalog, countryOf } from '#core/catalogs/index.ts'
import type { Pair } from './page-language.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface Row {
  readonly code: string
  readonly name: string
  readonly [field: string]: unknown
}

const pairOf = ({ name, name_en: english }: Row): Pair => [
  capital(name),
  capital(typeof english === 'string' ? english : name),
]

/** Returns the names of a catalog code, or the code itself if it is unknown. */
export function nameOf(name: CatalogName, code: string, group?: string): Pair {
  const row = catalog(name).find(
    (one) => one.code === code && (group === undefined || one.tax_group_code === group),
  )
  return row ? pairOf(row) : [code, code]
}

/** Returns the Spanish and English names of a country, such as `Alemania` and `Germany`. */
export function countryName(code: string): Pair {
  const { code: alpha2, name } = countryOf(code) ?? { code, name: code }
  return [name, countryNames.find((row) => row.code === alpha2)?.name_en ?? name]
}

/** Returns the role of an administrative centre; empty if unknown. */
export function roleName(code: string | undefined): Pair {
  const row = roles.find((one) => one.code === code)
  return row ? pairOf(row) : [code ?? '', code ?? '']
}

/** Returns the name of a tax on invoices: `IVA` is `VAT` in English. */
export const taxName = (group: string): Pair => [group, group === 'IVA' ? 'VAT' : group]
