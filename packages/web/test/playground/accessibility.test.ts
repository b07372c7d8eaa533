/** axe-core finds no violations in any view, language, colour scheme and width. */
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { writeInvoice } from '#formats/index.ts'
import { violationsOn } from '../pages/axe.ts'
import { browserTest, example, issuable, paste, show, useSite, visit } from './site.ts'

const given = useSite()
const wrong = () => {
  const document = example('01-services-irpf')
  document.invoice.lines[0].tax_output_rate = 20
  document.invoice.payment_details[0].iban_account_to_be_credited = 'ES00'
  return document
}

const withTax = example('02-shop-prices-with-tax')
withTax.invoice.header.invoice_number = 'WEB-000041'
withTax.invoice.issue_data.issue_date = '2026-03-05'

/** A valid file, and one that is rejected with many findings. */
const FILES = [
  ['right.xml', Buffer.from(required(writeInvoice(withTax, 'ubl_2_1').xml))],
  [
    'wrong.xml',
    Buffer.from(required(writeInvoice(withTax, 'ubl_2_1').xml).replaceAll('Percent>', 'Percentage>')),
  ],
] as const

const WIDTHS = { desktop: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }

for (const [name, viewport] of Object.entries(WIDTHS))
  for (const colorScheme of ['light', 'dark'] as const) {
    const locale = (name === 'phone') === (colorScheme === 'light') ? 'en-GB' : 'es-ES'
    browserTest(`no violations on a ${name}, ${colorScheme}, ${locale}`, async () => {
      const settings = { viewport, colorScheme, locale }
      const { page, context } = await visit(given.browser, given.site.url, settings)
      const scan = async (what: string) =>
        expect(await violationsOn(page), `${name} ${colorScheme} ${what}`).toEqual([])
      await paste(page, JSON.stringify(wrong(), null, 2))
      await scan('json')
      await show(page, 'form')
      await page.locator('.line-card summary').first().click()
      await scan('form')
      await show(page, 'checks')
      await page.locator('[data-amount="/invoice/taxes_outputs/0/tax_amount"]').click()
      await scan('checks')
      await paste(page, JSON.stringify(issuable(), null, 2))
      await show(page, 'paper')
      await page.locator('.paper-qr').waitFor()
      await scan('paper')
      await page.locator('.top-actions .quiet').first().click()
      await scan('share')
      await page.keyboard.press('Escape')
      await show(page, 'output')
      await page.locator('#tab-output-code').click()
      await page.locator('.artifact-qr').waitFor()
      await scan('output')
      const options = page.locator('.top-more summary')
      if (await options.count()) await options.click()
      await page.locator('.company-open').click()
      await page.locator('.dialog-company').waitFor()
      await scan('company')
      await page.keyboard.press('Escape')
      await page.locator('#example').selectOption('blank')
      await page.locator('.summary-unfinished').waitFor()
      if (await options.count()) await options.click()
      await show(page, 'checks')
      await scan('empty')
      for (const [name, buffer] of FILES) {
        await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/xml', buffer })
        await page.locator('.file-notice').getByText(name).waitFor()
        await scan(name)
      }
      const more = page.locator('.top-more summary')
      if (await more.count()) await more.click()
      await page.locator('.option-files button').nth(1).click()
      await page.locator('.formats .found').first().waitFor()
      await scan('download')
      await context.close()
    })
  }

browserTest('nothing overflows on a phone with 360 pixels', async () => {
  const { page, context } = await visit(given.browser, given.site.url, {
    viewport: WIDTHS.phone,
    locale: 'es-ES',
  })
  for (const tab of ['form', 'json', 'checks', 'paper', 'output']) {
    await show(page, tab)
    await page.locator(`#tab-${tab}[aria-selected="true"]`).waitFor()
    const overflow = await page.evaluate(
      "[document.documentElement, ...document.querySelectorAll('.panel:not([hidden])')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className || one.tagName)",
    )
    expect(overflow, tab).toEqual([])
  }
  await context.close()
})
