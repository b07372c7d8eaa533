/**
 * Every fault of the simulator, with the real sender over the real wire. Once a fault is over, no record is lost,
 * stored twice or sent twice as new; their order is that of the chain, which verifies on both sides; each record has
 * the authority's status, and its CSV is stored once. `npm test` has each kind of fault, `npm run test:all` a sample of
 * its places and frequencies, `npm run test:long` all faults.
 *
 * @slow
 */

import { FAULT_KINDS, type Fault } from 'cuadra-simulator/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sized } from '#test/size.ts'
import { SimulatedFixture, type SimulatedTaxpayer } from './simulated.ts'

const HOUR = 3_600_000

interface Case {
  readonly fault: Fault
  /** Faults of the query that follows. */
  readonly also?: Fault
  /** Number of failed attempts after which the fault is removed; by default it ends by itself. */
  readonly tries?: number
  /** Which of the three messages it affects first. */
  readonly at?: 0 | 1 | 2
  /** What restarts after each attempt: the sender, or the authority with its state. */
  readonly restart?: 'sender' | 'authority'
  /** Statuses of the four records, if not all are accepted. */
  readonly states?: readonly string[]
  /** Whether the message was settled by a query; null if nothing was sent. */
  readonly asked: boolean
  /** Why the records waited. */
  readonly stop?: string
}

const thirdOf = (n: number) => ([0, 1, 2] as const)[n % 3] ?? 0
const NOTHING = { asked: false } as const
const ASKED = { asked: true } as const

/** Faults of the connection: nothing is sent. */
const CONNECTION: readonly Case[] = (
  ['reset', 'tls_closed', 'expired_certificate', 'unknown_authority', 'wrong_host'] as const
).flatMap((kind, n): Case[] => [
  { fault: { kind, times: 1 }, at: thirdOf(n), stop: 'unreachable', ...NOTHING },
  { fault: { kind, times: 3 }, at: thirdOf(n + 1), restart: 'sender', stop: 'unreachable', ...NOTHING },
  { fault: { kind }, tries: 4, at: thirdOf(n + 2), stop: 'unreachable', ...NOTHING },
])

/** Faults of the response, with the message stored or not. */
const DELIVERY: readonly Case[] = (
  ['slow', 'cut', 'lost_response', 'half_xml', 'empty', 'html', 'http_status'] as const
).flatMap((kind, n) =>
  [true, false].flatMap((stored): Case[] => {
    const fault = {
      kind,
      stored,
      operation: 'submission',
      ...(kind === 'slow' ? { seconds: 1.5 } : {}),
    } as const
    const place = (by: number) => thirdOf(n + by + Number(stored))
    return [
      { fault: { ...fault, times: 1 }, at: place(0), stop: 'unknown', ...ASKED },
      { fault: { ...fault, times: 3 }, at: place(1), restart: 'sender', stop: 'unknown', ...ASKED },
      { fault, tries: 3, at: place(2), restart: 'authority', stop: 'unknown', ...ASKED },
    ]
  }),
)

/** Faults of the query after a lost response. */
const QUERY: readonly Case[] = (
  [
    { kind: 'slow', seconds: 1.5 },
    { kind: 'cut' },
    { kind: 'lost_response' },
    { kind: 'half_xml' },
    { kind: 'empty' },
    { kind: 'html' },
    { kind: 'http_status', status: 500 },
    { kind: 'soap_fault', code: 20009 },
    { kind: 'soap_fault', code: 4140, client: true },
  ] as const
).map(
  (fault, n): Case => ({
    fault: { kind: 'lost_response', stored: n % 2 === 0, times: 1, operation: 'submission' },
    also: { ...fault, operation: 'query', times: (n % 3) + 1 },
    at: thirdOf(n),
    ...(n % 2 === 1 ? { restart: 'sender' } : {}),
    stop: 'unknown',
    ...ASKED,
  }),
)

const [TAKEN, TURNED, ERRORS] = ['accepted', 'rejected', 'accepted_with_errors'] as const

const OTHERS: readonly Case[] = [
  { fault: { kind: 'down' }, tries: 1, at: 0, stop: 'unreachable', ...NOTHING },
  { fault: { kind: 'down' }, tries: 3, at: 1, restart: 'sender', stop: 'unreachable', ...NOTHING },
  // Longer than a day: retries come at least every hour.
  { fault: { kind: 'down' }, tries: 30, at: 2, stop: 'unreachable', ...NOTHING },
  { fault: { kind: 'slow', seconds: 0.1, times: 1 }, at: 1, ...NOTHING },
  { fault: { kind: 'content_type', times: 1 }, at: 0, ...NOTHING },
  { fault: { kind: 'content_type', times: 1, content_type: 'application/json' }, at: 2, ...NOTHING },
  { fault: { kind: 'soap_fault', times: 1 }, at: 0, stop: 'fault_service', ...NOTHING },
  {
    fault: { kind: 'soap_fault', times: 3, code: 20009 },
    at: 1,
    restart: 'sender',
    stop: '20009',
    ...NOTHING,
  },
  { fault: { kind: 'soap_fault', code: 4141, client: true }, tries: 3, at: 2, stop: '4141', ...NOTHING },
  { fault: { kind: 'soap_fault', code: 4112, client: true, times: 3 }, at: 0, stop: 'refused', ...NOTHING },
  { fault: { kind: 'http_status', status: 403, times: 1 }, at: 1, stop: 'refused', ...NOTHING },
  {
    fault: { kind: 'http_status', status: 503, retry_after: 120, times: 1 },
    at: 2,
    stop: 'unknown',
    ...ASKED,
  },
  { fault: { kind: 'http_status', status: 302, times: 1 }, at: 0, stop: 'unknown', ...ASKED },
  { fault: { kind: 'html', status: 500, stored: true, times: 1 }, at: 1, stop: 'unknown', ...ASKED },
  { fault: { kind: 'wrong_order' }, tries: 0, at: 0, ...NOTHING },
  { fault: { kind: 'missing_line', times: 1 }, at: 0, ...ASKED },
  { fault: { kind: 'missing_line', times: 3 }, at: 0, restart: 'sender', ...ASKED },
  { fault: { kind: 'wait', seconds: 0, times: 1 }, at: 0, ...NOTHING },
  { fault: { kind: 'wait', seconds: 120, times: 1 }, at: 1, restart: 'sender', ...NOTHING },
  // The next message waits an hour for the authority, which is not our incident: its code 2004.
  { fault: { kind: 'wait', seconds: 3600, times: 1 }, at: 2, restart: 'authority', ...NOTHING },
  { fault: { kind: 'partial', times: 1 }, at: 1, states: [TAKEN, TURNED, TAKEN, TURNED], ...NOTHING },
  {
    fault: { kind: 'reject', code: 1114, times: 4 },
    at: 0,
    states: [TURNED, TURNED, TURNED, TURNED],
    ...NOTHING,
  },
  {
    fault: { kind: 'reject', code: 1114, times: 1 },
    at: 2,
    states: [TURNED, TAKEN, TAKEN, TAKEN],
    ...NOTHING,
  },
  {
    fault: { kind: 'accept_with_errors', code: 2001, times: 2 },
    at: 1,
    states: [ERRORS, ERRORS, TAKEN, TAKEN],
    ...NOTHING,
  },
  {
    fault: { kind: 'accept_with_errors', code: 2001, times: 1 },
    also: { kind: 'lost_response', operation: 'submission', times: 1 },
    at: 0,
    restart: 'sender',
    states: [ERRORS, TAKEN, TAKEN, TAKEN],
    ...ASKED,
  },
  {
    // Records rejected in a lost response are sent and validated again.
    fault: { kind: 'partial', times: 1 },
    also: { kind: 'cut', operation: 'submission', times: 1 },
    at: 1,
    ...ASKED,
  },
]

const ALL: readonly Case[] = [...CONNECTION, ...DELIVERY, ...QUERY, ...OTHERS]
/** Returns the sample: one case of each frequency, every second fault of queries, and no outage of days. */
const SAMPLE: readonly Case[] = [
  ...CONNECTION.filter((_, n) => n % 3 === Math.floor(n / 3) % 3),
  ...DELIVERY.filter((_, n) => n % 3 === Math.floor(n / 3) % 3),
  ...QUERY.filter((_, n) => n % 2 === 1),
  ...OTHERS.filter(({ tries = 0 }) => tries < 10),
]
/** The cases of the sample that have another kind of fault than those before, or another outcome. */
const KINDS: readonly Case[] = SAMPLE.filter((one, index) => {
  const kindOf = ({ fault, also, states, stop }: Case) =>
    [also?.operation === 'query' ? also.kind : fault.kind, also === undefined, states, stop].join()
  return SAMPLE.findIndex((other) => kindOf(other) === kindOf(one)) === index
})
const CASES = sized(KINDS, SAMPLE, ALL)

const nameOf = ({ fault, also, tries, at = 0, restart }: Case): string => {
  const { kind, ...how } = fault
  const said = (one: object) => JSON.stringify(one).replaceAll('"', '').slice(1, -1)
  return [
    `${kind} ${said(how)} at message ${at + 1}`,
    ...(tries === undefined ? [] : [`until ${tries} tries failed`]),
    ...(also ? [`then ${said(also)}`] : []),
    ...(restart ? [`the ${restart} started anew`] : []),
  ].join(', ')
}

describe('a fault of the simulator, over the wire', () => {
  let fixture: SimulatedFixture
  beforeAll(async () => {
    fixture = await SimulatedFixture.open()
  })
  afterAll(() => fixture?.close())

  /** Sends everything under the fault; returns why it waited, and how often. */
  async function under(
    taxpayer: SimulatedTaxpayer,
    { fault, also, tries, restart }: Case,
  ): Promise<string[]> {
    await fixture.simulator.control.inject(fault)
    if (also) await fixture.simulator.control.inject(also)
    const stops: string[] = []
    let calls = 0
    await taxpayer.drain(undefined, async (next) => {
      if (next.is === 'later') expect(next.at - fixture.now).toBeLessThanOrEqual(HOUR)
      if (next.is === 'later' && next.blocked) {
        stops.push(String(next.blocked.code ?? next.blocked.reason))
        if (stops.length === tries) await fixture.simulator.control.clear()
      }
      if (calls++ > 0) return
      if (restart === 'sender') await fixture.startProcess()
      if (restart === 'authority') {
        await fixture.startAuthority()
        // The faults were lost with it.
        if (tries !== undefined && stops.length < tries) await fixture.simulator.control.inject(fault)
      }
    })
    if (tries && !fault.stored) expect(stops.length).toBeGreaterThanOrEqual(tries)
    await fixture.simulator.control.clear()
    return stops
  }

  it.each(CASES.map((one) => [nameOf(one), one] as const))('%s', async (_, one) => {
    const taxpayer = await fixture.company()
    const at = one.at ?? 0
    let earlier: string[] = []
    for (const message of [0, 1, 2]) {
      // The four records that meet the fault include a cancellation of an earlier one.
      const [cancelled] = earlier
      if (message !== at) {
        earlier = await taxpayer.issue()
        await taxpayer.drain()
        continue
      }
      earlier = await taxpayer.issue(cancelled ? 3 : 4)
      if (cancelled) await taxpayer.cancel(cancelled)
      const stops = await under(taxpayer, one)
      if (one.stop) expect(stops[0]).toBe(one.stop)
      else if (!one.also) expect(stops).toEqual([])
    }
    const records = await taxpayer.records()
    const wanted = [0, 1, 2].flatMap((message) =>
      message === at ? (one.states ?? [TAKEN, TAKEN, TAKEN, TAKEN]) : [TAKEN],
    )
    expect(records.map(({ estado }) => estado)).toEqual(wanted)
    expect(await taxpayer.problems()).toEqual([])
    // Records made after the fault are not marked as delayed.
    if (at < 2) expect(taxpayer.messages().at(-1)).toMatchObject({ incident: 0, records: 1 })
    const submissions = await taxpayer.submissions()
    const states = submissions.map(({ estado_envio }) => estado_envio)
    const isSettled = states.includes('settled') || states.includes('not_received')
    expect(isSettled || one.fault.kind === 'missing_line', states.join()).toBe(one.asked)
  })

  it(`the ${CASES.length} of ${ALL.length} faults include every kind`, () => {
    const met = CASES.flatMap(({ fault, also }) => [fault.kind, ...(also ? [also.kind] : [])])
    expect([...new Set(met)].sort()).toEqual(Object.keys(FAULT_KINDS).sort())
    expect(SAMPLE.length).toBeGreaterThanOrEqual(30)
  })
})
