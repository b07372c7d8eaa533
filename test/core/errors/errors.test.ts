/** One base class for errors, so that callers check their kind and not their text. */
import { expect, it } from 'vitest'
import { read } from '../../docs/markdown.ts'
import { SOURCES } from '../../sources.ts'

/** Errors with another base class, which are thrown and caught within one module. */
const OTHERS = ['CuadraError', 'OptionError', 'JsonFault']

const texts = SOURCES.filter((file) => !file.startsWith('rules/')).map((file) => read(file))

it('every error is a CuadraError', () => {
  const bases = texts.flatMap((text) => [...text.matchAll(/class (\w+) extends (\w*Error)\b/g)])
  const own = new Set(['CuadraError', ...bases.map(([, name]) => name)])
  const others = bases
    .filter(([, , base]) => base === 'CuadraError' || !own.has(base))
    .filter(([, , base]) => base !== 'CuadraError')
  expect(others.map(([, name]) => name).sort()).toEqual([...OTHERS].sort())
  expect(bases.length).toBeGreaterThan(12)
})

it('the table of errors names each class', () => {
  const table = read('src/core/errors/conditions.ts')
  const names = texts.flatMap((text) =>
    [...text.matchAll(/class (\w+) extends \w*Error\b/g)].map(([, name]) => name),
  )
  const missing = names.filter((name) => name !== 'ConditionError' && !table.includes(`\`${name}\``))
  expect(missing).toEqual([])
})

it('no code tests the beginning of an error text', () => {
  expect(
    texts.filter((text) => /\.message\.(?:startsWith|includes|match)|test\((?:\w+\.)?message\)/.test(text)),
  ).toEqual([])
})
