/**
 * Three processes on one store send for one company. They are killed (`kill -9`) at random times while invoices are
 * issued, mostly the one that is sending. In the end the authority has accepted every issued invoice once, in the order
 * of the chain and without a gap. `npm test` kills sending processes 6 times, on the embedded database;
 * `npm run test:long` kills whole servers, which also issue, 100 times on each store.
 *
 * @slow
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { audit } from '#test/conformance/audit.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { itInAll, LONG, sized } from '#test/size.ts'
import { until } from '#test/until.ts'
import type { Sender } from '../sender-process.ts'
import { sendingProblems } from './problems.ts'
import { sendersAlone, type World, wholeServers } from './processes.ts'

const CYCLES = { sqlite: sized(2, 6, 100), postgres: 100 }
const PROCESSES = 3
const CLIENTS = 2
const SEED = Number(process.env.CUADRA_SEED ?? Date.now() % 1_000_000)

/** Returns numbers from 0 to 1 that depend only on the seed. */
function randoms(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const senders: Sender[] = []
let world: World | undefined
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.kill()
  await world?.close()
  world = undefined
})

/** Returns the owner of the queue, and whether its message is in flight. */
async function lineOf({ store }: World) {
  const queue = await store.select('verifactu_queues').select(['owner', 'submission_id']).executeTakeFirst()
  const open = await store
    .find('verifactu_submissions', { submission_id: queue?.submission_id ?? '' })
    .select('estado_envio')
    .executeTakeFirst()
  return { pid: Number(queue?.owner?.split('/')[1]), isSending: open?.estado_envio === 'sending' }
}

async function proof(store: 'sqlite' | 'postgres'): Promise<void> {
  const random = randoms(SEED)
  const databaseUrl = store === 'postgres' ? await postgresDatabase() : undefined
  const own = await (LONG ? wholeServers : sendersAlone)(databaseUrl)
  world = own
  const { control } = own.simulator
  senders.push(...(await Promise.all(Array.from({ length: PROCESSES }, own.start))))

  // From the first response on, the authority requires no pause between messages.
  const issued = new Set([await own.issue()])
  await own.settled()
  let isOver = false
  const issuing = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        issued.add(await own.issue())
        await sleep(random() * 60)
      }
    }),
  )
  issuing.catch(() => undefined)

  const figures = { holding: 0, sending: 0, stored: 0 }
  const began = Date.now()
  for (let cycle = 0; cycle < CYCLES[store]; cycle++) {
    // The authority is slow: a message is in flight when the process is killed, stored or not.
    const stored = random() < 0.5
    const seconds = 0.1 + random() * 0.4
    await control.clear()
    await control.inject({ kind: 'slow', seconds, stored, operation: 'submission' })
    // With few kills, all happen while a message is in flight.
    const isAimed = !LONG || random() < 0.8
    let line = await lineOf(own)
    for (let checks = 0; isAimed && checks < 300; checks++) {
      if (line.isSending && senders.some(({ pid }) => pid === line.pid)) break
      await sleep(10)
      line = await lineOf(own)
    }
    await sleep(random() * seconds * 1000)
    const holder = senders.findIndex(({ pid }) => pid === line.pid)
    const index = isAimed && holder >= 0 ? holder : Math.floor(random() * PROCESSES)
    const victim = required(senders[index])
    await victim.kill()
    const left = await lineOf(own)
    if (left.pid === victim.pid) figures.holding++
    if (left.pid === victim.pid && left.isSending) {
      figures.sending++
      if (stored) figures.stored++
    }
    senders[index] = await own.start()
  }
  isOver = true
  await issuing
  await control.clear()
  await own.settled()
  // The last response is stored before the queue is released.
  await until(async () => !Number.isFinite((await lineOf(own)).pid), 'no process holds the queue', {
    seconds: 60,
    everyMs: 20,
  })

  const { problems, again } = await sendingProblems(own.store, own.simulator, own.taxId)
  const records = await own.store.select('verifactu_records').select(['invoice_id', 'estado']).execute()
  const accepted = new Set(records.filter(({ estado }) => estado === 'accepted').map((one) => one.invoice_id))
  const submissions = await own.store.select('verifactu_submissions').select('estado_envio').execute()
  const count = (state: string) => submissions.filter(({ estado_envio }) => estado_envio === state).length
  if (LONG || process.env.CUADRA_FIGURES)
    process.stderr.write(
      `${JSON.stringify({
        store,
        seed: SEED,
        seconds: Math.round((Date.now() - began) / 1000),
        cycles: CYCLES[store],
        'killed holding the line': figures.holding,
        'killed during send': figures.sending,
        'of these stored already': figures.stored,
        issued: issued.size,
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
  expect([...issued].filter((id) => !accepted.has(id))).toEqual([])
  expect(records).toHaveLength(issued.size)
  expect(await audit(own.fixture.app.store.acrossCompanies('a test'), own.store.companyId)).toEqual([])
  expect(figures.sending, `seed ${SEED}`).toBeGreaterThanOrEqual(LONG ? 25 : 1)
}

const titleOf = (cycles: number) => `${PROCESSES} of them, ${cycles} times one is killed`

describe('processes that send are killed, on the embedded database', () => {
  itInAll(titleOf(CYCLES.sqlite), () => proof('sqlite'), 1_800_000)
})
describe('processes that send are killed, on PostgreSQL', () => {
  const title = titleOf(CYCLES.postgres)
  if (!LONG) it.skip(`${title}: in npm run test:long`, () => {})
  else if (hasPostgres()) it(title, () => proof('postgres'), 1_800_000)
  else it.skip(`${title}: it is not installed here`, () => {})
})
