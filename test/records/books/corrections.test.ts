/**
 * The worked year of corrections against `corrections.json`, which was written from the law without the engine: 21 kinds
 * of originals x by substitution and by differences x original in the books, never in them, or known but not booked.
 */
import { describe, expect, it } from 'vitest'
import { workedYear } from '../../../scripts/docs/corrections.mjs'
import expected from './corrections.json'

const found = await workedYear()

describe('what a correction takes back', () => {
  it.each(expected)('of $direction $kind is what the books and records had of it', (one) => {
    const { direction, kind, article: _, ...outcomes } = one
    const own = found.find((other) => other.direction === direction && other.kind === kind)
    expect(own).toEqual({ direction, kind, ...outcomes })
  })

  it('is decided for every kind', () => {
    expect(found.map(({ direction, kind }) => `${direction} ${kind}`)).toEqual(
      expected.map(({ direction, kind }) => `${direction} ${kind}`),
    )
  })
})
