import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkTaxId } from '#core/identifiers/index.ts'
import { shared } from '../../shared.ts'
import eu from './vectors/eu-vat.json' with { type: 'json' }
import spanish from './vectors/spanish.json' with { type: 'json' }

const spanishAgrees = [
  ...spanish.valid.map((row) => {
    const { valid, kind, normalized, person_type_code, country } = checkTaxId(row.id)
    const same =
      kind === row.kind && normalized === row.normalized && person_type_code === row.person_type_code
    return { id: row.id, agrees: valid && same && country === 'ES' }
  }),
  ...spanish.invalid.map((row) => ({ id: row.id, agrees: !checkTaxId(row.id).valid })),
]

const euAgrees = eu.numbers.map((row) => {
  const check = checkTaxId(row.vat)
  const same = check.valid === row.valid && (!row.valid || check.country === row.country)
  return { id: row.vat, agrees: same }
})

const rows = [...spanishAgrees, ...euAgrees]
const agreeing = rows.filter((row) => row.agrees)

describe('published vectors', () => {
  it(`ids-vectors: ${agreeing.length} of ${rows.length} agree`, () => {
    expect(rows.filter((row) => !row.agrees)).toEqual([])
    expect(rows.length).toBe(84)
  })

  it('a Spanish id of the right value in the wrong form is refused with control_form', () => {
    for (const row of spanish.invalid.filter((entry) => entry.level === 'strict')) {
      expect(checkTaxId(row.id), row.id).toMatchObject({ valid: false, kind: 'CIF', reason: 'control_form' })
    }
  })

  const byCountry = eu.by_country
  const count = byCountry.reduce((sum, row) => sum + row.valid.length + row.invalid.length, 0)

  it(`eu-vat-number-formats: ${count} numbers of 27 members, with prefix, without it, and with the country`, () => {
    expect(byCountry.length).toBe(27)
    for (const { country, valid, invalid } of byCountry) {
      for (const vat of valid) {
        const normalized = country === 'ES' ? vat.slice(2) : vat
        const expected = { valid: true, country, normalized, reason: null }
        expect(checkTaxId(vat), vat).toMatchObject(expected)
        expect(checkTaxId(vat, country), vat).toMatchObject(expected)
        expect(checkTaxId(vat.slice(2), country), vat).toMatchObject(expected)
        expect(checkTaxId(vat.toLowerCase().replace(/(..)/g, '$1 '), country), vat).toMatchObject(expected)
      }
      for (const { number } of invalid) {
        expect(checkTaxId(number).valid, number).toBe(false)
        expect(checkTaxId(number.slice(2), country).valid, number).toBe(false)
      }
    }
  })
})

const reference = shared('reference/')
const present = existsSync(reference)
const why = present ? '' : ' (skipped: no reference folder beside the project)'

describe('the copies of the vectors', () => {
  it.skipIf(!present)(`hold the same ids as the reference${why}`, () => {
    const read = (path: string) => JSON.parse(readFileSync(new URL(path, reference), 'utf8'))
    const ids = read('tax/ids-vectors.json')
    expect(spanish).toEqual({ valid: ids.spanish_valid, invalid: ids.spanish_invalid })
    expect(eu.numbers).toEqual(ids.eu_vat)
    const formats: { country: string; valid: string[] }[] = read('catalogs/eu-vat-number-formats.json')
    expect(eu.by_country.map((row) => row.valid)).toEqual(formats.map((row) => row.valid))
  })
})
