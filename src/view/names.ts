/** What codes are called, in both languages, as the catalogs have it. */
import { rows as countryNames } from '../../catalogs/country-names-en.json'
import { rows as roles } from '../../catalogs/facturae-roles.json'
import { type CatalogName, catalog, countryOf } from '../catalogs/index.ts'
import type { Pair } from './speak.ts'

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

/** The names of a code of a catalog; the code itself where the catalog does not have it. */
export function nameOf(name: CatalogName, code: string, group?: string): Pair {
  const row = catalog(name).find(
    (one) => one.code === code && (group === undefined || one.tax_group_code === group),
  )
  return row ? pairOf(row) : [code, code]
}

/** The names of a country: Germany is `Alemania`. */
export function countryName(code: string): Pair {
  const { code: alpha2, name } = countryOf(code) ?? { code, name: code }
  return [name, countryNames.find((row) => row.code === alpha2)?.name_en ?? name]
}

/** What an administrative centre does; empty where nothing is said of it. */
export function roleName(code: string | undefined): Pair {
  const row = roles.find((one) => one.code === code)
  return row ? pairOf(row) : [code ?? '', code ?? '']
}

/** What a tax is called on an invoice: `IVA` is the VAT of Spain. */
export const taxName = (group: string): Pair => [group, group === 'IVA' ? 'VAT' : group]
