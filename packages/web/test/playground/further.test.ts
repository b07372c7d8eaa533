/** An invoice that the schema refuses: its other problems are shown as well. */
import { expect } from 'vitest'
import { browserTest, example, paste, read, show, summary, useSite, visit } from './site.ts'

const given = useSite()

browserTest(
  'shows the problems of rules beside those of the schema, in the list, the text, the form and the counts',
  async () => {
    const { page, context, complaints } = await visit(given.browser, given.site.url)
    const document = example('01-services-irpf')
    document.invoice.customer.tax_id = 'B33333338'
    document.invoice.lines[0].tax_output_rate = 20
    document.invoice.notes = 'x'
    await paste(page, JSON.stringify(document, null, 2))
    await show(page, 'checks')
    const problems = page.locator('.problem')
    await page.locator('.problem', { hasText: 'tax_id_invalid' }).waitFor()
    const codes = await problems.locator('.code-link').allTextContents()
    expect(codes.toSorted()).toEqual(['schema.additional_properties', 'tax_id_invalid', 'tax_rate_unknown'])
    expect(await read(summary(page))).toBe('It does not add up')
    expect(await read(page.locator('.summary-counts'))).toBe('3 errors')
    expect(await read(page.locator('.summary-sum'))).toBe('–')
    expect(await read(page.locator('#tab-checks'))).toMatch(/3/)
    expect(await page.locator('.cm-lintRange-error').count()).toBeGreaterThan(0)
    await page
      .locator('.problem', { hasText: 'tax_rate_unknown' })
      .getByRole('button', { name: 'Use 21', exact: true })
      .click()
    await page.locator('.summary-counts', { hasText: '2 errors' }).waitFor()

    await show(page, 'form')
    const marked = page.locator('.form [aria-invalid="true"]')
    expect(await marked.evaluateAll((fields) => fields.map((field) => field.dataset.path))).toEqual([
      '/invoice/customer/tax_id',
    ])
    expect(complaints).toEqual([])
    await context.close()
  },
)
