/** Spanish ids against `jsvat` and `stdnum`. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkTaxId } from '#core/identifiers/index.ts'
import { setMissing, suite } from '../../needs.ts'
import { CIF_LETTERS, cif, cifControl, dni, klm, nie, spanishLike } from './generate.ts'

const missing = setMissing('peers')
// Both libraries are taken apart as soon as this is loaded.
const { oracle } = missing ? ({} as typeof import('./oracles.ts')) : await import('./oracles.ts')

/** Templates per property; each is tried with all 36 control characters. */
const RUNS = 300

const jsvat = (id: string) => oracle.jsvat('ES', id)
const stdnum = (id: string) => oracle.stdnum('ES', id)

/** All ids that differ from `id` in the last character. */
const siblings = (id: string): string[] =>
  [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((control) => id.slice(0, 8) + control)

const entityLetter = (id: string): boolean => CIF_LETTERS[cifControl(id.slice(1, 8))] === id[8]

/** The libraries know one formula for K, L and M, the letter of a DNI; the entity letter circulates too. */
const secondFormula = (id: string): boolean => /^[KLM]/.test(id) && entityLetter(id)

/** jsvat refuses letters after U and V, digits after the first letters of neither group. */
const formOf = (id: string): boolean => /^[A-W]\d{7}[\dA-J]$/.test(id)

const ids = fc.oneof(dni, nie, klm, cif, spanishLike)

suite('Spanish ids against jsvat and stdnum', missing, () => {
  it('an id valid here is valid in stdnum, except by the second formula of K, L and M', () => {
    fc.assert(
      fc.property(ids, (start) => {
        for (const id of siblings(start)) {
          if (checkTaxId(id).valid && !secondFormula(id)) expect(stdnum(id), id).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it("an id valid in stdnum is valid here, except for the form of an entity's control character and 00000000T", () => {
    fc.assert(
      fc.property(ids, (start) => {
        for (const id of siblings(start)) {
          const { valid, reason } = checkTaxId(id)
          if (stdnum(id) && !valid) expect(['control_form', 'placeholder'], id).toContain(reason)
        }
      }),
      { numRuns: RUNS },
    )
    expect([stdnum('00000000T'), jsvat('00000000T'), checkTaxId('00000000T').valid]).toEqual([
      true,
      true,
      false,
    ])
    expect([stdnum('A5881850A'), checkTaxId('A5881850A').valid]).toEqual([true, false])
  })

  it('jsvat agrees on every person, except for the second formula and 00000000T', () => {
    fc.assert(
      fc.property(fc.oneof(dni, nie, klm), (start) => {
        for (const id of siblings(start)) {
          if (!secondFormula(id)) expect(jsvat(id), id).toBe(checkTaxId(id).valid)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it("jsvat agrees on the value of every entity's control character, and differs only in its form", () => {
    fc.assert(
      fc.property(cif, (start) => {
        for (const id of siblings(start).filter(formOf)) {
          if (jsvat(id)) expect([null, 'control_form'], id).toContain(checkTaxId(id).reason)
        }
      }),
      { numRuns: RUNS },
    )
    expect([jsvat('A5881850A'), checkTaxId('A5881850A').reason]).toEqual([true, 'control_form'])
    expect([jsvat('U2687761C'), checkTaxId('U2687761C').valid]).toEqual([false, true])
  })
})
