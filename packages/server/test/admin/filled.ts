/** A company with all types of invoices, records, a file, and a history. */

import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import type { TestCompany, TestServer } from '#test/conformance/harness.ts'
import { draft, imported, received, wrongDraft } from '#test/conformance/invoices.ts'
import { formOf } from '#test/conformance/suites/documents.ts'

export interface Filled extends TestCompany {
  /** Ids of the issued invoices, in order. */
  readonly issued: readonly string[]
  readonly document: string
}

/** Sends a request of a company that must succeed, and returns the body of the response. */
export async function callAs(
  server: TestServer,
  { key }: TestCompany,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await server.call(method, path, { key, body })
  expect(response.status, response.text).toBeLessThan(300)
  return response.json
}

/** Returns a company with all types of invoices, records, a file, and a history. */
export async function filled(server: TestServer): Promise<Filled> {
  const company = await server.company()
  const { data, id } = company
  const call = (method: string, path: string, body?: unknown) => callAs(server, company, method, path, body)
  await administer(server, ['certificate', 'add', '--company', id, '--demo'])
  await call('PUT', '/verifactu/config', { mode: 'verifactu' })
  const issued: string[] = []
  for (let n = 0; n < 4; n++) {
    const { id: invoice } = await call('PUT', '/drafts', draft())
    await call('POST', `/issued-invoices/${invoice}/issue`)
    issued.push(invoice)
  }
  await call('POST', `/issued-invoices/${issued[3]}/cancel`)
  await call('PUT', '/drafts', wrongDraft())
  await call('POST', '/issued-invoices/import', imported({ taxId: data.tax_id, number: 'OLD1' }))
  // Imported invoices keep the amounts received, even if their totals do not add up.
  const odd = imported({ taxId: data.tax_id, number: 'OLD2' })
  odd.invoice.totals.invoice_total = 130
  await call('POST', '/issued-invoices/import', odd)
  await call('PUT', '/received-invoices', received({ taxId: data.tax_id, number: 'P-1' }))
  const dollars = received({ taxId: data.tax_id, number: 'P-2' })
  dollars.invoice.issue_data.invoice_currency = {
    invoice_currency_code: 'USD',
    exchange_rate: 0.9227,
    exchange_rate_date: '2026-03-02',
  }
  await call('PUT', '/received-invoices', dollars)
  const { public_id } = await call('POST', `/issued-invoices/${issued[0]}/documents`, formOf('a file'))
  await administer(server, [
    ...['collection', 'add', '--company', id, '--invoice', required(issued[0])],
    ...['--date', '2026-11-01', '--amount', '121.00', '--method', '04'],
  ])
  return { ...company, issued, document: public_id }
}

/** Returns a company without VERI*FACTU, with a requested event and an issued invoice. */
export async function signed(server: TestServer): Promise<TestCompany> {
  const company = await server.company()
  const { key, id } = company
  await administer(server, ['certificate', 'add', '--company', id, '--demo'])
  await server.call('PUT', '/verifactu/config', { key, body: { mode: 'no_verifactu' } })
  await server.call('POST', '/verifactu/sif', { key, body: { tipo_evento: '01' } })
  const { json } = await server.call('PUT', '/drafts', { key, body: draft() })
  expect((await server.call('POST', `/issued-invoices/${json.id}/issue`, { key })).status).toBe(200)
  return company
}
