import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Memory, WINDOW } from '../../src/verifactu/chain/memory.ts'

const RING = 2 * WINDOW

/** Compares the memory with a plain search of the last `RING` numbers from the end. */
const agree = (numbers: readonly string[]): void => {
  const memory = new Memory()
  const last = new Map<string, number>()
  numbers.forEach((number, place) => {
    const before = last.get(number)
    const known = before !== undefined && before >= place - RING
    expect(memory.knows(number)).toBe(known)
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
    expect([at('A-2'), memory.knows('A-2'), at('B-1')]).toEqual([undefined, false, RING + 2])
  })

  it('is found for series of several issuers and dates', () => {
    const memory = new Memory()
    memory.add(0, 'B1', '10', 'day', 'a')
    expect(memory.named('B2', '10', 'day')).toBeUndefined()
    expect(memory.named('B1', '10', 'other day')).toBeUndefined()
    expect([memory.knows('10'), memory.knows('9')]).toEqual([true, false])
  })
})
