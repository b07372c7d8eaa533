/** Cancellation of issued invoices. */
import { randomUUID } from 'node:crypto'
import { createClock } from 'cuadra-server/environment/clock.ts'
import { fileReturn } from 'cuadra-server/service/invoice/filed-returns.ts'
import { expect } from 'vitest'
import { transition } from '../answers.ts'
import type { TestServer } from '../harness.ts'
import { draft, nextRef } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

/** The 16th of the month after a day, the deadline of a modification. */
const capAfter = (day: string): string => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 16)).toISOString().slice(0, 10)
}

export function cancelSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issue, issued, importing, get, eventsOf, cancel, become, change } = stepsOf(server)
  const kinds = async (key: string, id: string): Promise<string[]> =>
    (await call('GET', `/invoices/${id}/verifactu/records`, { key })).json.map(
      ({ tipo }: { tipo: string }) => tipo,
    )

  it('an issued invoice is cancelled, keeps its number, and has an event', async ({ key }) => {
    const { id, number } = await issued(key)
    const { status, json } = await cancel(key, id)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, number, status: 'cancelled', fiscal: { status: 'not_registered' } })
    expect(await get(key, id)).toEqual(json)
    expect((await eventsOf(key, id)).at(-1)).toMatchObject({
      event_type: 'state_transition',
      event_code: 'cancelled',
      from_status: 'ISSUED',
      to_status: 'CANCELLED',
    })
    expect((await issued(key)).number).toBe('F000002')
    expect((await call('GET', '/issued-invoices?status=cancelled', { key })).json.total).toBe(1)
    transition('issued -> cancel -> cancelled')
  })

  it('with VeriFactu an issued invoice gets a cancellation record, and a sent one does not', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    const first = await issued(key)
    expect((await cancel(key, first.id)).json.fiscal.status).toBe('verifactu_cancellation_pending')
    expect((await get(key, first.id)).fiscal).toMatchObject({
      qr_url: first.fiscal.qr_url,
      status: 'verifactu_cancellation_pending',
    })
    expect(await kinds(key, first.id)).toEqual(['alta', 'anulacion'])
    expect((await eventsOf(key, first.id)).at(-1).details.cancellation_record).toBe(true)
    const second = await issued(key)
    await become(companyId, second.id, 'sent')
    expect((await cancel(key, second.id)).json.status).toBe('cancelled')
    expect(await kinds(key, second.id)).toEqual(['alta'])
    // The authority received no cancellation, so the invoice stays registered there.
    expect((await get(key, second.id)).fiscal.status).toBe('verifactu_pending')
    expect((await eventsOf(key, second.id)).at(-1)).toMatchObject({
      from_status: 'SENT',
      details: { cancellation_record: false },
    })
    transition('sent -> cancel -> cancelled')
  })

  it('an invoice that was never registered is cancelled without a record', async ({ company }) => {
    const before = await issued(company.key)
    const foreign = await importing(company, { number: 'N-1' })
    await activateVerifactu(server(), company.id)
    for (const id of [before.id, foreign.json.id]) {
      expect((await cancel(company.key, id)).json.status).toBe('cancelled')
      expect(await kinds(company.key, id)).toEqual([])
    }
  })

  it('a cancellation record that cannot be made does not prevent the cancellation', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    const { id } = await issued(key)
    await change(
      companyId,
      'verifactu_records',
      { record: JSON.stringify({ RegistroAlta: { IDFactura: {} } }) },
      { invoice_id: id },
    )
    const answer = await cancel(key, id)
    expect(statusAndCode(answer)).toBe('200')
    expect(answer.json.fiscal.status).toBe('cancellation_missing')
    expect(await get(key, id)).toEqual(answer.json)
    expect(await kinds(key, id)).toEqual(['alta'])
    expect((await eventsOf(key, id)).at(-1).details).toMatchObject({
      cancellation_record: false,
      reason: 'not_generated',
    })
    const { items } = (await call('GET', '/verifactu/incidents', { key })).json
    expect(items).toContainEqual({
      submission_id: id,
      num_serie: answer.json.number,
      estado_registro: 'missing',
      codigo_error: 'cancellation_not_generated',
      descripcion_error: expect.stringContaining(`verifactu correct --company ${companyId} --invoice ${id}`),
      submitted_at: null,
    })
    const again = await cancel(key, id)
    expect(statusAndCode(again)).toBe('409 invalid_status_transition')
    expect(again.json.detail.hint).toContain('verifactu correct')
  })

  it('the history names the filed returns that declared the cancelled invoice', async () => {
    const { key, id: companyId } = await server().company()
    const { id, issue_date }: { id: string; issue_date: string } = await issued(key)
    const month = issue_date.slice(0, 7)
    await server().transaction((tx) => fileReturn(tx.of(companyId), month, '2026-11-21T10:00:00.000000'))
    expect(statusAndCode(await cancel(key, id))).toBe('200')
    expect((await eventsOf(key, id)).at(-1).details.filed).toEqual([`filed_return:${month}`])
  })

  it('any other status is refused and stays', async ({ key, companyId }) => {
    const id = await saved(key)
    for (const status of ['draft', 'queued', 'cancelled'] as const) {
      await become(companyId, id, status)
      const answer = await cancel(key, id)
      expect(statusAndCode(answer)).toBe('409 invalid_status_transition')
      expect(answer.json.detail).toMatchObject({ from: status, to: 'cancelled' })
      expect((await get(key, id)).status).toBe(status)
    }
    expect(statusAndCode(await cancel(key, randomUUID()))).toBe('404 invoice_not_found')
    transition('any other -> cancel -> unchanged')
  })

  it('of two concurrent cancellations one succeeds', async ({ key, companyId }) => {
    await activateVerifactu(server(), companyId)
    const { id } = await issued(key)
    const answers = await Promise.all([cancel(key, id), cancel(key, id), cancel(key, id)])
    expect(answers.map(statusAndCode).sort()).toEqual([
      '200',
      '409 invalid_status_transition',
      '409 invalid_status_transition',
    ])
    expect(await kinds(key, id)).toEqual(['alta', 'anulacion'])
  })

  it('the original of a cancelled corrective is no longer shown as corrected', async ({ key }) => {
    const original = await issued(key)
    const body = { correction_type: 'S', reason_code: '16', series_code: 'R', external_ref: nextRef() }
    const { id } = (await call('POST', `/issued-invoices/${original.id}/corrective`, { key, body })).json
    expect((await get(key, original.id)).corrections).toBeNull()
    const corrective = (await issue(key, id)).json
    expect((await get(key, original.id)).corrections).toEqual({
      corrected_by: [
        {
          invoice_id: id,
          series: 'R',
          number: corrective.number,
          issue_date: corrective.issue_date,
          correction_type: 'S',
        },
      ],
    })
    await cancel(key, id)
    expect((await get(key, original.id)).corrections).toBeNull()
    expect((await get(key, id)).corrections.corrects.corrected_invoice_id).toBe(original.id)
  })

  it('cancelling an invoice cancels its collections, but not those of others', async ({ key, companyId }) => {
    const [mine, other] = [await issued(key), await issued(key)]
    const collection = (invoice_id: string, cancelled_at: string | null = null) => ({
      company_id: companyId,
      collection_id: randomUUID(),
      invoice_id,
      date: '2026-05-02',
      amount: 60.5,
      method: '04',
      cancelled_at,
      created_at: '2026-05-02T10:00:00.000000',
      digest: '',
    })
    const earlier = '2026-06-01T10:00:00.000000'
    const rows = [
      collection(mine.id),
      collection(mine.id),
      collection(mine.id, earlier),
      collection(other.id),
    ]
    await server().past((db) => db.insertInto('collections').values(rows).execute())
    await cancel(key, mine.id)
    const own = (await server().store()).of(companyId)
    const found = await own.select('collections').selectAll().execute()
    const cancelledAt = rows.map(
      ({ collection_id }) => found.find((row) => row.collection_id === collection_id)?.cancelled_at,
    )
    expect(cancelledAt).toEqual([expect.any(String), cancelledAt[0], earlier, null])
    expect(cancelledAt[0]).not.toBe(earlier)
    expect((await eventsOf(key, mine.id)).at(-1).details.collections_cancelled).toBe(2)
  })

  it('with SII active the cancellation is pending as a modification, with its own deadline', async () => {
    const company = await server().company({
      sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
    })
    const { key, id: companyId } = company
    const { id } = await issued(key, draft())
    const rowOf = async (invoice: string) => {
      return (await server().store())
        .of(companyId)
        .find('sii_records', { invoice_id: invoice })
        .select(['operation_type', 'status', 'deadline'])
        .executeTakeFirst()
    }
    const registered = await rowOf(id)
    expect(registered).toMatchObject({ operation_type: 'A0', status: 'pending' })
    const cap = capAfter(createClock().today())
    await cancel(key, id)
    // An invoice that was not reported yet keeps its deadline, which is earlier.
    expect(await rowOf(id)).toEqual({ ...registered, operation_type: 'A1' })
    const reported = await issued(key, draft())
    await change(
      companyId,
      'sii_records',
      { status: 'accepted', accepted_at: '2026-11-20T10:00:00.000000' },
      { invoice_id: reported.id },
    )
    await cancel(key, reported.id)
    expect(await rowOf(reported.id)).toEqual({ operation_type: 'A1', status: 'pending', deadline: cap })
    const foreign = (await importing(company, { number: 'N-1' })).json.id
    await cancel(key, foreign)
    expect(await rowOf(foreign)).toMatchObject({ operation_type: 'A1', deadline: cap })
    // After its deletion nothing is left to report.
    expect((await call('DELETE', `/issued-invoices/${foreign}`, { key })).status).toBe(204)
    expect(await rowOf(foreign)).toBeUndefined()
  })

  it('a cancellation takes no body', async ({ key }) => {
    const { id } = await issued(key)
    const send = (body: unknown) => call('POST', `/issued-invoices/${id}/cancel`, { key, body })
    expect(statusAndCode(await send({ reason: 'x' }))).toBe('422 request_validation_error')
    expect((await get(key, id)).status).toBe('issued')
    expect((await send({})).status).toBe(200)
  })
}
