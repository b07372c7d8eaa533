import { readdirSync, readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { CATALOG_NAMES } from '#core/catalogs/index.ts'

const FOLDER = new URL('../../../catalogs/', import.meta.url)
const TODAY = '2026-11-21'

type Row = Record<string, unknown>
interface Catalog {
  catalog: string
  rows: Row[]
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, FOLDER), 'utf8'))
const load = (name: string): Catalog => read(`${name}.json`)
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))

const inForce = (row: Row) =>
  String(row.valid_from) <= TODAY && (row.valid_to === null || String(row.valid_to) >= TODAY)
const rates = (group: string) =>
  load('tax-rates')
    .rows.filter((row) => row.tax_group_code === group && inForce(row))
    .map((row) => row.percent)

/** Windows of one key, in order of their first day: each ends before the next begins. */
function expectNoOverlap(rows: Row[], keyOf: (row: Row) => string) {
  const last = new Map<string, Row>()
  const sorted = [...rows].sort((a, b) => (String(a.valid_from) < String(b.valid_from) ? -1 : 1))
  for (const row of sorted) {
    const { valid_from: from, valid_to: to } = row
    if (to !== null) expect(String(from) <= String(to), keyOf(row)).toBe(true)
    const before = last.get(keyOf(row))?.valid_to
    if (before !== undefined) expect(before !== null && String(before) < String(from), keyOf(row)).toBe(true)
    last.set(keyOf(row), row)
  }
}

/** The fields that identify a row of a catalog. For a dated catalog, no two such rows may be in force on one day. */
const KEYS: Record<string, string[]> = {
  'exemption-reasons': ['tax_group_code', 'code'],
  'tax-regimes': ['tax_group_code', 'code'],
  'eu-vat-rates': ['country', 'region', 'type', 'percent'],
  'eu-vat-special-territories': ['country', 'name'],
  'equivalence-surcharges': ['percent', 'surcharge'],
  'country-currencies': ['country'],
  'iban-lengths': ['country'],
  holidays: ['date'],
}

describe.each(files)('catalog %s', (name) => {
  const catalog = load(name)
  const key = KEYS[name] ?? ['code']
  const keyOf = (row: Row) => key.map((field) => row[field]).join(' ')
  const dated = catalog.rows.filter((row) => 'valid_from' in row)

  it('follows its schema', () => {
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
      read(`schemas/${name}.schema.json`),
    )
    validate(catalog)
    expect(validate.errors ?? []).toEqual([])
    expect(catalog.catalog).toBe(name)
  })

  it('has one row per line', () => {
    const lines = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines.length).toBe(catalog.rows.length + 8)
  })

  it('has no duplicate row', () => {
    const keys = catalog.rows.map((row) => `${keyOf(row)} ${row.valid_from ?? ''}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has no two dated rows in force for one thing on one day, and real dates', () => {
    for (const row of dated) {
      for (const date of [row.valid_from, row.valid_to]) {
        if (date !== null) expect(new Date(String(date)).toISOString().slice(0, 10)).toBe(date)
      }
    }
    expectNoOverlap(dated, keyOf)
  })
})

describe('the catalogs together', () => {
  it('have a schema each, and the thirteen of the specification are there', () => {
    const schemas = readdirSync(new URL('schemas/', FOLDER)).map((file) => file.replace('.schema.json', ''))
    expect(schemas.sort()).toEqual(files.toSorted())
    expect(files).toEqual(expect.arrayContaining([...CATALOG_NAMES]))
  })

  it('have code, name and English name in each row of the thirteen', () => {
    for (const name of CATALOG_NAMES) {
      for (const row of load(name).rows) {
        // English names of countries are a catalog of their own (country-names-en); provinces have none.
        for (const field of ['countries', 'subdivisions'].includes(name)
          ? ['code', 'name']
          : ['code', 'name', 'name_en'])
          expect(row[field], name).toBeTypeOf('string')
      }
    }
  })

  it.each([
    ['countries', 249],
    ['subdivisions', 52],
    ['units', 36],
    ['payment-methods', 19],
    ['correction-reasons', 25],
    ['tax-groups', 3],
    ['tax-treatments', 4],
    ['invoice-types', 5],
    ['non-taxable-reasons', 2],
    ['non-deductible-reasons', 10],
    ['country-currencies', 249],
    ['communities', 19],
    ['facturae-roles', 9],
    ['holidays', 80],
  ])('%s has %i rows', (name, count) => {
    expect(load(name).rows.length).toBe(count)
  })

  it('number methods, reasons, units and types without a gap', () => {
    for (const name of ['payment-methods', 'correction-reasons', 'units', 'invoice-types']) {
      const codes = load(name).rows.map((row) => row.code)
      expect(codes).toEqual(codes.map((_, i) => String(i + 1).padStart(2, '0')))
    }
  })

  it('have twenty-seven member states today', () => {
    const members = load('countries').rows.filter((row) => row.eu_joined !== null && row.eu_left === null)
    expect(members.length).toBe(27)
    expect(members.every((row) => row.vat_prefix !== null)).toBe(true)
    const standard = load('eu-vat-rates').rows.filter(
      (row) => row.type === 'standard' && row.region === null && inForce(row),
    )
    expect(standard.map((row) => row.country)).toEqual(members.map((row) => row.code))
  })

  it('have the rates of the specification today', () => {
    expect(rates('IVA')).toEqual([21, 10, 4, 0])
    expect(rates('IGIC').reverse()).toEqual([0, 3, 7, 9.5, 13.5, 20, 35])
    expect(rates('IRPF').sort()).toEqual([15, 19, 7])
    expect(rates('IPSI').reverse()).toEqual([0.5, 1, 2, 4, 8, 10])
  })

  it('have one standard rate per state and day', () => {
    const standard = load('eu-vat-rates').rows.filter((row) => row.type === 'standard')
    expectNoOverlap(standard, (row) => `${row.country} ${row.region}`)
  })

  it('give a VAT rate on every day on which they give a surcharge for it', () => {
    const iva = load('tax-rates').rows.filter((row) => row.tax_group_code === 'IVA')
    for (const pair of load('equivalence-surcharges').rows) {
      const covered = iva.some(
        (rate) =>
          rate.percent === pair.percent &&
          String(rate.valid_from) <= String(pair.valid_from) &&
          String(rate.valid_to ?? '9999') >= String(pair.valid_to ?? '9999'),
      )
      expect(covered, JSON.stringify(pair)).toBe(true)
    }
  })

  it('give each alias to one unit, in lower case', () => {
    const aliases = load('units').rows.flatMap((row) => row.aliases as string[])
    expect(new Set(aliases).size).toBe(aliases.length)
    expect(aliases.filter((alias) => alias !== alias.trim().toLowerCase())).toEqual([])
    expect(aliases.filter((alias) => /^\d\d$/.test(alias))).toEqual([])
    expect(aliases).toEqual(expect.arrayContaining(['ud', 'uds', 'unidades']))
  })

  it('give each alpha-3 and numeric code to one country', () => {
    for (const field of ['alpha3', 'numeric']) {
      expect(new Set(load('countries').rows.map((row) => row[field])).size).toBe(249)
    }
  })

  it('refer to rows that exist', () => {
    const codes = (name: string) => new Set(load(name).rows.map((row) => row.code))
    const countries = codes('countries')
    for (const name of ['country-currencies', 'eu-vat-rates', 'eu-vat-special-territories']) {
      for (const row of load(name).rows)
        expect(countries.has(row.country), `${name} ${row.country}`).toBe(true)
    }
    const currencies = new Map(load('currencies').rows.map((row) => [row.code, row]))
    for (const row of load('country-currencies').rows) {
      expect(currencies.get(row.currency)?.status, String(row.country)).toBe('active')
    }
    const communities = codes('communities')
    for (const row of load('subdivisions').rows) expect(communities.has(row.community_code)).toBe(true)
    const provinces = load('communities').rows.flatMap((row) => row.provinces as string[])
    expect(provinces.toSorted()).toEqual([...codes('subdivisions')].sort())
  })

  it('mark the territories where VAT does not apply', () => {
    const outside = load('subdivisions').rows.filter((row) => row.is_tai === false)
    expect(outside.map((row) => row.code)).toEqual(['ES-CE', 'ES-GC', 'ES-ML', 'ES-TF'])
    for (const row of load('subdivisions').rows) expect(row.is_tai).toBe(row.tax_group_code === 'IVA')
  })
})
