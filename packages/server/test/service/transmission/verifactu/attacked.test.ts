/**
 * Unusual failures over the real wire: the store fails while a response arrives, clocks jump, the authority forgets,
 * another installation uses the same numbers, responses have no end, processes pause. Nothing is lost, stored twice or
 * repeated without end, and the failure is reported.
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import { makeIdentities } from 'cuadra-simulator/pki.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { hasPostgres, ownPostgres } from '#test/conformance/postgres.ts'
import { itInAll, LONG } from '#test/size.ts'
import { startAgain, until } from '#test/until.ts'
import { LEASE_MS } from '../../../../src/service/transmission/queue.ts'
import { incidentsOf } from '../../../../src/service/verifactu/queries.ts'
import { type SmallDisk, smallDisk } from '../../../app/small-disk.ts'
import type { Sender } from '../sender-process.ts'
import { sendingProblems } from './problems.ts'
import { sendersAlone } from './processes.ts'
import { SimulatedFixture, type SimulatedOptions } from './simulated.ts'

const HOUR = 3_600_000
const MEBIBYTE = 1024 * 1024
/** Largest response that is read, in MiB, which takes some time. */
const MOST = LONG ? 64 : 4
const fixtures: SimulatedFixture[] = []
const open = async (options?: SimulatedOptions): Promise<SimulatedFixture> => {
  const fixture = await SimulatedFixture.open(options)
  fixtures.push(fixture)
  return fixture
}
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.close()
})

const statesOf = async (taxpayer: { records: () => Promise<{ estado: string }[]> }) =>
  (await taxpayer.records()).map(({ estado }) => estado)

describe('the store', () => {
  const stopped = async (
    fixture: SimulatedFixture,
    stop: () => Promise<void>,
    start: () => Promise<void>,
  ) => {
    const taxpayer = await fixture.company()
    await taxpayer.issue(3)
    fixture.around = async (call) => {
      const outcome = await call()
      await stop()
      return outcome
    }
    await expect(taxpayer.step()).rejects.toThrow()
    await start()
    // The lease of the process that failed is still its own.
    await taxpayer.issue(1)
    await taxpayer.drain()
    expect(await statesOf(taxpayer)).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
    expect(await taxpayer.problems()).toEqual([])
    const states = (await taxpayer.submissions()).map(({ estado_envio }) => estado_envio)
    expect(states).toEqual(['settled', 'Correcto'])
  }

  const withPostgres = LONG && hasPostgres() ? it : it.skip
  withPostgres('PostgreSQL ends while an answer arrives', async () => {
    const cluster = ownPostgres()
    try {
      const fixture = await open({ databaseUrl: cluster.url('postgres') })
      await stopped(fixture, () => cluster.stop('immediate'), cluster.start)
    } finally {
      for (const fixture of fixtures.splice(0)) await fixture.close()
      await cluster.stop('immediate')
    }
  })

  it('a full disk while a response is stored loses nothing', async (context) => {
    const disk: SmallDisk | undefined = smallDisk(24)
    if (!disk) return context.skip('no file system can be mounted here')
    try {
      const fixture = await open({ folder: join(disk.folder, 'fixture') })
      await stopped(
        fixture,
        async () => disk.fill(),
        async () => disk.free(),
      )
    } finally {
      // Frees it first, so that a failure above is the one that is reported.
      disk.free()
      for (const fixture of fixtures.splice(0)) await fixture.close()
      disk.remove()
    }
  })
})

describe('a wrong clock', () => {
  it.each([
    ['forward', 5 * HOUR],
    ['back', -5 * HOUR],
  ])('of ours, %s by hours, delays neither a message nor a retry', async (_, by) => {
    const fixture = await open()
    const taxpayer = await fixture.company()
    for (const fault of [null, { kind: 'reset', times: 1 } as const]) {
      await taxpayer.issue(2)
      await taxpayer.drain()
      if (fault) await fixture.simulator.control.inject(fault)
      await taxpayer.issue(2)
      expect(await taxpayer.step()).toMatchObject({ is: 'later' })
      fixture.skew += by
      const before = fixture.now
      await taxpayer.drain()
      // Whatever the clock was, it is retried within an hour.
      expect(fixture.now - before).toBeLessThanOrEqual(HOUR)
      fixture.now += 2 * HOUR
    }
    const { problems, again } = await sendingProblems(taxpayer.call.store, fixture.simulator, taxpayer.taxId)
    // The wrong clock is the only finding in the chain.
    expect(problems.filter((text) => !/there: (?:chain\.clock_ahead,?)+$/.test(text))).toEqual([])
    expect(again).toBe(0)
    expect((await taxpayer.queue()).skew_ms).not.toBe(0)
  })

  it('of another machine, hours ahead, does not keep a queue from being taken', async () => {
    const fixture = await open()
    const taxpayer = await fixture.company()
    await taxpayer.issue(1)
    const { store } = taxpayer.call
    await taxpayer.drain()
    const held = (lease_ms: number) =>
      store.transaction((tx) =>
        tx.change('verifactu_queues', { owner: 'elsewhere/1/x', lease_ms }, { environment: 'test' }),
      )
    await taxpayer.issue(1)
    fixture.now += 61_000
    await held(fixture.now + LEASE_MS)
    expect(await taxpayer.step()).toEqual({ is: 'busy' })
    await held(fixture.now + 5 * HOUR)
    expect(await taxpayer.step()).toEqual({ is: 'done', records: 1, submission: expect.any(String) })
    expect(await taxpayer.problems()).toEqual([])
  })
})

describe('an authority', () => {
  it('that forgets everything gets what is open, and rejects what depends on the forgotten records', async () => {
    const fixture = await open()
    const taxpayer = await fixture.company()
    const [first = ''] = await taxpayer.issue(2)
    await taxpayer.drain()
    await taxpayer.issue(2)
    await fixture.simulator.control.inject({ kind: 'lost_response', operation: 'submission', times: 1 })
    fixture.now += 61_000
    expect(await taxpayer.step()).toMatchObject({ is: 'later', blocked: { reason: 'unknown' } })
    const folder = join(fixture.folder, 'forgetful')
    await fixture.startAuthority({ dataDir: folder })
    // Its certificates are those of another authority: nothing is sent until they are trusted.
    await taxpayer.cancel(first)
    fixture.now += HOUR
    expect(await taxpayer.step()).toMatchObject({ is: 'later', blocked: { reason: 'unreachable' } })
    await fixture.startProcess()
    expect((await taxpayer.drain()).length).toBeLessThan(10)
    expect(await statesOf(taxpayer)).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'rejected'])
    const { items } = await incidentsOf(taxpayer.call, 10)
    expect(items[0]).toMatchObject({ codigo_error: '3002', estado_registro: 'Incorrecto' })
    // Records accepted before it forgot stay accepted; they are not sent again automatically.
    expect(taxpayer.received().map(({ operation }) => operation)).toEqual(['Alta', 'Alta', 'Anulacion'])
  })

  it('that has the same numbers of another installation reports each as that of another system', async () => {
    const fixture = await open()
    const taxpayer = await fixture.company()
    await taxpayer.issue(3)
    await taxpayer.drain()
    // The folder is lost and created again: the same company and series, from number 1.
    const { taxId } = taxpayer
    const hashes = taxpayer.received().map(({ hash }) => hash)
    await fixture.stopProcess()
    rmSync(join(fixture.folder, 'data'), { recursive: true })
    await fixture.startProcess()
    fixture.now += 61_000
    const second = await fixture.company(taxId)
    await second.issue(2)
    await second.issue(2, 'G')
    expect((await second.drain()).length).toBeLessThan(10)
    const records = await second.records()
    expect(records.map(({ estado }) => estado)).toEqual(['rejected', 'rejected', 'accepted', 'accepted'])
    const { items } = await incidentsOf(second.call, 10)
    expect(items.map(({ codigo_error }) => codigo_error)).toEqual(['3000', '3000'])
    // The authority still has its records.
    const stored = second.received().filter(({ state }) => state !== 'Incorrecto')
    expect(stored.slice(0, 3).map(({ hash }) => hash)).toEqual(hashes)
    expect(stored).toHaveLength(5)
    expect(await second.issue(1)).toHaveLength(1)
    fixture.now += 61_000
    await second.drain()
    expect(await second.queue()).toMatchObject({ owner: null, submission_id: null, failures: 0 })
  })

  it('that processes a message only after it was queried recognises the retry as ours', async () => {
    const fixture = await open()
    const taxpayer = await fixture.company()
    await taxpayer.issue(3)
    let arrive: (() => Promise<unknown>) | undefined
    fixture.around = async (call) => {
      arrive = call
      return { is: 'unknown', reason: { en: 'it is on its way.', es: 'está en camino.' } }
    }
    expect(await taxpayer.step()).toMatchObject({ is: 'later', blocked: { reason: 'unknown' } })
    fixture.now += 31_000
    expect(await taxpayer.step()).toEqual({ is: 'done', records: 0, submission: expect.any(String) })
    await arrive?.()
    await taxpayer.drain()
    expect(await statesOf(taxpayer)).toEqual(['accepted', 'accepted', 'accepted'])
    // The CSV was in the response that was lost.
    const { problems, again } = await sendingProblems(taxpayer.call.store, fixture.simulator, taxpayer.taxId)
    expect(problems.filter((text) => !/^record [123] has no CSV/.test(text))).toEqual([])
    expect(again).toBe(3)
  })

  itInAll(
    `that responds without end, or with ${MOST - 1} MiB of nothing, is settled by a query`,
    async () => {
      const fixture = await open({ limits: { responseMs: 60_000, maxBytes: MOST * MEBIBYTE } })
      const taxpayer = await fixture.company()
      await taxpayer.issue(2)
      await fixture.simulator.close()
      const { identities } = await makeIdentities(
        join(fixture.folder, 'simulator'),
        ['localhost'],
        Date.now(),
      )
      const mebibyte = Buffer.alloc(MEBIBYTE, ' ')
      const bodies = ['endless', 'long'] as const
      let calls = 0
      const server: Server = createServer(
        { ...identities.good, requestCert: true, rejectUnauthorized: false },
        (incoming, outgoing) => {
          incoming.resume()
          const most = bodies[calls++] === 'endless' ? Number.POSITIVE_INFINITY : MOST - 1
          outgoing.writeHead(200, { 'Content-Type': 'text/xml' })
          outgoing.write('<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>')
          let sent = 0
          const more = (): void => {
            while (!outgoing.destroyed && sent < most) {
              sent++
              if (!outgoing.write(mebibyte)) return void outgoing.once('drain', more)
            }
            if (!outgoing.destroyed) outgoing.end('</env:Body></env:Envelope>')
          }
          more()
        },
      )
      await startAgain(() => once(server.listen(fixture.simulator.port, '127.0.0.1'), 'listening'))
      // The response to the message never ends; that to the query is long.
      expect(await taxpayer.step()).toMatchObject({ is: 'later', blocked: { reason: 'unknown' } })
      fixture.now += HOUR
      expect(await taxpayer.step()).toMatchObject({ is: 'later', blocked: { reason: 'unknown' } })
      expect(calls).toBe(2)
      server.closeAllConnections()
      server.close()
      await fixture.startAuthority()
      await taxpayer.drain()
      expect(await taxpayer.problems()).toEqual([])
    },
  )
})

describe('a process', () => {
  itInAll('that pauses for longer than its lease writes nothing afterwards', async () => {
    const world = await sendersAlone()
    const senders: Sender[] = []
    try {
      const [one, two] = await Promise.all([world.start(), world.start()])
      senders.push(one, two)
      await world.issue()
      await world.settled()
      await world.simulator.control.inject({ kind: 'slow', seconds: 1, operation: 'submission', times: 1 })
      await world.issue()
      await world.issue()
      const queue = () =>
        world.store.select('verifactu_queues').select(['owner', 'submission_id', 'fence']).executeTakeFirst()
      let held = await queue()
      const came = () => world.simulator.control.records({ taxpayer: world.taxId }).length
      await until(async () => {
        held = await queue()
        return came() >= 2 && held?.owner
      }, 'a process waits for the response to its message')
      const pid = Number(held?.owner?.split('/')[1])
      process.kill(pid, 'SIGSTOP')
      await world.simulator.control.clear()
      // As if the three minutes of its lease had passed.
      await world.store.transaction((tx) =>
        tx.update('verifactu_queues', { lease_ms: 0 }).where('environment', '=', 'test').execute(),
      )
      const pending = async () =>
        (await world.store.find('verifactu_records', { estado: 'pending' }).select('sequence').execute())
          .length
      const isFree = async () => !(await queue())?.owner
      await until(async () => (await pending()) === 0, 'the other process has sent everything')
      const before = await world.store.select('verifactu_records').selectAll().orderBy('sequence').execute()
      // Alone, the process must end its call in progress before it sends the next invoice.
      await until(isFree, 'no process holds the queue')
      await senders.find((sender) => sender.pid !== pid)?.kill()
      process.kill(pid, 'SIGCONT')
      await world.issue()
      await until(async () => (await pending()) === 0, 'the process that paused has sent the next invoice')
      await until(isFree, 'no process holds the queue')
      const after = await world.store.select('verifactu_records').selectAll().orderBy('sequence').execute()
      expect(after.slice(0, before.length)).toEqual(before)
      const { problems, again } = await sendingProblems(world.store, world.simulator, world.taxId)
      expect(problems).toEqual([])
      expect(again).toBe(0)
    } finally {
      for (const sender of senders) await sender.kill()
      await world.close()
    }
  })
})
