/**
 * `cuadra-admin verify` notices every value that a program changed in the database without the server, except those
 * listed here with their reason.
 */

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { messageOf } from '#test/narrow.ts'
import { ALL, sized } from '#test/size.ts'
import { COMPANY_TABLES, columnsOf, keyOf } from '../../src/store/tables.ts'
import { filled, signed } from './filled.ts'

const SETTINGS = 'settings, which an administrator may change'
const TECHNICAL = 'technical data without a document'
const RESPONSE = 'repeats the response of the authority, which the message keeps'

/** Tables and columns in which a changed value is not noticed, and why. */
const UNNOTICED: Readonly<Record<string, string>> = {
  'companies.created_at': TECHNICAL,
  'companies.updated_at': TECHNICAL,
  api_keys: SETTINGS,
  series: 'settings; a counter that is too low is noticed, one that is too high leaves a gap, which is noted',
  verifactu_periods: SETTINGS,
  verifactu_planned_periods: SETTINGS,
  sii_config: SETTINGS,
  certificates: SETTINGS,
  company_logos: SETTINGS,
  filed_returns: SETTINGS,
  rate_buckets: TECHNICAL,
  idempotency_keys: TECHNICAL,
  pending_files: TECHNICAL,
  invoice_counts: 'derived from invoices; a wrong count is noticed',
  invoice_changes: 'derived from invoices; a wrong count is noticed',
  verifactu_operations: TECHNICAL,
  verifactu_anomalies: 'names anomalies that the event records report',
  verifactu_submission_lines: RESPONSE,
  'verifactu_chains.simulated': TECHNICAL,
  verifactu_queues: TECHNICAL,
  sii_records: 'what is to be reported; the message keeps what was reported',
  sii_submission_items: RESPONSE,
  sii_queues: TECHNICAL,
  sii_cash_basis: 'derived from the invoice',
  sii_movements: 'derived from collections and payments',
  mails: 'correspondence; the history of the invoice has the recipients',
  mail_contents: TECHNICAL,
  recognitions: TECHNICAL,
  'invoices.external_ref': 'the reference of a client; noticed if the document states it',
  'verifactu_records.record_id': 'a name in responses',
  'verifactu_records.mode': 'noticed if the record has a QR code',
  'verifactu_records.estado': RESPONSE,
  'verifactu_records.xml_response': RESPONSE,
  'verifactu_records.aeat_csv': RESPONSE,
  'verifactu_records.submitted_at': RESPONSE,
  'verifactu_records.submission_id': RESPONSE,
  'verifactu_records.created_at': 'the record has its time',
  'verifactu_records.updated_at': RESPONSE,
  'verifactu_events.mode': 'the record has it',
  'verifactu_events.created_at': 'the record has its time',
}
const MESSAGE = 'describes the message, which is noticed'
for (const table of ['verifactu_submissions', 'sii_submissions'] as const)
  for (const { name } of columnsOf(table))
    if (!/^xml/.test(name)) Object.assign(UNNOTICED, { [`${table}.${name}`]: MESSAGE })

type Value = string | number | null
type StoredRow = Readonly<Record<string, Value>>

/** Returns values that differ from this one; the first ones may be those of another row. */
function others(table: string, name: string, value: Value, type: string): readonly Value[] {
  if (table === 'invoices' && name === 'status') return [value === 'issued' ? 'sent' : 'issued']
  if (table === 'invoices' && name === 'direction') return [value === 'issued' ? 'received' : 'issued']
  if (value === null) return [/^(integer|bigint|double)$/.test(type) ? 1 : 'x']
  if (typeof value === 'number') return [value === 0 ? 1 : value === 1 ? 0 : value + 1, value + 1000]
  const at = value.search(/[a-z0-9](?=[^a-z0-9]*$)/i)
  return [`${value.slice(0, at)}${value[at] === '7' ? '8' : '7'}${value.slice(at + 1)}`, `${value}x`]
}

/** Adds a payment and messages to the authority, since the fixture sends none. */
const withMessages = (server: TestServer, companyId: string) =>
  server.transaction(async (all) => {
    const tx = all.of(companyId)
    const { invoice_id } = await tx
      .select('invoices')
      .select('invoice_id')
      .where('direction', '=', 'received')
      .executeTakeFirstOrThrow()
    const created_at = '2026-11-01T10:00:00.000000'
    const paid = { date: '2026-11-01', amount: 10, method: '04', account: null, cancelled_at: null }
    await tx.insert('payments', { payment_id: 'p', invoice_id, ...paid, created_at })
    const xml = { xml: '<a>1</a>', xml_response: '<b>2</b>', record_count: 1, created_at }
    const verifactu = { submission_type: 'voluntary', estado_envio: 'Correcto' }
    await tx.insert('verifactu_submissions', {
      submission_id: 's',
      environment: 'test',
      ...verifactu,
      ...xml,
    })
    const sii = { book_type: 'ISSUED', operation_type: 'A0', global_status: 'Correcto' } as const
    await tx.insert('sii_submissions', { public_id: 's', internal_id: 1, ...sii, ...xml })
  })

/** The sample changes every fourth value. */
const STEP = sized(4, 1)

function columnsSuite(store: 'sqlite' | 'postgres'): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ store })
  }, 60_000)
  afterAll(() => server?.stop())

  const failures = async (id: string): Promise<readonly string[]> => {
    const { json, stderr } = await administer(server, ['verify', '--company', id, '--json'])
    return json?.companies?.[0].failures.map(({ code }: { code: string }) => code) ?? [stderr]
  }
  const rowsOf = async (table: string, id: string) =>
    (
      await server.past((db) =>
        sql<StoredRow>`select * from ${sql.table(table)} where company_id = ${id}`.execute(db),
      )
    ).rows
  /** Changes one value, and returns whether `verify` notices it. */
  async function isNoticed(
    table: (typeof COMPANY_TABLES)[number],
    row: StoredRow,
    name: string,
    type: string,
  ) {
    const set = (from: Value, to: Value) =>
      server.past((db) => {
        const is = keyOf(table).map(
          (column) => sql`${sql.ref(column)} = ${column === name ? from : required(row[column])}`,
        )
        return sql`update ${sql.table(table)} set ${sql.ref(name)} = ${to} where ${sql.join(is, sql` and `)}`.execute(
          db,
        )
      })
    const value = row[name] ?? null
    for (const other of others(table, name, value, type)) {
      try {
        await set(value, other)
      } catch (error) {
        if (/unique/i.test(messageOf(error))) continue
        throw error
      }
      const found = await failures(String(row.company_id))
      await set(other, value)
      return found.length > 0
    }
    return true
  }

  it('notices every changed value of an issued, an imported and a received invoice', async () => {
    const company = await filled(server)
    await withMessages(server, company.id)
    expect(await failures(company.id)).toEqual([])
    const unnoticed = new Set<string>()
    const tried = new Set<string>()
    let value = 0
    for (const table of COMPANY_TABLES) {
      if (UNNOTICED[table] !== undefined) continue
      const rows = await rowsOf(table, company.id)
      const wanted = [
        rows.find(({ number }) => table !== 'invoices' || number === 'F000001'),
        ...(table === 'invoices'
          ? [rows.find(({ number }) => number === 'OLD1'), rows.find(({ number }) => number === 'P-1')]
          : []),
      ]
      for (const row of wanted.filter((one) => one !== undefined))
        for (const { name, type } of columnsOf(table)) {
          if (name === 'company_id') continue
          tried.add(table)
          if (value++ % STEP > 0) continue
          if (!(await isNoticed(table, row, name, type))) unnoticed.add(`${table}.${name}`)
        }
    }
    expect([...unnoticed].filter((column) => UNNOTICED[column] === undefined)).toEqual([])
    expect([...tried].sort(), 'each table has a row in this fixture').toEqual(
      COMPANY_TABLES.filter((table) => UNNOTICED[table] === undefined && table !== 'verifactu_events').sort(),
    )
    expect(await failures(company.id)).toEqual([])
  }, 240_000)

  it('notices every changed value of an event record', async () => {
    const { id } = await signed(server)
    const [row] = await rowsOf('verifactu_events', id)
    for (const [at, { name, type }] of columnsOf('verifactu_events').entries())
      if (at % STEP === 0 && name !== 'company_id' && UNNOTICED[`verifactu_events.${name}`] === undefined)
        expect([name, await isNoticed('verifactu_events', required(row), name, type)]).toEqual([name, true])
  })
}

describe('verify on the embedded database', () => columnsSuite('sqlite'))
// The failures do not depend on the database, so the short run checks only one.
if (hasPostgres() && ALL) describe('verify on PostgreSQL', () => columnsSuite('postgres'))
else it.skip('verify on PostgreSQL: only with test:all', () => {})
