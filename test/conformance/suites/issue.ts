/** Issue: number, date and record in one transaction. */

import { randomUUID } from 'node:crypto'
import { createClock } from 'cuadra-server/environment/clock.ts'
import type { Action } from 'cuadra-server/service/invoice/events.ts'
import { queueInvoice, unqueueInvoice } from 'cuadra-server/service/issued/issue-queue.ts'
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { transition } from '../answers.ts'
import type { TestServer } from '../harness.ts'
import { draft, wrongDraft } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const clock = createClock()

export function issueSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, put, saved, issue, issued, importing, get, eventsOf, become, seriesTemplate, change } =
    stepsOf(server)
  const statusOf = async (key: string, id: string) => (await get(key, id)).status
  const nextOf = async (companyId: string, series: string) => {
    const own = (await server().store()).of(companyId)
    const row = await own.find('series', { series_code: series }).select('next_number').executeTakeFirst()
    return row && Number(row.next_number)
  }
  const admin = (): Action => ({
    actor: { userId: 'tests' },
    stamp: clock.stamp(),
  })

  it('issue assigns the next number of the series and today’s date', async ({ key }) => {
    const id = await saved(key, draft({ series: 'A' }))
    const { status, json } = await issue(key, id)
    const today = clock.today()
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id,
      status: 'issued',
      series: 'A',
      number: 'A000001',
      issue_date: today,
      fiscal: { qr_url: null, legend: null, status: 'not_registered' },
    })
    expect(await get(key, id)).toEqual(json)
    expect((await issued(key, draft({ series: 'A' }))).number).toBe('A000002')
    expect((await issued(key, draft({ series: 'B' }))).number).toBe('B000001')
    const events = await eventsOf(key, id)
    expect(events.map(({ event_code }: { event_code: string }) => event_code)).toEqual(['created', 'issued'])
    expect(events[1]).toMatchObject({
      event_type: 'state_transition',
      from_status: 'DRAFT',
      to_status: 'ISSUED',
      details: { issue_date: today, series: 'A', number: 'A000001' },
      actor: { user_id: null },
    })
    transition('draft -> issue -> issued')
  })

  it('the canonical document has number and date once issued', async ({ key }) => {
    const { id, number, issue_date } = await issued(key)
    const { json } = await call('GET', `/issued-invoices/${id}/canonical`, { key })
    expect(json.invoice.header.invoice_number).toBe(number)
    expect(json.invoice.issue_data.issue_date).toBe(issue_date)
  })

  it('a draft with errors is not issued, and no number is used', async ({ key, companyId }) => {
    const id = await saved(key, wrongDraft())
    const answer = await issue(key, id)
    expect(statusAndCode(answer)).toBe('422 validation_failed')
    expect(answer.json.detail.errors[0].code).toBe('tax_rate_unknown')
    expect(statusAndCode(await issue(key, id, { invoice_number: 'F000007' }))).toBe('422 validation_failed')
    expect(await statusOf(key, id)).toBe('draft')
    expect(await nextOf(companyId, 'F')).toBeUndefined()
    expect((await issued(key)).number).toBe('F000001')
    transition('draft -> issue -> draft')
  })

  it('a company that is not verified cannot issue', async () => {
    const { key } = await server().company({ verified: false })
    const id = await saved(key, wrongDraft())
    expect(statusAndCode(await issue(key, id))).toBe('409 company_not_verified')
    expect(await statusOf(key, id)).toBe('draft')
  })

  it('only a draft is issued', async ({ key, companyId }) => {
    const { id } = await issued(key)
    for (const status of ['issued', 'sent', 'cancelled'] as const) {
      await become(companyId, id, status)
      const answer = await issue(key, id)
      expect(statusAndCode(answer)).toBe('409 invalid_status_transition')
      expect(answer.json.detail).toMatchObject({ from: status, to: 'issued' })
    }
    for (const unknown of [randomUUID(), 'nonsense'])
      expect(statusAndCode(await issue(key, unknown))).toBe('404 invoice_not_found')
  })

  it('the body may be absent, empty or an empty object, and has no other fields', async ({ key }) => {
    expect((await issue(key, await saved(key))).status).toBe(200)
    expect((await issue(key, await saved(key), '')).status).toBe(200)
    expect((await issue(key, await saved(key), {})).status).toBe(200)
    const id = await saved(key)
    for (const body of [
      { unknown: 1 },
      { invoice_number: '' },
      { invoice_number: 'F'.repeat(61) },
      { invoice_number: 4 },
      [],
      '"F000004"',
    ])
      expect([body, statusAndCode(await issue(key, id, body))]).toEqual([
        body,
        '422 request_validation_error',
      ])
    expect(await statusOf(key, id)).toBe('draft')
    expect((await issue(key, id, { invoice_number: 'F000004' })).json.number).toBe('F000004')
  })

  it('a forced number must match the template: code, prefix, leading zeros', async ({ key, companyId }) => {
    await seriesTemplate(companyId, 'T', 'FV-{series}/26-{number:4}')
    const id = await saved(key)
    for (const invoice_number of [
      'F1',
      'F00001',
      'F0000001',
      'F000000',
      'G000001',
      'FV-T/26-0001',
      'f000001',
      'F-00001',
      'F00000١',
      '000001',
      'F'.repeat(60),
    ]) {
      const answer = await issue(key, id, { invoice_number })
      expect([invoice_number, statusAndCode(answer)]).toEqual([invoice_number, '422 forced_number_invalid'])
      expect(answer.json.detail).toMatchObject({ series: 'F', example: 'F000001' })
    }
    const other = await saved(key, draft({ series: 'T' }))
    for (const invoice_number of ['T0001', 'FV-T/26-001', 'FV-T/26-00001', 'FV-T/25-0001'])
      expect(statusAndCode(await issue(key, other, { invoice_number }))).toBe('422 forced_number_invalid')
    expect((await issue(key, other, { invoice_number: 'FV-T/26-0009' })).json.number).toBe('FV-T/26-0009')
    expect((await issued(key, draft({ series: 'T' }))).number).toBe('FV-T/26-0010')
    expect(await statusOf(key, id)).toBe('draft')
  })

  it('a forced number ahead of the counter advances it, and one behind does not', async ({ key }) => {
    const forced = async (invoice_number: string) =>
      statusAndCode(await issue(key, await saved(key), { invoice_number }))
    expect(await forced('F000005')).toBe('200')
    expect((await issued(key)).number).toBe('F000006')
    expect(await forced('F000002')).toBe('200')
    expect((await issued(key)).number).toBe('F000007')
    expect(await forced('F1000000')).toBe('200')
    expect((await issued(key)).number).toBe('F1000001')
  })

  it('a forced number ahead is skipped when the counter reaches it', async ({ key, companyId }) => {
    await issued(key)
    await issue(key, await saved(key), { invoice_number: 'F000004' })
    await change(companyId, 'series', { next_number: 3 })
    expect((await issued(key)).number).toBe('F000003')
    expect((await issued(key)).number).toBe('F000005')
  })

  it('any number of taken numbers is skipped', async ({ key, companyId }) => {
    const held = Array.from({ length: 1100 }, (_, n) => `F${String(n + 1).padStart(6, '0')}`)
    await server().past((db) =>
      db
        .insertInto('numbers')
        .values(
          held.flatMap((number) =>
            number === 'F001050'
              ? []
              : { company_id: companyId, number, series_code: 'OLD', invoice_id: null },
          ),
        )
        .execute(),
    )
    expect((await issued(key)).number).toBe('F001050')
    expect((await issued(key)).number).toBe('F001101')
    expect(await nextOf(companyId, 'F')).toBe(1102)
  })

  it('a forced number that an invoice has or had is refused', async ({ company, key }) => {
    await issued(key)
    const id = await saved(key)
    const refused = async (invoice_number: string) => statusAndCode(await issue(key, id, { invoice_number }))
    expect(await refused('F000001')).toBe('409 forced_number_in_use')
    // Imported into another series, and deleted afterwards.
    const foreign = await importing(company, { series: 'OLD', number: 'F000009' })
    expect(await refused('F000009')).toBe('409 forced_number_in_use')
    expect((await call('DELETE', `/issued-invoices/${foreign.json.id}`, { key })).status).toBe(204)
    const gone = await issue(key, id, { invoice_number: 'F000009' })
    expect(statusAndCode(gone)).toBe('409 forced_number_in_use')
    // The number has no holder any more, and the message explains that.
    expect(gone.json.detail.message).toMatch(
      /^The number F000009 belonged to an imported invoice that was deleted/,
    )
    expect(gone.json.detail).toMatchObject({ number: 'F000009' })
    expect(await statusOf(key, id)).toBe('draft')
  })

  it('codes of series are plain text, not patterns', async ({ key, companyId }) => {
    for (const series of ['$&-', '{series}', '{number}', '.*', 'Ñ/ 26·', 'a\'b"c', '%_', '$1'])
      expect((await issued(key, draft({ series }))).number).toBe(`${series}000001`)
    expect(await nextOf(companyId, '$&-')).toBe(2)
    expect(
      (await issue(key, await saved(key, draft({ series: '$&-' })), { invoice_number: '$&-000002' })).status,
    ).toBe(200)
  })

  it('blanks around a number are trimmed, so that no two invoices have one number in their fiscal records', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    expect((await issued(key, draft({ series: 'F' }))).number).toBe('F000001')
    expect((await issued(key, draft({ series: ' F' }))).number).toBe('F000002')
    const forced = { invoice_number: 'F000003' }
    expect((await issue(key, await saved(key, draft({ series: ' F' })), forced)).json.number).toBe('F000003')
    const own = (await server().store()).of(companyId)
    const rows = await own.select('verifactu_records').select('num_serie').orderBy('sequence').execute()
    expect(rows.map(({ num_serie }) => num_serie)).toEqual(['F000001', 'F000002', 'F000003'])
  })

  it('a draft whose numbers would be too long has a warning when it is saved, with and without VeriFactu', async () => {
    const { key, id: companyId } = await server().company()
    const tooLong = {
      code: 'schema.max_length',
      severity: 'warning',
      path: '/invoice/header/invoice_series_code',
      extra: { max_length: 60, received: 61 },
    }
    const reported55 = await put(key, draft({ series: 'S'.repeat(55) }))
    expect(reported55.json).toMatchObject({ success: true, errors: [tooLong] })
    const validated = await call('POST', `/drafts/${reported55.json.id}/validate`, { key })
    expect(validated.json).toMatchObject({ is_valid: true, errors: [tooLong] })
    expect((await put(key, draft({ series: 'S'.repeat(54) }))).json.errors).toEqual([])
    await seriesTemplate(companyId, 'T'.repeat(55), '{series}{number}', 99_999)
    expect((await put(key, draft({ series: 'T'.repeat(55) }))).json.errors).toEqual([])
    await seriesTemplate(companyId, 'U', `${'u'.repeat(60)}{number}`)
    expect((await put(key, draft({ series: 'U' }))).json.errors).toMatchObject([tooLong])
    // The record does not repeat that warning, but adds its other problems.
    await activateVerifactu(server(), companyId)
    expect((await put(key, draft({ series: 'S'.repeat(55) }))).json.errors).toMatchObject([tooLong])
  })

  it('a series whose numbers would be too long cannot issue', async ({ key, companyId }) => {
    const id = await saved(key, draft({ series: 'S'.repeat(55) }))
    const answer = await issue(key, id)
    expect(statusAndCode(answer)).toBe('422 validation_failed')
    expect(answer.json.detail.errors[0]).toMatchObject({ path: '/invoice/header/invoice_series_code' })
    expect(await nextOf(companyId, 'S'.repeat(55))).toBeUndefined()
    expect((await issued(key, draft({ series: 'S'.repeat(54) }))).number).toHaveLength(60)
  })

  it('of many requests to issue one draft, one succeeds', async ({ key, companyId }) => {
    await activateVerifactu(server(), companyId)
    const id = await saved(key)
    const answers = await Promise.all(Array.from({ length: 6 }, () => issue(key, id)))
    const sorted = answers.map(statusAndCode).sort()
    expect(sorted[0]).toBe('200')
    for (const one of sorted.slice(1))
      expect(['409 invalid_status_transition', '409 invoice_race_condition']).toContain(one)
    expect(await nextOf(companyId, 'F')).toBe(2)
  })

  it('concurrent drafts, some with one forced number, get every number once and without gaps', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    const ids = await Promise.all(Array.from({ length: 12 }, () => saved(key)))
    const answers = await Promise.all(
      ids.map((id, n) => issue(key, id, n % 4 === 0 ? { invoice_number: 'F000001' } : {})),
    )
    const numbers = answers
      .flatMap(({ status, json }): string[] => (status === 200 ? [json.number] : []))
      .sort()
    expect(new Set(answers.filter(({ status }) => status !== 200).map(statusAndCode))).toEqual(
      new Set(['409 forced_number_in_use']),
    )
    expect(numbers).toEqual(numbers.map((_, n) => `F${String(n + 1).padStart(6, '0')}`))
    expect(await nextOf(companyId, 'F')).toBe(numbers.length + 1)
  })

  it('a queued draft, and any other of its series, is not issued until it is released', async () => {
    const { key, id: companyId } = await server().company()
    const queued = await saved(key, draft({ series: 'Q' }))
    const other = await saved(key, draft({ series: 'Q' }))
    const wrong = await saved(key, wrongDraft({ series: 'Q' }))
    await server().transaction((tx) => queueInvoice(tx.of(companyId), admin(), queued))
    expect(await statusOf(key, queued)).toBe('queued')
    transition('draft -> queue -> queued')
    expect((await call('GET', '/issued-invoices?status=queued', { key })).json.total).toBe(1)
    expect(statusAndCode(await issue(key, queued))).toBe('409 invoice_queued_for_bulk_issue')
    expect(await statusOf(key, queued)).toBe('queued')
    transition('queued -> issue -> unchanged')
    const active = await issue(key, other)
    expect(statusAndCode(active)).toBe('409 bulk_issue_series_active')
    expect(active.json.detail.series).toBe('Q')
    expect(statusAndCode(await issue(key, wrong))).toBe('409 bulk_issue_series_active')
    expect((await issued(key, draft({ series: 'R' }))).number).toBe('R000001')
    await server().transaction((tx) => unqueueInvoice(tx.of(companyId), admin(), queued))
    expect(await statusOf(key, queued)).toBe('draft')
    transition('queued -> unqueue -> draft')
    expect((await issue(key, queued)).json.number).toBe('Q000001')
    expect((await issue(key, other)).json.number).toBe('Q000002')
    const events: { event_code: string; actor: object; to_status: string }[] = await eventsOf(key, queued)
    expect(events.map(({ event_code, to_status }) => `${event_code} ${to_status}`)).toEqual([
      'created DRAFT',
      'queued QUEUED',
      'unqueued DRAFT',
      'issued ISSUED',
    ])
    expect(events[1]?.actor).toEqual({ user_id: 'tests', api_key_id: null })
  })

  it('the administrator queues only drafts, and releases only queued ones', async ({ key, companyId }) => {
    const { id } = await issued(key)
    const fresh = await saved(key)
    const queue = (invoice: string) =>
      server().transaction((tx) => queueInvoice(tx.of(companyId), admin(), invoice))
    await expect(queue(id)).rejects.toThrow(/is issued/)
    await expect(queue(randomUUID())).rejects.toThrow(/no issued invoice or draft/)
    await expect(
      server().transaction((tx) => unqueueInvoice(tx.of(companyId), admin(), fresh)),
    ).rejects.toThrow(/is draft/)
  })

  it('queuing waits for running issues in the series, and later ones see it', async ({ key, companyId }) => {
    const [queued, ...others] = await Promise.all(Array.from({ length: 8 }, () => saved(key)))
    const [, ...answers] = await Promise.all([
      server().transaction((tx) => queueInvoice(tx.of(companyId), admin(), required(queued))),
      ...others.map((id) => issue(key, id)),
    ])
    for (const answer of answers)
      expect(['200', '409 bulk_issue_series_active']).toContain(statusAndCode(answer))
    expect(statusAndCode(await issue(key, await saved(key)))).toBe('409 bulk_issue_series_active')
  })

  it('with VeriFactu active a record with its QR is made, and what the authority would refuse is not issued', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    const { fiscal } = await issued(key)
    expect(fiscal).toMatchObject({
      status: 'verifactu_pending',
      legend: expect.stringMatching(/verificable/),
    })
    expect(fiscal.qr_url).toMatch(/^https:.*numserie=F000001/)
    // A character that numbers in records must not have: a warning on the draft, an error on issue.
    const warned = await call('PUT', '/drafts', { key, body: draft({ series: 'A<B' }) })
    expect(warned.json.success).toBe(true)
    expect(warned.json.errors[0]).toMatchObject({ severity: 'warning' })
    expect(statusAndCode(await issue(key, warned.json.id))).toBe('422 validation_failed')
    expect(await nextOf(companyId, 'A<B')).toBeUndefined()
  })

  it('with SII active the invoice is pending with its deadline', async () => {
    const { key } = await server().company({
      sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
    })
    const { id } = await issued(key)
    const { json } = await call('GET', '/sii/pending', { key })
    expect(json.items).toEqual([expect.objectContaining({ invoice_public_id: id, book_type: 'ISSUED' })])
  })
}
