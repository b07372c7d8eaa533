import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutComments } from '#core/json/index.ts'

describe('comments', () => {
  it.each([
    ['{ "a": 1 } // one', '{ "a": 1 }       '],
    ['{ /* two\nlines */ "a": 1 }', '{       \n         "a": 1 }'],
    ['"// text" /**/', '"// text"     '],
    ['"a \\" // b"', '"a \\" // b"'],
    ['"never closed // text\n// comment', '"never closed // text\n          '],
    ['1 /* never closed "', '1                  '],
    ['// one\r\n2', '      \r\n2'],
    ['/', '/'],
  ])('in %j become blanks', (text, expected) => {
    expect(withoutComments(text)).toBe(expected)
  })

  it('between the tokens of any JSON change neither its value nor any offset', () => {
    const comment = fc.constantFrom('', '// "a" \n', '/* { " */', '/* \n // */')
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(comment, { minLength: 1 }), (value, comments) => {
        let index = 0
        const text = JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[^"]/g, (token) =>
          /[[\]{},:]/.test(token[0] ?? '') ? token + comments[index++ % comments.length] : token,
        )
        const plain = withoutComments(text)
        expect(plain).toHaveLength(text.length)
        expect(JSON.parse(plain)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
