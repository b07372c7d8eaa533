/** Tests that the audit finds the same with blanks around values, for any change and any order of records. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { spanishTimestamp } from '#records/fiscal/timestamp.ts'
import {
  type ChainOptions,
  type FiscalRecord,
  hashOf,
  linkOf,
  verifyChain,
} from '#records/verifactu/index.ts'
import { setAll, setTo } from '../../put.ts'
import { sized } from '../../size.ts'
import type { Change, Loose } from './invoice.ts'
import { alta, anulacion } from './records.ts'

const START = Date.UTC(2027, 0, 15, 9)
const COUNT = 12
const OTHER = 'B77777779'

/** Returns a registration after `previous`, modified by `change`. */
const after = (previous: Loose, number: string, seconds: number, change: Change = () => {}): Loose =>
  alta((r) => {
    r.IDFactura.NumSerieFactura = number
    r.Encadenamiento = previous ? { RegistroAnterior: linkOf(previous) } : { PrimerRegistro: 'S' }
    r.FechaHoraHusoGenRegistro = spanishTimestamp(START + seconds * 1000)
    change(r)
  })

/** Returns `count` registrations after `previous`. */
const run = (previous: Loose, series: string, count: number, seconds: number, change?: Change) => {
  const records: Loose[] = []
  for (let i = 0; i < count; i++)
    records.push(after(records.at(-1) ?? previous, `${series}-${i}`, seconds + i * 10, change))
  return records
}

const CHAIN = run(undefined, 'A', COUNT, 0)
const POSITION = 5
const CHANGED = CHAIN[POSITION]

/** Returns the paths of all blocks and leaves of a record. */
const paths = (value: Loose, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.keys(value).flatMap((key) => paths(value[key], [...path, key]))]
    : [path]

const change = (record: Loose, path: string[], value: (own: unknown) => unknown): Loose => {
  const copy = structuredClone(record)
  let at = copy
  for (const step of path.slice(0, -1)) at = at[step]
  const last = required(path.at(-1))
  at[last] = value(at[last])
  if (at[last] === undefined) delete at[last]
  return copy
}

/** Audits the records with a blank after one text of each, which the authority trims. */
const withBlanks = (records: readonly FiscalRecord[], options: ChainOptions = {}) =>
  verifyChain(
    records.map((record: Loose) => {
      const { RegistroAlta: own } = record ?? {}
      const text = ['TipoFactura', 'CuotaTotal', 'Huella'].find((name) => typeof own?.[name] === 'string')
      return text === undefined ? record : { RegistroAlta: { ...own, [text]: `${own[text]} ` } }
    }),
    options,
  )

const withHash = (record: Loose): Loose => {
  try {
    return { RegistroAlta: { ...record.RegistroAlta, Huella: hashOf(record) } }
  } catch {
    return record
  }
}

describe('the audit', () => {
  it('finds the same with blanks for every change of a field or block, with and without its hash', () => {
    const values: ((own: Loose) => unknown)[] = [
      ...[undefined, null, 5, '', 'x', 'F2', '1.00', '03', '2027-01-15T10:00:41+01:00', {}, [], [null]].map(
        (value) => () => value,
      ),
      (own) => ` ${own}`,
      (own) => `${own} `,
      (own) => String(own).toLowerCase(),
    ]
    for (const path of paths(CHANGED).slice(1))
      for (const value of values) {
        const changed = change(CHANGED, path, value)
        for (const record of [changed, withHash(changed)]) {
          const records = CHAIN.slice(0, 8).with(POSITION, record)
          expect(verifyChain(records), path.join('/')).toEqual(withBlanks(records))
        }
      }
  })

  it('finds the same with blanks in any order of records of several owners, with forks, reused numbers and a rewound clock', () => {
    const ofOther = setTo('IDFactura/IDEmisorFactura', OTHER)
    const elsewhere = setTo('SistemaInformatico/NumeroInstalacion', '2')
    const fork = run(CHAIN[3], 'B', 3, 35)
    const merged = run(CHAIN[5], 'C', 3, 55, ofOther)
    const again = run(merged.at(-1), 'A', 3, 80)
    const installed = run(CHAIN[7], 'D', 2, 75, elsewhere)
    const back = run(installed.at(-1), 'E', 2, 95)
    const cancelled = anulacion(
      setAll({
        'IDFactura/NumSerieFacturaAnulada': 'A-9',
        Encadenamiento: { RegistroAnterior: linkOf(CHAIN[9]) },
        FechaHoraHusoGenRegistro: spanishTimestamp(START + 95_000),
      }),
    )
    const reused = run(cancelled, 'A', 2, 100)
    const late = run(CHAIN.at(-1), 'L', 2, 50)
    const pool = [
      ...CHAIN,
      ...late,
      ...fork,
      ...merged,
      ...again,
      ...installed,
      ...back,
      cancelled,
      ...reused,
    ]
    const runs = fc.array(
      fc.record({ from: fc.nat(pool.length - 1), length: fc.integer({ min: 1, max: 6 }) }),
      { maxLength: 6 },
    )
    const options = fc.constantFrom<ChainOptions>(
      {},
      { chain_continues: true },
      { now: spanishTimestamp(START + 15_000) },
      { after: linkOf(CHAIN[4]) },
    )
    fc.assert(
      fc.property(runs, options, (chosen, how) => {
        const records = chosen.flatMap(({ from, length }) => pool.slice(from, from + length))
        const report = verifyChain(records, how)
        expect(report).toEqual(withBlanks(records, how))
        const places = report.items.map(({ extra }) => Number(required(extra).record))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }),
      { numRuns: sized(300, 1500, 20_000) },
    )
  })

  it('finds the record that it continues after when that record is passed again', () => {
    const { items } = verifyChain(CHAIN.slice(0, 5), { after: linkOf(CHAIN[4]) })
    expect(items.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'chain.first_again /0/RegistroAlta/Encadenamiento/PrimerRegistro',
      'chain.given_twice /4/RegistroAlta',
    ])
  })

  it('finds nothing but repeated records in a whole chain, in the right order, and something in any other', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(COUNT - 1), { maxLength: 16 }), (order) => {
        const records = order.map((i) => CHAIN[i])
        const report = verifyChain(records)
        expect(report).toEqual(withBlanks(records))
        // A repeated record is reported and ignored.
        const once = [...new Set(order)]
        expect(report.valid).toBe(once.every((index, i) => index === i))
        expect(report.items.filter(({ code }) => code === 'chain.given_twice')).toHaveLength(
          order.length - once.length,
        )
      }),
      { numRuns: sized(100, 1500, 20_000) },
    )
  })
})
