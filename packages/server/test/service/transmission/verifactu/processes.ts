/** Processes that send for one company while invoices are issued: servers, or processes that only send. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Simulator } from 'cuadra-simulator/index.ts'
import { type Answered, startServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { pathAndFolder } from '#test/folders.ts'
import { until } from '#test/until.ts'
import { createKey } from '../../../../src/service/access/api-keys.ts'
import type { CompanyStore } from '../../../../src/store/store.ts'
import { type Sender, senderOf, senderProgram, startSender } from '../sender-process.ts'
import { SimulatedFixture } from './simulated.ts'

export interface World {
  readonly simulator: Simulator
  readonly store: CompanyStore
  readonly fixture: SimulatedFixture
  readonly taxId: string
  readonly start: () => Promise<Sender>
  /** Issues an invoice with any running process; returns its id once confirmed. */
  readonly issue: () => Promise<string>
  /** Waits until nothing is pending. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

async function settled(store: CompanyStore): Promise<void> {
  const waiting = () =>
    store.select('verifactu_records').select('sequence').where('estado', '=', 'pending').execute()
  await until(async () => (await waiting()).length === 0, 'no record is pending', {
    seconds: 60,
    everyMs: 20,
  })
}

const environmentOf = ({ folder, simulator }: SimulatedFixture, databaseUrl: string | undefined) => ({
  ...pathAndFolder(),
  CUADRA_DATA_DIR: join(folder, 'data'),
  CUADRA_LOG_LEVEL: 'silent',
  CUADRA_AEAT_VERIFACTU_URL: simulator.url,
  CUADRA_AEAT_CA_FILE: simulator.caFile,
  ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
})

/** Processes that only send; this process issues. */
export async function sendersAlone(databaseUrl?: string): Promise<World> {
  const program = await senderProgram()
  const fixture = await SimulatedFixture.open({ isReal: true, wait: 0, databaseUrl })
  const taxpayer = await fixture.company()
  return {
    simulator: fixture.simulator,
    store: taxpayer.call.store,
    fixture,
    taxId: taxpayer.taxId,
    start: () => startSender(program, environmentOf(fixture, databaseUrl)),
    async issue() {
      const [id = ''] = await taxpayer.issue()
      return id
    },
    settled: () => settled(taxpayer.call.store),
    close: () => fixture.close(),
  }
}

/** Servers that issue and send; clients try one after the other until one responds. */
export async function wholeServers(databaseUrl?: string): Promise<World> {
  const fixture = await SimulatedFixture.open({ isReal: true, wait: 0, databaseUrl })
  const taxpayer = await fixture.company()
  const { store } = taxpayer.call
  const { key } = await store.transaction((tx) => createKey(tx, { scopes: ['*'] }, fixture.app.clock.stamp()))
  const servers = new Map<number, Awaited<ReturnType<typeof startServer>>>()
  let turn = 0
  const surely = async (path: string, body: unknown): Promise<Answered['json']> => {
    const headers = { 'Idempotency-Key': randomUUID() }
    for (;;) {
      const alive = [...servers.values()]
      const server = alive[turn++ % Math.max(1, alive.length)]
      // A killed server does not respond: try another one.
      const answer = await server?.call('POST', path, { key, body, headers }).catch(() => undefined)
      if (answer && answer.status < 300) return answer.json
      if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(answer.text)
      await sleep(20)
    }
  }
  return {
    simulator: fixture.simulator,
    store,
    fixture,
    taxId: taxpayer.taxId,
    async start() {
      const server = await startServer({
        store: databaseUrl ? 'postgres' : 'sqlite',
        dataDir: join(fixture.folder, 'data'),
        check: false,
        env: environmentOf(fixture, databaseUrl),
      })
      const sender = senderOf(server.process)
      servers.set(sender.pid, server)
      return {
        pid: sender.pid,
        kill: async () => {
          servers.delete(sender.pid)
          await sender.kill()
        },
      }
    },
    async issue() {
      const { items } = await surely('/drafts/batch', { invoices: [draft({ series: 'K' })] })
      const [{ id }] = items
      await surely(`/issued-invoices/${id}/issue`, {})
      return id
    },
    settled: () => settled(store),
    close: () => fixture.close(),
  }
}
