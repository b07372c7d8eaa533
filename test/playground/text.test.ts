/** The parts that need no browser: changes of the text, numbers as people type them, what stays the same. */
import { describe, expect, it } from 'vitest'
import { reuse } from '../../src/playground/assess/reuse.ts'
import { changeText } from '../../src/playground/document/edit.ts'
import { amount, decimalText, readNumber } from '../../src/playground/messages/format.ts'

describe('changeText', () => {
  it('replaces a value where it stands and leaves the rest as it was written', () => {
    expect(changeText('{ "a" : [1, 1.50],\n\t"b": "x" }', [['/b', 'y"']])).toBe(
      '{ "a" : [1, 1.50],\n\t"b": "y\\"" }',
    )
  })

  it('adds what is missing, with the parents that it needs, in the indentation of the text', () => {
    expect(changeText('{\n    "a": 1\n}\n', [['/b/0/c', true]])).toBe(
      '{\n    "a": 1,\n    "b": [\n        {\n            "c": true\n        }\n    ]\n}\n',
    )
  })

  it('takes out members, entries of lists, and objects that nothing is left of', () => {
    expect(
      JSON.parse(
        changeText('{"a":{"b":{"c":1}},"d":[1,2,3]}', [
          ['/a/b/c', undefined],
          ['/d/1', undefined],
        ]),
      ),
    ).toEqual({
      d: [1, 3],
    })
  })

  it('takes the last of a name that is written twice, as a reader of JSON does', () => {
    expect(changeText('{"a":1,"a":2}', [['/a', 3]])).toBe('{"a":1,"a":3}')
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

it('amounts are written as the language does', () => {
  expect(amount(1234.5, 'es')).toBe('1.234,50')
  expect(amount(-1234.5, 'en')).toBe('-1,234.50')
  expect(decimalText('-1234567.123456', 'es')).toBe('-1.234.567,123456')
  expect(decimalText('24.76859504132231404958…', 'en')).toBe('24.76859504132231404958…')
})

describe('keep', () => {
  const before = { a: { b: [1, { c: 2 }] }, d: 'x' }

  it('gives back the same object when nothing changed', () => {
    expect(reuse(before, structuredClone(before))).toBe(before)
  })

  it('gives back the same parts where nothing changed', () => {
    const after = reuse(before, { a: { b: [1, { c: 2 }] }, d: 'y' })
    expect(after).toEqual({ a: { b: [1, { c: 2 }] }, d: 'y' })
    expect(after.a).toBe(before.a)
  })

  it('notices members that went, came or are undefined, and __proto__ is a name like any other', () => {
    expect(reuse({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 })
    expect(reuse({}, { a: undefined })).toHaveProperty('a')
    const hostile = JSON.parse('{"__proto__":{"x":1}}')
    expect(JSON.stringify(reuse({}, hostile))).toBe('{"__proto__":{"x":1}}')
  })
})
