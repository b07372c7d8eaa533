/** `cuadra-admin verify` finds no failures while a server runs, and finds changes made without the server. @slow */

import { randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer, administerAside } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported, nextRef, received } from '#test/conformance/invoices.ts'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { formOf } from '#test/conformance/suites/documents.ts'
import { itInAll, LONG } from '#test/size.ts'
import { tokens } from '#test/tokens.ts'
import { callAs, filled, signed } from './filled.ts'
import { rowsOf } from './rows.ts'

function verifySuite(store: 'sqlite' | 'postgres'): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ store })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
  })

  const verify = (company: { readonly id: string }, ...more: string[]) =>
    administer(server, ['verify', '--company', company.id, ...more])
  /** Returns the failures of a company by code. */
  const failuresOf = async (company: { readonly id: string }) => {
    const { status, json, stderr } = await verify(company, '--json')
    const [{ ok, failures }] = json.companies
    expect({ status, ok: json.ok, company: ok }).toEqual(
      failures.length === 0
        ? { status: 0, ok: true, company: true }
        : { status: 1, ok: false, company: false },
    )
    if (failures.length > 0)
      expect(stderr).toMatch(/^cuadra-admin: \d+ failures? in 1 company of 1: see above\.\n$/)
    return new Map<string, { count: number; message: string; first: { id: string }; fix: string }>(
      failures.map((one: { code: string }) => [one.code, one]),
    )
  }
  const filesOf = ({ id }: TestCompany): string => join(server.dataDir, 'files', id)

  it('finds no failure in a company with all types of invoices, and counts what it checked', async () => {
    const company = await filled(server)
    const { status, json, stderr } = await verify(company, '--json')
    expect(json.companies[0].failures).toEqual([])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(json.ok).toBe(true)
    const checks: readonly { check: string; checked: number }[] = json.companies[0].checks
    expect(Object.fromEntries(checks.map(({ check, checked }) => [check, checked]))).toMatchObject({
      ...{ invoices: 9, totals: 9, numbers: 6, events: 9 },
      ...{ collections: 1, records: 5, attachments: 1, files: 1 },
    })
    const { stdout } = await verify(company)
    expect(stdout).toMatch(/VeriFactu records +5 +0\n/)
    expect((await verify(company, '--locale', 'es')).stdout).toMatch(/registros VeriFactu +5 +0\n/)
  })

  if (store === 'postgres')
    it('works on a read-only replica', async () => {
      const replica = new URL(required(server.databaseUrl))
      replica.searchParams.set('options', '-c default_transaction_read_only=on')
      const { status, stdout, stderr } = await administer(
        { dataDir: server.dataDir, databaseUrl: replica.href },
        ['verify'],
      )
      expect(stderr + (status === 0 ? '' : stdout)).toBe('')
    })

  it('without --company checks all companies', async () => {
    await server.company()
    const { json } = await administer(server, ['verify', '--json'])
    const { json: listed } = await administer(server, ['company', 'list', '--json'])
    expect(json.companies.map((one: { company_id: string }) => one.company_id).sort()).toEqual(
      listed.map(({ id }: { id: string }) => id).sort(),
    )
  })

  itInAll('finds no failure while the server issues, as the built program', async () => {
    const company = await server.company()
    await administer(server, ['certificate', 'add', '--company', company.id, '--demo'])
    const { key } = company
    await server.call('PUT', '/verifactu/config', { key, body: { mode: 'verifactu' } })
    let going = true
    const issuing = (async () => {
      while (going) {
        const { json } = await server.call('PUT', '/drafts', { key, body: draft() })
        const path = `/issued-invoices/${json.id}`
        await server.call('POST', `${path}/issue`, { key })
        const { json: file } = await server.call('POST', `${path}/documents`, { key, body: formOf('file') })
        await server.call('DELETE', `${path}/documents/${file.public_id}`, { key })
      }
    })()
    for (let round = 0; round < 2; round++) {
      const { status, stdout, stderr } = await administerAside(server, ['verify', '--company', company.id])
      expect(stderr + (status === 0 ? '' : stdout)).toBe('')
    }
    going = false
    await issuing
    expect(await failuresOf(company)).toEqual(new Map())
  })

  // The failures do not depend on the database, so the short run checks only one.
  if (store === 'postgres' && !LONG) return

  it('finds a changed total, in the document and in the columns', async () => {
    const company = await filled(server)
    const [first = ''] = company.issued
    const { json } = await server.call('GET', `/issued-invoices/${first}/canonical`, company)
    json.invoice.totals.invoice_total = 120
    const { update } = rowsOf(server, company)
    await update('invoice_documents', { canonical: JSON.stringify(json) }, { invoice_id: first })
    const found = await failuresOf(company)
    expect([...found.keys()].sort()).toEqual([
      'column_differs',
      'digest_differs',
      'record_total_differs',
      'total_differs',
    ])
    expect(found.get('total_differs')).toMatchObject({
      count: 1,
      first: { id: first },
      message: expect.stringContaining(
        'has 120 in /invoice/totals/invoice_total, but the recomputed amount is 121',
      ),
    })
    expect(found.get('column_differs')?.message).toContain('with total 121, but its document has 120')
  })

  it('finds a description that was changed in one or both stored documents', async () => {
    const company = await filled(server)
    const rename = (column: 'sent' | 'canonical') =>
      rowsOf(server, company).replace('invoice_documents', column, ['"Servicio"', '"Servicios"'], {
        invoice_id: required(company.issued[1]),
      })
    await rename('canonical')
    const found = await failuresOf(company)
    expect([...found.keys()]).toEqual(['digest_differs'])
    expect(found.get('digest_differs')?.message).toMatch(
      /^Invoice F000002 \(.*\) does not match the digest stored with it \(table invoice_documents\): canonical\.$/,
    )
    await rename('sent')
    expect((await failuresOf(company)).get('digest_differs')).toMatchObject({ count: 1 })
  })

  it('finds a deleted event, an invoice deleted without an event, and a number of another series', async () => {
    const company = await filled(server)
    const [first = '', second = ''] = company.issued
    const { update, remove } = rowsOf(server, company)
    await remove('events', { invoice_id: first, sequence: 1 })
    await remove('invoices', { direction: 'received' })
    await update('numbers', { series_code: 'OLD' }, { invoice_id: second })
    const found = await failuresOf(company)
    expect(found.get('event_gap')).toMatchObject({ count: 1, first: { id: first } })
    expect(found.get('invoice_missing')).toMatchObject({ count: 2 })
    expect(found.get('number_of_series')).toMatchObject({ count: 1, first: { id: second } })
  })

  it('finds no failure after every lawful change of a stored document', async () => {
    const company = await filled(server)
    const { data } = company
    const call = (method: string, path: string, body?: unknown) => callAs(server, company, method, path, body)
    const changed = imported({ taxId: data.tax_id, number: 'OLD1' })
    changed.invoice.lines[0].item_description = 'Otro servicio'
    await call('POST', '/issued-invoices/import', changed)
    const bought = received({ taxId: data.tax_id, number: 'P-1' })
    bought.invoice.lines[0].item_description = 'Otra compra'
    const { id } = await call('PUT', '/received-invoices', bought)
    await call('POST', `/received-invoices/${id}/validate`)
    const other = received({ taxId: data.tax_id, number: 'P-3' })
    await call('DELETE', `/received-invoices/${(await call('PUT', '/received-invoices', other)).id}`)
    const sent = draft()
    const saved = await call('PUT', '/drafts', sent)
    await call('PUT', '/drafts', sent)
    await call('POST', `/drafts/${saved.id}/validate`)
    await administer(server, ['invoice', 'queue', saved.id, '--company', company.id])
    await administer(server, ['invoice', 'unqueue', saved.id, '--company', company.id])
    await call('POST', `/issued-invoices/${saved.id}/issue`)
    expect(await failuresOf(company)).toEqual(new Map())
  })

  it('finds a changed amount of an imported invoice by comparing the document received', async () => {
    const company = await filled(server)
    const { invoice_id } = await (await server.store())
      .of(company.id)
      .find('invoices', { number: 'OLD2' })
      .select('invoice_id')
      .executeTakeFirstOrThrow()
    const change = ['"invoice_total":130', '"invoice_total":131'] as const
    await rowsOf(server, company).replace('invoice_documents', 'canonical', change, { invoice_id })
    const found = await failuresOf(company)
    expect(found.get('sent_total_differs')?.message).toContain(
      'has 131 in /invoice/totals/invoice_total, but 130 was sent',
    )
  })

  it('finds a changed record by its hash, its columns and its XML', async () => {
    const company = await filled(server)
    const { update, replace } = rowsOf(server, company)
    const [right, wrong] = ['"ImporteTotal":"121.00"', '"ImporteTotal":"12.10"']
    await replace('verifactu_records', 'record', [right, wrong], { sequence: 2 })
    const found = await failuresOf(company)
    expect([...found.keys()]).toEqual(
      expect.arrayContaining(['chain.tampered', 'record_xml_differs', 'record_total_differs']),
    )
    expect(found.get('record_xml_differs')?.first.id).toBe('test/2')
    expect(found.get('chain.tampered')?.first.id).toBe('test/2')
    expect(found.get('record_total_differs')?.message).toContain(
      'registers 12.10, but its invoice amounts to 121',
    )
    await replace('verifactu_records', 'record', [wrong, right], { sequence: 2 })
    await update('verifactu_records', { huella: 'A'.repeat(64) }, { sequence: 3 })
    expect((await failuresOf(company)).get('record_column_differs')?.message).toContain('with huella AAAA')
  })

  it('finds a deleted record inside the chain and at its end', async () => {
    const company = await filled(server)
    const drop = (sequence: number) => rowsOf(server, company).remove('verifactu_records', { sequence })
    await drop(5)
    const end = await failuresOf(company)
    // The last record was the cancellation of an invoice.
    expect([...end.keys()]).toEqual(['chain_head_differs', 'cancellation_unexplained'])
    expect(end.get('chain_head_differs')?.message).toContain(
      'ends with the stored record 4, but the last one made is 5',
    )
    await drop(2)
    const found = await failuresOf(company)
    expect(found.get('sequence_gap')).toMatchObject({ first: { id: 'test/3' } })
    expect([...found.keys()].some((code) => code.startsWith('chain.'))).toBe(true)
  })

  it('finds invoices that have no record', async () => {
    const company = await filled(server)
    const { update, remove } = rowsOf(server, company)
    for (const table of ['verifactu_records', 'verifactu_chains'] as const) await remove(table)
    await update('verifactu_periods', { created_at: '2026-01-01T00:00:00.000000' })
    expect((await failuresOf(company)).get('record_missing')).toMatchObject({ count: 4 })
  })

  it('finds a missing file, a changed file, and a file without a row', async () => {
    const company = await filled(server)
    const [name = ''] = readdirSync(filesOf(company))
    appendFileSync(join(filesOf(company), name), '!')
    const changed = await failuresOf(company)
    expect([...changed.keys()]).toEqual(['file_differs'])
    expect(changed.get('file_differs')?.message).toContain('size is 7, not 6')
    writeFileSync(join(filesOf(company), name), 'b file')
    expect((await failuresOf(company)).get('file_differs')?.message).toContain('sha256 is ')
    rmSync(join(filesOf(company), name))
    expect((await failuresOf(company)).get('file_missing')?.first.id).toBe(company.document)
    const orphan = randomUUID()
    writeFileSync(join(filesOf(company), orphan), 'whose?')
    expect((await failuresOf(company)).get('file_orphan')?.first.id).toBe(`${company.id}/${orphan}`)
  })

  it('finds a duplicate number, a number that was not reserved, and a number without an invoice', async () => {
    const company = await filled(server)
    const [first = '', second = '', third = ''] = company.issued
    const { number } = (await server.call('GET', `/issued-invoices/${first}`, company)).json
    const { update } = rowsOf(server, company)
    await update('invoices', { number }, { invoice_id: second })
    await update('invoices', { number: 'F999999' }, { invoice_id: third })
    const found = await failuresOf(company)
    expect(found.get('number_twice')).toMatchObject({ count: 1, first: { id: second } })
    expect(found.get('number_twice')?.message).toContain(`which belongs to invoice ${first}`)
    expect(found.get('number_not_held')).toMatchObject({ count: 1, first: { id: third } })
    expect(found.get('number_unassigned')).toMatchObject({ count: 2 })
    expect(found.get('record_without_invoice')).toMatchObject({ count: 2 })
  })

  it('finds a counter that is too low, wrong counts, and a missing history', async () => {
    const company = await filled(server)
    const [first = '', second = ''] = company.issued
    const { update, remove } = rowsOf(server, company)
    await update('series', { next_number: 2 }, { series_code: 'F' })
    await update('invoice_changes', { n: 7 }, { status: 'received' })
    await remove('events', { invoice_id: first })
    await remove('events', { invoice_id: second, event_code: 'issued' })
    await remove('invoice_documents', { invoice_id: second })
    const found = await failuresOf(company)
    expect(found.get('counter_behind')?.message).toBe(
      'Series F continues with F000002, but F000004 is already assigned.',
    )
    expect(found.get('count_differs')?.message).toMatch(
      /^Invoices with direction received, status received, entered in [\d-]{7} are counted as \d+ in lists, but there are 2\./,
    )
    expect(found.get('no_event')?.first.id).toBe(first)
    expect(found.get('status_without_event')?.first.id).toBe(second)
    expect(found.get('document_missing')?.first.id).toBe(second)
    for (const { fix } of found.values()) expect(fix).not.toBe('')
  })

  it('finds attachments and collections without an invoice, and a document that cannot be read', async () => {
    const company = await filled(server)
    const [first = '', second = ''] = company.issued
    const { update, remove } = rowsOf(server, company)
    await remove('invoices', { invoice_id: first })
    await update('invoice_documents', { canonical: '{"schema_version":' }, { invoice_id: second })
    const found = await failuresOf(company)
    expect([...found.keys()]).toEqual(
      expect.arrayContaining(tokens`
        attachment_without_invoice collection_without_invoice number_unassigned count_differs
        record_without_invoice document_unreadable`),
    )
  })

  it('notes gaps in a series, and VeriFactu combined with the SII', async () => {
    const company = await filled(server)
    const input = JSON.stringify({
      sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
    })
    await administer(server, ['company', 'update', company.id, '--file', '-'], { input })
    await administer(server, ['series', 'configure', '--company', company.id, '--code', 'F', '--next', '8'])
    const { status, json } = await verify(company, '--json')
    expect(status).toBe(0)
    expect(json.companies[0].notes).toEqual([
      {
        ...{ code: 'gap', message: expect.stringContaining('F000005 to F000007') },
        ...{ series: 'F', first: 'F000005', last: 'F000007', count: 3 },
      },
      {
        code: 'verifactu_and_sii',
        message: expect.stringContaining('does not apply to taxpayers in the SII'),
      },
    ])
  })

  it('finds a record with another tax than its invoice', async () => {
    const company = await filled(server)
    const change = ['"CuotaTotal":"21.00"', '"CuotaTotal":"20.00"'] as const
    await rowsOf(server, company).replace('verifactu_records', 'record', change, { sequence: 1 })
    expect((await failuresOf(company)).get('record_tax_differs')?.message).toContain(
      'registers 20.00 of tax, but its invoice has 21',
    )
  })

  it('notes corrective invoices of an original that is cancelled, replaced twice, or has another tax group', async () => {
    const company = await filled(server)
    const [original = ''] = company.issued
    const post = (path: string, body?: unknown) => callAs(server, company, 'POST', path, body)
    const replace = async (): Promise<string> => {
      const body = { correction_type: 'S', reason_code: '16', series_code: 'R', external_ref: nextRef() }
      const made = await post(`/issued-invoices/${original}/corrective`, body)
      await post(`/issued-invoices/${made.id}/issue`)
      return made.id
    }
    const notes = async () => {
      const { json } = await verify(company, '--json')
      expect(json.companies[0].checks).toContainEqual(expect.objectContaining({ check: 'corrections' }))
      return json.companies[0].notes
    }
    const first = await replace()
    expect(await notes()).toEqual([])
    await replace()
    const twice = { code: 'corrected_twice', count: 1, corrected: 'F000001' }
    expect(await notes()).toMatchObject([twice])
    await post(`/issued-invoices/${original}/cancel`)
    const cancelled = { code: 'corrected_not_in_force', count: 2, corrected: 'F000001', status: 'cancelled' }
    expect(await notes()).toMatchObject([cancelled, twice])
    const change = ['"tax_group_code":"IVA"', '"tax_group_code":"IPSI"'] as const
    await rowsOf(server, company).replace('invoice_documents', 'canonical', change, { invoice_id: first })
    const group = { code: 'corrected_tax_group', count: 1, received: 'IPSI', expected: 'IVA' }
    const message = expect.stringContaining('has IPSI, but F000001 has IVA')
    expect(await notes()).toContainEqual(expect.objectContaining({ ...group, message }))
  })

  it('verifies every signature in mode no_verifactu', async () => {
    const company = await signed(server)
    expect(await failuresOf(company)).toEqual(new Map())
    const { stdout } = await verify(company)
    // A record, the start event, and the two events of the previous check.
    expect(stdout).toMatch(/signatures of records +4 +0\n/)
    const { xml_sent } = await (await server.store())
      .of(company.id)
      .select('verifactu_records')
      .select('xml_sent')
      .executeTakeFirstOrThrow()
    const forged = required(xml_sent).replace(
      /(<ds:SignatureValue[^>]*>)(.)/,
      (_, open, letter) => open + (letter === 'A' ? 'B' : 'A'),
    )
    expect(forged).not.toBe(xml_sent)
    await rowsOf(server, company).update('verifactu_records', { xml_sent: forged })
    expect([...(await failuresOf(company)).keys()]).toEqual(['signature_wrong'])
  })
}

describe('verify on the embedded database', () => verifySuite('sqlite'))
if (hasPostgres()) describe('verify on PostgreSQL', () => verifySuite('postgres'))
else it.skip('verify on PostgreSQL: it is not installed here', () => {})
