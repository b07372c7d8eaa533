import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import compact from '#core/catalogs/currencies.compact.json' with { type: 'json' }
import * as catalogs from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import { tokens } from '../../tokens.ts'

const {
  CATALOG_NAMES,
  catalog,
  consumptionRatesOf,
  countryOf,
  currencyOfCountry,
  exemptionReasonOf,
  farmersCompensationOf,
  isCurrencyCode,
  lastDayOfCurrency,
  isEuMember,
  minorUnitsOf,
  regimeOf,
  subdivisionByName,
  subdivisionByPostCode,
  subdivisionOf,
  isSurchargePair,
  surchargesOf,
  taxRateOf,
  taxRatesOf,
  unitOf,
  vatTerritoryOf,
  withholdingRatesOf,
} = catalogs

const published = (name: string): { rows: Record<string, unknown>[] } =>
  JSON.parse(readFileSync(new URL(`../../../catalogs/${name}.json`, import.meta.url), 'utf8'))

describe('catalog', () => {
  it('returns frozen rows, the same each time', () => {
    for (const name of CATALOG_NAMES) {
      const rows = catalog(name)
      expect(Object.isFrozen(rows)).toBe(true)
      expect(rows.every((row) => Object.isFrozen(row))).toBe(true)
      expect(catalog(name)).toBe(rows)
    }
    expect(Object.isFrozen(catalog('units')[0]?.aliases)).toBe(true)
    expect(Object.isFrozen(catalog('tax-rates', { on: '2023-01-01' })[0])).toBe(true)
  })

  it('returns all rows of an undated catalog on any day', () => {
    expect(catalog('countries', { on: '1950-01-01' }).length).toBe(249)
  })

  it('lists the names if the name is unknown', () => {
    for (const name of ['rates', 'toString', '']) {
      expect(() => catalog(name as 'units')).toThrow(RangeError)
      expect(() => catalog(name as 'units')).toThrow(/tax-rates, tax-groups.*units/)
    }
  })
})

describe('countries', () => {
  it('are found by each of their codes', () => {
    for (const row of catalog('countries')) {
      for (const field of ['code', 'alpha3']) expect(countryOf(String(row[field]))).toBe(row)
    }
    for (const unknown of ['', 'es', 'EL', 'XI', 'UK', '72', '__proto__']) {
      expect(countryOf(unknown)).toBeUndefined()
    }
  })

  it('are member states from their first to their last day', () => {
    expect(isEuMember('ES', '1985-12-31')).toBe(false)
    expect(isEuMember('ES', '1986-01-01')).toBe(true)
    expect(isEuMember('GB', '1972-12-31')).toBe(false)
    expect(isEuMember('GB', '2020-12-31')).toBe(true)
    expect(isEuMember('GB', '2021-01-01')).toBe(false)
    expect(isEuMember('IM', '2019-01-01')).toBe(true)
    expect(isEuMember('IM')).toBe(false)
    expect(isEuMember('MC', '1990-01-01')).toBe(true)
    expect(['MC', 'IM', 'ES', 'XX'].map(vatTerritoryOf)).toEqual(['FR', 'GB', 'ES', 'XX'])
    for (const other of ['US', 'CH', 'AD', 'EL', 'ESP', '724', '']) expect(isEuMember(other)).toBe(false)
  })
})

describe('subdivisions', () => {
  it.each([
    ['A Coruña', 'ES-C'],
    ['Coruña, A', 'ES-C'],
    ['la coruna', 'ES-C'],
    ['Coruña', 'ES-C'],
    ['Illes Balears', 'ES-PM'],
    ['Islas Baleares', 'ES-PM'],
    ['Balears, Illes', 'ES-PM'],
    ['Baleares', 'ES-PM'],
    ['Vizcaya', 'ES-BI'],
    ['BIZKAIA', 'ES-BI'],
    ['Araba/Álava', 'ES-VI'],
    ['Alava', 'ES-VI'],
    ['Alicante/Alacant', 'ES-A'],
    ['Alacant / Alicante', 'ES-A'],
    ['València', 'ES-V'],
    ['Rioja, La', 'ES-LO'],
    ['Rioja', 'ES-LO'],
    ['Palmas, Las', 'ES-GC'],
    ['Las Palmas', 'ES-GC'],
    ['Palmas', 'ES-GC'],
    ['  santa   cruz de tenerife ', 'ES-TF'],
    ['Asturias, Principado de', 'ES-O'],
    ['Ourense', 'ES-OR'],
    ['ÁVILA', 'ES-AV'],
    ['Navarra', 'ES-NA'],
    ['Comunidad de Madrid', 'ES-M'],
    ['Castelló', 'ES-CS'],
  ])('are found by the name %s', (name, code) => {
    expect(subdivisionByName(name)?.code).toBe(code)
  })

  it('are found by every name in the catalog, each by its own', () => {
    for (const row of catalog('subdivisions')) {
      for (const name of [
        row.name,
        row.name_secondary,
        row.name_official,
        ...((row.aliases ?? []) as string[]),
      ]) {
        if (typeof name === 'string') expect(subdivisionByName(name), name).toBe(row)
      }
      expect(subdivisionOf(row.code)).toBe(row)
      expect(subdivisionOf(String(row.ine))).toBe(row)
      expect(subdivisionByPostCode(`${String(row.ine).padStart(2, '0')}001`)).toBe(row)
    }
  })

  it('are not found by an unknown name', () => {
    for (const name of ['', ' ', ',', 'la', '28', 'Lisboa', 'Madrid, España']) {
      expect(subdivisionByName(name)).toBeUndefined()
    }
    for (const code of ['', '0', '00', '53', '003', 'M', 'es-m']) expect(subdivisionOf(code)).toBeUndefined()
    for (const post of ['', '2801', '280130', '00100', '53001', 'AD500', '28 013']) {
      expect(subdivisionByPostCode(post)).toBeUndefined()
    }
  })
})

describe('currencies', () => {
  it('have in the engine exactly what the published catalogs say', () => {
    const currencies = published('currencies').rows
    for (const row of currencies) {
      expect(isCurrencyCode(String(row.code))).toBe(true)
      expect(minorUnitsOf(String(row.code)) ?? null).toBe(row.minor_units)
    }
    const { elsewhere, minor_units, nowhere, of_its_country, withdrawn } = compact
    const codes = [
      of_its_country,
      ...Object.keys(elsewhere),
      ...Object.keys(withdrawn),
      nowhere,
      ...Object.values(minor_units),
    ]
    expect(new Set(codes.join(' ').split(' ')).size).toBe(currencies.length)
    const countries = published('country-currencies').rows
    for (const row of countries) expect(currencyOfCountry(String(row.country))).toBe(row.currency)
    const used = [of_its_country, ...Object.values(elsewhere)]
    expect(used.join(' ').split(' ').length).toBe(countries.length)
  })

  it('end on the day that the published catalog says; XTS and XXX stand for no currency', () => {
    for (const { code, withdrawn } of published('currencies').rows)
      expect(lastDayOfCurrency(String(code)), String(code)).toBe(
        code === 'XTS' || code === 'XXX' ? '' : (withdrawn ?? undefined),
      )
  })

  it('exclude other codes', () => {
    for (const code of ['', 'eur', 'DEM', 'none', 'AED AFN']) expect(isCurrencyCode(code)).toBe(false)
  })
})

describe('tax rates', () => {
  it('change at midnight', () => {
    expect(taxRatesOf('IVA', '2012-08-31')).toEqual([18, 8, 4, 0])
    expect(taxRatesOf('IVA', '2012-09-01')).toEqual([21, 10, 4, 0])
    expect(taxRatesOf('IVA', '2024-09-30')).toEqual([21, 10, 5, 4, 0])
    expect(taxRatesOf('IVA', '2024-10-01')).toEqual([21, 10, 7.5, 4, 2, 0])
    expect(taxRatesOf('IVA', '2025-01-01')).toEqual([21, 10, 4, 0])
    expect(taxRatesOf('IVA', '1986-01-01')).toEqual([33, 12, 6, 0])
    expect(taxRatesOf('IVA', '1992-12-31')).toEqual([28, 15, 6, 0])
    expect(taxRatesOf('IVA', '1993-01-01')).toEqual([15, 6, 3, 0])
    expect(taxRatesOf('IVA', '1985-12-31')).toEqual([])
  })

  it('without a day are those without an end date', () => {
    const open = (group: string) =>
      published('tax-rates').rows.flatMap(({ tax_group_code, valid_to, percent }) =>
        tax_group_code === group && valid_to === null ? [Number(percent)] : [],
      )
    for (const group of ['IVA', 'IGIC', 'IPSI', 'IRPF'])
      expect(taxRatesOf(group), group).toEqual(open(group).sort((a, b) => b - a))
    expect(taxRatesOf('VAT')).toEqual([])
    expect(taxRatesOf('IVA')).toBe(taxRatesOf('IVA'))
  })

  it('of withholding include more than the catalog of the API', () => {
    expect(withholdingRatesOf('2007-01-01')).toEqual([18, 15, 7, 2, 1])
    expect(withholdingRatesOf('2012-08-31')).toEqual([21, 15, 7, 2, 1])
    expect(withholdingRatesOf('2012-09-01')).toEqual([21, 9, 7, 2, 1])
    expect(withholdingRatesOf('2015-07-11')).toEqual([20, 19, 15, 9, 7, 2, 1])
    expect(withholdingRatesOf('2015-07-12')).toEqual([19.5, 15, 7, 2, 1])
    expect(withholdingRatesOf('2016-01-01')).toEqual([35, 24, 19, 15, 7, 2, 1])
    expect(withholdingRatesOf('2018-12-22', true)).toEqual([35, 24, 19, 15, 7, 2, 1])
    expect(withholdingRatesOf('2018-12-23', true)).toEqual([35, 24, 19, 15, 14, 7.6, 7, 6, 2.8, 2, 1])
    const listed = catalog('tax-rates', { on: '2026-11-22' }).filter((row) => row.tax_group_code === 'IRPF')
    expect(listed.map((row) => row.percent)).toEqual([19, 15, 7])
  })

  it('of the compensation for farmers are dated', () => {
    expect(farmersCompensationOf('2012-08-31')).toEqual([10, 8.5])
    expect(farmersCompensationOf('2012-09-01')).toEqual([12, 10.5])
    expect(farmersCompensationOf('2005-01-01')).toEqual([])
  })

  it('are found by group, percentage and day', () => {
    expect(taxRateOf('IGIC', 7, '2015-01-01')?.code).toBe('IGIC_7_2012')
    expect(taxRateOf('IGIC', 7, '2019-06-01')).toBeUndefined()
    expect(taxRateOf('IGIC', 7)?.code).toBe('IGIC_7')
    expect(taxRateOf('IRPF', 24)).toBeUndefined()
    expect(taxRateOf('IVA', 21.000001)).toBeUndefined()
    expect(taxRateOf('IVA', -0)?.code).toBe('IVA_0')
  })

  it('pair with their surcharges', () => {
    expect(surchargesOf(21)).toEqual([5.2, 1.75])
    expect(surchargesOf(16, '2009-01-01')).toEqual([4])
    expect(surchargesOf(16)).toEqual([])
    expect(surchargesOf(3)).toEqual([])
    expect(isSurchargePair(2, 0.26, '2024-12-31')).toBe(true)
    expect(isSurchargePair(2, 0.26)).toBe(false)
    expect(isSurchargePair(0, 0, '1990-01-01')).toBe(true)
    expect(isSurchargePair(0, 0.5)).toBe(false)
  })
})

describe('consumption rates', () => {
  it('change at midnight, regions beside the country', () => {
    const standard = (country: string, on?: string) =>
      consumptionRatesOf(country, on).find((rate) => rate.type === 'standard' && rate.region === null)
        ?.percent
    expect(standard('RO', '2025-07-31')).toBe(19)
    expect(standard('RO', '2025-08-01')).toBe(21)
    expect(standard('RO')).toBe(21)
    expect(standard('GR')).toBe(24)
    expect(consumptionRatesOf('EL')).toEqual([])
    expect(consumptionRatesOf('MC')).toBe(consumptionRatesOf('FR'))
    expect(consumptionRatesOf('PT').some((rate) => rate.region === 'Madeira' && rate.percent === 22)).toBe(
      true,
    )
  })
})

describe('keys and reasons', () => {
  it('exist by direction', () => {
    const keys = (group: string, direction: 'issued' | 'received') =>
      Array.from({ length: 21 }, (_, i) => String(i + 1).padStart(2, '0'))
        .filter((key) => regimeOf(group, key, direction))
        .map(Number)
    expect(keys('IVA', 'issued')).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    ])
    expect(keys('IVA', 'received')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14])
    expect(keys('IPSI', 'issued')).toEqual([1, 8, 11, 18, 19, 20])
    expect(keys('IGIC', 'received')).toEqual([1])
    expect(regimeOf('IVA', '1', 'issued')).toBeUndefined()
  })

  it('belong to a tax group', () => {
    expect(exemptionReasonOf('IVA', 'E2')?.law).toBe('art. 21 Ley 37/1992')
    expect(exemptionReasonOf('IRPF', 'E2')).toBeUndefined()
  })
})

describe('units', () => {
  it('are found by code and alias', () => {
    expect(unitOf('KG')).toBe('03')
    expect(unitOf('Metros Cúbicos')).toBe('33')
    for (const value of ['', '1', '00', '37', 'ml', 'constructor']) expect(unitOf(value)).toBeUndefined()
  })
})

describe('the examples in the docstrings', () => {
  const sources = tokens`
    catalog consumption-rates countries currencies document-catalogs subdivisions tax-rates tax-reasons unit-catalog`
  const names = Object.keys(catalogs)
  const values = Object.values(catalogs)

  it.each(sources)('of %s hold', (file) => {
    const text = readFileSync(new URL(`../../../src/core/catalogs/${file}.ts`, import.meta.url), 'utf8')
    const examples = [...text.matchAll(/^ \* (.+) \/\/ => (.+)$/gm)]
    expect(examples.length).toBeGreaterThan(0)
    for (const [, code, expected = ''] of examples) {
      const evaluate = (source: string) => new Function(...names, `return (${source})`)(...values)
      expect(evaluate(required(code)), code).toEqual(evaluate(expected))
    }
  })
})
