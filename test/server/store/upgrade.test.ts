/** A database of an earlier version is migrated with everything in it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { required } from '../../../src/errors/index.ts'
import { administer } from '../../conformance/administrator.ts'
import { startServer, type TestServer } from '../../conformance/harness.ts'
import { draft, received } from '../../conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '../../conformance/postgres.ts'
import { activateVerifactu } from '../../conformance/verifactu.ts'

/** Reverts what version 2 added, so that the rest is what version 1 had written. */
const BACK_TO_1 = [
  'drop index verifactu_records_remarked',
  'alter table events drop column sequence',
  'alter table series drop column last_date',
  'drop table taxpayers',
  'drop index verifactu_periods_signing',
  ...[
    'company_logos',
    'mails',
    'mail_contents',
    'recognitions',
    'verifactu_queues',
    'sii_queues',
    'processes',
    'restores',
    'verifactu_operations',
    'verifactu_anomalies',
  ].map((table) => `drop table ${table}`),
  'drop index verifactu_submission_lines_record',
  'alter table verifactu_records drop column submission_id',
  ...['first_sequence', 'last_sequence', 'attempts', 'xml', 'xml_response'].map(
    (column) => `alter table verifactu_submissions drop column ${column}`,
  ),
  ...['sequence', 'next_step', 'next_options'].map(
    (column) => `alter table verifactu_submission_lines drop column ${column}`,
  ),
  'alter table collections drop column account',
  ...['payments', 'sii_cash_basis', 'sii_movements'].map((table) => `drop table ${table}`),
  ...['version', 'sending_id', 'registered', 'not_before_ms', 'turns'].map(
    (column) => `alter table sii_records drop column ${column}`,
  ),
  ...['environment', 'kind', 'attempts', 'xml', 'xml_response'].map(
    (column) => `alter table sii_submissions drop column ${column}`,
  ),
  ...['record_key', 'version'].map((column) => `alter table sii_submission_items drop column ${column}`),
  'drop table invoice_counts',
  'drop table invoice_changes',
  'create table invoice_counts (company_id text not null, direction text not null, status text not null, series text not null, slot integer not null, n bigint not null, primary key (company_id, direction, status, series, slot))',
  ...[
    'customer_order',
    'drafts_series',
    'received_status',
    'received_series',
    'received_supplier',
    'received_number',
    'received_ref',
  ].map((name) => `drop index invoices_${name}`),
  `create index invoices_customer on invoices (company_id, customer_tax_id) where direction = 'issued'`,
  'delete from schema_migrations where version > 1',
]

function proof(kind: 'sqlite' | 'postgres'): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'cuadra-upgrade-'))
  let server: TestServer | undefined
  afterEach(async () => {
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('a database of version 1 keeps numbers, histories and chains, and continues where it was', async () => {
    const databaseUrl = kind === 'postgres' ? await postgresDatabase() : undefined
    const options = { store: kind, dataDir, ...(databaseUrl ? { databaseUrl } : {}) } as const
    server = await startServer(options)
    const { id, key, data } = await server.company()
    await activateVerifactu(server, id)
    const issue = async (): Promise<{ id: string; number: string }> => {
      const { json } = await required(server).call('PUT', '/drafts', { key, body: draft() })
      const answer = await required(server).call('POST', `/issued-invoices/${json.id}/issue`, { key })
      expect(answer.status).toBe(200)
      return { id: json.id, number: answer.json.number }
    }
    const first = await issue()
    const history = async () =>
      (await required(server).call('GET', `/issued-invoices/${first.id}/events`, { key })).json.map(
        (event: { event_code: string }) => event.event_code,
      )
    const before = await history()
    // The counts of all lists are there from the start.
    await server.call('PUT', '/drafts', { key, body: draft() })
    await server.call('PUT', '/received-invoices', {
      key,
      body: received({ taxId: data.tax_id, number: 'R-1' }),
    })
    await server.past(async (db) => {
      for (const statement of BACK_TO_1) await sql.raw(statement).execute(db)
    })
    await server.stop()

    server = await startServer(options)
    expect(await history()).toEqual(before)
    const second = await issue()
    expect(second.number).toBe(first.number.replace(/1$/, '2'))
    await server.call('POST', `/issued-invoices/${first.id}/cancel`, { key })
    expect(await history()).toEqual([...before, 'cancelled'])
    const listed = await administer(server, ['company', 'list', '--json'])
    expect(listed.stdout).toContain(data.tax_id)
    const verified = await administer(server, ['verify', '--company', id])
    expect(verified.status, verified.stdout).toBe(0)
    for (const [path, total] of [
      ['/drafts', 1],
      ['/issued-invoices', 3],
      ['/received-invoices', 1],
    ] as const)
      expect((await server.call('GET', path, { key })).json.total, path).toBe(total)
  })
}

describe('upgrade on SQLite', () => proof('sqlite'))
if (hasPostgres()) describe('upgrade on PostgreSQL', () => proof('postgres'))
else it.skip('upgrade on PostgreSQL: it is not installed here', () => {})
