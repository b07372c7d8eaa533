/** The values of members, with their names. */

import { withholdingRatesOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import { type CatalogEntry, type CatalogName, catalog, type Locale } from '#engine/index.ts'
import { countryName } from '#view/index.ts'
import { inputText } from './message-format.ts'

export interface Choice {
  readonly value: string | number
  readonly name: string
}

export const rowName = (row: CatalogEntry, locale: Locale): string =>
  locale === 'en' && typeof row.name_en === 'string' ? row.name_en : row.name

const inGroup = (rows: readonly CatalogEntry[], group: string): readonly CatalogEntry[] =>
  rows.filter((row) => row.tax_group_code === undefined || row.tax_group_code === group)

const byCode = (name: CatalogName, locale: Locale, group = 'IVA'): Choice[] =>
  inGroup(catalog(name), group).map((row) => ({ value: row.code, name: rowName(row, locale) }))

const DAY = /^\d{4}-\d\d-\d\d$/

/** Returns the rates of a tax in force on a date. */
export function rateChoices(group: string, on: string, locale: Locale): Choice[] {
  const rows = catalog('tax-rates', DAY.test(on) ? { on } : {})
  return inGroup(rows, group).map((row) => {
    const percent = row.percent as number
    return { value: percent, name: `${inputText(percent, locale)} % · ${rowName(row, locale)}` }
  })
}

/** Returns the withholding rates in force on a date; under IPSI, also the reduced rates. Some rates have no name. */
function withholdingChoices({ group, date, locale }: ChoiceContext): Choice[] {
  const named = rateChoices('IRPF', date, locale)
  const day = DAY.test(date) ? date : undefined
  return withholdingRatesOf(day, group === 'IPSI').map(
    (percent) =>
      named.find(({ value }) => value === percent) ?? {
        value: percent,
        name: `${inputText(percent, locale)} %`,
      },
  )
}

const countries = (locale: Locale): Choice[] =>
  catalog('countries')
    .map(({ code }) => ({ value: code, name: countryName(code)[locale === 'es' ? 0 : 1] }))
    .sort((a, b) => a.name.localeCompare(b.name, locale))

const provinces = (): Choice[] =>
  catalog('subdivisions')
    .map(({ code, name }) => ({ value: code, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'es'))

const regimes = (locale: Locale, group: string, received: boolean): Choice[] =>
  inGroup(catalog('tax-regimes'), group)
    .filter((row) => row[received ? 'received' : 'issued'])
    .map((row) => {
      const special = received ? (locale === 'en' ? row.name_received_en : row.name_received) : undefined
      return { value: row.code, name: typeof special === 'string' ? special : rowName(row, locale) }
    })

export interface ChoiceContext {
  readonly locale: Locale
  readonly group: string
  readonly date: string
  readonly received: boolean
}

/** Members whose values come from a catalog. `parent` is the name of the enclosing object. */
const BY_MEMBER: Readonly<Record<string, (at: ChoiceContext, parent: string | undefined) => Choice[]>> = {
  tax_output_rate: ({ group, date, locale }) => rateChoices(group, date, locale),
  tax_rate: (at, parent) =>
    parent === 'taxes_withheld' ? withholdingChoices(at) : rateChoices(at.group, at.date, at.locale),
  tax_withheld_rate: withholdingChoices,
  tax_treatment_code: ({ locale }) => byCode('tax-treatments', locale),
  tax_group_code: ({ locale }) =>
    byCode('tax-groups', locale).map(({ value, name }) => ({ value, name: `${value} · ${name}` })),
  exemption_reason_code: ({ locale, group }) => byCode('exemption-reasons', locale, group),
  non_taxable_reason: ({ locale }) => byCode('non-taxable-reasons', locale),
  non_deductible_reason: ({ locale }) => byCode('non-deductible-reasons', locale),
  tax_regime_key: ({ locale, group, received }) => regimes(locale, group, received),
  unit_of_measure: ({ locale }) => byCode('units', locale),
  payment_method_code: ({ locale }) => byCode('payment-methods', locale),
  invoice_type_code: ({ locale }) => byCode('invoice-types', locale),
  reason_code: ({ locale }, parent) => (parent === 'corrective' ? byCode('correction-reasons', locale) : []),
  code: (_, parent) => (parent === 'country_subdivision' ? provinces() : []),
  country_code: ({ locale }) => countries(locale),
  party_country_code: ({ locale }) => countries(locale),
  tax_country_code: ({ locale }) => countries(locale),
  consumption_country_code: ({ locale }) => countries(locale),
  issuer_country_code: ({ locale }) => countries(locale),
}

/** Returns the values of a member, or an empty list if it has no catalog. */
export const choicesOf = (member: string, at: ChoiceContext, parent?: string): readonly Choice[] =>
  Object.hasOwn(BY_MEMBER, member) ? required(BY_MEMBER[member])(at, parent) : []
