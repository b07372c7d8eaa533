/** The picture of the README shows what `cuadra validate` prints. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cuadra } from '../entry/cli/run.ts'
import { temporaryFolder } from '../folders.ts'
import { read } from './markdown.ts'

it('site/public/validate.svg has the output for example 13 with a rate that does not exist', async () => {
  const cwd = temporaryFolder()
  const example = read('examples/13-simplified-ticket.json')
  const invoice = example.replace('"tax_output_rate": 21', '"tax_output_rate": 20')
  writeFileSync(join(cwd, 'invoice.json'), invoice)
  const env = { COLUMNS: '84', LC_ALL: 'C.UTF-8' }
  const { out } = await cuadra(['validate', 'invoice.json'], { cwd, env })
  const lines = [...read('site/public/validate.svg').matchAll(/<text [^>]*>(.*)<\/text>/g)].map(
    ([, line = '']) =>
      line
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
  )
  expect(lines.join('\n')).toBe(`$ npx cuadra validate invoice.json\n${out.trimEnd()}`)
})
