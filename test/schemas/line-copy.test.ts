/** The engine's own copy of a line is what a spread would make of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineCopies, spreadLine } from '../../src/invoice/generated/line-copies.js'
import { copyLine, type Line } from '../../src/invoice/index.ts'

/** As text: the order of the members counts, and amounts that are not there yet. */
const written = (line: object): string =>
  JSON.stringify(Object.entries(line).map(([name, value]) => [name, String(value), typeof value]))

const MEMBERS = [
  'item_description',
  'article_code',
  'quantity',
  'unit_of_measure',
  'unit_price_without_tax',
  'unit_price_with_tax',
  'discount_rate',
  'tax_output_rate',
  'tax_regime_key',
  'sequence_number',
]

const lineOf = (names: readonly string[]): Line =>
  Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? `${name} ${at}` : at])) as unknown as Line

const NOTHING = lineOf([])

describe('the copy of a line', () => {
  it('is that of a spread in every order that is written out', () => {
    expect(lineCopies.length).toBeGreaterThan(0)
    for (const copy of lineCopies) {
      const sent = lineOf(Object.keys(copy(NOTHING)).slice(Object.keys(spreadLine(NOTHING)).length))
      expect(written(copy(sent))).toBe(written(spreadLine(sent)))
      expect(written(copyLine(sent))).toBe(written(spreadLine(sent)))
    }
  })

  it('is that of a spread in any order of any members', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(MEMBERS), (names) => {
        const sent = lineOf(names)
        expect(written(copyLine(sent))).toBe(written(spreadLine(sent)))
      }),
    )
  })

  it('leaves the line that was sent alone', () => {
    const sent = Object.freeze(
      lineOf(['item_description', 'quantity', 'unit_price_with_tax', 'tax_output_rate']),
    )
    expect(copyLine(sent)).not.toBe(sent)
    expect(copyLine(sent)).toMatchObject(sent)
  })
})
