/**
 * Several servers on one PostgreSQL, killed one after the other while the database stops and starts under mixed load.
 * No server ends by itself, nothing acknowledged is lost, nothing reported as unchanged has changed, and `cuadra-admin
 * verify` finds no problem. `npm run test:long` runs all of it and prints its figures.
 *
 * @slow
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administerAside } from '#test/conformance/administrator.ts'
import { audit } from '#test/conformance/audit.ts'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { hasPostgres, type OwnCluster, ownPostgres } from '#test/conformance/postgres.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { figure } from '#test/figures.ts'
import { temporaryFolder } from '#test/folders.ts'
import { sized } from '#test/size.ts'
import { until } from '#test/until.ts'
import { Story } from './chaos-story.ts'

const { PROCESSES, STOPS, KILLS, CLIENTS } = sized(
  { PROCESSES: 2, STOPS: 1, KILLS: 1, CLIENTS: 4 },
  { PROCESSES: 2, STOPS: 1, KILLS: 2, CLIENTS: 6 },
  { PROCESSES: 4, STOPS: 10, KILLS: 50, CLIENTS: 12 },
)

/** Stops spread evenly among the kills; every second one is a crash of the database. */
const EVENTS = Array.from({ length: KILLS + STOPS }, (_, n) =>
  Math.floor(((n + 1) * STOPS) / (KILLS + STOPS)) > Math.floor((n * STOPS) / (KILLS + STOPS))
    ? 'stop'
    : 'kill',
)

function proof(): void {
  const dataDir = temporaryFolder()
  let cluster: OwnCluster
  const servers: TestServer[] = []
  /** Exits of processes that were not killed. */
  const ended: string[] = []
  const killed = new WeakSet<object>()

  const start = async (slot: number): Promise<void> => {
    const databaseUrl = cluster.url('postgres')
    const server = await startServer({ store: 'postgres', check: false, dataDir, databaseUrl })
    const child = server.process
    child.once('exit', (code, signal) => {
      if (!killed.has(child)) ended.push(`${code ?? signal}: ${server.output().slice(-500)}`)
    })
    servers[slot] = server
  }

  afterAll(async () => {
    for (const server of servers) {
      killed.add(server.process)
      await server.kill()
    }
    await cluster?.stop('immediate')
  })

  it(`${PROCESSES} servers, ${STOPS} stops of the database, ${KILLS} kills`, async () => {
    cluster = ownPostgres()
    for (let slot = 0; slot < PROCESSES; slot++) await start(slot)
    const first = required(servers[0])
    const company = await first.company()
    await activateVerifactu(first, company.id)
    let next = 0
    const story = new Story(() => required(servers[next++ % PROCESSES]), company)
    let isOver = false
    const load = Promise.all(Array.from({ length: CLIENTS }, () => story.live(() => isOver)))
    load.catch(() => undefined)
    let stops = 0
    for (const [n, event] of EVENTS.entries()) {
      await sleep(300 + Math.random() * 700)
      if (event === 'stop') {
        await cluster.stop(stops++ % 2 === 0 ? 'immediate' : 'fast')
        await sleep(Math.random() * 800)
        await cluster.start()
      } else {
        const server = required(servers[n % PROCESSES])
        killed.add(server.process)
        await server.kill()
        await start(n % PROCESSES)
      }
    }
    await until(() => story.issued.size > KILLS, 'more invoices are issued than servers were killed')
    isOver = true
    await load

    const read = (await required(servers[0]).store()).acrossCompanies('a test')
    const [broken, problems] = [await story.broken(), await audit(read, company.id)]
    const verified = await administerAside(required(servers[0]), ['verify', '--company', company.id])
    const figures = {
      processes: PROCESSES,
      stops,
      kills: EVENTS.length - stops,
      endedByThemselves: ended.length,
      answers: Object.fromEntries(story.counts),
      drafts: story.drafts.size,
      issued: story.issued.size,
      cancelled: story.cancelled.size,
      imported: story.imports.size,
      files: story.files.size,
      unknownToTheClient: story.unknown.size,
      saidUnchanged: story.untouched.size,
      broken: broken.length + problems.length,
      verify: verified.status,
    }
    figure(JSON.stringify(figures))
    expect(ended).toEqual([])
    expect(story.wrong).toEqual([])
    expect(broken).toEqual([])
    expect(problems).toEqual([])
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    expect(story.issued.size).toBeGreaterThan(KILLS)
    expect(story.counts.get('no answer')).toBeGreaterThan(0)
  }, 1_800_000)
}

if (hasPostgres()) describe('servers and their database, stopped at random', proof)
else it.skip('servers and their database, stopped at random: PostgreSQL is not installed here', () => {})
