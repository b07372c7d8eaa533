/** Sends books to the simulator over HTTPS: pending, sent automatically, accepted with a CSV, rejected, corrected. */

import { createClock } from 'cuadra-server/environment/clock.ts'
import { readConfig } from 'cuadra-server/environment/config.ts'
import { addCertificate, demonstrationCertificate } from 'cuadra-server/service/company/certificates.ts'
import { beforeAll, expect, it, vi } from 'vitest'
import { administer } from '../administrator.ts'
import { startServer, type TestCompany, type TestServer } from '../harness.ts'
import { draft, nextRef, received } from '../invoices.ts'

const ENROLLED = {
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2024-01-01' }] },
}

export function siiSendingSuite(store: 'sqlite' | 'postgres'): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ store, env: { CUADRA_AEAT_SIMULATOR: 'on' } })
  }, 60_000)

  const today = (): string => createClock().today()
  const get = ({ key }: { key: string }, path: string, headers = {}) =>
    server.call('GET', path, { key, headers })

  /** A company with its own certificate. */
  async function sender(auto_submit: boolean | null): Promise<TestCompany> {
    const company = await server.company(ENROLLED)
    const config = readConfig({ CUADRA_DATA_DIR: server.dataDir })
    const clock = createClock()
    const { tax_id, legal_name } = company.data
    const file = await demonstrationCertificate({ config, clock }, tax_id, legal_name)
    const { id } = await server.transaction((tx) =>
      addCertificate(tx.of(company.id), { config, clock }, { ...file, purpose: 'general' }),
    )
    const body = { auto_submit, certificate_id: id }
    expect((await server.call('PUT', '/sii/config', { key: company.key, body })).status).toBe(200)
    return company
  }

  async function issue({ key }: TestCompany): Promise<string> {
    const { json } = await server.call('PUT', '/drafts', { key, body: draft() })
    expect((await server.call('POST', `/issued-invoices/${json.id}/issue`, { key })).status).toBe(200)
    return json.id
  }

  /** Registers an invoice of a supplier, with a date of receipt that may differ from its date of issue. */
  async function buy(
    { key, data }: TestCompany,
    date = today(),
    receipt_date = date,
    number = nextRef('R'),
  ): Promise<string> {
    const body = received({ taxId: data.tax_id, number, date })
    body.invoice.issue_data.receipt_date = receipt_date
    const { json } = await server.call('PUT', '/received-invoices', { key, body })
    expect(json.errors).toEqual([])
    return json.id
  }

  const statusOf = async (company: TestCompany, id: string) =>
    (await get(company, `/invoices/${id}/sii/status`)).json[0]
  const becomes = (company: TestCompany, id: string, status: string) =>
    vi.waitFor(async () => expect((await statusOf(company, id)).status).toBe(status), {
      timeout: 20_000,
      interval: 100,
    })

  it('issued and received invoices are sent automatically, each in its book, and accepted with a CSV', async () => {
    const company = await sender(true)
    const sold = await issue(company)
    const bought = await buy(company)
    await becomes(company, sold, 'accepted')
    await becomes(company, bought, 'accepted')
    for (const book of ['ISSUED', 'RECEIVED']) {
      const { items } = (await get(company, `/sii/submissions?book_type=${book}`)).json
      expect(items).toMatchObject([
        { operation_type: 'A0', global_status: 'accepted', record_count: 1, error_code: null },
      ])
      expect(items[0].csv).toMatch(/^A-/)
      expect((await get(company, `/sii/submissions/${items[0].public_id}`)).json.items).toMatchObject([
        {
          invoice_public_id: book === 'ISSUED' ? sold : bought,
          item_status: 'accepted',
          aeat_record_state: 'Correcto',
          error_code: null,
        },
      ])
    }
    const state = await statusOf(company, sold)
    expect([state.error_code, typeof state.last_submission_id]).toEqual([null, 'number'])
    expect(state.accepted_at >= state.submitted_at).toBe(true)
    expect((await get(company, '/sii/pending')).json.total).toBe(0)

    // A cancelled invoice stays in the book as a modification.
    await server.call('POST', `/issued-invoices/${sold}/cancel`, { key: company.key })
    await vi.waitFor(
      async () => {
        const { items } = (await get(company, '/sii/submissions?book_type=ISSUED')).json
        expect(items[0]).toMatchObject({ operation_type: 'A1', global_status: 'accepted' })
      },
      { timeout: 20_000, interval: 100 },
    )
    expect((await statusOf(company, sold)).status).toBe('accepted')
    const kept = await server.call('DELETE', `/received-invoices/${bought}`, { key: company.key })
    expect([kept.status, kept.json.detail.reasons]).toEqual([409, ['accepted_by_sii']])
  })

  it('verify compares what the SII accepted with the stored invoices', async () => {
    const company = await sender(null)
    const bought = await buy(company)
    const sold = await issue(company)
    await administer(server, ['sii', 'send-now', '--company', company.id])
    await becomes(company, sold, 'accepted')
    await becomes(company, bought, 'accepted')
    const verified = async () => {
      const { json } = await administer(server, ['verify', '--company', company.id, '--json'])
      const { checks, notes } = json.companies[0]
      return { checked: checks.find(({ check }: { check: string }) => check === 'sii').checked, notes }
    }
    expect(await verified()).toEqual({ checked: 2, notes: [] })
    await server.past((db) =>
      db
        .updateTable('invoice_documents')
        .set(({ fn, val, ref }) => ({
          canonical: fn('replace', [ref('canonical'), val('Compra de prueba'), val('Otra compra')]),
        }))
        .where('company_id', '=', company.id)
        .where('invoice_id', '=', bought)
        .execute(),
    )
    expect(await verified()).toMatchObject({ checked: 2, notes: [{ code: 'sii_differs', count: 1 }] })
  })

  it('without automatic submission send-now sends; of two invoices one is rejected, corrected, and accepted', async () => {
    const company = await sender(null)
    const good = await buy(company)
    // It was entered in the books of a year that accepts no more registrations.
    const number = nextRef('R')
    const bad = await buy(company, '2024-03-01', '2024-03-05', number)
    expect((await get(company, '/sii/pending')).json.total).toBe(2)
    const sent = await administer(server, ['sii', 'send-now', '--company', company.id])
    expect(sent).toMatchObject({ status: 0, stderr: '' })
    expect(sent.stdout).toContain('Received, A0: 2 records, partially_accepted, CSV A-')
    expect(sent.stdout).toContain(': rejected, 1126: ')
    await becomes(company, good, 'accepted')
    const rejected = (await get(company, `/invoices/${bad}/sii/status`, { 'Accept-Language': 'es' })).json[0]
    expect(rejected).toMatchObject({ status: 'rejected', error_code: '1126', accepted_at: null })
    expect(rejected.error_description).toContain('La factura no figura en el libro.')
    expect(await buy(company, '2024-03-01', today(), number)).toBe(bad)
    expect((await statusOf(company, bad)).status).toBe('pending')
    const json = await administer(server, [
      'sii',
      'send-now',
      '--company',
      company.id,
      '--invoice',
      bad,
      '--json',
    ])
    expect(json.json.report.messages).toMatchObject([{ operation_type: 'A0', global_status: 'accepted' }])
    expect(await statusOf(company, bad)).toMatchObject({ status: 'accepted', error_code: null })
    const nothing = await administer(server, ['sii', 'send-now', '--company', company.id])
    expect(nothing.stdout).toBe('Nothing to send.\n')
    const unknown = await administer(server, [
      'sii',
      'send-now',
      '--company',
      company.id,
      '--invoice',
      company.id,
    ])
    expect([unknown.status, unknown.stderr.includes('is in no book of the SII')]).toEqual([1, true])
  })

  it('send-now fails if it can send nothing of what is pending, and states the reason', async () => {
    const company = await server.company(ENROLLED)
    const sendNow = (...flags: string[]) =>
      administer(server, ['sii', 'send-now', '--company', company.id, ...flags])
    expect(await sendNow()).toMatchObject({ status: 0, stdout: 'Nothing to send.\n' })
    const id = await issue(company)
    for (const { status, stdout, stderr } of [await sendNow(), await sendNow('--invoice', id)]) {
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain('Nothing was sent. 1 invoice waiting.')
      expect(stderr).toContain('certificate')
    }
    expect((await statusOf(company, id)).status).toBe('pending')
  })
}
