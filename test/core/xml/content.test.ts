/** Content models, compared with equivalent regular expressions. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { particlesOf } from '#core/xml/notation.ts'
import { allowedNext, type Model, missing, modelOf, advance as step } from '#core/xml/xml-content.ts'

const of = (content: string): Model => modelOf(particlesOf(content, () => 'xs:string'))

const takes = (model: Model, names: string): boolean => {
  let left: Model | null = model
  for (const name of names) left = left && step(left, name)
  return left?.complete ?? false
}

const MODELS: readonly (readonly [content: string, expression: RegExp])[] = [
  ['a b? c* d+', /^ab?c*d+$/],
  ['(a | b)', /^[ab]$/],
  ['(a | (b c))* d', /^(?:a|bc)*d$/],
  ['(a b)? c', /^(?:ab)?c$/],
  ['a{2,3} b', /^a{2,3}b$/],
  ['(a | b){2,} c?', /^[ab]{2,}c?$/],
  ['(a? b?)+', /^(?:a?b?)+$/],
  ['((a b?) | (c d*))+', /^(?:ab?|cd*)+$/],
  ['', /^$/],
]

describe('a content model', () => {
  it.each(MODELS)('%s accepts exactly the sequences of its expression', (content, expression) => {
    const model = of(content)
    fc.assert(
      fc.property(fc.stringMatching(/^[abcd]{0,7}$/), (names) => {
        expect(takes(model, names)).toBe(expression.test(names))
      }),
      { numRuns: 500 },
    )
  })

  it('has one state for a list of any length', () => {
    const model = of('a (b c?)* d')
    const start = required(step(model, 'a'))
    let left = start
    for (let i = 0; i < 1000; i++) left = required(step(required(step(left, 'b')), 'c'))
    expect(left).toBe(step(required(step(start, 'b')), 'c'))
  })

  it('lists the elements that are missing and those that are allowed', () => {
    expect(missing(of('a? b (c | d) e+'))).toEqual(['b', 'c|d', 'e'])
    expect(allowedNext(of('a? (b | c)* d e'))).toEqual(['a', 'b', 'c', 'd'])
  })
})
