/** The page of templates lists exactly the existing ones. */
import { readFileSync } from 'node:fs'
import { TEMPLATES } from 'cuadra-pdf/designs.ts'
import { expect, it } from 'vitest'

it('docs/pdf.md lists exactly the existing templates', () => {
  const page = readFileSync(new URL('../../docs/pdf.md', import.meta.url), 'utf8')
  const table = /<!-- templates:[^>]*-->(.*?)<!-- \/templates -->/s.exec(page)?.[1] ?? ''
  expect([...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(TEMPLATES)
})
