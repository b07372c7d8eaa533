/** The page of the law names every text that a rule cites. */
import { expect, it } from 'vitest'
import { rules } from '#engine/index.ts'
import { read } from './markdown.ts'

const TEXT = /(?:Ley|RDL?|Orden [A-Z]+|Directive)[ /]\d+\/\d+(?:\/EC)?/g

it('docs/law.md names every law that the rules cite', () => {
  const page = read('docs/law.md')
  const cited = new Set(rules().flatMap(({ law }) => law.match(TEXT) ?? []))
  expect(cited.size).toBeGreaterThan(5)
  expect([...cited].filter((text) => !page.includes(text))).toEqual([])
})
