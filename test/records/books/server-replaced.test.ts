/** `cuadra-admin books` with replaced invoices that are no longer in force: nothing of them is taken back. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { administer } from '../../conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '../../conformance/harness.ts'
import { type Document, draft, received } from '../../conformance/invoices.ts'
import { temporaryFolder } from '../../folders.ts'

let server: TestServer
let company: TestCompany
const folder = temporaryFolder()
beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  company = await server.company()
  const settings = { books: { activity: { code: 'A', type: '03', iae: '6533' } } }
  const input = JSON.stringify(settings)
  await administer(server, ['company', 'update', company.id, '--file', '-'], { input })
}, 60_000)
afterAll(() => server?.stop())

/** The day in Madrid, on which the server issues and receives. */
const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format()

const call = async (method: string, path: string, body?: unknown) => {
  const response = await server.call(method, path, {
    key: company.key,
    ...(body === undefined ? {} : { body }),
  })
  expect(response.status, response.text).toBeLessThan(300)
  return response.json
}
const issue = async (body: Document): Promise<string> => {
  const { id } = await call('PUT', '/drafts', body)
  await call('POST', `/issued-invoices/${id}/issue`)
  return id
}
/** Returns the sums of a book, and the notes. */
async function books(book: 'issued' | 'received') {
  const year = today().slice(0, 4)
  const args = ['books', '--company', company.id, '--year', year, '--until', '4T', '--out', folder, '--json']
  const { json, stderr } = await administer(server, args)
  const sums = { base: 0, deductible: 0 }
  for (const one of json.sums)
    if (one.book === book) {
      sums.base += one.base
      sums.deductible += one.deductible
    }
  return { ...sums, notes: stderr }
}
const corrective = (number: string, date: string) => ({
  reason_code: '16',
  reason_description: 'Precio',
  correction_type: 'S',
  invoice_number: number,
  invoice_issue_date: date,
  corrected_taxable_base: 100,
  corrected_tax_amount: 21,
})

it('an issued invoice that is cancelled after its correction: the correction counts alone', async () => {
  const id = await issue(draft())
  const { invoice } = await call('GET', `/issued-invoices/${id}/canonical`)
  const header = {
    invoice_type_code: '03',
    invoice_series_code: 'R',
    corrective: corrective(invoice.header.invoice_number, invoice.issue_data.issue_date),
  }
  await issue(draft({ invoice: { header } }))
  expect(await books('issued')).toMatchObject({ base: 100 })
  await call('POST', `/issued-invoices/${id}/cancel`)
  const { base, notes } = await books('issued')
  expect(base).toBe(100)
  expect(notes).toMatch(/which is not in these books \(cancelled\): the amounts of .+ are not subtracted/)
  const events = await call('GET', `/issued-invoices/${id}/events`)
  expect(JSON.stringify(events)).toContain('corrected_by')
})

it('a received invoice that becomes a draft by an error after its correction', async () => {
  const date = today()
  const first = received({ taxId: company.data.tax_id, number: 'P-1', date })
  const { id } = await call('PUT', '/received-invoices', first)
  const lines = [
    { item_description: 'Material', quantity: 1, unit_price_without_tax: 80, tax_output_rate: 21 },
  ]
  const second = received({
    taxId: company.data.tax_id,
    number: 'P-2',
    date,
    invoice: {
      header: { invoice_type_code: '03', invoice_number: 'P-2', corrective: corrective('P-1', date) },
      lines,
      totals: { total_gross_amount_before_taxes: 80, total_tax_outputs: 16.8, invoice_total: 96.8 },
    },
  })
  await call('PUT', '/received-invoices', second)
  expect(await books('received')).toMatchObject({ base: 80, deductible: 16.8 })
  const wrong = structuredClone(first)
  wrong.invoice.lines[0].tax_output_rate = 20
  await call('PUT', `/received-invoices?invoice_id=${id}`, wrong)
  const after = await books('received')
  expect(after).toMatchObject({ base: 80, deductible: 16.8 })
  expect(after.notes).toMatch(/P-1.*\(draft\)/)
})
