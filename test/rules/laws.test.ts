/** Every code cites the section or article behind it. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ValidationItem } from '#core/invoice/index.ts'
import { messageParts } from '#engine/index.ts'
import { RECORD_CODES } from '#records/verifactu/model/record-items.ts'
import { AUTHORITY_CODES } from '#records/verifactu/rules/index.ts'
import { RULES } from '#rules/index.ts'

/** An article of a law, a section by number or by title, a sheet of the record design, a list of values. */
const PLACE = /\barts?\. \d|§\d|"[^"]+"|\bhoja \d|\blist L\d/

const CASES = new URL('../cases/', import.meta.url)

it('every rule and every code of the authority cites a section or an article', () => {
  const declared = [
    ...RULES,
    ...AUTHORITY_CODES,
    ...Object.entries(RECORD_CODES).map(([code, { law }]) => ({ code, law })),
  ]
  expect(declared.filter(({ law }) => !PLACE.test(law))).toEqual([])
  expect(AUTHORITY_CODES).toHaveLength(247)
})

it('so does the single law of a finding', () => {
  const items = readdirSync(CASES).flatMap(
    (name): ValidationItem[] =>
      JSON.parse(readFileSync(new URL(`${name}/expected.json`, CASES), 'utf8')).errors,
  )
  expect(items.map((item) => messageParts(item).law).filter((law) => !PLACE.test(law))).toEqual([])
  expect(items.length).toBeGreaterThan(200)
})
