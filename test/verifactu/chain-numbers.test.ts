import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Numbers } from '../../src/verifactu/chain/numbers.ts'

const RING = 1000

/** The table beside the plain way to look: every number among the last `RING`, from the end. */
const agree = (numbers: readonly string[]): void => {
  const ring: string[] = []
  const table = new Numbers(RING, (slot) => ring[slot])
  numbers.forEach((number, place) => {
    const from = Math.max(0, place - RING)
    const plain = numbers.slice(from, place).lastIndexOf(number)
    expect(table.find(number, place)).toBe(plain < 0 ? -1 : from + plain)
    table.add(number)
    ring[place % RING] = number
  })
}

describe('where a number stood last', () => {
  it('is told as if every number before were looked at', () => {
    const number = fc.oneof(
      fc.integer({ min: 0, max: 40 }).map((n) => `A-${n}`),
      fc.integer({ min: 0, max: 40 }).map((n) => `B-${n}`),
      fc.string({ maxLength: 2 }),
    )
    fc.assert(fc.property(fc.array(number, { maxLength: 120 }), agree))
  })

  it('holds beyond what is remembered, where the first question comes late, and for series side by side', () => {
    const rising = Array.from({ length: 2 * RING + 300 }, (_, i) => `A-${i}`)
    // The first is forgotten, the second is the oldest that is remembered.
    agree([...rising, 'A-1299', `A-${RING + 301}`, 'A-2299', 'A-2299'])
    agree(rising.flatMap((number, i) => [number, `B-${i}`, ...(i % 50 === 0 ? ['A-7'] : [])]))
  })

  it('takes 10 for a number after 9, and an empty one for any other', () => {
    agree(['9', '10', '9', '', '', '10', '11', '', '100', '11'])
  })
})
