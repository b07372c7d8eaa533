/** Queues: leases, flow control, messages of a thousand records, and recovery after a crash. */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { itInAll, sized } from '#test/size.ts'
import { until } from '#test/until.ts'
import { LEASE_MS } from '../../../../src/service/transmission/queue.ts'
import { startQueueWorker } from '../../../../src/service/transmission/transmission-worker.ts'
import { startSending } from '../../../../src/service/verifactu/sending/verifactu-sender.ts'
import * as a from './authority.ts'
import { VerifactuFixture } from './fixture.ts'

let fixture: VerifactuFixture
beforeEach(async () => {
  fixture = await VerifactuFixture.open()
})
afterEach(() => fixture.close())

const storedInOrder = async () => {
  const accepted = (await fixture.records()).filter(({ estado }) => estado === 'accepted')
  expect(fixture.authority.stored).toEqual(accepted.map(({ huella }) => huella))
}

/** A call that returns on request. */
function held(then: a.Happening) {
  let release = () => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  let began = () => {}
  const isUnderWay = new Promise<void>((resolve) => {
    began = resolve
  })
  const happening: a.Happening = async (deliver, xml) => {
    const outcome = await then(deliver, xml)
    began()
    await until
    return outcome
  }
  return { happening, release, isUnderWay }
}

describe('a queue is held by one process', () => {
  it('others do not touch it meanwhile', async () => {
    await fixture.issue(2)
    const { happening, release, isUnderWay } = held(a.normally)
    fixture.authority.script.push(happening)
    const first = fixture.step('one')
    await isUnderWay
    expect(await fixture.step('two')).toEqual({ is: 'busy' })
    release()
    expect(await first).toEqual({ is: 'done', records: 2, submission: expect.any(String) })
    await storedInOrder()
  })

  it.each([
    ['arrived', a.normally, 1],
    ['did not arrive', a.lostOnTheWay, 1],
  ] as const)(
    'a process that stalls loses it and writes nothing more: its message %s',
    async (_, what, messages) => {
      await fixture.issue(3)
      const { happening, release, isUnderWay } = held(what)
      fixture.authority.script.push(happening)
      const stalled = fixture.step('one')
      await isUnderWay
      fixture.now += LEASE_MS + 1000
      await fixture.drain('two')
      const before = await fixture.records()
      expect(before.map(({ estado }) => estado)).toEqual(['accepted', 'accepted', 'accepted'])
      release()
      expect(await stalled).toEqual({ is: 'busy' })
      expect(await fixture.records()).toEqual(before)
      expect(fixture.authority.queries).toBe(1)
      expect(fixture.authority.messages).toHaveLength(messages)
      await storedInOrder()
    },
  )

  it('a crash before or after sending is settled by a query, never by sending again', async () => {
    for (const arrives of [true, false]) {
      await fixture.issue(2)
      fixture.authority.script.push((deliver) => {
        if (arrives) deliver()
        throw new Error('the process ends here')
      })
      fixture.now += 120_000
      await expect(fixture.step('one')).rejects.toThrow('ends here')
      const [open] = (await fixture.submissions()).filter(({ estado_envio }) => estado_envio === 'sending')
      expect(open).toMatchObject({ record_count: 2, submitted_at: null })
      expect(open?.xml).toContain('RegFactuSistemaFacturacion')
      await fixture.drain('two')
    }
    expect((await fixture.submissions()).map(({ estado_envio }) => estado_envio)).toEqual([
      'settled',
      'not_received',
      'Correcto',
    ])
    await storedInOrder()
  })
})

describe('the flow control of the authority', () => {
  it('a new waiting time is respected, also by other processes', async () => {
    fixture.authority.wait = '600'
    await fixture.issue(1)
    await fixture.drain()
    await fixture.issue(1)
    const next = await fixture.step('two')
    expect(next).toEqual({ is: 'later', at: fixture.now + 600_000 })
    // An administrator's command does not shorten it either.
    expect(await fixture.step('two', true)).toEqual(next)
  })

  it('after a failure of the wire the first retry comes within half a minute, and later ones within an hour', async () => {
    await fixture.issue(1)
    const pauses: number[] = []
    fixture.authority.script.push(...Array.from({ length: 12 }, () => a.down))
    for (let tries = 0; tries < 12; tries++) {
      const next = await fixture.step()
      if (next.is !== 'later') throw new Error(next.is)
      pauses.push(next.at - fixture.now)
      fixture.now = next.at
    }
    expect(pauses[0]).toBeLessThanOrEqual(30_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(3_600_000)
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(1_800_000)
    // An outage is one submission, however long it lasts.
    expect(await fixture.submissions()).toMatchObject([{ estado_envio: 'failed', attempts: 12, xml: null }])
    await fixture.drain()
    expect(await fixture.submissions()).toMatchObject([{ estado_envio: 'Correcto', error_code: null }])
  })

  it('delayed records are marked, later ones are not', async () => {
    await fixture.issue(1)
    fixture.authority.script.push(a.down)
    await fixture.drain()
    await fixture.issue(1)
    await fixture.drain()
    expect(fixture.authority.messages.map(({ incident }) => incident)).toEqual([true, false])
    // No server ran for a day.
    await fixture.issue(1)
    fixture.now += 86_400_000
    await fixture.drain()
    expect(fixture.authority.messages.at(-1)?.incident).toBe(true)
  })

  itInAll('a thousand records are sent at once, the rest when flow control allows', async () => {
    await fixture.issue(1)
    await copies(2299)
    await fixture.drain()
    const { messages } = fixture.authority
    expect(messages.map(({ records }) => records)).toEqual([1000, 1000, 300])
    const [first, second, third] = messages.map(({ at }) => at)
    expect(second).toBe(first)
    expect(third).toBe(Number(second) + 60_000)
    expect(new Set(await fixture.states())).toEqual(new Set(['accepted']))
    await storedInOrder()
  })
})

// Records like the first one with other numbers: only their text is sent.
async function copies(count: number): Promise<void> {
  const [first] = await fixture.records()
  if (!first) throw new Error('no record')
  const { company_id, ...row } = first
  await fixture.call.store.transaction(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const num_serie = `K${String(n).padStart(6, '0')}`
      const huella = n.toString(16).toUpperCase().padStart(64, '0')
      const xml_sent = required(
        first.xml_sent?.replaceAll(first.num_serie, num_serie).replace(first.huella, huella),
      )
      await tx.insert('verifactu_records', { ...row, sequence: n + 1, num_serie, huella, xml_sent })
    }
  })
  expect(company_id).toBe(fixture.call.company.id)
}

it('three workers at once send everything once and in order, through faults and new invoices', async () => {
  const kinds = [a.down, a.answerLost, a.lostOnTheWay, a.cutInTheMiddle, a.page, a.fault(20009, 'Server')]
  fixture.authority.wait = '1'
  const count = sized(60, 60, 600)
  for (let n = 0; n < count / 2; n++)
    fixture.authority.script.push(n % 2 === 0 ? a.normally : (kinds[(n >> 1) % kinds.length] ?? a.normally))
  const stops = ['one', 'two', 'three'].map((owner) =>
    startSending({ ...fixture.app, owner }, fixture.authority.wire, { intervalMs: 3, owner }),
  )
  // An hour of the authority is a second of the test.
  const clock = setInterval(() => {
    fixture.now += 20_000
  }, 5)
  try {
    for (let n = 0; n < count; n += 3) {
      await fixture.issue(3)
      await sleep(5)
    }
    await until(async () => !(await fixture.states()).includes('pending'), 'no record is pending')
  } finally {
    clearInterval(clock)
    await Promise.all(stops.map((stop) => stop()))
  }
  expect(new Set(await fixture.states())).toEqual(new Set(['accepted']))
  expect(await fixture.records()).toHaveLength(count)
  await storedInOrder()
  expect(new Set(fixture.authority.stored).size).toBe(count)
})

it.each([1, 2, 5])('a worker goes on at once when the clock is set back by %i h', async (hours) => {
  await fixture.issue(1)
  fixture.authority.script.push(a.down)
  const stop = startSending({ ...fixture.app, owner: 'one' }, fixture.authority.wire, {
    intervalMs: 5,
    owner: 'one',
  })
  try {
    await until(async () => (await fixture.submissions())[0]?.error_code === 'unreachable', 'a message fails')
    await until(async () => (await fixture.queue())?.owner === null, 'the worker waits')
    fixture.now -= hours * 3_600_000
    await until(async () => (await fixture.states())[0] === 'accepted', 'the record is accepted')
  } finally {
    await stop()
  }
})

describe('incomplete or foreign responses', () => {
  const withoutHash = a.changed((text) => text.replace(/<q:Huella>[^<]*<\/q:Huella>/g, ''))

  it('a query without hashes does not make an own record that of another system', async () => {
    await fixture.issue(1)
    fixture.authority.script.push(a.answerLost)
    fixture.authority.queryScript.push(withoutHash, withoutHash)
    await fixture.drain()
    expect(await fixture.states()).toEqual(['accepted'])
    expect(fixture.authority.stored).toHaveLength(1)
  })

  it.each([
    ['header and lines', /B77777779/g],
    ['lines alone', /(?<=IDEmisorFactura>)B77777779/g],
  ])('a response for another taxpayer is discarded: %s', async (_, own) => {
    await fixture.issue(1)
    fixture.authority.script.push(
      a.changed((text) => text.replace(own, 'B12345674').replace(/A-0+1/, 'A-OTHER')),
    )
    expect(await fixture.step()).toMatchObject({ is: 'later' })
    expect(await fixture.states()).toEqual(['pending'])
    await fixture.drain()
    const [record] = await fixture.records()
    expect([record?.estado, record?.aeat_csv]).toEqual(['accepted', null])
    expect(fixture.authority.queries).toBe(1)
  })

  it('white space around CSV and status is removed', async () => {
    await fixture.issue(1)
    fixture.authority.script.push(
      a.changed((text) => text.replace(/(CSV|EstadoEnvio)>([^<]+)</g, '$1>\n  $2\n <')),
    )
    await fixture.drain()
    const [sent] = await fixture.submissions()
    expect([sent?.estado_envio, sent?.aeat_csv]).toEqual(['Correcto', 'A-0000000000000001'])
    expect((await fixture.records())[0]?.aeat_csv).toBe('A-0000000000000001')
  })

  it('Retry-After makes a pause longer, an hour at most', async () => {
    await fixture.issue(1)
    for (const [retryAfter, seconds] of [
      [1800, 1800],
      [86_400, 3600],
    ] as const) {
      fixture.authority.script.push(() => ({
        is: 'unreachable',
        reason: { en: 'busy.', es: 'ocupado.' },
        retryAfter,
      }))
      const next = await fixture.step()
      expect(next.is === 'later' && next.at - fixture.now).toBe(seconds * 1000)
      if (next.is === 'later') fixture.now = next.at
    }
    await fixture.drain()
  })
})

it('if every pass queries the database, passes become rarer while nothing is pending', async () => {
  let passes = 0
  const app = {
    ...fixture.app,
    store: Object.assign(Object.create(fixture.app.store), { version: () => null }),
  }
  const source = {
    pendingQueues: async () => {
      passes++
      return []
    },
    nameOf: String,
    companyOf: String,
    step: async () => ({ is: 'idle' }) as const,
  }
  const started = performance.now()
  const stop = startQueueWorker<string>(app, source, { intervalMs: 5 })
  await until(() => passes === 7, 'there are seven passes', { everyMs: 1 })
  // At 5 ms each they would take 30 ms; a pause is never shorter than asked for.
  expect(performance.now() - started).toBeGreaterThan(300)
  await stop()
})
