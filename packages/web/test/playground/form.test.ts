/** The form, which edits the same document as the JSON editor. */
import { expect } from 'vitest'
import { browserTest, issuable, paste, read, show, summary, textOf, useSite, visit } from './site.ts'

const given = useSite()

browserTest('the form changes only the edited members of the JSON', async () => {
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
  // Removing the line is the last change.
  await expect
    .poll(async () =>
      (await written()).invoice.lines
        .map((line: { item_description: string }) => line.item_description)
        .slice(1),
    )
    .toEqual(['Visita de obra con acta', 'Plano'])
  const { invoice, meta } = await written()
  expect(invoice.supplier.person.address.town).toBe('Alzira')
  expect(invoice.lines.map((line: { item_description: string }) => line.item_description).slice(1)).toEqual([
    'Visita de obra con acta',
    'Plano',
  ])
  expect(invoice.lines.map((line: { tax_withheld_rate: number }) => line.tax_withheld_rate)).toEqual([
    7, 7, 7,
  ])
  expect(invoice.header.references).toEqual(document.invoice.header.references)
  expect(meta).toEqual(document.meta)
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('changes of the JSON appear in the form, with errors at their fields', async () => {
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
  expect(await read(page.locator(`#${described}`))).toContain('There is no IVA rate of 20 %')
  await page.locator('.problem-go').click()
  const isFocused = () => rate.evaluate((select) => select === globalThis.document.activeElement)
  await expect.poll(isFocused).toBe(true)
  await rate.selectOption({ label: '10 % · Reduced rate' })
  await summary(page).getByText('It adds up').waitFor()
  await expect.poll(async () => JSON.parse(await textOf(page)).invoice.lines[0].tax_output_rate).toBe(10)

  await paste(page, '{ "meta": ')
  await show(page, 'form')
  await page.getByText('The JSON has a syntax error').waitFor()
  expect(await page.getByRole('group', { name: 'Supplier' }).getByLabel('Name').isDisabled()).toBe(true)
  await context.close()
})

browserTest(
  'prices switch between with and without tax, and an invalid number is an error at its field',
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

browserTest(
  'the purchase price of used goods is shown in its line, and other lines have no such field',
  async () => {
    const { page, context } = await visit(given.browser, given.site.url)
    const lines = ['margin', 'ordinary'].map((name) => ({
      item_description: name,
      quantity: 1,
      unit_price_without_tax: 100,
      ...(name === 'margin' && { tax_regime_key: '03', purchase_price_incl: 480 }),
    }))
    await paste(page, JSON.stringify({ schema_version: 'json_1_1', invoice: { lines } }))
    await show(page, 'form')
    const prices = page.locator('.line-card').getByLabel('Purchase price')
    expect(await prices.count()).toBe(1)
    expect(await prices.inputValue()).toBe('480')
    await context.close()
  },
)

/** The position of every control of the form. */
const POSITIONS = `[...document.querySelectorAll('.form input, .form select, .form button, .form legend, .form summary')].filter((one) => one.checkVisibility()).map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [one.id || one.textContent, x, y + document.querySelector('.panel-form').scrollTop, width, height].join(' ') })`

browserTest('an empty field of a new invoice is an error only after it was visited', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  await page.locator('#example').selectOption('blank')
  await show(page, 'form')
  await summary(page).getByText('Incomplete').waitFor()
  expect(await page.locator('.problem, .field-problems, .badge, .cm-lintRange-error').count()).toBe(0)
  const hints = page.locator('.hints li')
  expect(await hints.allInnerTexts()).toEqual([
    'Supplier · Tax id',
    'Supplier · Name',
    'Customer · Tax id',
    'Customer · Name',
    'Line 1 · Description',
  ])
  // Supplier and customer have different colours.
  const colours = await page
    .locator('.party')
    .evaluateAll((cards) => cards.map((card) => globalThis.getComputedStyle(card).borderTopColor))
  expect(new Set(colours).size).toBe(2)

  const before = await page.evaluate(POSITIONS)
  await hints.first().getByRole('button').click()
  // The field gets the focus in the next frame.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-invoice-supplier-tax_id')
  await page.keyboard.press('Tab')
  const taxId = page.getByRole('group', { name: 'Supplier' }).getByLabel('Tax id')
  await expect.poll(() => taxId.getAttribute('aria-invalid')).toBe('true')
  expect(await read(page.locator('.problem-message'))).toContain('“Tax id” is empty or blank.')
  expect(await page.locator('.problem').count()).toBe(1)
  expect(await page.locator('.hints li').count()).toBe(4)
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.locator('.summary-counts', { hasText: '5 errors' }).waitFor()
  expect(await page.evaluate(POSITIONS)).toEqual(before)

  // Next to the form, problems use plain language; next to the editor, member names.
  const problems = await read(page.locator('.panel-checks'))
  expect(problems).not.toMatch(/[a-z]_[a-z]|\/invoice|\bline \d/)
  await show(page, 'json')
  await page.locator('.problem-law', { hasText: 'schema.min_length' }).first().waitFor()
  expect(await read(page.locator('.problem-location').first())).toContain('/invoice/supplier/tax_id')
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('errors do not move the controls of the form, in either width', async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const { page, context } = await visit(given.browser, given.site.url, { viewport })
    await show(page, 'form')
    const before = await page.evaluate(POSITIONS)
    const customer = page.getByRole('group', { name: 'Customer' })
    await customer.getByLabel('Post code').fill('39004')
    await customer.getByLabel('Tax id').fill('B1')
    await page.locator('.line-card').first().getByLabel('Quantity').fill('dos')
    await expect.poll(() => page.locator('.field-marked').count()).toBeGreaterThan(0)
    expect(await page.evaluate(POSITIONS)).toEqual(before)
    await context.close()
  }
})
