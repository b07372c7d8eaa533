/** Two full invoices for one ticket, issued in concurrent transactions of PostgreSQL. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Document, draft } from '#test/conformance/invoices.ts'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { until } from '#test/until.ts'
import { eventsOf } from '../../../src/service/invoice/events.ts'
import { saveDraft, validateDraft } from '../../../src/service/issued/drafts.ts'
import { issueInvoice } from '../../../src/service/issued/issue.ts'
import { openRace } from './race.ts'

function proof(): void {
  let race: Awaited<ReturnType<typeof openRace>>
  beforeAll(async () => {
    race = await openRace()
  }, 60_000)
  afterAll(() => race?.store.close())

  const saved = async (document: Document): Promise<string> => {
    const { rows, call } = race
    const validated = await validateDraft(rows, call(), document)
    return (await rows.transaction((tx) => saveDraft(tx, call(), document, validated))).id
  }

  it('the second waits for the first, and is not F3', async () => {
    const { store, rows, call } = race
    const ticket = draft({ series: 'T' })
    ticket.invoice.header.invoice_type_code = '02'
    delete ticket.invoice.customer
    const ticketId = await saved(ticket)
    const { number } = await rows.transaction((tx) => issueInvoice(tx, call(), ticketId, undefined))
    const invoice = { additional_data: { related_invoice: { number } } }
    // Each in its own series, so that no lock of a series orders them.
    const [first, second] = [
      await saved(draft({ series: 'A', invoice })),
      await saved(draft({ series: 'B', invoice })),
    ]
    let isDone = false
    await rows.transaction(async (tx) => {
      await issueInvoice(tx, call(), first, undefined)
      const issuing = rows
        .transaction((other) => issueInvoice(other, call(), second, undefined))
        .finally(() => {
          isDone = true
        })
      const isBlocked = () =>
        store.transaction(async (all) => {
          const { rows: waiting } = await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(
            all.acrossCompanies('a test'),
          )
          return waiting.length > 0
        })
      await until(async () => isDone || (await isBlocked()), 'the second issue waits for a lock')
      tx.afterCommit(async () => {
        await issuing
      })
    })
    const decisions = await Promise.all(
      [first, second].map(async (id) => (await eventsOf(rows, id)).at(-1)?.details),
    )
    expect(decisions).toMatchObject([
      { replaces: { number } },
      { not_replaced: { number, reason: 'replaced' } },
    ])
  })
}

if (hasPostgres()) describe('two full invoices in exchange for one ticket', proof)
else it.skip('two full invoices in exchange for one ticket: PostgreSQL is not installed here', () => {})
