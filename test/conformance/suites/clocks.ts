/** Clocks that were set back, or differ between machines: numbers, dates and histories keep their order. */
import { randomUUID } from 'node:crypto'
import { createClock } from 'cuadra-server/environment/clock.ts'
import { expect } from 'vitest'
import { administer } from '../administrator.ts'
import type { TestServer } from '../harness.ts'
import { draft } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const DAY = 86_400_000
const dayIn = (days: number): string => createClock(() => Date.now() + days * DAY).today()

export function clocksSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issue, issued, importing, eventsOf, cancel, get, change } = stepsOf(server)

  /** Sets the date of the last number of a series to that of a clock that is some days ahead. */
  const ahead = (companyId: string, series_code: string, days: number) =>
    change(companyId, 'series', { last_date: dayIn(days) }, { series_code })
  const notesOf = async (companyId: string): Promise<{ code: string; message: string }[]> => {
    const { json } = await administer(server(), ['verify', '--company', companyId, '--json'])
    expect(json.ok).toBe(true)
    return json.companies[0].notes
  }

  it('a number never has an earlier date than the one before it: up to a day the later date is kept', async () => {
    const company = await server().company()
    await activateVerifactu(server(), company.id)
    const { key, id } = company
    expect((await issued(key)).issue_date).toBe(dayIn(0))
    await ahead(id, 'F', 1)
    const next = await issued(key)
    expect([next.number, next.issue_date]).toEqual(['F000002', dayIn(1)])
    // The record has the time at which the invoice was issued, not an earlier one.
    const { json: records } = await call('GET', `/invoices/${next.id}/verifactu/records`, { key })
    expect(records[0].ts_gen.slice(0, 10)).toBe(dayIn(1))
    const { json: canonical } = await call('GET', `/issued-invoices/${next.id}/canonical`, { key })
    expect(canonical.invoice.issue_data.issue_date).toBe(dayIn(1))
    expect((await eventsOf(key, next.id)).at(-1).details).toMatchObject({
      issue_date: dayIn(1),
      clock_date: dayIn(0),
    })
    // Another series has its own dates.
    expect((await issued(key, draft({ series: 'G' }))).issue_date).toBe(dayIn(0))
    const notes = await notesOf(id)
    expect(notes.map(({ code }) => code)).toEqual(['date_held'])
    expect(notes[0]?.message).toContain(dayIn(1))
  })

  it('with a clock further behind nothing is issued, and the refusal states why', async () => {
    const { key, id } = await server().company()
    await issued(key)
    await ahead(id, 'F', 2)
    const invoice = await saved(key)
    const refused = await issue(key, invoice)
    expect(statusAndCode(refused)).toBe('503 clock_behind')
    expect(refused.json.detail).toMatchObject({ series: 'F', today: dayIn(0), last_date: dayIn(2) })
    expect((await get(key, invoice)).status).toBe('draft')
    await ahead(id, 'F', 0)
    expect((await issue(key, invoice)).json).toMatchObject({ number: 'F000002', issue_date: dayIn(0) })
  })

  it('a series of an earlier version takes its newest date', async ({ key, companyId: id }) => {
    const first = await issued(key)
    await server().transaction(async (all) => {
      const tx = all.of(id)
      const later = { issue_date: dayIn(1), sort_date: dayIn(1) }
      await tx.change('invoices', later, { invoice_id: first.id })
      await tx.update('series', { last_date: null }).execute()
    })
    expect((await issued(key)).issue_date).toBe(dayIn(1))
  })

  it('an imported number that advances the counter sets the date, and another one does not', async () => {
    const company = await server().company()
    const dateOf = async () => {
      const own = (await server().store()).of(company.id)
      const row = await own
        .find('series', { series_code: 'OLD' })
        .select(['next_number', 'last_date'])
        .executeTakeFirst()
      return row && [row.next_number, row.last_date]
    }
    await importing(company, { number: 'OLD000005', date: '2026-03-02' })
    expect(await dateOf()).toEqual([6, '2026-03-02'])
    await importing(company, { number: 'OLD000003', date: '2026-04-02' })
    expect(await dateOf()).toEqual([6, '2026-03-02'])
    await importing(company, { number: 'OLD000009', date: '2026-02-01' })
    expect(await dateOf()).toEqual([10, '2026-03-02'])
  })

  it('verify reports dates that fall within a series', async ({ key, companyId: id }) => {
    await issued(key)
    const second = await issued(key)
    await issued(key)
    await server().transaction(async (all) => {
      const tx = all.of(id)
      // The state that an earlier version left.
      await tx.change(
        'invoices',
        { issue_date: '2026-01-02', sort_date: '2026-01-02' },
        { invoice_id: second.id },
      )
    })
    const { json } = await administer(server(), ['verify', '--company', id, '--json'])
    const note = json.companies[0].notes.find(({ code }: { code: string }) => code === 'date_falls')
    expect(note).toMatchObject({ series: 'F', number: 'F000002', before: 'F000001', count: 1 })
  })

  it('a history keeps its order, and nothing is older than what it changes', async () => {
    const { key, id } = await server().company()
    const invoice = await saved(key)
    // As if saved by a clock that is an hour ahead.
    const later = createClock(() => Date.now() + 3_600_000).stamp()
    await server().transaction(async (all) => {
      const tx = all.of(id)
      await tx
        .changing('events', { event_id: `${later}-aaaaaaaaaaaa`, occurred_at: later })
        .where('invoice_id', '=', invoice)
        .execute()
      await tx.change('invoices', { created_at: later, updated_at: later }, { invoice_id: invoice })
    })
    await issue(key, invoice)
    await cancel(key, invoice)
    const events = await eventsOf(key, invoice)
    expect(events.map(({ event_code }: { event_code: string }) => event_code)).toEqual([
      'created',
      'issued',
      'cancelled',
    ])
    const { created_at, updated_at } = await get(key, invoice)
    expect(updated_at >= created_at).toBe(true)
  })

  it('a repeated upload returns the same response after its invoice was issued or deleted', async () => {
    const { key } = await server().company()
    const upload = (invoice: string, once: string) => {
      const body = new FormData()
      body.append('file', new Blob(['Albarán 1'], { type: 'text/plain' }), 'albaran.txt')
      return call('POST', `/drafts/${invoice}/documents`, { key, body, headers: { 'Idempotency-Key': once } })
    }
    for (const become of [
      issue,
      (own: string, invoice: string) => call('DELETE', `/drafts/${invoice}`, { key: own }),
    ]) {
      const invoice = await saved(key)
      const once = randomUUID()
      const first = await upload(invoice, once)
      expect(statusAndCode(first)).toBe('201')
      await become(key, invoice)
      const again = await upload(invoice, once)
      expect([statusAndCode(again), again.text]).toEqual(['201', first.text])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      // A new request finds no draft.
      expect(statusAndCode(await upload(invoice, randomUUID()))).toBe('404 invoice_not_found')
    }
  })
}
