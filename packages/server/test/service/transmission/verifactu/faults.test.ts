/**
 * Faults between this server and the tax authority: no record is lost or stored twice, their order is that of the
 * chain, and each ends in the right status.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'
import * as a from './authority.ts'
import { VerifactuFixture } from './fixture.ts'

interface Case {
  readonly name: string
  /** Runs before anything is sent. */
  readonly prepare?: (fixture: VerifactuFixture, numbers: readonly string[]) => void | Promise<void>
  readonly script?: readonly a.Happening[]
  readonly queries?: readonly a.Happening[]
  /** Final statuses of the four records; by default all accepted. */
  readonly states?: readonly string[]
  /** Whether the authority must be queried. */
  readonly asked?: boolean
  /** Whether the last message is marked as delayed. */
  readonly incident?: boolean
}

const OTHER = /<sf:NumSerieFactura>[^<]*</g
const LINE = /<r:RespuestaLinea>.*?<\/r:RespuestaLinea>/gs
const without = (at: number) => a.changed((text) => text.replace(text.match(LINE)?.[at] ?? '', ''))

const CASES: readonly Case[] = [
  { name: 'no fault' },
  { name: 'the authority is down', script: [a.down], incident: true },
  {
    name: 'the authority is down for hours',
    script: Array.from({ length: 12 }, () => a.down),
    incident: true,
  },
  { name: 'the authority refuses the connection', script: [a.turnedAway], incident: true },
  { name: 'the response is lost after storing', script: [a.answerLost], asked: true, incident: false },
  { name: 'the message is lost', script: [a.lostOnTheWay], asked: true, incident: true },
  { name: 'the response is cut off', script: [a.cutInTheMiddle], asked: true },
  { name: 'the response is an HTML page', script: [a.page], asked: true, incident: true },
  { name: 'the response is an HTML page after storing', script: [a.pageAfterStoring], asked: true },
  { name: 'the response is empty', script: [a.changed(() => '')], asked: true },
  {
    name: 'the response is for another message',
    script: [a.changed((text) => text.replace(OTHER, '<sf:NumSerieFactura>Z<'))],
    asked: true,
  },
  { name: 'the response lacks a record', script: [without(2)], asked: true },
  {
    name: 'the response lacks a record, and the query fails',
    script: [without(0)],
    queries: [a.down, a.fault(20009, 'Server')],
    asked: true,
  },
  {
    name: 'the lines come in another order',
    script: [
      a.changed((text) =>
        text.replace(/(<r:RespuestaLinea>.*<\/r:RespuestaLinea>)/s, (all) =>
          (all.match(LINE) ?? []).reverse().join(''),
        ),
      ),
    ],
    asked: false,
  },
  {
    name: 'a line has an unknown status',
    script: [a.changed((text) => text.replace('EstadoRegistro>Correcto<', 'EstadoRegistro>Quizás<'))],
    asked: true,
  },
  { name: 'the service fails with a code', script: [a.fault(20009, 'Server')], incident: true },
  {
    name: 'the service fails without a code',
    script: [a.fault(null, 'Server', 'Internal Error')],
    incident: true,
  },
  {
    name: 'the certificate is not authorised for the company',
    script: [a.fault(4112, 'Client'), a.fault(4112, 'Client')],
    incident: true,
  },
  { name: 'the service is suspended', script: [a.fault(4141, 'Client')], incident: true },
  {
    name: 'the query is rejected after a lost response',
    script: [a.answerLost],
    queries: [a.fault(4140, 'Client'), a.down, a.page],
    asked: true,
  },
  {
    name: 'the message is lost twice, then the response',
    script: [a.lostOnTheWay, a.lostOnTheWay, a.answerLost],
    asked: true,
  },
  {
    name: 'one record is rejected',
    prepare: (fixture, [, second = '']) => void fixture.authority.codes.set(second, 1110),
    states: ['accepted', 'rejected', 'accepted', 'accepted'],
  },
  {
    name: 'all records are rejected',
    prepare: (fixture, numbers) => numbers.forEach((one) => void fixture.authority.codes.set(one, 1110)),
    states: ['rejected', 'rejected', 'rejected', 'rejected'],
  },
  {
    name: 'one is accepted with errors',
    prepare: (fixture, [first = '']) => void fixture.authority.codes.set(first, 2000),
    states: ['accepted_with_errors', 'accepted', 'accepted', 'accepted'],
  },
  {
    name: 'one is accepted with errors and the response is lost',
    prepare: (fixture, [first = '']) => void fixture.authority.codes.set(first, 2000),
    script: [a.answerLost],
    states: ['accepted_with_errors', 'accepted', 'accepted', 'accepted'],
    asked: true,
  },
  {
    name: 'one is rejected and the response is lost',
    prepare: (fixture, [, , third = '']) => void fixture.authority.codes.set(third, 1110),
    script: [a.answerLost],
    states: ['accepted', 'accepted', 'rejected', 'accepted'],
    asked: true,
  },
  {
    name: 'the clock of the authority differs by minutes',
    script: [
      a.changed((text) => text.replace(/(TimestampPresentacion>)[^<]+/, '$12026-11-20T08:00:00+01:00')),
    ],
  },
  {
    name: 'the waiting time is missing',
    script: [a.changed((text) => text.replace(/(TiempoEsperaEnvio>)\d+/, '$1'))],
  },
  {
    name: 'another system has used a number',
    prepare: (fixture, [first = '']) =>
      void fixture.authority.kept.set(`${first} 20-11-2026`, {
        number: first,
        date: '20-11-2026',
        state: 'Correcto',
        huella: 'F'.repeat(64),
      }),
    states: ['rejected', 'accepted', 'accepted', 'accepted'],
    asked: true,
  },
  {
    name: 'one record makes the whole message fail',
    script: [],
    prepare: (fixture) => malformed(fixture, 1),
    states: ['accepted', 'rejected', 'accepted', 'accepted'],
  },
  {
    name: 'the first record makes the whole message fail',
    prepare: (fixture) => malformed(fixture, 0),
    states: ['rejected', 'accepted', 'accepted', 'accepted'],
  },
  {
    name: 'the last record makes the whole message fail',
    prepare: (fixture) => malformed(fixture, 3),
    states: ['accepted', 'accepted', 'accepted', 'rejected'],
  },
  {
    name: 'a record damaged in the store makes the message fail',
    prepare: damaged,
    states: ['accepted', 'accepted', 'rejected', 'accepted'],
  },
  {
    name: 'the query has many pages',
    script: [a.answerLost],
    prepare: (fixture) => void Object.assign(fixture.authority, { pageSize: 1 }),
    asked: true,
  },
  { name: 'the certificate has expired, and a new one is added', prepare: expired },
]

/** Makes the authority reject every message with this record, for no reason that we could detect. */
async function malformed(fixture: VerifactuFixture, at: number): Promise<void> {
  const huella = (await fixture.records())[at]?.huella ?? ''
  const picky: a.Happening = (deliver, xml) =>
    xml.includes(`<sf:Huella>${huella}</sf:Huella></sf:RegistroAlta>`)
      ? a.fault(4102, 'Client')(deliver, xml)
      : a.normally(deliver, xml)
  fixture.authority.script.push(...Array.from({ length: 20 }, () => picky))
}

async function damaged(fixture: VerifactuFixture): Promise<void> {
  const [, , third] = await fixture.records()
  await fixture.app.store.transaction((tx) =>
    tx
      .of(fixture.call.company.id)
      .change('verifactu_records', { xml_sent: `${third?.xml_sent?.slice(0, 400)}` }, { sequence: 3 }),
  )
  const strict: a.Happening = (deliver) => {
    try {
      return { is: 'answered', text: deliver() }
    } catch {
      return a.fault(4103, 'Client')(deliver, '')
    }
  }
  fixture.authority.script.push(...Array.from({ length: 10 }, () => strict))
}

async function expired(fixture: VerifactuFixture): Promise<void> {
  const until = async (valid_to: string) =>
    fixture.app.store.transaction((tx) =>
      tx.of(fixture.call.company.id).update('certificates', { valid_to }).execute(),
    )
  await until('2026-01-01T00:00:00.000000')
  expect(await fixture.step()).toMatchObject({ is: 'later', blocked: { reason: 'no_certificate' } })
  const [stopped] = await fixture.submissions()
  expect(stopped).toMatchObject({ estado_envio: 'failed', error_code: 'no_certificate', record_count: 4 })
  await until('2028-01-01T00:00:00.000000')
}

describe.each(CASES)('$name', ({ prepare, script = [], queries = [], states, asked, incident }) => {
  let fixture: VerifactuFixture
  beforeAll(async () => {
    fixture = await VerifactuFixture.open()
    await fixture.issue(4)
    const numbers = (await fixture.records()).map(({ num_serie }) => num_serie)
    fixture.authority.script.push(...script)
    fixture.authority.queryScript.push(...queries)
    await prepare?.(fixture, numbers)
    await fixture.drain()
  })
  afterAll(() => fixture?.close())

  it('every record ends in its status, stored once and in order', async () => {
    const records = await fixture.records()
    const wanted = states ?? records.map(() => 'accepted')
    expect(records.map(({ estado }) => estado)).toEqual(wanted)
    const { stored } = fixture.authority
    expect(stored, 'the records at the authority, in order').toEqual(
      records.filter(({ estado }) => estado !== 'rejected').map(({ huella }) => huella),
    )
    expect(new Set(stored).size).toBe(stored.length)
    expect(verifyChain(records.map(({ record }): FiscalRecord => JSON.parse(record))).valid).toBe(true)
    if (asked !== undefined) expect(fixture.authority.queries > 0, 'the authority was queried').toBe(asked)
    if (incident !== undefined) expect(fixture.authority.messages.at(-1)?.incident).toBe(incident)
    expect(await fixture.queue()).toMatchObject({ owner: null, submission_id: null })
    // Only a message without a response leaves a record without a CSV.
    for (const { estado, submitted_at, submission_id } of records) {
      expect(submitted_at, estado).not.toBeNull()
      expect(submission_id, estado).not.toBeNull()
    }
  })

  it('the waiting time of the authority is respected between two messages', () => {
    const times = fixture.authority.messages.map(({ at }) => at)
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(60_000)
  })
})
