/** Two full invoices for one ticket, issued in concurrent transactions of PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClock } from '../../../../src/server/environment/clock.ts'
import { createLog } from '../../../../src/server/environment/log.ts'
import type { Call } from '../../../../src/server/service/access/call.ts'
import { type CompanyRecord, insertCompany } from '../../../../src/server/service/company/company.ts'
import { readCompany } from '../../../../src/server/service/company/company-file.ts'
import { eventsOf } from '../../../../src/server/service/invoice/events.ts'
import { saveDraft, validateDraft } from '../../../../src/server/service/issued/drafts.ts'
import { issueInvoice } from '../../../../src/server/service/issued/issue.ts'
import { type CompanyStore, openStore, type Store } from '../../../../src/server/store/store.ts'
import { createWork } from '../../../../src/server/work/work.ts'
import { type Document, draft } from '../../../conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '../../../conformance/postgres.ts'
import { until } from '../../../until.ts'

function proof(): void {
  let store: Store
  let rows: CompanyStore
  let company: CompanyRecord
  const clock = createClock()

  beforeAll(async () => {
    store = await openStore({ dataDir: '', databaseUrl: await postgresDatabase() })
    const data = readCompany({
      legal_name: 'Empresa de Pruebas, S.L.',
      tax_id: 'B12345674',
      person_type_code: 'J',
      verified: true,
      address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
    })
    company = await store.transaction((tx) => insertCompany(tx, data, clock.stamp()))
    rows = store.of(company.id)
  }, 60_000)
  afterAll(() => store?.close())

  const callOf = () =>
    ({
      app: {
        clock,
        store,
        log: createLog('silent'),
        work: createWork(new URL('file:///no-worker.js')),
        metrics: { countIssued: () => {} },
      },
      size: 0,
      company,
      locale: 'en',
      requestId: randomUUID(),
      keyId: randomUUID(),
      headers: {},
    }) as unknown as Call

  const saved = async (document: Document): Promise<string> => {
    const validated = await validateDraft(rows, callOf(), document)
    return (await rows.transaction((tx) => saveDraft(tx, callOf(), document, validated))).id
  }

  it('the second waits for the first, and is not F3', async () => {
    const ticket = draft({ series: 'T' })
    ticket.invoice.header.invoice_type_code = '02'
    delete ticket.invoice.customer
    const ticketId = await saved(ticket)
    const { number } = await rows.transaction((tx) => issueInvoice(tx, callOf(), ticketId, undefined))
    const invoice = { additional_data: { related_invoice: { number } } }
    // Each in its own series, so that no lock of a series orders them.
    const [first, second] = [
      await saved(draft({ series: 'A', invoice })),
      await saved(draft({ series: 'B', invoice })),
    ]
    let isDone = false
    await rows.transaction(async (tx) => {
      await issueInvoice(tx, callOf(), first, undefined)
      const issuing = rows
        .transaction((other) => issueInvoice(other, callOf(), second, undefined))
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
