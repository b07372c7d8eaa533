/** Tests that the built-in UTF-8 encoder gives the bytes of a host's encoder. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encode } from '#records/verifactu/model/hash.ts'

it('gives the bytes of the host for any text, lone surrogates included', () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes))
  fc.assert(
    fc.property(fc.oneof(units, fc.string({ unit: 'binary' })), (text) => {
      const bytes = new Uint8Array(text.length * 3)
      expect(bytes.subarray(0, encode(text, bytes))).toEqual(new TextEncoder().encode(text))
    }),
    { numRuns: 1000 },
  )
})
