/** Who sends, when, and what a crash leaves behind: leases, the authority's time, messages of a thousand. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEASE } from '../../../src/server/service/transmission/queue.ts'
import { startLines } from '../../../src/server/service/transmission/worker.ts'
import { startSending } from '../../../src/server/service/verifactu/sending/sender.ts'
import { itInAll, sized } from '../../size.ts'
import * as a from './fake-authority.ts'
import { Rig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await Rig.open()
})
afterEach(() => rig.close())

const storedInOrder = async () => {
  const accepted = (await rig.records()).filter(({ estado }) => estado === 'accepted')
  expect(rig.authority.stored).toEqual(accepted.map(({ huella }) => huella))
}

/** A call that comes back when it is told to. */
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

describe('a line is held by one process', () => {
  it('others leave it alone while it is held', async () => {
    await rig.issue(2)
    const { happening, release, isUnderWay } = held(a.normally)
    rig.authority.script.push(happening)
    const first = rig.step('one')
    await isUnderWay
    expect(await rig.step('two')).toEqual({ is: 'busy' })
    release()
    expect(await first).toEqual({ is: 'done', records: 2, submission: expect.any(String) })
    await storedInOrder()
  })

  it.each([
    ['arrived', a.normally, 1],
    ['did not arrive', a.lostOnTheWay, 1],
  ] as const)(
    'one that stalls loses it and writes nothing more: its message %s',
    async (_, what, messages) => {
      await rig.issue(3)
      const { happening, release, isUnderWay } = held(what)
      rig.authority.script.push(happening)
      const stalled = rig.step('one')
      await isUnderWay
      rig.now += LEASE + 1000
      await rig.drain('two')
      const before = await rig.records()
      expect(before.map(({ estado }) => estado)).toEqual(['accepted', 'accepted', 'accepted'])
      release()
      expect(await stalled).toEqual({ is: 'busy' })
      expect(await rig.records()).toEqual(before)
      expect(rig.authority.queries).toBe(1)
      expect(rig.authority.messages).toHaveLength(messages)
      await storedInOrder()
    },
  )

  it('a crash before and after the message went out is settled by a query, never by sending blindly', async () => {
    for (const arrives of [true, false]) {
      await rig.issue(2)
      rig.authority.script.push((deliver) => {
        if (arrives) deliver()
        throw new Error('the process ends here')
      })
      rig.now += 120_000
      await expect(rig.step('one')).rejects.toThrow('ends here')
      const [open] = (await rig.submissions()).filter(({ estado_envio }) => estado_envio === 'sending')
      expect(open).toMatchObject({ record_count: 2, submitted_at: null })
      expect(open?.xml).toContain('RegFactuSistemaFacturacion')
      await rig.drain('two')
    }
    expect((await rig.submissions()).map(({ estado_envio }) => estado_envio)).toEqual([
      'settled',
      'not_received',
      'Correcto',
    ])
    await storedInOrder()
  })
})

describe('the authority’s time', () => {
  it('a new one is kept, by other processes too', async () => {
    rig.authority.wait = '600'
    await rig.issue(1)
    await rig.drain()
    await rig.issue(1)
    const next = await rig.step('two')
    expect(next).toEqual({ is: 'later', at: rig.now + 600_000 })
    // Nor does an administrator who is in a hurry shorten it.
    expect(await rig.step('two', true)).toEqual(next)
  })

  it('after a failure of the wire the first try comes within half a minute, and never later than an hour', async () => {
    await rig.issue(1)
    const pauses: number[] = []
    rig.authority.script.push(...Array.from({ length: 12 }, () => a.down))
    for (let tries = 0; tries < 12; tries++) {
      const next = await rig.step()
      if (next.is !== 'later') throw new Error(next.is)
      pauses.push(next.at - rig.now)
      rig.now = next.at
    }
    expect(pauses[0]).toBeLessThanOrEqual(30_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(3_600_000)
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(1_800_000)
    // One outage is one submission, however long it takes.
    expect(await rig.submissions()).toMatchObject([{ estado_envio: 'failed', attempts: 12, xml: null }])
    await rig.drain()
    expect(await rig.submissions()).toMatchObject([{ estado_envio: 'Correcto', error_code: null }])
  })

  it('what is delayed says so, and what comes after does not', async () => {
    await rig.issue(1)
    rig.authority.script.push(a.down)
    await rig.drain()
    await rig.issue(1)
    await rig.drain()
    expect(rig.authority.messages.map(({ incident }) => incident)).toEqual([true, false])
    // Nothing ran here for a day.
    await rig.issue(1)
    rig.now += 86_400_000
    await rig.drain()
    expect(rig.authority.messages.at(-1)?.incident).toBe(true)
  })

  itInAll('a thousand records go at once, the rest when it is time', async () => {
    await rig.issue(1)
    await copies(2299)
    await rig.drain()
    const { messages } = rig.authority
    expect(messages.map(({ records }) => records)).toEqual([1000, 1000, 300])
    const [first, second, third] = messages.map(({ at }) => at)
    expect(second).toBe(first)
    expect(third).toBe(Number(second) + 60_000)
    expect(new Set(await rig.states())).toEqual(new Set(['accepted']))
    await storedInOrder()
  })
})

/** Records like the first one, under other numbers: what is sent is text. */
async function copies(count: number): Promise<void> {
  const [first] = await rig.records()
  if (!first) throw new Error('no record')
  const { company_id, ...row } = first
  await rig.call.store.transaction(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const num_serie = `K${String(n).padStart(6, '0')}`
      const huella = n.toString(16).toUpperCase().padStart(64, '0')
      const xml_sent = first.xml_sent
        ?.replaceAll(first.num_serie, num_serie)
        .replace(first.huella, huella) as string
      await tx.insert('verifactu_records', { ...row, sequence: n + 1, num_serie, huella, xml_sent })
    }
  })
  expect(company_id).toBe(rig.call.company.id)
}

it('three workers at once, faults and new invoices: all of it once and in order', async () => {
  const kinds = [a.down, a.answerLost, a.lostOnTheWay, a.cutInTheMiddle, a.page, a.fault(20009, 'Server')]
  rig.authority.wait = '1'
  const count = sized(60, 60, 600)
  for (let n = 0; n < count / 2; n++)
    rig.authority.script.push(n % 2 === 0 ? a.normally : (kinds[(n >> 1) % kinds.length] ?? a.normally))
  const stops = ['one', 'two', 'three'].map((owner) =>
    startSending({ ...rig.app, owner }, rig.authority.wire, { every: 3, owner }),
  )
  // An hour of theirs is a second of ours.
  const clock = setInterval(() => {
    rig.now += 20_000
  }, 5)
  try {
    for (let n = 0; n < count; n += 3) {
      await rig.issue(3)
      await sleep(5)
    }
    for (let tries = 0; tries < 2000 && (await rig.states()).includes('pending'); tries++) await sleep(10)
  } finally {
    clearInterval(clock)
    await Promise.all(stops.map((stop) => stop()))
  }
  expect(new Set(await rig.states())).toEqual(new Set(['accepted']))
  expect(await rig.records()).toHaveLength(count)
  await storedInOrder()
  expect(new Set(rig.authority.stored).size).toBe(count)
})

it('a worker goes on at once when the clock is set back by hours', async () => {
  await rig.issue(1)
  rig.authority.script.push(a.down)
  const stop = startSending({ ...rig.app, owner: 'one' }, rig.authority.wire, { every: 5, owner: 'one' })
  const until = async (isReached: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 400; tries++) {
      if (await isReached()) return true
      await sleep(5)
    }
    return false
  }
  try {
    expect(await until(async () => (await rig.submissions())[0]?.error_code === 'unreachable')).toBe(true)
    await sleep(50)
    rig.now -= 5 * 3_600_000
    expect(await until(async () => (await rig.states())[0] === 'accepted')).toBe(true)
  } finally {
    await stop()
  }
})

describe('answers that say less, or speak of others', () => {
  const withoutHash = a.changed((text) => text.replace(/<q:Huella>[^<]*<\/q:Huella>/g, ''))

  it('a query whose rows have no hash does not make an own record that of another', async () => {
    await rig.issue(1)
    rig.authority.script.push(a.answerLost)
    rig.authority.queryScript.push(withoutHash, withoutHash)
    await rig.drain()
    expect(await rig.states()).toEqual(['accepted'])
    expect(rig.authority.stored).toHaveLength(1)
  })

  it.each([
    ['header and lines', /B77777779/g],
    ['lines alone', /(?<=IDEmisorFactura>)B77777779/g],
  ])('an answer of another taxpayer is not taken: %s', async (_, own) => {
    await rig.issue(1)
    rig.authority.script.push(a.changed((text) => text.replace(own, 'B12345674').replace(/A-0+1/, 'A-OTHER')))
    expect(await rig.step()).toMatchObject({ is: 'later' })
    expect(await rig.states()).toEqual(['pending'])
    await rig.drain()
    const [record] = await rig.records()
    expect([record?.estado, record?.aeat_csv]).toEqual(['accepted', null])
    expect(rig.authority.queries).toBe(1)
  })

  it('white space around CSV and state of an answer is not kept', async () => {
    await rig.issue(1)
    rig.authority.script.push(
      a.changed((text) => text.replace(/(CSV|EstadoEnvio)>([^<]+)</g, '$1>\n  $2\n <')),
    )
    await rig.drain()
    const [sent] = await rig.submissions()
    expect([sent?.estado_envio, sent?.aeat_csv]).toEqual(['Correcto', 'A-0000000000000001'])
    expect((await rig.records())[0]?.aeat_csv).toBe('A-0000000000000001')
  })

  it('Retry-After makes a pause longer, and never longer than an hour', async () => {
    await rig.issue(1)
    for (const [retryAfter, seconds] of [
      [1800, 1800],
      [86_400, 3600],
    ] as const) {
      rig.authority.script.push(() => ({
        is: 'unreachable',
        reason: { en: 'busy.', es: 'ocupado.' },
        retryAfter,
      }))
      const next = await rig.step()
      expect(next.is === 'later' && next.at - rig.now).toBe(seconds * 1000)
      if (next.is === 'later') rig.now = next.at
    }
    await rig.drain()
  })
})

it('where every look asks the database, looks become rarer while nothing waits', async () => {
  const looksIn = async (milliseconds: number): Promise<number> => {
    let looks = 0
    const app = { ...rig.app, store: Object.assign(Object.create(rig.app.store), { version: () => null }) }
    const stop = startLines<string>(
      app,
      {
        places: async () => {
          looks++
          return []
        },
        nameOf: String,
        companyOf: String,
        step: async () => ({ is: 'idle' }),
      },
      { every: 5 },
    )
    await sleep(milliseconds)
    await stop()
    return looks
  }
  // Every 5 ms it would be 120.
  expect(await looksIn(600)).toBeLessThanOrEqual(9)
})
