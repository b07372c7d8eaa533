/**
 * Three servers on one store send for one company, and are killed (`kill -9`) at random moments while invoices are
 * issued: most of the time the one that is sending. In the end every invoice that a client was told of is accepted by
 * the authority, once, in the order of the chain and without a gap. 6 cycles in `npm test`, 100 in `npm run test:long`.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { createClock } from '../../../src/server/environment/clock.ts'
import { readConfig } from '../../../src/server/environment/config.ts'
import { addCertificate, demonstrationCertificate } from '../../../src/server/service/company/certificates.ts'
import { type Simulator, startSimulator } from '../../../src/server/simulator/index.ts'
import { openStore, type Store } from '../../../src/server/store/store.ts'
import { audit } from '../../conformance/audit.ts'
import { startServer, type TestCompany, type TestServer } from '../../conformance/harness.ts'
import { draft } from '../../conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '../../conformance/postgres.ts'
import { activateVerifactu } from '../../conformance/verifactu.ts'
import { sendingProblems } from './sending-problems.ts'

const LONG = process.env.CUADRA_LONG !== undefined
const CYCLES = { sqlite: LONG ? 100 : 6, postgres: LONG ? 100 : 3 }
const PROCESSES = 3
const CLIENTS = 2
/** Milliseconds in which what is left is sent at the end. */
const PATIENCE = 60_000
const SEED = Number(process.env.CUADRA_SEED ?? Date.now() % 1_000_000)

/** Numbers from 0 to 1, the same for the same seed. */
function randoms(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function proof(kind: 'sqlite' | 'postgres'): void {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-killed-'))
  const dataDir = join(folder, 'data')
  const servers: TestServer[] = []
  let simulator: Simulator
  let databaseUrl: string | undefined
  let company: TestCompany
  let opened: Store | undefined
  const random = randoms(SEED)

  afterAll(async () => {
    for (const server of servers) await server.kill()
    await opened?.close()
    await simulator?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (): Promise<TestServer> =>
    startServer({
      store: kind,
      dataDir,
      check: false,
      ...(databaseUrl ? { databaseUrl } : {}),
      env: { CUADRA_AEAT_VERIFACTU_URL: simulator.url, CUADRA_AEAT_CA_FILE: simulator.caFile },
    })

  /** A company with a certificate of its own. */
  const prepare = async (server: TestServer): Promise<void> => {
    company = await server.company()
    await activateVerifactu(server, company.id)
    const app = { config: readConfig({ CUADRA_DATA_DIR: dataDir }), clock: createClock() }
    const { tax_id, legal_name } = company.data
    const file = await demonstrationCertificate(app, tax_id, legal_name)
    await server.transaction((tx) =>
      addCertificate(tx.of(company.id), app, { ...file, purpose: 'verifactu' }),
    )
  }

  /** Asks one server after the other until one answers; a repetition is done once. */
  const surely = async (path: string, body: unknown, from: number): Promise<any> => {
    const idempotencyKey = randomUUID()
    for (let n = from; n < from + 10_000; n++) {
      const server = servers[n % PROCESSES] as TestServer
      try {
        const headers = { 'Idempotency-Key': idempotencyKey }
        const answer = await server.call('POST', path, { key: company.key, body, headers })
        if (answer.status < 300) return answer.json
        if (answer.status !== 409 && answer.status !== 503) throw new TypeError(answer.text)
      } catch (error) {
        if (error instanceof TypeError && error.message !== 'fetch failed' && error.message !== 'terminated')
          throw error
      }
      await sleep(20)
    }
    throw new Error(`nobody answered ${path}`)
  }

  it(`${PROCESSES} servers, ${CYCLES[kind]} times one is killed`, async () => {
    databaseUrl = kind === 'postgres' ? await postgresDatabase() : undefined
    simulator = await startSimulator({ dataDir: join(folder, 'simulator'), wait: 0 })
    servers.push(await start())
    const [first] = servers as [TestServer]
    await prepare(first)
    servers.push(...(await Promise.all([start(), start()])))
    // Of its own: what a server has opened beside itself goes with it.
    opened = await openStore({ dataDir, databaseUrl, pool: 2 })
    const store = opened.of(company.id)

    const numbers = new Map<string, string>()
    let isOver = false
    const issuing = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; !isOver; n++) {
        const invoices = Array.from({ length: 10 }, () => draft({ series: 'K' }))
        const { items } = await surely('/drafts/batch', { invoices }, n)
        for (const { id } of items) {
          const { number } = await surely(`/issued-invoices/${id}/issue`, {}, n)
          numbers.set(id, number)
          await sleep(random() * 40)
        }
      }
    })
    const failed = Promise.all(issuing)
    failed.catch(() => undefined)

    /** Who holds the line, and what it has under way. */
    const line = async () => {
      const queue = await store
        .select('verifactu_queues')
        .select(['owner', 'submission_id'])
        .executeTakeFirst()
      const open = await store
        .select('verifactu_submissions')
        .select('estado_envio')
        .where('submission_id', '=', queue?.submission_id ?? '')
        .executeTakeFirst()
      return { pid: Number(queue?.owner?.split('/')[1]), isSending: open?.estado_envio === 'sending' }
    }
    const figures = { duringSend: 0, holders: 0, stored: 0 }
    const began = Date.now()
    const restarting: Promise<void>[] = []
    const dead = new WeakSet<object>()
    for (let cycle = 0; cycle < CYCLES[kind]; cycle++) {
      // The authority takes its time: a message is under way when the kill comes, stored already or not yet.
      const stored = random() < 0.5
      await simulator.control.clear()
      await simulator.control.inject({
        kind: 'slow',
        seconds: 0.05 + random() * 0.5,
        stored,
        operation: 'submission',
      })
      await sleep(100 + random() * 400)
      let { pid } = await line()
      // Mostly the one that holds the line; nobody may hold it for a moment.
      const wanted = random() < 0.8
      for (let looks = 0; wanted && looks < 100 && !servers.some((one) => one.process.pid === pid); looks++) {
        await sleep(10)
        pid = (await line()).pid
      }
      await sleep(random() * 60)
      const alive = servers.filter((one) => !dead.has(one))
      const holder = alive.find((one) => one.process.pid === pid)
      const any = alive[Math.floor(random() * alive.length)]
      const victim = (wanted && holder) || any
      // Those that were killed before are still starting.
      if (!victim) {
        await Promise.all(restarting)
        cycle--
        continue
      }
      const index = servers.indexOf(victim)
      dead.add(victim)
      await victim.kill()
      const left = await line()
      if (left.pid === victim.process.pid) figures.holders++
      if (left.pid === victim.process.pid && left.isSending) {
        figures.duringSend++
        if (stored) figures.stored++
      }
      restarting[index] = start().then((server) => {
        servers[index] = server
      })
      // Whoever is left takes over.
      await sleep(random() * 300)
    }
    await Promise.all(restarting)
    isOver = true
    await failed
    await simulator.control.clear()
    const until = Date.now() + PATIENCE
    const waiting = async () =>
      (await store.select('verifactu_records').select('sequence').where('estado', '=', 'pending').execute())
        .length
    while ((await waiting()) > 0 && Date.now() < until) await sleep(50)
    // The last answer is written down before the line is left.
    while (Number.isFinite((await line()).pid) && Date.now() < until) await sleep(20)

    const { problems, again } = await sendingProblems(store, simulator, company.data.tax_id)
    const records = await store.select('verifactu_records').select(['invoice_id', 'estado']).execute()
    const accepted = new Set(
      records.filter(({ estado }) => estado === 'accepted').map((one) => one.invoice_id),
    )
    const submissions = await store.select('verifactu_submissions').select('estado_envio').execute()
    const count = (state: string) => submissions.filter(({ estado_envio }) => estado_envio === state).length
    if (LONG || process.env.CUADRA_FIGURES)
      process.stderr.write(
        `${JSON.stringify({
          store: kind,
          seed: SEED,
          seconds: Math.round((Date.now() - began) / 1000),
          cycles: CYCLES[kind],
          'killed holding the line': figures.holders,
          'killed during send': figures.duringSend,
          'of these stored already': figures.stored,
          issued: numbers.size,
          accepted: accepted.size,
          messages: submissions.length,
          settled: count('settled'),
          'not received': count('not_received'),
          'sent as new again': again,
          problems: problems.length,
        })}\n`,
      )
    expect(problems, `seed ${SEED}`).toEqual([])
    expect(again, `seed ${SEED}`).toBe(0)
    expect([...numbers.keys()].filter((id) => !accepted.has(id))).toEqual([])
    // A client that is not told may have issued: never more than that.
    expect(records).toHaveLength(numbers.size)
    expect(new Set(numbers.values()).size).toBe(numbers.size)
    expect(await audit(opened.acrossCompanies('a test'), company.id)).toEqual([])
    expect(figures.duringSend, `seed ${SEED}`).toBeGreaterThan(CYCLES[kind] / 4)
  }, 1_800_000)
}

describe('servers that send are killed, on the embedded database', () => proof('sqlite'))
if (hasPostgres()) describe('servers that send are killed, on PostgreSQL', () => proof('postgres'))
else it.skip('servers that send are killed, on PostgreSQL: it is not installed here', () => {})
