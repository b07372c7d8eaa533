/** Tests that the fast path of the audit finds the same as the full audit for any single change. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { spanishTimestamp } from '../../src/fiscal/timestamp.ts'
import { type FiscalRecord, linkOf, verifyChain } from '../../src/verifactu/index.ts'
import { sized } from '../size.ts'
import { alta } from './records.ts'

const START = Date.UTC(2027, 0, 15, 9)
const COUNT = 12

const CHAIN: any[] = []
for (let i = 0; i < COUNT; i++)
  CHAIN.push(
    alta((r: any) => {
      r.IDFactura.NumSerieFactura = `A-${i}`
      r.Encadenamiento =
        CHAIN.length > 0 ? { RegistroAnterior: linkOf(CHAIN.at(-1)) } : { PrimerRegistro: 'S' }
      r.FechaHoraHusoGenRegistro = spanishTimestamp(START + i * 10_000)
    }),
  )

/** Returns the paths of all leaves of a record. */
const leaves = (value: any, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap((key) => leaves(value[key], [...path, key]))
    : [path]

const PATHS = leaves(CHAIN[5])
const change = (record: any, path: string[], value: unknown): any => {
  const copy = structuredClone(record)
  let at = copy
  for (const step of path.slice(0, -1)) at = at[step]
  if (value === undefined) delete at[required(path.at(-1))]
  else at[required(path.at(-1))] = value
  return copy
}

/** With `split` the audit never takes the fast path. */
const full = (records: FiscalRecord[]) => verifyChain(records, { split: true })

describe('the fast path of the audit', () => {
  it('finds the same as the full audit in any record and field, and never throws', () => {
    const values = fc.constantFrom<unknown>(
      undefined,
      null,
      5,
      '',
      ' ',
      'x',
      'F2',
      '1.00',
      '2027-01-15T10:00:01+01:00',
      'F'.repeat(64),
      {},
      [],
      true,
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: COUNT - 1 }),
        fc.constantFrom(...PATHS),
        values,
        (at, path, value) => {
          const records = CHAIN.map((record, i) => (i === at ? change(record, path, value) : record))
          const short = verifyChain(records)
          const slow = full(records)
          // Another owner starts a new chain with `split`, and is a finding without it.
          const own = (items: readonly { code: string; path: string }[]) =>
            items
              .filter(({ code }) => code !== 'chain.other_chain')
              .map(({ code, path: place }) => `${code} ${place}`)
          if (slow.chains === 1) expect(own(short.items)).toEqual(own(slow.items))
          else expect(short.items.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: sized(100, 1500, 20_000) },
    )
  })

  it('finds the same as the full audit in any order, with any records missing or repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(COUNT - 1), { maxLength: 16 }), (order) => {
        const records = order.map((i) => CHAIN[i])
        const short = verifyChain(records)
        expect(short.items).toEqual(full(records).items)
        // A repeated record is reported and ignored.
        const once = [...new Set(order)]
        expect(short.valid).toBe(once.every((index, i) => index === i))
        expect(short.items.filter(({ code }) => code === 'chain.given_twice')).toHaveLength(
          order.length - once.length,
        )
        expect(short.last).toEqual(full(records).last)
      }),
      { numRuns: sized(100, 1500, 20_000) },
    )
  })
})
