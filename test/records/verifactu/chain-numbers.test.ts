/** Tests of what an audit remembers of a long chain, and of the limits of its memory and its search. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '#records/verifactu/chain/chain-entry.ts'
import { Memory, MIN_REMEMBERED_RECORDS } from '#records/verifactu/chain/chain-memory.ts'
import { Chain } from '#records/verifactu/chain/state.ts'
import { changedFieldOf } from '#records/verifactu/chain/suspects.ts'
import { portableSha256, recordHash } from '#records/verifactu/model/hash.ts'

const RING = 2 * MIN_REMEMBERED_RECORDS

/** Compares the memory with a plain search of the last `RING` numbers from the end. */
const agree = (numbers: readonly string[]): void => {
  const memory = new Memory()
  const last = new Map<string, number>()
  numbers.forEach((number, place) => {
    const before = last.get(number)
    const known = before !== undefined && before >= place - RING
    expect(memory.named('B1', number, 'day')?.at).toBe(known ? before : undefined)
    memory.add(place, 'B1', number, 'day', `${place}`)
    last.set(number, place)
  })
}

describe('the last record of a number', () => {
  it('is the one that a search of all numbers finds', () => {
    const number = fc.oneof(
      fc.integer({ min: 0, max: 40 }).map((n) => `A-${n}`),
      fc.integer({ min: 0, max: 40 }).map((n) => `B-${n}`),
      fc.string({ maxLength: 2 }),
    )
    fc.assert(fc.property(fc.array(number, { maxLength: 120 }), agree))
  })

  it('is right beyond the remembered records, and for repeated numbers', () => {
    const memory = new Memory()
    const at = (number: string): number | undefined => memory.named('B1', number, 'day')?.at
    for (let i = 0; i < RING; i++) memory.add(i, 'B1', `A-${i}`, 'day', `${i}`)
    expect([at('A-0'), at('A-1')]).toEqual([0, 1])
    memory.add(RING, 'B1', 'A-1', 'day', 'again')
    expect([at('A-0'), at('A-1')]).toEqual([undefined, RING])
    memory.add(RING + 1, 'B1', 'B-0', 'day', 'other')
    expect([at('A-1'), at('A-2')]).toEqual([RING, 2])
    memory.add(RING + 2, 'B1', 'B-1', 'day', 'another')
    expect([at('A-2'), at('B-1')]).toEqual([undefined, RING + 2])
  })

  it('is found for series of several issuers and dates', () => {
    const memory = new Memory()
    memory.add(0, 'B1', '10', 'day', 'a')
    expect(memory.named('B2', '10', 'day')).toBeUndefined()
    expect(memory.named('B1', '10', 'other day')).toBeUndefined()
  })
})

describe('the record of a hash', () => {
  it('is found among the last records, and never if it is forgotten', () => {
    const memory = new Memory()
    const add = (from: number, to: number) => {
      for (let i = from; i < to; i++) memory.add(i, 'B1', `A-${i}`, 'day', `${i}`)
    }
    const check = (count: number) => {
      for (const i of [
        0,
        1,
        2,
        MIN_REMEMBERED_RECORDS - 1,
        MIN_REMEMBERED_RECORDS,
        MIN_REMEMBERED_RECORDS + 1,
        count - MIN_REMEMBERED_RECORDS,
        count - 2,
        count - 1,
      ]) {
        const found = memory.find(`${i}`)
        if (found >= 0) expect(memory.recall(found)).toMatchObject({ at: i, stored: `${i}` })
        else expect(i).toBeLessThan(count - MIN_REMEMBERED_RECORDS)
      }
      expect(memory.find('none')).toBe(-1)
    }
    add(0, RING)
    check(RING)
    expect([memory.find('0'), memory.find('1')]).toEqual([0, 1])
    let count = RING
    for (const more of [1, 1, MIN_REMEMBERED_RECORDS - 2, 1, MIN_REMEMBERED_RECORDS]) {
      add(count, count + more)
      count += more
      check(count)
    }
  })

  it('is the last one with this hash', () => {
    const memory = new Memory()
    for (const [at, hash] of ['a', 'b', 'a'].entries()) memory.add(at, 'B1', `A-${at}`, 'day', hash)
    expect(memory.find('a')).toBe(2)
    expect(memory.followerOf(memory.find('b'))).toBeUndefined()
    memory.follow(1, 2)
    expect(memory.followerOf(1)).toEqual({ at: 2, name: 'A-2 (day)', stored: 'a' })
    expect(memory.followerOf(-1)).toBeUndefined()
  })
})

it('of the records that wait for a missing one, the oldest is reported as a gap when too many wait', () => {
  const reported: string[] = []
  const chain = new Chain(
    (code, { at }) => reported.push(`${code} ${at}`),
    undefined,
    Number.POSITIVE_INFINITY,
    () => '',
    { left: 0 },
    undefined,
  )
  // Every record follows one that is missing.
  for (let at = 0; at <= MIN_REMEMBERED_RECORDS + 2; at++) {
    const entry: Entry = {
      kind: 'alta',
      at,
      root: 'RegistroAlta',
      values: ['B1', `A-${at}`, 'day', 'F1', '', '', '', ''],
      stored: `hash ${at}`,
      computed: `hash ${at}`,
      link: ['B1', `missing ${at}`, 'day', `missing ${at}`],
      timestamp: '',
      instant: 0,
      system: {},
      taxpayer: 'B1',
      corrects: false,
      sums: undefined,
    }
    chain.add(entry)
    if (at === MIN_REMEMBERED_RECORDS) expect(reported).toEqual(['chain.wrong_first 0'])
  }
  expect(reported).toEqual(['chain.wrong_first 0', 'chain.gap 1', 'chain.gap 2'])
  chain.end()
  expect(reported).toHaveLength(MIN_REMEMBERED_RECORDS + 3)
})

describe('the search for a changed timestamp', () => {
  const values = ['B1', 'A-1', '15-01-2027', 'F1', '21.00', '121.00', '', '2027-01-15T10:30:00+01:00']
  const original = '2027-01-15T10:00:03+01:00'
  const record = {
    kind: 'alta',
    values,
    stored: recordHash('alta', values.with(7, original)),
    computed: recordHash('alta', values),
    sums: undefined,
  } as const
  const around = {
    previousHash: undefined,
    previousTimestamp: '2027-01-15T10:00:00+01:00',
    previousValues: undefined,
    next: undefined,
    nextTimestamp: original,
  }
  // Two timestamps for each second, of Madrid and of the Canary Islands: that of Madrid is the seventh.
  it.each([
    [6, null],
    [7, { field: 'FechaHoraHusoGenRegistro', original }],
  ])('ends after %i timestamps if the budget allows no more', (left, expected) => {
    expect(changedFieldOf(record, around, portableSha256, { left })).toEqual(expected)
  })

  it('needs the timestamps of both neighbours, in their order', () => {
    const found = (more: object) =>
      changedFieldOf(record, { ...around, ...more }, portableSha256, { left: 100 })
    expect(found({})).toEqual({ field: 'FechaHoraHusoGenRegistro', original })
    expect(found({ previousTimestamp: original })).toEqual({ field: 'FechaHoraHusoGenRegistro', original })
    expect(found({ previousTimestamp: undefined })).toBeNull()
    expect(found({ nextTimestamp: 'unreadable' })).toBeNull()
    expect(found({ nextTimestamp: '2027-01-15T09:59:59+01:00' })).toBeNull()
  })
})
