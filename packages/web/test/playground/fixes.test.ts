/** The buttons beside a problem: each does what the message suggests, and keeps the value. */
import { describe, expect, it } from 'vitest'
import { valueAt } from '#core/invoice/pointer.ts'
import { type Operation, validate } from '#engine/index.ts'
import type { Document } from '#test/conformance/invoices.ts'
import { problemsOf } from '../../playground/assess/assess-problems.ts'
import { moveMember } from '../../playground/document/edit-document.ts'
import { fixName } from '../../playground/messages/fix-name.ts'
import { messagesOf } from '../../playground/messages/ui.ts'
import { browserTest, example, paste, read, show, textOf, useSite, visit } from './site.ts'

/** Returns the names of the buttons beside the problem at a path. */
function buttonsAt(path: string, change: (document: Document) => void, operation: Operation = 'import') {
  const document = example('01-services-irpf')
  document.invoice.header.invoice_number = 'P26-0014'
  document.invoice.issue_data.issue_date = '2026-02-27'
  change(document)
  const { errors } = validate(document, { operation, today: '2026-03-01', totals: 'check' })
  const found = problemsOf(JSON.stringify(document), errors, 'en', document).find((one) => one.path === path)
  if (!found) throw new Error(`no problem at ${path}, but at ${errors.map((one) => one.path)}`)
  return found.fixes.map((fix) => fixName(fix, messagesOf('en'), String))
}

const LINE = '/invoice/lines/0'
const CUSTOMER = '/invoice/customer'

describe('the buttons beside', () => {
  it.each<[string, string, (document: Document) => void, readonly string[]]>([
    [
      'an unknown field with one suggestion',
      `${LINE}/vat_rate`,
      ({ invoice }) => {
        delete invoice.lines[0].tax_output_rate
        invoice.lines[0].vat_rate = 21
      },
      ['Rename to tax_output_rate'],
    ],
    [
      'an unknown field with several suggestions',
      `${LINE}/discount`,
      ({ invoice }) => {
        invoice.lines[0].discount = 10
      },
      ['Rename to discount_amount', 'Rename to discount_rate'],
    ],
    [
      'an unknown field whose suggestion is already there',
      `${LINE}/vat_rate`,
      ({ invoice }) => {
        invoice.lines[0].vat_rate = 10
      },
      [],
    ],
    [
      'a field in the wrong object of an invoice',
      '/invoice/header/issue_date',
      ({ invoice }) => {
        delete invoice.issue_data.issue_date
        invoice.header.issue_date = '2026-02-27'
      },
      ['Move to issue_data.issue_date'],
    ],
    [
      'a field of an address in a party that has a company and no person',
      `${CUSTOMER}/zip`,
      ({ invoice }) => {
        delete invoice.customer.company.address.post_code
        invoice.customer.zip = '28001'
      },
      ['Move to company.address.post_code'],
    ],
    [
      'a field of a list whose entry is unknown',
      '/invoice/issue_data/due_date',
      ({ invoice }) => {
        invoice.issue_data.due_date = '2026-04-30'
      },
      [],
    ],
    [
      'a field that is like no other',
      `${CUSTOMER}/colour`,
      ({ invoice }) => {
        invoice.customer.colour = 'red'
      },
      ['Remove'],
    ],
    [
      'a code that is not in its list',
      `${LINE}/item_type`,
      ({ invoice }) => {
        invoice.lines[0].item_type = 'things'
      },
      ['Use goods', 'Use service', 'Use investment_good'],
    ],
    [
      'a rate that does not exist',
      `${LINE}/tax_output_rate`,
      ({ invoice }) => {
        invoice.lines[0].tax_output_rate = 20
      },
      ['Use 21', 'Use 10', 'Use 4', 'Use 0'],
    ],
    [
      'an unknown version',
      '/schema_version',
      (document) => {
        document.schema_version = 'json_1_0'
      },
      ['Use json_1_1'],
    ],
    [
      'a value of another type, which has no suggestion',
      `${LINE}/quantity`,
      ({ invoice }) => {
        invoice.lines[0].quantity = 'ten'
      },
      [],
    ],
    [
      'an amount of a line that contradicts its price, where either may be wrong',
      `${LINE}/gross_amount_without_tax`,
      ({ invoice }) => {
        invoice.lines[0].gross_amount_without_tax = 1
      },
      [],
    ],
  ])('%s (%s)', (_, path, change, names) => {
    expect(buttonsAt(path, change)).toEqual(names)
  })
})

it('renaming a member changes only its name in the text', () => {
  const text = '{ "a": 1,\n\t"zip" : "28001", "b": { } }'
  expect(moveMember(text, { from: '/zip', to: '/post_code' })).toBe(text.replace('zip', 'post_code'))
})

it('moving a member keeps its value, and creates the objects that are missing', () => {
  const moved = JSON.parse(moveMember('{"a":{"d":"2026-02-27","e":1}}', { from: '/a/d', to: '/b/c/d' }))
  expect(moved).toEqual({ a: { e: 1 }, b: { c: { d: '2026-02-27' } } })
})

const given = useSite()

browserTest(
  'offers the suggested names as buttons, keeps the value, and undo restores the text',
  async () => {
    const { page, context, complaints } = await visit(given.browser, given.site.url)
    const document = example('01-services-irpf')
    document.invoice.lines[0].discount = 10
    document.invoice.customer.zip = '28001'
    delete document.invoice.customer.company.address.post_code
    const text = `${JSON.stringify(document, null, 4)}\n`
    await paste(page, text)
    await show(page, 'checks')
    const problem = page.locator('.problem', { hasText: 'discount' })
    await problem.waitFor()
    expect(await problem.locator('.fixes button').allTextContents()).toEqual([
      'Rename to discount_amount',
      'Rename to discount_rate',
    ])
    await problem.getByRole('button', { name: 'Rename to discount_rate' }).click()
    await problem.waitFor({ state: 'detached' })
    expect(await textOf(page)).toBe(text.replace('"discount": 10', '"discount_rate": 10'))

    const move = page.getByRole('button', { name: 'Move to company.address.post_code' })
    await move.click()
    await move.waitFor({ state: 'detached' })
    const fixed = JSON.parse(await textOf(page))
    expect(valueAt(fixed, '/invoice/customer/company/address/post_code')).toBe('28001')

    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+z')
    await move.waitFor()
    await page.keyboard.press('Control+z')
    await problem.waitFor()
    expect(await textOf(page)).toBe(text)

    await show(page, 'form')
    const plain = page.locator('.problem', { hasText: 'Discount' })
    expect(await read(plain.locator('.fixes'))).toMatch(/Rename to “Discount/)
    expect(complaints).toEqual([])
    await context.close()
  },
)
