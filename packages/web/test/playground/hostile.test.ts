/** Wrong and hostile input. */
import { expect } from 'vitest'
import { browserTest, issuable, paste, read, summary, useSite, visit } from './site.ts'

const given = useSite()

const bytes = String.fromCharCode(...Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256))

const PASTED: Readonly<Record<string, readonly [text: string, says: string]>> = {
  nothing: ['', 'it is empty'],
  'the bytes of a PDF': [`%PDF-1.7\u0000${bytes}`, 'a binary file'],
  XML: ['<?xml version="1.0"?><Facturae/>', 'a value is missing here'],
  'single quotes': ["{'meta': 1}", 'double quotes'],
  'a list 10,000 deep': ['['.repeat(10_000) + ']'.repeat(10_000), ''],
  'objects 10,000 deep': [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, ''],
  'an open list 10,000 deep': ['['.repeat(10_000), 'unexpected end of the text'],
  'one line of a million characters': [`"${'x'.repeat(1_000_000)}"`, ''],
  'four million characters': [`[${'1,'.repeat(2_000_000)}1]`, 'more than 3 million characters'],
  'a poisoned prototype': ['{"__proto__":{"schema_version":"json_1_1"},"constructor":1}', ''],
  'thousands of problems': [
    JSON.stringify({
      schema_version: 'json_1_1',
      meta: {},
      invoice: { lines: Array.from({ length: 3000 }, () => ({ nope: 1 })) },
    }),
    '',
  ],
}

browserTest('shows a message for any pasted text, and keeps working', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const valid = JSON.stringify(issuable())
  for (const [name, [text, says]] of Object.entries(PASTED)) {
    await paste(page, text)
    await summary(page)
      .getByText(/not add up|Invalid JSON/)
      .waitFor()
    const first = await read(page.locator('.problem').first())
    expect(first.length, name).toBeGreaterThan(20)
    expect(first, name).toContain(says)
    expect(await page.getByText('Unexpected error').count(), name).toBe(0)
    await paste(page, valid)
    await summary(page).getByText('It adds up').waitFor()
  }
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('a document cannot inject markup', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const document = issuable()
  document.invoice.supplier.name = '<img src=x onerror=alert(1)>'
  document.invoice.lines[0].item_description = '</td><script>alert(1)</script>'
  document['<b>x'] = 1
  await paste(page, JSON.stringify(document))
  await page.locator('.problem', { hasText: '<b>x' }).waitFor()
  expect(await page.locator('.problem b, .paper img[src="x"], .paper script').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})
