/** Documents in links. */
import { expect } from 'vitest'
import { browserTest, issuable, paste, read, summary, textOf, until, useSite, visit } from './site.ts'

const given = useSite()

browserTest('a link contains the document, the operation and the date, and no other example', async () => {
  const { page, context } = await visit(given.browser, `${given.site.url}?example=03-equivalence-surcharge`)
  const text = `${JSON.stringify(issuable(), null, 3)}\n`
  await paste(page, text)
  await page.getByLabel('Check as').selectOption('import')
  await page.getByLabel('Today').fill('2026-03-31')
  await page.getByRole('button', { name: 'Share' }).click()
  const field = page.getByRole('dialog').getByRole('textbox')
  await until(page, "document.querySelector('dialog input').value.includes('#')")
  const link = await field.inputValue()
  expect(link.length).toBeLessThan(3000)
  expect(new URL(link).search).toBe('')
  expect(page.url()).toBe(link)
  await page.getByRole('button', { name: 'Close' }).click()

  const other = await visit(given.browser, link)
  expect(await textOf(other.page)).toBe(text)
  expect(await other.page.getByLabel('Check as').inputValue()).toBe('import')
  expect(await other.page.getByLabel('Today').inputValue()).toBe('2026-03-31')
  expect(await read(summary(other.page))).toBe('It adds up')
  expect(given.site.asked.some((path) => path.includes('#') || path.includes('z='))).toBe(false)

  // Editing removes the document from the address.
  await paste(other.page, '{}')
  await until(other.page, "location.hash === ''")
  // Opening a link in the same tab.
  await other.page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`)
  await summary(other.page).getByText('It adds up').waitFor()
  expect(await textOf(other.page)).toBe(text)
  await other.context.close()
  await context.close()
})

browserTest('opens an uncompressed link, and rejects damaged and oversized ones with a message', async () => {
  const bare = Buffer.from('{"schema_version":"json_1_1"}').toString('base64url')
  const { page, context, complaints } = await visit(given.browser, `${given.site.url}#t=${bare}`)
  expect(await textOf(page)).toBe('{"schema_version":"json_1_1"}')
  const { deflateRawSync } = await import('node:zlib')
  const packed = deflateRawSync(JSON.stringify(issuable())).toString('base64url')
  for (const hash of ['#z=%%%', '#z=abcdefgh', `#z=${packed.slice(0, -40)}`, '#t=_w']) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await page.getByRole('alert').getByText('The link is damaged').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  const bomb = deflateRawSync(Buffer.alloc(50_000_000, 32)).toString('base64url')
  await page.evaluate(`location.hash = '#z=${bomb}'`)
  await page.getByRole('alert').getByText('too long to open').waitFor()
  expect(await textOf(page)).toBe('{"schema_version":"json_1_1"}')
  expect(complaints).toEqual([])
  await context.close()

  const reopened = await visit(given.browser, `${given.site.url}#z=nonsense`)
  await reopened.page.getByRole('alert').waitFor()
  expect(await read(summary(reopened.page))).toBe('It adds up')
  await reopened.context.close()
})
