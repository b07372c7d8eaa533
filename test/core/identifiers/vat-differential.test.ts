/** Compares every structure of the table with `jsvat` and `stdnum`, for all values of the check characters. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkTaxId } from '#core/identifiers/index.ts'
import { setMissing, suite } from '../../needs.ts'
import { DISAGREEMENTS } from './disagreements.ts'
import { digits } from './generate.ts'

const missing = setMissing('peers')
// Both libraries are taken apart as soon as this is loaded.
const { oracle } = missing ? ({} as typeof import('./oracles.ts')) : await import('./oracles.ts')

/** Templates per structure; each is tried with all values of its check characters. */
const RUNS = 100

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
const month = fc
  .tuple(fc.constantFrom(0, 20, 40, 50, 70), fc.nat(13))
  .map(([era, value]) => two0(era + value))
const two0 = (value: number) => String(value).padStart(2, '0')
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((list) => list.join(''))
const some = (...values: string[]) => fc.constantFrom(...values)

/** `?` marks the places that take every digit (or letter, `@`) in turn. */
const SHAPES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  AT: joined(some('U'), digits(7), some('?')),
  BE: joined(some('0', '1'), digits(7), some('??')),
  BG: fc.oneof(
    joined(digits(8), some('?')),
    joined(digits(9), some('?')),
    joined(two(99), month, two(33), digits(3), some('?')),
  ),
  CY: joined(digits(8), some('@')),
  CZ: fc.oneof(
    joined(digits(7), some('?')),
    joined(some('6'), digits(7), some('?')),
    joined(two(99), month, two(33), digits(2), some('?')),
    joined(two(99), month, two(33), digits(3), some('?')),
  ),
  DE: joined(digits(8), some('?')),
  DK: joined(digits(7), some('?')),
  EE: joined(some('10', ''), digits(6), some('?')).chain((body) => some(body, `3${body}`, `31${body}`)),
  EL: joined(digits(8), some('?')),
  FI: joined(digits(7), some('?')),
  FR: fc.oneof(
    joined(some('??'), digits(9)),
    joined(letter, some('?'), digits(9)),
    joined(
      some('?@', '@?', '@@').map((key) => key.replace('@@', 'Z@')),
      digits(9),
    ),
  ),
  HR: joined(digits(10), some('?')),
  HU: joined(digits(7), some('?')),
  IE: fc.oneof(
    joined(digits(7), some('@')),
    joined(
      digits(7),
      some('@'),
      some('A', 'H', 'W').chain((end) => fc.oneof(some(end), letter)),
    ),
    joined(digits(1), fc.oneof(letter, some('+', '*')), digits(5), some('@')),
  ),
  IT: joined(
    digits(7),
    fc.oneof(digits(3), joined(some('0', '1'), digits(2)), some('888', '999')),
    some('?'),
  ),
  LT: fc.oneof(joined(digits(7), some('1?')), joined(digits(10), some('1?')), joined(digits(7), some('??'))),
  LU: joined(digits(6), some('??')),
  LV: fc.oneof(joined(digits(10), some('?')), joined(two(35), two(14), digits(6), some('?'))),
  MT: joined(digits(6), some('??')),
  NL: joined(digits(9), some('B??')),
  PL: joined(digits(9), some('?')),
  PT: joined(digits(8), some('?')),
  RO: fc.integer({ min: 1, max: 9 }).chain((length) => joined(digits(length), some('?'))),
  SE: joined(digits(9), some('?01')),
  SI: joined(digits(7), some('?')),
  SK: joined(digits(9), some('?')),
  XI: fc.oneof(
    joined(digits(7), some('??')),
    joined(digits(7), some('??123')),
    joined(some('GD', 'HA'), digits(2), some('?')),
  ),
}

const expand = (shape: string): string[] => {
  const at = shape.search(/[?@]/)
  if (at < 0) return [shape]
  const values = shape[at] === '?' ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  return [...values].flatMap((value) => expand(shape.slice(0, at) + value + shape.slice(at + 1)))
}

const named = (prefix: string, body: string, we: 'refuses' | 'accepts', library?: string): boolean =>
  DISAGREEMENTS.some(
    (row) => row.prefix === prefix && row.we === we && row.library === library && row.where.test(body),
  )

/** Sentences about `body` that no named disagreement covers. */
const surprises = (prefix: string, body: string): string[] => {
  const ours = checkTaxId(prefix + body).valid
  const accepting = (['jsvat', 'stdnum'] as const).filter((library) => oracle[library](prefix, body))
  if (!ours) {
    const unnamed = accepting.filter((library) => !named(prefix, body, 'refuses', library))
    // A body of zeros satisfies the arithmetic of most member states and is never assigned.
    return /[1-9]/.test(body) && body !== '000000000001'
      ? unnamed.map((library) => `${library} accepts ${prefix}${body}`)
      : []
  }
  const alone = accepting.length === 0 && !named(prefix, body, 'accepts')
  return alone ? [`no library accepts ${prefix}${body}`] : []
}

suite('EU VAT numbers against jsvat and stdnum', missing, () => {
  for (const [prefix, shape] of Object.entries(SHAPES)) {
    it(`${prefix}: valid here means valid in a library and the reverse, but for the named disagreements`, () => {
      let valid = 0
      fc.assert(
        fc.property(shape, (template) => {
          for (const body of expand(template)) {
            expect(surprises(prefix, body)).toEqual([])
            if (checkTaxId(prefix + body).valid) valid++
          }
        }),
        { numRuns: RUNS },
      )
      expect(valid).toBeGreaterThan(20)
    })
  }

  for (const { prefix, we, library, why, where, example } of DISAGREEMENTS) {
    const who = we === 'refuses' ? `${library} accepts` : 'no library accepts'
    it(`${prefix}: ${who} ${example} (${why})`, () => {
      expect(where.test(example)).toBe(true)
      expect(checkTaxId(prefix + example).valid).toBe(we === 'accepts')
      if (library !== undefined) expect(oracle[library](prefix, example)).toBe(true)
      else expect([oracle.jsvat(prefix, example), oracle.stdnum(prefix, example)]).toEqual([false, false])
    })
  }

  const WIDER = { BE: '1913093683', CY: '12203693S', EE: '883428388', IE: '6E14364B', MT: '71461049' }
  it('a number that only one library accepts is accepted', () => {
    for (const [prefix, body] of Object.entries({ ...WIDER, SK: '2555112252', XI: '288603874' })) {
      expect(checkTaxId(prefix + body).valid, prefix + body).toBe(true)
      expect(oracle.jsvat(prefix, body), prefix + body).toBe(false)
      expect(oracle.stdnum(prefix, body), prefix + body).toBe(true)
    }
    for (const [prefix, body] of Object.entries({ BG: '832211180', CZ: '617168839', PL: '7210755270' })) {
      expect(checkTaxId(prefix + body).valid, prefix + body).toBe(true)
      expect(oracle.jsvat(prefix, body), prefix + body).toBe(true)
      expect(oracle.stdnum(prefix, body), prefix + body).toBe(false)
    }
  })
})
