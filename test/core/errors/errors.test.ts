/** One base class for errors, so that callers check their kind and not their text. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const SOURCE = new URL('../../../src/', import.meta.url)

/** Errors with another base class, which are thrown and caught within one module. */
const OTHERS = ['CuadraError', 'OptionError', 'JsonFault']

const texts = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
  .map((name) => readFileSync(new URL(name, SOURCE), 'utf8'))

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
  const table = readFileSync(new URL('errors/conditions.ts', SOURCE), 'utf8')
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
