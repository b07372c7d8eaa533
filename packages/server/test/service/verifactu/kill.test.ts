/** Events and periods of the built server after it is killed or stopped. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect } from 'vitest'
import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { temporaryFolder } from '#test/folders.ts'
import { itInAll } from '#test/size.ts'

let dataDir: string
let servers: TestServer[]
beforeEach(() => {
  dataDir = temporaryFolder()
  servers = []
})
afterEach(() => Promise.all(servers.map(({ stop }) => stop())))

const start = async (): Promise<TestServer> => {
  const server = await startServer({ store: 'sqlite', dataDir })
  servers.push(server)
  return server
}

itInAll(
  'the start after kill -9 reports a missing end, an orderly stop does not, and two servers are one system',
  async () => {
    const first = await start()
    const { id, key } = await first.company()
    await administer(first, ['certificate', 'add', '--company', id, '--demo'])
    const opened = await administer(first, [
      'verifactu',
      'period',
      'open',
      '--company',
      id,
      '--mode',
      'no_verifactu',
    ])
    expect(opened.stderr).toBe('')
    const events = async (server: TestServer) => {
      const all: { tipo_evento: string }[] = (await server.call('GET', '/verifactu/sif', { key })).json
      return all.map(({ tipo_evento }) => tipo_evento).reverse()
    }
    expect(await events(first)).toEqual(['01'])
    const beside = await start()
    expect(await events(beside)).toEqual(['01'])
    await beside.stop()
    expect(await events(first)).toEqual(['01'])
    await first.kill()

    const second = await start()
    const after = await events(second)
    expect(after).toEqual(['01', '01', '05'])
    await second.stop()
    const third = await start()
    expect(await events(third)).toEqual([...after, '10', '02', '01', '05'])
    const rows = await (await third.store())
      .of(id)
      .select('verifactu_events')
      .select(['tipo_evento', 'record'])
      .orderBy('sequence')
      .execute()
    const records = rows.map(({ record }): FiscalRecord => JSON.parse(record))
    expect(verifyChain(records).items).toEqual([])
    const said = rows
      .filter(({ tipo_evento }) => tipo_evento === '01')
      .map(({ record }) => JSON.parse(record).RegistroEvento.Evento.OtrosDatosEvento ?? null)
    expect(said).toEqual([null, expect.stringContaining('La parada anterior no quedó registrada'), null])
  },
  60_000,
)

function killedAtTheChange(store: 'sqlite' | 'postgres'): void {
  itInAll(
    `no invoice is without record on ${store} if servers are killed while a planned change is due`,
    async () => {
      const databaseUrl = store === 'postgres' ? await postgresDatabase() : undefined
      const started = async () => {
        const server = await startServer({ store, dataDir, ...(databaseUrl ? { databaseUrl } : {}) })
        servers.push(server)
        return server
      }
      let server = await started()
      const { id, key } = await server.company()
      await administer(server, ['certificate', 'add', '--company', id, '--demo'])
      await administer(server, ['verifactu', 'period', 'open', '--company', id, '--mode', 'verifactu'])
      const issue = async () => {
        const { json } = await server.call('PUT', '/drafts', { key, body: draft({ series: 'F' }) })
        return (await server.call('POST', `/issued-invoices/${json.id}/issue`, { key })).status
      }
      const modes = ['no_verifactu', 'verifactu', 'no_verifactu', 'verifactu'] as const
      for (const [round, mode] of modes.entries()) {
        const stamp = new Date().toISOString()
        const planned = {
          company_id: id,
          period_id: randomUUID(),
          mode,
          sandbox: 1,
          certificate_id: null,
          // The day of the change has begun.
          start_date: '2026-01-01',
          created_at: stamp,
          updated_at: stamp,
        }
        await server.past((db) => db.insertInto('verifactu_planned_periods').values(planned).execute())
        const issuing = Array.from({ length: 8 }, () => issue().catch(() => null))
        // The kill comes earlier or later in the transaction that makes the change.
        await Promise.race([issuing[0], setTimeout(round * 10)])
        await server.kill()
        await Promise.all(issuing)
        server = await started()
        expect(await issue()).toBe(200)
      }
      const own = (await server.store()).of(id)
      const issued = await own.find('invoices', { status: 'issued' }).select('invoice_id').execute()
      const records = await own.select('verifactu_records').select('invoice_id').execute()
      expect(records.map(({ invoice_id }) => invoice_id).sort()).toEqual(
        issued.map(({ invoice_id }) => invoice_id).sort(),
      )
      const periods = await own
        .select('verifactu_periods')
        .select(['mode', 'end_date'])
        .orderBy('created_at')
        .execute()
      expect(periods.map(({ mode }) => mode)).toEqual(['verifactu', ...modes])
      expect(periods.filter(({ end_date }) => end_date === null)).toHaveLength(1)
    },
  )
}

killedAtTheChange('sqlite')
if (hasPostgres()) killedAtTheChange('postgres')
