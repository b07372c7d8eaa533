import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { checkIban } from '#core/identifiers/index.ts'
import { shared } from '../../shared.ts'
import { digits } from './generate.ts'
import iban from './vectors/iban.json' with { type: 'json' }

/** ISO 7064 MOD 97-10 with BigInt, independent of the library. */
const withCheckDigits = (country: string, account: string): string => {
  const text = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return country + String(98n - (BigInt(text) % 97n)).padStart(2, '0') + account
}

const control = (number: string): number => {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
  const sum = [...number.padStart(10, '0')].reduce(
    (total, digit, i) => total + Number(digit) * required(weights[i]),
    0,
  )
  const rest = 11 - (sum % 11)
  return rest === 11 ? 0 : rest === 10 ? 1 : rest
}

const spanishAccount = fc.tuple(digits(8), digits(10)).map(([bank, account]) => {
  return `${bank}${control(bank)}${control(account)}${account}`
})

const agreeing = iban.accounts.filter((row) => checkIban(row.iban).valid === row.valid)

describe('account numbers', () => {
  it(`iban-vectors: ${agreeing.length} of ${iban.accounts.length} agree`, () => {
    expect(iban.accounts.filter((row) => !agreeing.includes(row))).toEqual([])
    expect(iban.accounts.length).toBe(28)
  })

  it(`the ${iban.examples.length} examples of the registry are accepted`, () => {
    const refused = iban.examples.map((example) => checkIban(example)).filter((check) => !check.valid)
    expect(refused.map((check) => `${check.country} ${check.reason}`)).toEqual([])
  })

  it('every country of the catalog is known, and only its length is accepted', () => {
    for (const [country, length] of Object.entries(iban.lengths)) {
      expect(checkIban(country + '0'.repeat(length - 1)), country).toMatchObject({
        country,
        reason: 'length',
      })
      expect(checkIban(country + '0'.repeat(length - 3)), country).toMatchObject({
        country,
        reason: 'length',
      })
    }
  })

  it('generated Spanish accounts are accepted, and the change of any one digit is detected', () => {
    fc.assert(
      fc.property(spanishAccount, fc.nat(21), fc.integer({ min: 1, max: 9 }), (account, place, step) => {
        const right = withCheckDigits('ES', account)
        expect(checkIban(right)).toEqual({ valid: true, normalized: right, country: 'ES', reason: null })
        const at = place + 2
        const wrong = right.slice(0, at) + ((Number(right[at]) + step) % 10) + right.slice(at + 1)
        expect(checkIban(wrong).reason, wrong).toBe('control')
      }),
    )
  })

  it('wrong Spanish control digits inside a correct IBAN are refused as national_control', () => {
    fc.assert(
      fc.property(
        spanishAccount,
        fc.constantFrom(8, 9),
        fc.integer({ min: 1, max: 9 }),
        (account, at, step) => {
          const wrong = account.slice(0, at) + ((Number(account[at]) + step) % 10) + account.slice(at + 1)
          expect(checkIban(withCheckDigits('ES', wrong)).reason).toBe('national_control')
        },
      ),
    )
  })

  it('each failure has its reason', () => {
    const reasons = { '': 'empty', XX9121000418450200051332: 'unknown_country', ES912: 'length' }
    for (const [value, reason] of Object.entries(reasons)) expect(checkIban(value).reason, value).toBe(reason)
    expect(checkIban('ES91210004184502000513AB').reason).toBe('format')
    expect(checkIban('ESAA21000418450200051332').reason).toBe('format')
    expect(checkIban('FR14\u{1f600}0410100505000013M02606').reason).toBe('format')
    expect(checkIban('ES9121000418450200051333').reason).toBe('control')
    expect(checkIban('ES9121000418450200051333').country).toBe('ES')
  })
})

const reference = shared('reference/catalogs/')
const present = existsSync(reference)
const why = present ? '' : ' (skipped: no reference folder beside the project)'

describe('the copies of the vectors', () => {
  it.skipIf(!present)(`hold the same accounts and lengths as the reference${why}`, () => {
    const read = (path: string) => JSON.parse(readFileSync(new URL(path, reference), 'utf8'))
    const accounts = (rows: { iban: string }[]) => rows.map((row) => row.iban)
    expect(accounts(iban.accounts)).toEqual(accounts(read('iban-vectors.json')))
    const lengths: { country: string; length: number }[] = read('iban-lengths.json')
    expect(Object.entries(iban.lengths)).toEqual(lengths.map((row) => [row.country, row.length]))
  })
})
