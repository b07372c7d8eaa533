/// <reference types="node" />
/** Explanations in Spanish, for every golden case. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type ExplanationRow, explain, type Options, validate } from '#engine/index.ts'
import { numbersOf } from '#entry/cli/input/input-numbers.ts'
import { formulaValues } from '#entry/cli/report/formula-values.ts'

const CASES = new URL('../cases/', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, CASES), 'utf8'))
const optionsOf = (name: string): Options =>
  readdirSync(new URL(`${name}/`, CASES)).includes('options.json') ? read(`${name}/options.json`) : {}

const EVERY = readdirSync(CASES).map((name) => ({
  document: read(`${name}/input.json`),
  options: optionsOf(name),
}))

const ENGLISH =
  /\b(?:the|sums?|of|sent|lines?|tax|rates?|amounts?|its|their|each|groups?|or|and|once|price|with|least|sizes?|entries|exceeds)\b/

it('formula and rule have no English word left', () => {
  const left = new Set<string>()
  for (const { document, options } of EVERY)
    for (const { formula, rule } of explain(document, { ...options, locale: 'es' }))
      for (const text of [formula, rule]) if (ENGLISH.test(text)) left.add(text)
  expect([...left]).toEqual([])
})

it('validate returns the same explanation as explain', () => {
  for (const { document, options } of EVERY) {
    const asked = { ...options, totals: 'recalculate', locale: 'es' } as const
    expect(validate(document, { ...asked, explain: true }).explanation).toEqual(explain(document, asked))
  }
})

it('the language changes formula and rule, and nothing else', () => {
  const amounts = ({ formula: _, rule: __, ...rest }: ExplanationRow) => rest
  for (const { document, options } of EVERY) {
    const english = explain(document, options)
    const spanish = explain(document, { ...options, locale: 'es' })
    expect(spanish.map(amounts)).toEqual(english.map(amounts))
  }
})

it('the command line puts the same values into the formula in both languages', () => {
  const values = (row: ExplanationRow) =>
    formulaValues(row, numbersOf('es'), { more: String }).replace(/(\d)\.(?=\d+ %|\d+\))/g, '$1,')
  let compared = 0
  for (const { document, options } of EVERY) {
    const english = explain(document, options)
    explain(document, { ...options, locale: 'es' }).forEach((row, index) => {
      const expected = values(english[index]!)
      expect(values(row), row.formula).toBe(expected)
      if (expected !== '') compared += 1
    })
  }
  expect(compared).toBeGreaterThan(1000)
})
