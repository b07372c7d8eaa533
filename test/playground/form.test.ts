/** The form and the JSON are two views of one document. */
import { expect } from 'vitest'
import { browserTest, issuable, paste, read, show, textOf, useSite, verdict, visit } from './site.ts'

const given = useSite()

browserTest('what the form changes is in the JSON, and nothing else is', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const document = issuable()
  const text = JSON.stringify(document, null, 2)
  await paste(page, text)
  await show(page, 'form')
  const first = page.locator('.line-card').first()
  await first.getByLabel('Quantity').fill('2,5')
  await expect.poll(() => textOf(page)).toBe(text.replace('"quantity": 1,', '"quantity": 2.5,'))
  expect(await read(first.locator('.line-amount'))).toBe('2,125.00 €')

  await page.getByRole('group', { name: 'Supplier' }).getByLabel('Town').fill('Alzira')
  await page.getByLabel('Withholding on every line').selectOption('7')
  await page.getByRole('button', { name: 'Add a line' }).click()
  await page.locator('.line-card', { hasText: 'Line 4' }).getByLabel('Description').fill('Plano')
  await page.getByRole('button', { name: 'Remove line 2' }).click()
  const written = async () => JSON.parse(await textOf(page))
  // The line that was removed is gone last.
  await expect
    .poll(async () => (await written()).invoice.lines.map((line: any) => line.item_description).slice(1))
    .toEqual(['Visita de obra con acta', 'Plano'])
  const { invoice, meta } = await written()
  expect(invoice.supplier.person.address.town).toBe('Alzira')
  expect(invoice.lines.map((line: any) => line.item_description).slice(1)).toEqual([
    'Visita de obra con acta',
    'Plano',
  ])
  expect(invoice.lines.map((line: any) => line.tax_withheld_rate)).toEqual([7, 7, 7])
  expect(invoice.header.references).toEqual(document.invoice.header.references)
  expect(meta).toEqual(document.meta)
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('what the JSON changes is in the form, with its errors at the fields', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  const document = issuable()
  document.invoice.lines[0].tax_output_rate = 20
  document.invoice.supplier.name = 'Otra'
  await paste(page, JSON.stringify(document))
  await show(page, 'form')
  expect(await page.getByRole('group', { name: 'Supplier' }).getByLabel('Name').inputValue()).toBe('Otra')
  const rate = page.locator('.line-card').first().getByLabel('Tax rate')
  expect(await rate.getAttribute('aria-invalid')).toBe('true')
  const described = await rate.getAttribute('aria-describedby')
  expect(await read(page.locator(`#${described}`))).toContain('IVA has no rate of 20 %')
  await page.locator('.problem-go').click()
  const isFocused = () => rate.evaluate((select) => select === (globalThis as any).document.activeElement)
  await expect.poll(isFocused).toBe(true)
  await rate.selectOption({ label: '10 % · Reduced rate' })
  await verdict(page).getByText('It adds up').waitFor()
  await expect.poll(async () => JSON.parse(await textOf(page)).invoice.lines[0].tax_output_rate).toBe(10)

  await paste(page, '{ "meta": ')
  await show(page, 'form')
  await page.getByText('The JSON has a fault').waitFor()
  expect(await page.getByRole('group', { name: 'Supplier' }).getByLabel('Name').isDisabled()).toBe(true)
  await context.close()
})

browserTest(
  'prices move between with and without tax; a number that is none is said so at its field',
  async () => {
    const { page, context } = await visit(given.browser, given.site.url)
    await show(page, 'form')
    await page.getByLabel('Prices').selectOption('unit_price_with_tax')
    expect(await page.locator('.line-card').first().getByLabel('Price with tax').inputValue()).toBe('850')
    const quantity = page.locator('.line-card').first().getByLabel('Quantity')
    await quantity.fill('dos')
    expect(await read(page.locator('.line-card').first().locator('.field-problems'))).toContain('number')
    await quantity.fill('2')
    expect(await page.locator('.line-card').first().locator('.field-problems').count()).toBe(0)
    await context.close()
  },
)
