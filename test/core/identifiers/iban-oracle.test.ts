import fc from 'fast-check'
import { countrySpecs, isValidIBAN } from 'ibantools'
import { describe, expect, it } from 'vitest'
import ibanLengths from '#catalogs/iban-lengths.json' with { type: 'json' }
import { ibanLength } from '#core/identifiers/iban-lengths.ts'
import { checkIban } from '#core/identifiers/index.ts'

describe('IBAN lengths', () => {
  it('are those of the catalog iban-lengths for each country', () => {
    for (const { country, length } of ibanLengths.rows) expect(ibanLength(country), country).toBe(length)
  })

  it('cover exactly the countries that ibantools gives a length for', () => {
    for (const [country, { chars }] of Object.entries(countrySpecs))
      expect(ibanLength(country), country).toBe(chars ?? undefined)
  })
})

describe('checkIban', () => {
  const SPANISH = fc.stringMatching(/^[0-9]{20}$/)
  const spaced = (account: string) => {
    let rest = 0
    for (const digit of `${account}142800`) rest = (rest * 10 + Number(digit)) % 97
    return `ES${String(98 - rest).padStart(2, '0')}${account}`
  }

  it('agrees with ibantools on Spanish accounts with correct IBAN digits, whatever their national digits', () => {
    fc.assert(
      fc.property(SPANISH, (account) => {
        expect(checkIban(spaced(account)).valid).toBe(isValidIBAN(spaced(account)))
      }),
      { numRuns: 2000 },
    )
  })

  it('agrees with ibantools on arbitrary German numbers', () => {
    const number = fc.stringMatching(/^DE[0-9]{20}$/)
    fc.assert(
      fc.property(number, (iban) => {
        expect(checkIban(iban).valid).toBe(isValidIBAN(iban))
      }),
      { numRuns: 2000 },
    )
  })
})
