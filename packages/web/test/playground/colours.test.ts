/** The completed invoice in the output tab. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonLines } from '../../playground/output/colours.tsx'

it('shows the same text as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = jsonLines(value, undefined)
        .map((line) => line.text)
        .join('\n')
      expect(text).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

it('marks nothing if both documents are the same, and everything if there was none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonLines(value, structuredClone(value)).filter(({ isAdded }) => isAdded)).toEqual([])
    }),
  )
  expect(jsonLines({ a: [1, {}] }, undefined).every(({ isAdded }) => isAdded)).toBe(true)
})

it('marks members that were added or changed, but not what is around them', () => {
  const lines = jsonLines({ a: 1, b: { c: 2, d: [3] } }, { a: 1, b: { c: 1 } })
  expect(lines.map(({ text, isAdded }) => (isAdded ? `+${text}` : text))).toEqual([
    '{',
    '  "a": 1,',
    '  "b": {',
    '+    "c": 2,',
    '+    "d": [',
    '+      3',
    '+    ]',
    '  }',
    '}',
  ])
})
