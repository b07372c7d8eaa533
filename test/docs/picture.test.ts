/** The pictures of the README and of the start pages of the site show what cuadra returns. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { messageParts, validate } from '#engine/index.ts'
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

it.each([
  ['site/index.md', 'en'],
  ['site/es/index.md', 'es'],
] as const)('the picture of %s has the lines, the problem and the totals of example 02', (page, locale) => {
  const number = (value: number) => value.toFixed(2).replace('.', locale === 'es' ? ',' : '.')
  const [, figure = ''] = /<figure class="answer">(.*?)<\/figure>/s.exec(read(page)) ?? []
  const document = JSON.parse(read('examples/02-shop-prices-with-tax.json'))
  const { totals } = required(validate(document).data).invoice
  document.invoice.lines[0].tax_output_rate = 20
  const problem = required(validate(document).errors[0])
  const { message, fix, law } = messageParts(problem, locale)
  const texts = [...figure.matchAll(/<(?:strong|span)[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(texts).toEqual([problem.code, message, fix, law, `${number(totals.invoice_total)} €`])
  expect(figure).toContain(number(totals.total_gross_amount_before_taxes))
  expect(figure).toContain(number(totals.total_tax_outputs))
  const rows = [...figure.matchAll(/<td>(.*?)<\/td><td>(.*?)<\/td>/g)].map(([, rate, price]) => [rate, price])
  expect(rows).toEqual(
    document.invoice.lines.map((line: { tax_output_rate: number; unit_price_with_tax: number }) => [
      `${line.tax_output_rate} %`,
      number(line.unit_price_with_tax),
    ]),
  )
})

it('the start pages of the site name the version of the package', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(read('site/index.md')).toContain(`Version ${version}`)
  expect(read('site/es/index.md')).toContain(`Versión ${version}`)
})
