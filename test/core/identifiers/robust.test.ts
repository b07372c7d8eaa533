import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import * as identifiers from '#core/identifiers/index.ts'
import { cif, dni, nie, spanishLike, untidy } from './generate.ts'
import eu from './vectors/eu-vat.json' with { type: 'json' }
import iban from './vectors/iban.json' with { type: 'json' }

const { checkIban, checkTaxId } = identifiers

const vats = eu.by_country.flatMap((row) => row.valid)
const prefixes = ['ES', 'EL', 'GR', 'XI', 'GB', 'FR', 'DE', 'NL', 'IE', 'U', '']

/** Text near a real identifier: the mistakes that people and fuzzers make. */
const nearly = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'ESFRGLXI0123459ABU -./ſßñ\u{1f600}'), maxLength: 40 }),
  fc
    .tuple(fc.constantFrom(...prefixes), fc.constantFrom(...prefixes), fc.oneof(dni, nie, cif, spanishLike))
    .map((parts) => parts.join('')),
  fc.constantFrom(...vats, ...iban.examples).chain(untidy),
)

const countries = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(...eu.by_country.map((row) => row.country), 'EL', 'XI', 'GB', 'US', 'ZZ'),
  fc.string({ maxLength: 4 }),
)

const consistent = (check: { valid: boolean; reason: string | null; normalized: string }): void => {
  expect(check.valid).toBe(check.reason === null)
  expect(check.normalized.length).toBeLessThanOrEqual(128)
}

describe('any value', () => {
  it('gets a result and never throws, whether JSON or not', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything(), nearly), countries, (value, country) => {
        consistent(checkTaxId(value, country))
        consistent(checkIban(value))
        consistent(checkTaxId('A58818501', value as string))
      }),
      { numRuns: 2000 },
    )
  })

  it('that is not a string is refused with reason type', () => {
    for (const value of [undefined, null, 12345678, true, {}, [], Symbol('id'), 10n, ['A58818501']]) {
      expect(checkTaxId(value)).toMatchObject({ valid: false, reason: 'type', normalized: '' })
      expect(checkIban(value)).toMatchObject({ valid: false, reason: 'type', normalized: '' })
    }
  })

  it('of a million characters is refused without reading it', () => {
    for (const value of ['A', '1', ' ', '-', 'ES'].map((unit) => unit.repeat(1_000_000))) {
      for (const country of [undefined, 'ES', 'FR', 'US', value]) {
        expect(checkTaxId(value, country)).toMatchObject({ valid: false, reason: 'length', normalized: '' })
      }
      expect(checkIban(value)).toMatchObject({ valid: false, reason: 'length', normalized: '' })
    }
  })
})

describe('normalisation', () => {
  it('is idempotent, and what is valid stays valid', () => {
    fc.assert(
      fc.property(nearly, countries, (value, country) => {
        const once = checkTaxId(value, country)
        const twice = checkTaxId(once.normalized, country)
        expect(twice.normalized).toBe(once.normalized)
        if (once.valid) expect(twice).toEqual(once)
        const account = checkIban(value)
        expect(checkIban(account.normalized).normalized).toBe(account.normalized)
      }),
      { numRuns: 5000 },
    )
  })

  it('gives the same result for a member state named by country or by prefix', () => {
    for (const vat of vats)
      expect(checkTaxId(vat, required(checkTaxId(vat).country))).toEqual(checkTaxId(vat))
  })
})

describe('documented examples', () => {
  const EXAMPLE = /^ \* (\w+\(.+) \/\/ => (.+)$/gm
  const names = Object.keys(identifiers)

  it('give the value that their comment promises', () => {
    let count = 0
    for (const file of ['tax-id', 'iban', 'spanish-ids']) {
      const source = readFileSync(
        new URL(`../../../src/core/identifiers/${file}.ts`, import.meta.url),
        'utf8',
      )
      for (const [, expression, value] of source.matchAll(EXAMPLE)) {
        const run = new Function(...names, `return [${expression}, ${value}]`)
        const [actual, expected] = run(...Object.values(identifiers))
        expect(actual, expression).toBe(expected)
        count++
      }
    }
    expect(count).toBe(14)
  })
})
