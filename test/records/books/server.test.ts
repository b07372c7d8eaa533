/** `cuadra-admin books` on the database of a server: its sums are those that `verify` recomputes. */

import { readdirSync, readFileSync } from 'node:fs'
import * as reader from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { reconcile } from '#engine/index.ts'
import { withoutComputed } from '../../../packages/server/admin/verify/verify-amounts.ts'
import { administer } from '../../conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '../../conformance/harness.ts'
import { type Document, draft, imported, received } from '../../conformance/invoices.ts'
import { temporaryFolder } from '../../folders.ts'
import { setMissing } from '../../needs.ts'

let server: TestServer
let company: TestCompany
let folder: string

const call = async (method: string, path: string, body?: unknown) => {
  const response = await server.call(method, path, {
    key: company.key,
    ...(body === undefined ? {} : { body }),
  })
  expect(response.status, response.text).toBeLessThan(300)
  return response.json
}
const SETTINGS = { activity: { code: 'A', type: '03', iae: '6533' } }
const update = (members: object) =>
  administer(server, ['company', 'update', company.id, '--file', '-'], { input: JSON.stringify(members) })
const patch = (books: unknown) => update({ books })
const books = (...more: string[]) =>
  administer(server, [
    'books',
    '--company',
    company.id,
    '--year',
    '2026',
    '--until',
    '4T',
    '--out',
    folder,
    '--json',
    ...more,
  ])

/** Sets the totals, which the server compares with the lines. */
function withTotals(document: Document, base: number, tax: number): Document {
  document.invoice.totals = {
    total_gross_amount_before_taxes: base,
    total_tax_outputs: tax,
    invoice_total: Math.round((base + tax) * 100) / 100,
  }
  return document
}
const old = (
  number: string,
  date: string,
  [base, tax]: readonly [number, number],
  lines: readonly object[],
  more: object = {},
): Document =>
  withTotals(imported({ taxId: company.data.tax_id, number, date, invoice: { lines, ...more } }), base, tax)
const line = (price: number, more: object = { tax_output_rate: 21 }) => ({
  ...{ item_description: 'Cosa', quantity: 1, unit_price_without_tax: price },
  ...more,
})

beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  company = await server.company()
  folder = temporaryFolder()
}, 60_000)
afterAll(async () => {
  await server?.stop()
})

/** Returns the sums of the totals that `verify` recomputes, of the invoices of the year that the books show. */
async function recomputed(direction: 'issued' | 'received') {
  const { rows } = await server.past(async (db) => ({
    rows: await db
      .selectFrom('invoices')
      .innerJoin('invoice_documents', 'invoice_documents.invoice_id', 'invoices.invoice_id')
      .select(['invoice_documents.canonical', 'invoices.imported'])
      .where('invoices.company_id', '=', company.id)
      .where('direction', '=', direction)
      .where('status', 'in', ['issued', 'sent', 'received'])
      .where('fiscal_date', '>=', '2026-01-01')
      .where('fiscal_date', '<=', '2026-12-31')
      .execute(),
  }))
  const sums = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }
  for (const { canonical, imported: isImport } of rows as { canonical: string; imported: number }[]) {
    const operation = direction === 'received' ? 'received' : isImport === 1 ? 'import' : 'issue'
    for (const { path, computed } of reconcile(withoutComputed(canonical), { operation })) {
      const name = path.replace('/invoice/totals/', '') as keyof typeof sums
      if (name in sums) sums[name] = Math.round((sums[name] + computed) * 100) / 100
    }
  }
  return { count: rows.length, sums }
}

type Sum = Record<'base' | 'tax' | 'surcharge' | 'total', number> & { book: string }
const added = (sums: readonly Sum[], book: string, ...names: readonly (keyof Sum)[]) =>
  Math.round(
    sums
      .filter((one) => one.book === book)
      .reduce((all, one) => all + names.reduce((n, name) => n + Number(one[name]), 0), 0) * 100,
  ) / 100

describe('cuadra-admin books', () => {
  it('asks for settings that the company lacks, and refuses wrong ones', async () => {
    expect(await books()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /\/books: is missing\nCorrect `books` with `cuadra-admin company update`\./,
      ),
    })
    expect(await patch({ activity: { code: 'Z' } })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/books: .*code: "Z" is not valid; use one of A, B, C, D/),
    })
    expect((await patch(SETTINGS)).status).toBe(0)
    const before = { start_date: '2025-01-01', end_date: '2025-12-31' }
    expect((await update({ cash_basis: [before] })).status).toBe(0)
  })

  it('has the sums that verify recomputes, without drafts, cancelled invoices and other years', async () => {
    for (let n = 0; n < 3; n++) {
      const { id } = await call('PUT', '/drafts', draft())
      await call('POST', `/issued-invoices/${id}/issue`)
      if (n === 2) await call('POST', `/issued-invoices/${id}/cancel`)
    }
    await call('PUT', '/drafts', draft())
    const surcharged = {
      taxes_outputs: [{ tax_rate: 21, taxable_base: 1000, tax_amount: 210, equivalence_surcharge: 5.2 }],
    }
    for (const document of [
      old('OLD-1', '2026-01-15', [1500, 260], [line(1000), line(500, { tax_output_rate: 10 })]),
      old('OLD-2', '2026-02-15', [1000, 262], [line(1000)], surcharged),
      old(
        'OLD-3',
        '2026-05-15',
        [33.33, 0],
        [line(33.33, { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' })],
      ),
      old('OLD-4', '2024-12-31', [777, 163.17], [line(777)]),
      old('OLD-5', '2025-03-01', [100, 21], [line(100, { tax_output_rate: 21, tax_regime_key: '07' })]),
    ])
      await call('POST', '/issued-invoices/import', document)
    for (const [number, price, tax] of [
      ['P-1', 100, 21],
      ['P-2', 12.34, 2.59],
    ] as const) {
      const document = received({ taxId: company.data.tax_id, number, invoice: { lines: [line(price)] } })
      await call('PUT', '/received-invoices', withTotals(document, price, tax))
    }
    const verified = await administer(server, ['verify', '--company', company.id, '--json'])
    expect(verified.json.companies[0].failures).toEqual([])
    const { status, json, stderr } = await books()
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'note: 1 cancelled invoice omitted.\n' })
    for (const book of ['issued', 'received'] as const) {
      const { count, sums } = await recomputed(book)
      expect(count).toBe(book === 'issued' ? 5 : 2)
      expect({
        total_gross_amount_before_taxes: added(json.sums, book, 'base'),
        total_tax_outputs: added(json.sums, book, 'tax', 'surcharge'),
        invoice_total: added(json.sums, book, 'total'),
      }).toEqual(sums)
    }
    expect(readdirSync(folder)).toEqual([json.file.split('/').at(-1)])
  })

  it('has the collections under cash basis in their quarter, and what is unpaid on 31 December', async () => {
    const id = (await call('GET', '/issued-invoices?number=OLD-5')).items?.[0]?.id ?? ''
    const { stderr } = await administer(server, [
      ...['collection', 'add', '--company', company.id, '--invoice', id],
      ...['--date', '2026-11-01', '--amount', '60.50', '--method', '04'],
    ])
    expect(stderr).toBe('')
    const { json } = await books()
    if (setMissing('peers') !== undefined) return
    const sheet = required(reader.read(readFileSync(json.file)).Sheets.EXPEDIDAS)
    const rows = reader.utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false })
    const collected = rows.filter((row) => row[11] === '5' && row[17] === '07')
    expect(collected.map((row) => [row[1], row[8], ...row.slice(26, 29)])).toEqual([
      ['4T', '01/03/2025', '01/11/2026', '60.50', '01'],
      ['4T', '01/03/2025', '31/12/2026', '60.50', '03'],
    ])
  })

  it('finds the company by its tax id, and prints a table', async () => {
    const args = [
      'books',
      '--company',
      company.data.tax_id,
      '--year',
      '2026',
      '--until',
      '1T',
      '--out',
      folder,
    ]
    const { status, stdout } = await administer(server, [...args, '--locale', 'es'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^LIBRO +RÉGIMEN/)
  })

  it('names an unknown company, and where it was sought', async () => {
    const { status, stderr } = await books('--company', 'B65410011')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^cuadra-admin: No company B65410011 in .*\. See `cuadra-admin company list`\.\n$/)
  })

  it.each([
    [['--until', '0T'], /Allowed choices are 1T, 2T, 3T, 4T/],
    [['--year', '1999'], /Use a year such as 2026/],
  ])('%s is a usage error', async (more, message) => {
    const { status, stderr } = await books(...more)
    expect(status).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('shows a full invoice issued in exchange for a ticket as F3 beside the ticket', async () => {
    const ticket = draft({ series: 'T' })
    ticket.invoice.header.invoice_type_code = '02'
    delete ticket.invoice.customer
    const issue = async (document: Document) => {
      const { id } = await call('PUT', '/drafts', document)
      return call('POST', `/issued-invoices/${id}/issue`)
    }
    const { number, series, issue_date } = await issue(ticket)
    const related_invoice = { number, series, issue_date }
    await issue(draft({ series: 'X', invoice: { additional_data: { related_invoice } } }))
    const { json } = await books()
    if (setMissing('peers') !== undefined) return
    const sheet = required(reader.read(readFileSync(json.file)).Sheets.EXPEDIDAS)
    const rows = reader.utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false })
    const exchanged = rows.filter((row) => row.includes('T') || row.includes('X'))
    expect(exchanged.map((row) => row.find((cell) => /^F[1-4]$/.test(cell)))).toEqual(['F2', 'F3'])
  })

  it('omits received invoices with errors, which are drafts, and notes their number', async () => {
    const wrong = received({ taxId: company.data.tax_id, number: 'P-3' })
    wrong.invoice.totals.invoice_total = 500
    await call('PUT', '/received-invoices', wrong)
    const { status, stderr, json } = await books()
    expect(status).toBe(0)
    expect(stderr).toContain('note: 1 received invoice with errors omitted: correct them.\n')
    expect(json.omitted).toEqual({ cancelled: 1, drafts: 1 })
  })

  it('refuses imported invoices with errors, by number and first error', async () => {
    const wrong = old('OLD-6', '2026-03-01', [100, 21], [line(100)])
    wrong.invoice.totals.invoice_total = 500
    await call('POST', '/issued-invoices/import', wrong)
    const { status, stderr } = await books()
    expect(status).toBe(1)
    expect(stderr).toMatch(/^cuadra-admin: OLD-6 \(\S+\) has errors \(\d+\)\. The first: totals_mismatch /)
  })
})
