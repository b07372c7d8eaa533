/**
 * Simulates a database on several machines (docs/scaling.md) with a single PostgreSQL, and makes one machine unreachable.
 * Requests of a company never read rows of other companies. If the rows of one company cannot be read, the other
 * companies work, a server starts, and the administrator can list the companies.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported, nextRef, received } from '#test/conformance/invoices.ts'
import { hasPostgres, type OwnCluster, ownPostgres } from '#test/conformance/postgres.ts'
import { statusAndCode } from '#test/conformance/steps.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { tokens } from '#test/tokens.ts'
import { COMPANY_TABLES } from '../../../src/store/tables.ts'

/** Makes every read or write of the unreachable company fail with the error message of Citus. */
const POLICIES = `
  create table lost (company_id text primary key);
  create function is_there(id text) returns boolean language plpgsql stable cost 100000 as $$ begin
    if exists (select from lost where company_id = id) then
      raise exception 'connection to the remote node failed' using errcode = '08006';
    end if;
    return true;
  end $$;
  create role application login;
  grant all on all tables in schema public to application;
  ${COMPANY_TABLES.map(
    (table) => `alter table ${table} enable row level security;
      create policy there on ${table} using (is_there(company_id));`,
  ).join('\n')}`

/** Whether a logged statement accesses tables of companies without a condition on the company. */
function isForAll(statement: string): boolean {
  const names = COMPANY_TABLES.some((table) => statement.includes(`"${table}"`))
  const isOfOne =
    /"company_id" = \$\d/.test(statement) || /^insert into "\w+" \([^)]*"company_id"/.test(statement)
  return names && !isOfOne
}

function proof(): void {
  let cluster: OwnCluster
  let server: TestServer
  let [here, gone]: TestCompany[] = []

  beforeAll(async () => {
    cluster = ownPostgres()
    const databaseUrl = `${cluster.url('postgres')}&options=${encodeURIComponent('-c log_statement=all')}`
    server = await startServer({ store: 'postgres', databaseUrl, env: { CUADRA_WORKERS: 'off' } })
    for (const _ of [1, 2]) {
      const company = await server.company()
      await activateVerifactu(server, company.id)
      ;[here, gone] = [company, here]
    }
  })
  afterAll(async () => {
    await server?.stop()
    await cluster?.stop('immediate')
  })

  /** Sends typical requests of a company, and returns their statuses. */
  const work = async (at: TestServer, { key, data }: TestCompany): Promise<string[]> => {
    const statuses: string[] = []
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await at.call(method, path, { key, body })
      statuses.push(statusAndCode(response))
      return response.json
    }
    const { id } = await call('PUT', '/drafts', draft())
    await call('POST', `/drafts/${id}/validate`)
    const form = new FormData()
    form.append('file', new Blob(['Albarán']), 'albaran.txt')
    await call('POST', `/drafts/${id}/documents`, form)
    await call('POST', `/issued-invoices/${id}/issue`)
    await call('GET', `/issued-invoices/${id}/events`)
    await call('GET', `/invoices/${id}/verifactu/records`)
    await call('POST', `/issued-invoices/${id}/cancel`)
    const taxId = data.tax_id
    await call('POST', '/issued-invoices/import', imported({ taxId, number: nextRef('OLD') }))
    await call('PUT', '/received-invoices', received({ taxId, number: nextRef('R') }))
    await call('POST', '/drafts/batch', { invoices: [draft(), draft()] })
    for (const path of tokens`/drafts /issued-invoices /received-invoices /sii/pending /verifactu/config`)
      await call('GET', path)
    return statuses
  }

  it('every statement of a request has a condition on its company', async () => {
    const log = join(cluster.folder, 'log')
    const start = readFileSync(log, 'utf8').length
    expect((await work(server, required(here))).filter((one) => !/^20[01]$/.test(one))).toEqual([])
    const statements = [
      ...readFileSync(log, 'utf8')
        .slice(start)
        .matchAll(/LOG: {2}(?:execute [^:]+|statement): (.*)/g),
    ].map(([, statement = '']) => statement)
    expect(statements.length).toBeGreaterThan(100)
    expect(statements.filter((one) => one.includes('"verifactu_records"')).length).toBeGreaterThan(0)
    expect(statements.filter(isForAll)).toEqual([])
  })

  describe('with the machine of one company unreachable', () => {
    let later: TestServer
    const databaseUrl = () => cluster.url('postgres').replace('cuadra@', 'application@')

    beforeAll(async () => {
      const client = new pg.Client({ connectionString: cluster.url('postgres') })
      await client.connect()
      await client.query(POLICIES)
      await client.query('insert into lost values ($1)', [gone?.id])
      await client.query('grant select on lost to application')
      await client.end()
      later = await startServer({ store: 'postgres', databaseUrl: databaseUrl(), dataDir: server.dataDir })
    })
    afterAll(() => later?.stop())

    it('a server starts and is healthy', async () => {
      expect(statusAndCode(await later.call('GET', '/health'))).toBe('200')
    })

    it('the other companies can send requests', async () => {
      expect((await work(later, required(here))).filter((one) => !/^20[01]$/.test(one))).toEqual([])
    })

    it('requests of the unreachable company return 503', async () => {
      const { key = '' } = gone ?? {}
      expect(statusAndCode(await later.call('PUT', '/drafts', { key, body: draft() }))).toBe(
        '503 service_unavailable',
      )
    })

    it('doctor checks the other companies, and reports the unreachable one', async () => {
      const target = { dataDir: server.dataDir, databaseUrl: databaseUrl() }
      const { json } = await administer(target, ['doctor', '--json'])
      const of = (id?: string) =>
        json.findings.filter((one: { company_id?: string }) => one.company_id === id)
      expect(of(gone?.id)).toMatchObject([
        { check: 'company', level: 'error', what: 'The database of the company cannot be reached' },
      ])
      expect(of(here?.id).some((one: { check: string }) => one.check === 'chain')).toBe(true)
    })

    it('the list shows all companies, and marks the unreachable one', async () => {
      const target = { dataDir: server.dataDir, databaseUrl: databaseUrl() }
      const { status, json } = await administer(target, ['company', 'list', '--json'])
      expect(status).toBe(0)
      const found = (id?: string) => json.find((one: { id: string }) => one.id === id)
      expect(found(here?.id)).toMatchObject({ verified: true, verifactu_mode: 'verifactu' })
      expect(found(gone?.id)).toEqual({
        id: gone?.id,
        tax_id: gone?.data.tax_id,
        created_at: expect.any(String),
        unreachable: true,
      })
      const text = await administer(target, ['company', 'list'])
      expect([text.status, text.stdout.includes('machine unreachable')]).toEqual([0, true])
    })
  })
}

if (hasPostgres()) describe('a database on several machines', proof)
else it.skip('a database on several machines: PostgreSQL is not installed here', () => {})
