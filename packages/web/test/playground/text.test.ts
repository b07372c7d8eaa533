/** Functions without a browser: changes of the text, numbers, structural sharing. */
import { describe, expect, it } from 'vitest'
import { reuseEqualParts } from '../../playground/assess/reuse.ts'
import { applyChanges } from '../../playground/document/edit-document.ts'
import { safeFileName } from '../../playground/interchange/save-file.ts'
import { amountText, decimalText, readNumber } from '../../playground/messages/message-format.ts'

describe('changeText', () => {
  it('replaces a value and leaves the rest of the text unchanged', () => {
    expect(applyChanges('{ "a" : [1, 1.50],\n\t"b": "x" }', [['/b', 'y"']])).toBe(
      '{ "a" : [1, 1.50],\n\t"b": "y\\"" }',
    )
  })

  it('adds a member with its missing parents, in the indentation of the text', () => {
    expect(applyChanges('{\n    "a": 1\n}\n', [['/b/0/c', true]])).toBe(
      '{\n    "a": 1,\n    "b": [\n        {\n            "c": true\n        }\n    ]\n}\n',
    )
  })

  it('removes members, entries of lists, and objects left empty', () => {
    expect(
      JSON.parse(
        applyChanges('{"a":{"b":{"c":1}},"d":[1,2,3]}', [
          ['/a/b/c', undefined],
          ['/d/1', undefined],
        ]),
      ),
    ).toEqual({
      d: [1, 3],
    })
  })

  it('changes the last of two members with the same name, like a JSON parser', () => {
    expect(applyChanges('{"a":1,"a":2}', [['/a', 3]])).toBe('{"a":1,"a":3}')
  })
})

describe('readNumber', () => {
  it.each([
    ['1.234,56', 'es', 1234.56],
    ['1,234.56', 'es', 1234.56],
    ['1.234', 'es', 1234],
    ['0.123', 'es', 0.123],
    ['12,5', 'en', 12.5],
    ['1,234', 'en', 1234],
    ['−3 %', 'es', -3],
    ['1 234,5 €', 'es', 1234.5],
    ['dos', 'es', null],
    ['1e9', 'en', null],
    ['', 'en', null],
  ] as const)('%s in %s is %s', (typed, locale, value) => expect(readNumber(typed, locale)).toBe(value))
})

it('formats amounts in the notation of the language', () => {
  expect(amountText(1234.5, 'es')).toBe('1.234,50')
  expect(amountText(-1234.5, 'en')).toBe('-1,234.50')
  expect(decimalText('-1234567.123456', 'es')).toBe('-1.234.567,123456')
  expect(decimalText('24.76859504132231404958…', 'en')).toBe('24.76859504132231404958…')
})

describe('reuse', () => {
  const before = { a: { b: [1, { c: 2 }] }, d: 'x' }

  it('returns the same object if nothing changed', () => {
    expect(reuseEqualParts(before, structuredClone(before))).toBe(before)
  })

  it('returns the same parts where nothing changed', () => {
    const after = reuseEqualParts(before, { a: { b: [1, { c: 2 }] }, d: 'y' })
    expect(after).toEqual({ a: { b: [1, { c: 2 }] }, d: 'y' })
    expect(after.a).toBe(before.a)
  })

  it('notices removed, added and undefined members, and treats __proto__ as an ordinary name', () => {
    expect(reuseEqualParts({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 })
    expect(reuseEqualParts({}, { a: undefined })).toHaveProperty('a')
    const hostile = JSON.parse('{"__proto__":{"x":1}}')
    expect(JSON.stringify(reuseEqualParts({}, hostile))).toBe('{"__proto__":{"x":1}}')
  })
})

describe('fileName', () => {
  it.each([
    ['A/26/1', 'A-26-1'],
    ['F 26: nº 7', 'F-26-nº-7'],
    ['../../x', 'x'],
    ['//', 'invoice'],
  ])('%s is saved as %s', (number, name) => {
    expect(safeFileName(number)).toBe(name)
  })
})
