/** A server with SQLite: an invoice in dollars is registered in euros, from the draft to the books and its correction. */

import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'

let server: TestServer
let company: TestCompany

const call = async (method: string, path: string, body?: unknown) => {
  const response = await server.call(method, path, {
    key: company.key,
    ...(body === undefined ? {} : { body }),
  })
  expect(response.status, response.text).toBeLessThan(300)
  return response
}

beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  company = await server.company()
  await administer(server, ['certificate', 'add', '--company', company.id, '--demo'])
  await call('PUT', '/verifactu/config', { mode: 'verifactu' })
  await administer(server, ['company', 'update', company.id, '--file', '-'], {
    input: JSON.stringify({ books: { activity: { code: 'A', type: '03', iae: '6533' } } }),
  })
}, 60_000)

/** 92.00 euros, which are 100.00 dollars. */
const IN_USD = {
  lines: [{ item_description: 'Servicio', quantity: 1, unit_price_without_tax: 92, tax_output_rate: 21 }],
  totals: { total_gross_amount_before_taxes: 92, total_tax_outputs: 19.32, invoice_total: 111.32 },
  issue_data: {
    invoice_description: 'Servicios de prueba',
    invoice_currency: { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-02' },
  },
}
/** Returns the stored total in both currencies. */
async function totalsOf(id: string) {
  const { canonical } = await server.past((db) =>
    db
      .selectFrom('invoice_documents')
      .select('canonical')
      .where('invoice_id', '=', id)
      .executeTakeFirstOrThrow(),
  )
  const { totals } = JSON.parse(required(canonical)).invoice
  return [totals.invoice_total, totals.invoice_currency?.invoice_total]
}
const codesOf = ({ errors }: { errors: readonly { readonly code: string }[] }) =>
  errors.map(({ code }) => code)

describe('an invoice in dollars', () => {
  it('is issued with its euros in record and QR, and with both currencies in the document', async () => {
    const saved = (await call('PUT', '/drafts', draft({ invoice: IN_USD }))).json
    expect(codesOf(saved)).toEqual(['issued_amounts_in_euros'])
    const issued = (await call('POST', `/issued-invoices/${saved.id}/issue`)).json
    expect(issued.fiscal.qr_url).toContain('importe=111.32')
    expect(issued.total).toBe(111.32)
    expect(await totalsOf(saved.id)).toEqual([111.32, 121])
    expect((await call('GET', `/issued-invoices/${saved.id}/pdf`)).status).toBe(200)
  })

  it('is imported with its euros, and with the total in both currencies in a warning', async () => {
    const document = imported({ taxId: company.data.tax_id, number: 'OLD-USD', invoice: IN_USD })
    const result = (await call('POST', '/issued-invoices/import', document)).json
    expect(codesOf(result)).toEqual(['issued_amounts_in_euros'])
    expect(result.errors[0].message).toContain('121')
    expect(await totalsOf(result.id)).toEqual([111.32, 121])
  })

  it('is in the books in euros, and the verification of stored amounts finds no difference', async () => {
    const run = await administer(server, [
      ...['books', '--company', company.id, '--year', '2026', '--until', '4T'],
      ...['--out', temporaryFolder(), '--json'],
    ])
    expect(run.status, run.stderr).toBe(0)
    expect(run.stdout).toContain('222.64')
    const verified = await administer(server, ['verify', '--company', company.id, '--json'])
    expect(verified.json.companies[0].failures).toEqual([])
  })

  it('is corrected by substitution in both currencies, and by differences in euros', async () => {
    const { id } = (await call('PUT', '/drafts', draft({ invoice: IN_USD }))).json
    await call('POST', `/issued-invoices/${id}/issue`)
    const correct = async (more: object) => {
      const made = (
        await call('POST', `/issued-invoices/${id}/corrective`, {
          series_code: 'R',
          reason_code: '01',
          external_ref: `R-${JSON.stringify(more).length}`,
          ...more,
        })
      ).json
      return totalsOf(made.id)
    }
    expect(await correct({ correction_type: 'S' })).toEqual([111.32, 121])
    const lines = [{ description: 'Devolución', quantity: -1, unit_price_without_tax: 46 }]
    expect(await correct({ correction_type: 'D', lines })).toEqual([-55.66, undefined])
  })
})
