/** Every fault: what a client meets, what is stored all the same, and that it is over when it is over. */
import { describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { readResponse } from '../../src/sii/index.ts'
import { FAULT_KINDS, type Fault, type FaultName } from '../../src/simulator/index.ts'
import { readVerifactu } from '../../src/verifactu/index.ts'
import {
  answerOf,
  certificate,
  errorOf,
  type Got,
  messageXml,
  post,
  SII,
  start,
  submit,
  TAXPAYER,
  Till,
  VERIFACTU,
} from './client.ts'

const simulator = await start()
const till = new Till()
let count = 0
const newNumber = () => `X-${++count}`
await submit(simulator, [till.issue(newNumber())])

/** Sends a new record, and says whether it is stored. */
async function sent(options: Parameters<typeof post>[3] = {}) {
  const number = newNumber()
  const sending = post(simulator, VERIFACTU, messageXml([till.issue(number)]), options)
  const error = await errorOf(sending)
  const got = error === 'no error' ? await sending : null
  const stored = simulator.control.invoices({ taxpayer: TAXPAYER }).some((row) => row.number === number)
  return { error, got, stored }
}

/** What a client makes of the answer. */
const isAnswer = (got: Got | null) =>
  got !== null && got.status === 200 && readVerifactu(got.text).items.length === 0

interface Case {
  readonly fault: Fault
  /** Code of the connection's error. */
  readonly error?: RegExp
  readonly stored: boolean
  readonly look?: (got: Got) => void
}

const CASES: Readonly<
  Record<
    Exclude<
      FaultName,
      'down' | 'reject' | 'accept_with_errors' | 'partial' | 'wrong_order' | 'missing_line' | 'wait'
    >,
    Case
  >
> = {
  reset: { fault: { kind: 'reset', times: 1 }, error: /ECONNRESET/, stored: false },
  tls_closed: { fault: { kind: 'tls_closed', times: 1 }, error: /ECONNRESET/, stored: false },
  expired_certificate: {
    fault: { kind: 'expired_certificate', times: 1 },
    error: /CERT_HAS_EXPIRED/,
    stored: false,
  },
  unknown_authority: {
    fault: { kind: 'unknown_authority', times: 1 },
    error: /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER/,
    stored: false,
  },
  wrong_host: {
    fault: { kind: 'wrong_host', times: 1 },
    error: /ERR_TLS_CERT_ALTNAME_INVALID/,
    stored: false,
  },
  slow: {
    fault: { kind: 'slow', seconds: 0.05, times: 1 },
    stored: true,
    look: (got) => expect(isAnswer(got)).toBe(true),
  },
  cut: { fault: { kind: 'cut', times: 1 }, error: /ECONNRESET|broke off/, stored: true },
  lost_answer: { fault: { kind: 'lost_answer', times: 1 }, error: /ECONNRESET/, stored: true },
  half_xml: {
    fault: { kind: 'half_xml', times: 1 },
    stored: true,
    look: ({ status, text }) =>
      expect([status, readVerifactu(text).ok, readVerifactu(text).items[0]?.code]).toEqual([
        200,
        false,
        'xml.malformed',
      ]),
  },
  empty: {
    fault: { kind: 'empty', times: 1 },
    stored: true,
    look: ({ status, text }) => expect([status, text]).toEqual([200, '']),
  },
  content_type: {
    fault: { kind: 'content_type', content_type: 'application/json', times: 1 },
    stored: true,
    look: (got) => expect([isAnswer(got), got.headers['content-type']]).toEqual([true, 'application/json']),
  },
  soap_fault: {
    fault: { kind: 'soap_fault', code: 4141, times: 1 },
    stored: false,
    look: (got) =>
      expect([got.status, answerOf(got).fault]).toMatchObject([500, { code: 4141, resend: true }]),
  },
  html: {
    fault: { kind: 'html', times: 1 },
    stored: false,
    look: ({ status, headers, text }) => {
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8'])
      expect(readVerifactu(text).ok).toBe(false)
    },
  },
  http_status: {
    fault: { kind: 'http_status', retry_after: 7, times: 1 },
    stored: false,
    look: ({ status, headers, text }) =>
      expect([status, headers['retry-after'], text]).toEqual([503, '7', '']),
  },
}

describe('once', () => {
  for (const [kind, { fault, error, stored, look }] of Object.entries(CASES))
    it(`${kind}: is met once, then all is well`, async () => {
      await simulator.control.inject(fault)
      const met = await sent()
      if (error) expect(met.error).toMatch(error)
      else {
        expect(met.error).toBe('no error')
        required(look)(required(met.got))
      }
      expect(met.stored).toBe(stored)
      expect(simulator.control.faults()).toEqual([])
      const after = await sent()
      expect([after.error, isAnswer(after.got), after.stored]).toEqual(['no error', true, true])
    })
})

it('down: refuses connections until it is cleared, or for its seconds', async () => {
  const id = await simulator.control.inject({ kind: 'down' })
  expect((await sent()).error).toBe('ECONNREFUSED')
  expect((await sent()).error).toBe('ECONNREFUSED')
  expect(await simulator.control.clear(id)).toBe(true)
  expect((await sent()).stored).toBe(true)
  await simulator.control.inject({ kind: 'down', seconds: 0.2 })
  expect((await sent()).error).toBe('ECONNREFUSED')
  while (simulator.control.faults().length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  while ((await sent()).error === 'ECONNREFUSED') await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await sent()).stored).toBe(true)
})

it('whether a message is stored can be said of every fault that spoils its answer', async () => {
  for (const [kind, stored] of [
    ['http_status', true],
    ['html', true],
    ['soap_fault', true],
    ['cut', false],
    ['lost_answer', false],
    ['half_xml', false],
  ] as const) {
    await simulator.control.inject({ kind, stored, times: 1 })
    const met = await sent()
    expect([kind, isAnswer(met.got), met.stored]).toEqual([kind, false, stored])
  }
})

it('slow without storing: a client that has gone has sent nothing', async () => {
  await simulator.control.inject({ kind: 'slow', seconds: 0.3, stored: false, times: 1 })
  const number = newNumber()
  const record = till.issue(number)
  const gone = post(simulator, VERIFACTU, messageXml([record]), { signal: AbortSignal.timeout(100) })
  expect(await errorOf(gone)).toMatch(/ABORT/)
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(simulator.control.invoices({ taxpayer: TAXPAYER }).some((row) => row.number === number)).toBe(false)
  expect((await submit(simulator, [record])).state).toBe('accepted')
})

it('an answer that was lost is a duplicate when the message comes again', async () => {
  await simulator.control.inject({ kind: 'lost_answer', times: 1 })
  const record = till.issue(newNumber())
  expect(await errorOf(submit(simulator, [record]))).toBe('ECONNRESET')
  expect((await submit(simulator, [record])).lines[0]).toMatchObject({
    code: 3000,
    duplicate_state: 'accepted',
    next: 'adopt',
  })
})

it('answers in another order, with a line missing, or with another waiting time', async () => {
  const send = async () => {
    const numbers = [newNumber(), newNumber(), newNumber()]
    const answer = await submit(
      simulator,
      numbers.map((number) => till.issue(number)),
    )
    return { answer, numbers, lines: answer.lines.map(({ num_serie }) => num_serie) }
  }
  await simulator.control.inject({ kind: 'wrong_order', times: 1 })
  const turned = await send()
  expect(turned.lines).toEqual([...turned.numbers].reverse())
  await simulator.control.inject({ kind: 'missing_line', times: 1 })
  const short = await send()
  expect(short.lines).toEqual(short.numbers.slice(0, 2))
  await simulator.control.inject({ kind: 'wait', seconds: 120, times: 2 })
  expect([(await send()).answer.wait_seconds, (await send()).answer.wait_seconds]).toEqual([120, 120])
  const usual = await send()
  expect([usual.answer.wait_seconds, usual.lines]).toEqual([60, usual.numbers])
  simulator.control.setWait(0)
  expect((await send()).answer.wait_seconds).toBe(0)
  simulator.control.setWait(60)
})

it('rejects, accepts with errors, or takes a message in part, by code', async () => {
  const numbers = [newNumber(), newNumber(), newNumber(), newNumber()]
  const states = async () =>
    (
      await submit(
        simulator,
        numbers.map((number) => till.issue(number)),
      )
    ).lines.map(({ state, code }) => (code === null ? state : `${state} ${code}`))
  await simulator.control.inject({ kind: 'reject', code: 1110, number: required(numbers[2]), times: 1 })
  await simulator.control.inject({ kind: 'accept_with_errors', code: 2001, times: 1 })
  await simulator.control.inject({ kind: 'partial', code: 1193, times: 1 })
  expect(await states()).toEqual([
    'accepted_with_errors 2001',
    'rejected 1193',
    'rejected 1110',
    'rejected 1193',
  ])
  expect(simulator.control.faults()).toEqual([])
  const described = required(simulator.control.records({ taxpayer: TAXPAYER }).at(-2))
  expect(described.description).toContain('no corresponden a nadie en el censo')
  // What was rejected may come again, what was stored may not.
  expect(await states()).toEqual(['rejected 3000', 'accepted', 'accepted', 'accepted'])
})

it('strikes only what it is about: service, operation, taxpayer', async () => {
  await simulator.control.inject({ kind: 'http_status', taxpayer: 'B77777779' })
  await simulator.control.inject({ kind: 'http_status', service: 'sii' })
  await simulator.control.inject({ kind: 'http_status', operation: 'query' })
  expect((await sent()).stored).toBe(true)
  const { status } = await post(simulator, `${SII}fe/SiiFactFEV1SOAP`, '<a/>')
  expect(status).toBe(503)
  expect(simulator.control.faults().map(({ struck }) => struck)).toEqual([0, 1, 0])
  expect(await simulator.control.clear()).toBe(true)
  expect(await simulator.control.clear()).toBe(false)
})

it('SII messages meet the same faults', async () => {
  await simulator.control.inject({ kind: 'soap_fault', service: 'sii', code: 3501, times: 1 })
  const { text } = await post(simulator, `${SII}fe/SiiFactFEV1SOAP`, '<a/>')
  const read = readResponse(text)
  expect(read.ok && [read.response.error_code, read.response.next]).toEqual(['3501', 'retry'])
})

it('refuses what is no fault, with words that mend it', async () => {
  const cases: [unknown, RegExp][] = [
    [{ kind: 'sleepy' }, /There is no fault "sleepy". Use one of down, reset/],
    [{ kind: 'slow' }, /needs "seconds"/],
    [{ kind: 'slow', seconds: 'a' }, /give a number/],
    [{ kind: 'slow', seconds: 1e9 }, /from 0 to 3600/],
    [{ kind: 'reject', code: 1.5 }, /whole number/],
    [{ kind: 'html', code: 4 }, /has no "code"/],
    [{ kind: 'down', times: 2 }, /has no "times"/],
    [{ kind: 'html', service: 'x' }, /verifactu, request, sii/],
    [{ kind: 'content_type', content_type: 'a\r\nX: y' }, /give a type/],
    [{ kind: 'soap_fault', text: '\u0000' }, /XML cannot carry/],
    [{ kind: 'constructor' }, /There is no fault/],
    [null, /is an object/],
  ]
  for (const [fault, messages] of cases)
    await expect(simulator.control.inject(fault as Fault)).rejects.toThrow(messages)
  expect(simulator.control.faults()).toEqual([])
})

it('every kind of fault is tried here, or by name above', () => {
  const others = ['down', 'reject', 'accept_with_errors', 'partial', 'wrong_order', 'missing_line', 'wait']
  expect([...Object.keys(CASES), ...others].sort()).toEqual(Object.keys(FAULT_KINDS).sort())
})

it('a connection that is kept meets a bad certificate too, and goes on afterwards', async () => {
  const { Agent } = await import('node:https')
  const agent = new Agent({ keepAlive: true })
  const pfx = await certificate()
  expect((await sent({ agent, pfx })).error).toBe('no error')
  await simulator.control.inject({ kind: 'expired_certificate', times: 1 })
  expect((await sent({ agent, pfx })).error).toBe('CERT_HAS_EXPIRED')
  expect((await sent({ agent, pfx })).stored).toBe(true)
  await simulator.control.inject({ kind: 'down' })
  expect((await sent({ agent, pfx })).error).toBe('ECONNREFUSED')
  await simulator.control.clear()
  expect((await sent({ agent, pfx })).stored).toBe(true)
  agent.destroy()
})

it('the chain says of what never arrived that it is missing, and nothing else', () => {
  const report = simulator.control.chain({ taxpayer: TAXPAYER })
  const codes = new Set(report.items.filter(({ severity }) => severity === 'error').map(({ code }) => code))
  expect([...codes]).toEqual(['chain.gap'])
})
