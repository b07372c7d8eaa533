/** Reading issued invoices, and deleting imported ones. */
import { randomUUID } from 'node:crypto'
import { createClock } from 'cuadra-server/environment/clock.ts'
import { fileReturn } from 'cuadra-server/service/invoice/filed-returns.ts'
import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { draft, imported, nextRef, received } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

export function issuedSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issued, importing, get, cancel, become, change } = stepsOf(server)
  const list = async (key: string, query = '') =>
    (await call('GET', `/issued-invoices${query}`, { key })).json
  const remove = (key: string, id: string) => call('DELETE', `/issued-invoices/${id}`, { key })
  const namesOf = ({ items }: { items: { number: string | null; external_id: string }[] }) =>
    items.map(({ number, external_id }) => number ?? external_id)

  it('the list is sorted by series, newest date first, then number, with drafts last', async () => {
    const company = await server().company()
    const { key } = company
    await saved(key, draft({ ref: 'DRAFT', series: 'A' }))
    for (const [series, number, date] of [
      ['B', 'B-1', '2026-05-01'],
      ['A', 'A-2', '2026-01-02'],
      ['A', 'A-9', '2026-03-02'],
      ['A', 'A-10', '2026-03-02'],
      ['a', 'a-1', '2026-06-01'],
    ] as const)
      await importing(company, { series, number, date })
    expect(namesOf(await list(key))).toEqual(['A-10', 'A-9', 'A-2', 'B-1', 'a-1', 'DRAFT'])
    expect(await list(key, '?limit=2&offset=1')).toMatchObject({ total: 6, limit: 2, offset: 1 })
    expect(namesOf(await list(key, '?limit=2&offset=1'))).toEqual(['A-9', 'A-2'])
    expect(namesOf(await list(key, '?series=A'))).toEqual(['A-10', 'A-9', 'A-2', 'DRAFT'])
    expect(namesOf(await list(key, '?status=issued&series=A'))).toEqual(['A-10', 'A-9', 'A-2'])
    expect(namesOf(await list(key, '?status=draft'))).toEqual(['DRAFT'])
    expect(namesOf(await list(key, '?number=A-9'))).toEqual(['A-9'])
    expect(namesOf(await list(key, '?external_ref=B-1'))).toEqual(['B-1'])
    expect(namesOf(await list(key, '?issue_date_from=2026-03-02&issue_date_to=2026-05-01'))).toEqual([
      'A-10',
      'A-9',
      'B-1',
    ])
    // Drafts do not match either end of a date range, even if nearly all invoices lie within it.
    expect(namesOf(await list(key, '?issue_date_to=2026-05-31'))).toEqual(['A-10', 'A-9', 'A-2', 'B-1'])
    expect(namesOf(await list(key, '?issue_date_from=2026-01-01&limit=500'))).toHaveLength(5)
    expect(namesOf(await list(key, '?issue_date_to=2026-12-31&series=A'))).toEqual(['A-10', 'A-9', 'A-2'])
    for (const { fiscal } of (await list(key)).items) expect(fiscal).toBeNull()
    expect((await list(key, '?customer_tax_id=b-12345674')).total).toBe(6)
    expect((await list(key, '?customer_tax_id=B22222228')).total).toBe(0)
  })

  it('an unknown status is 400, and an invalid filter 422', async ({ key }) => {
    const refused = async (query: string) =>
      statusAndCode(await call('GET', `/issued-invoices${query}`, { key }))
    expect(await refused('?status=paid')).toBe('400 unknown_status')
    expect(await refused('?status=received')).toBe('400 unknown_status')
    for (const query of [
      '?limit=0',
      '?limit=501',
      '?offset=-1',
      '?issue_date_from=2026-02-30',
      '?supplier_tax_id=B1',
    ])
      expect([query, await refused(query)]).toEqual([query, '422 request_validation_error'])
    for (const status of ['draft', 'issued', 'sent', 'cancelled', 'queued'])
      expect((await list(key, `?status=${status}`)).total).toBe(0)
    // Limits count characters, not bytes, so that everything that can be saved can be found.
    const series = '😀'.repeat(60)
    await saved(key, draft({ series }))
    expect((await list(key, `?series=${encodeURIComponent(series)}`)).total).toBe(1)
    expect(await refused(`?series=${'x'.repeat(61)}`)).toBe('422 request_validation_error')
  })

  it('an invoice without its canonical document is 409 canonical_not_available', async () => {
    const { key, id: companyId } = await server().company()
    const { id } = await issued(key)
    await change(companyId, 'invoice_documents', { canonical: null }, { invoice_id: id })
    expect(statusAndCode(await call('GET', `/issued-invoices/${id}/canonical`, { key }))).toBe(
      '409 canonical_not_available',
    )
    const body = { correction_type: 'S', reason_code: '01', series_code: 'R', external_ref: nextRef() }
    expect(statusAndCode(await call('POST', `/issued-invoices/${id}/corrective`, { key, body }))).toBe(
      '409 canonical_not_available',
    )
    expect((await cancel(key, id)).json.status).toBe('cancelled')
  })

  it('validating without saving neither requires nor refuses number and date', async ({ key, data }) => {
    const validate = async (body: unknown) =>
      (await call('POST', '/issued-invoices/validate', { key, body })).json
    expect(await validate(draft())).toMatchObject({ is_valid: true, errors: [] })
    expect(await validate(imported({ taxId: data.tax_id, number: 'N-1' }))).toMatchObject({ is_valid: true })
    const tomorrow = createClock(() => Date.now() + 86_400_000).today()
    const future = await validate(imported({ taxId: data.tax_id, number: 'N-1', date: tomorrow }))
    expect(future).toMatchObject({ is_valid: false, errors: [{ code: 'future_issue_date' }] })
    expect((await list(key)).total).toBe(0)
  })

  it('a received invoice is not found under /issued-invoices', async ({ key, data }) => {
    const body = received({ taxId: data.tax_id, number: nextRef() })
    const { id } = (await call('PUT', '/received-invoices', { key, body })).json
    for (const rest of ['', '/canonical', '/events'])
      expect(statusAndCode(await call('GET', `/issued-invoices/${id}${rest}`, { key }))).toBe(
        '404 invoice_not_found',
      )
    for (const rest of ['/issue', '/cancel'])
      expect(statusAndCode(await call('POST', `/issued-invoices/${id}${rest}`, { key }))).toBe(
        '404 invoice_not_found',
      )
    expect(statusAndCode(await remove(key, id))).toBe('404 invoice_not_found')
  })

  it('DELETE removes an imported invoice with its attachments, in any status', async () => {
    const company = await server().company()
    const { key, id: companyId } = company
    for (const status of ['issued', 'sent', 'cancelled'] as const) {
      const { id } = (await importing(company, { number: `N-${status}` })).json
      const form = new FormData()
      form.append('file', new Blob(['contents']), 'note.txt')
      expect((await call('POST', `/issued-invoices/${id}/documents`, { key, body: form })).status).toBe(201)
      await become(companyId, id, status)
      const answer = await remove(key, id)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(statusAndCode(await call('GET', `/issued-invoices/${id}`, { key }))).toBe(
        '404 invoice_not_found',
      )
      expect(statusAndCode(await remove(key, id))).toBe('404 invoice_not_found')
    }
    expect((await list(key)).total).toBe(0)
    const own = (await server().store()).of(companyId)
    for (const table of ['attachments', 'invoice_documents'] as const)
      expect(await own.select(table).selectAll().execute()).toEqual([])
  })

  it('the number of a deleted import is never assigned, but can be imported again', async () => {
    const company = await server().company()
    const { key } = company
    const { id } = (await importing(company, { series: 'OLD', number: 'F000001' })).json
    await remove(key, id)
    expect((await issued(key)).number).toBe('F000002')
    const again = await importing(company, { series: 'NEW', number: 'F000001' })
    expect(again.status).toBe(201)
    expect(again.json.id).not.toBe(id)
    expect(await get(key, again.json.id)).toMatchObject({ series: 'NEW', number: 'F000001' })
  })

  it('only imported invoices are deleted, and the refusal has the reasons', async () => {
    const company = await server().company()
    const { key, id: companyId } = company
    const refused = async (id: string) => {
      const answer = await remove(key, id)
      return [statusAndCode(answer), answer.json.detail.reasons]
    }
    const own = await issued(key)
    expect(await refused(own.id)).toEqual(['409 invoice_delete_not_allowed', ['not_imported']])
    await cancel(key, own.id)
    expect(await refused(own.id)).toEqual(['409 invoice_delete_not_allowed', ['not_imported']])
    const fresh = await saved(key)
    expect(await refused(fresh)).toEqual(['409 invoice_delete_not_allowed', ['draft']])
    await become(companyId, fresh, 'queued')
    expect(await refused(fresh)).toEqual(['409 invoice_delete_not_allowed', ['queued']])
    const filed = await importing(company, { number: 'N-1', date: '2026-03-02' })
    await server().transaction((tx) => fileReturn(tx.of(companyId), '2026-03', '2026-11-20T10:00:00.000000'))
    expect(await refused(filed.json.id)).toEqual(['409 invoice_delete_not_allowed', ['filed_return:2026-03']])
    expect(statusAndCode(await remove(key, randomUUID()))).toBe('404 invoice_not_found')
    expect(statusAndCode(await remove(key, 'nonsense'))).toBe('404 invoice_not_found')
  })
}
