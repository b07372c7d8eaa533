/** Every fault: what the client receives, what is stored, and that it ends. */
import { afterEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readResponse } from '#records/sii/index.ts'
import { readVerifactu } from '#records/verifactu/index.ts'
import { until } from '#test/until.ts'
import { FAULT_KINDS, type Fault, type FaultName } from '../src/index.ts'
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

// A failed test leaves no fault to the next one.
afterEach(() => simulator.control.clear())

/** Sends a new record. Returns the result, and whether it is stored. */
async function sent(options: Parameters<typeof post>[3] = {}) {
  const number = newNumber()
  const sending = post(simulator, VERIFACTU, messageXml([till.issue(number)]), options)
  const error = await errorOf(sending)
  const got = error === 'no error' ? await sending : null
  const stored = simulator.control.invoices({ taxpayer: TAXPAYER }).some((row) => row.number === number)
  return { error, got, stored }
}

/** Whether the client can read the response. */
const isAnswer = (got: Got | null) =>
  got !== null && got.status === 200 && readVerifactu(got.text).items.length === 0

interface Case {
  readonly fault: Fault
  /** Error code of the connection. */
  readonly error?: RegExp
  readonly stored: boolean
  readonly check?: (got: Got) => void
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
    check: (got) => expect(isAnswer(got)).toBe(true),
  },
  cut: { fault: { kind: 'cut', times: 1 }, error: /ECONNRESET|was cut/, stored: true },
  lost_response: { fault: { kind: 'lost_response', times: 1 }, error: /ECONNRESET/, stored: true },
  half_xml: {
    fault: { kind: 'half_xml', times: 1 },
    stored: true,
    check: ({ status, text }) =>
      expect([status, readVerifactu(text).ok, readVerifactu(text).items[0]?.code]).toEqual([
        200,
        false,
        'xml.malformed',
      ]),
  },
  empty: {
    fault: { kind: 'empty', times: 1 },
    stored: true,
    check: ({ status, text }) => expect([status, text]).toEqual([200, '']),
  },
  content_type: {
    fault: { kind: 'content_type', content_type: 'application/json', times: 1 },
    stored: true,
    check: (got) => expect([isAnswer(got), got.headers['content-type']]).toEqual([true, 'application/json']),
  },
  soap_fault: {
    fault: { kind: 'soap_fault', code: 4141, times: 1 },
    stored: false,
    check: (got) =>
      expect([got.status, answerOf(got).fault]).toMatchObject([500, { code: 4141, resend: true }]),
  },
  html: {
    fault: { kind: 'html', times: 1 },
    stored: false,
    check: ({ status, headers, text }) => {
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8'])
      expect(readVerifactu(text).ok).toBe(false)
    },
  },
  http_status: {
    fault: { kind: 'http_status', retry_after: 7, times: 1 },
    stored: false,
    check: ({ status, headers, text }) =>
      expect([status, headers['retry-after'], text]).toEqual([503, '7', '']),
  },
}

describe('a fault with times 1', () => {
  for (const [kind, { fault, error, stored, check }] of Object.entries(CASES))
    it(`${kind} affects one request only`, async () => {
      await simulator.control.inject(fault)
      const result = await sent()
      if (error) expect(result.error).toMatch(error)
      else {
        expect(result.error).toBe('no error')
        required(check)(required(result.got))
      }
      expect(result.stored).toBe(stored)
      expect(simulator.control.faults()).toEqual([])
      const after = await sent()
      expect([after.error, isAnswer(after.got), after.stored]).toEqual(['no error', true, true])
    })
})

it('down refuses connections until it is cleared or its time is over', async () => {
  const id = await simulator.control.inject({ kind: 'down' })
  expect((await sent()).error).toBe('ECONNREFUSED')
  expect((await sent()).error).toBe('ECONNREFUSED')
  expect(await simulator.control.clear(id)).toBe(true)
  expect((await sent()).stored).toBe(true)
  await simulator.control.inject({ kind: 'down', seconds: 1 })
  expect((await sent()).error).toBe('ECONNREFUSED')
  await until(() => simulator.control.faults().length === 0, 'the fault is over')
  await until(async () => (await sent()).error !== 'ECONNREFUSED', 'the simulator accepts connections')
  expect((await sent()).stored).toBe(true)
})

it('`stored` applies to every fault of the delivery', async () => {
  for (const [kind, stored] of [
    ['http_status', true],
    ['html', true],
    ['soap_fault', true],
    ['cut', false],
    ['lost_response', false],
    ['half_xml', false],
  ] as const) {
    await simulator.control.inject({ kind, stored, times: 1 })
    const result = await sent()
    expect([kind, isAnswer(result.got), result.stored]).toEqual([kind, false, stored])
  }
})

it('slow without storing ignores the message of a client that disconnects', async () => {
  await simulator.control.inject({ kind: 'slow', seconds: 0.3, stored: false, times: 1 })
  const number = newNumber()
  const record = till.issue(number)
  const gone = post(simulator, VERIFACTU, messageXml([record]), { signal: AbortSignal.timeout(100) })
  expect(await errorOf(gone)).toMatch(/ABORT/)
  // The same message is as slow again, so the time of the first one has passed. It is not a duplicate.
  await simulator.control.inject({ kind: 'slow', seconds: 0.3, times: 1 })
  expect((await submit(simulator, [record])).state).toBe('accepted')
  const stored = simulator.control.records({ taxpayer: TAXPAYER }).filter((row) => row.number === number)
  expect(stored).toHaveLength(1)
})

it('a message sent again after a lost response is a duplicate', async () => {
  await simulator.control.inject({ kind: 'lost_response', times: 1 })
  const record = till.issue(newNumber())
  expect(await errorOf(submit(simulator, [record]))).toBe('ECONNRESET')
  expect((await submit(simulator, [record])).lines[0]).toMatchObject({
    code: 3000,
    duplicate_state: 'accepted',
    next: 'adopt',
  })
})

it('reorders lines, omits a line, or changes the waiting time', async () => {
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

it('rejects records, accepts them with errors, or accepts a message partially, by code', async () => {
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
  // Rejected records may be sent again, stored ones may not.
  expect(await states()).toEqual(['rejected 3000', 'accepted', 'accepted', 'accepted'])
})

it('affects only the given service, operation and taxpayer', async () => {
  await simulator.control.inject({ kind: 'http_status', taxpayer: 'B77777779' })
  await simulator.control.inject({ kind: 'http_status', service: 'sii' })
  await simulator.control.inject({ kind: 'http_status', operation: 'query' })
  expect((await sent()).stored).toBe(true)
  const { status } = await post(simulator, `${SII}fe/SiiFactFEV1SOAP`, '<a/>')
  expect(status).toBe(503)
  expect(simulator.control.faults().map(({ times_applied }) => times_applied)).toEqual([0, 1, 0])
  expect(await simulator.control.clear()).toBe(true)
  expect(await simulator.control.clear()).toBe(false)
})

it('faults also affect SII messages', async () => {
  await simulator.control.inject({ kind: 'soap_fault', service: 'sii', code: 3501, times: 1 })
  const { text } = await post(simulator, `${SII}fe/SiiFactFEV1SOAP`, '<a/>')
  const read = readResponse(text)
  expect(read.ok && [read.response.error_code, read.response.next]).toEqual(['3501', 'retry'])
})

it('rejects an invalid fault with the reason and the instruction', async () => {
  const cases: [unknown, RegExp][] = [
    [{ kind: 'sleepy' }, /Unknown fault "sleepy". Use one of down, reset/],
    [{ kind: 'slow' }, /requires "seconds"/],
    [{ kind: 'slow', seconds: 'a' }, /Use a number/],
    [{ kind: 'slow', seconds: 1e9 }, /from 0 to 3600/],
    [{ kind: 'reject', code: 1.5 }, /whole number/],
    [{ kind: 'html', code: 4 }, /Unknown member "code"/],
    [{ kind: 'down', times: 2 }, /Unknown member "times"/],
    [{ kind: 'html', service: 'x' }, /verifactu, request, sii/],
    [{ kind: 'content_type', content_type: 'a\r\nX: y' }, /Use a type/],
    [{ kind: 'soap_fault', text: '\u0000' }, /XML does not allow/],
    [{ kind: 'constructor' }, /Unknown fault/],
    [null, /Use an object/],
  ]
  for (const [fault, messages] of cases)
    await expect(simulator.control.inject(fault as Fault)).rejects.toThrow(messages)
  expect(simulator.control.faults()).toEqual([])
})

it('every kind of fault is tested', () => {
  const others = ['down', 'reject', 'accept_with_errors', 'partial', 'wrong_order', 'missing_line', 'wait']
  expect([...Object.keys(CASES), ...others].sort()).toEqual(Object.keys(FAULT_KINDS).sort())
})

it('a kept-alive connection is affected too, and works afterwards', async () => {
  const { Agent } = await import('node:https')
  const agent = new Agent({ keepAlive: true })
  const pfx = await certificate()
  // A message over an old connection, sent before its end is noticed here, would be reset.
  const untilClosed = () =>
    until(() => Object.keys(agent.freeSockets).length === 0, 'the end of the connection is noticed')
  expect((await sent({ agent, pfx })).error).toBe('no error')
  await simulator.control.inject({ kind: 'expired_certificate', times: 1 })
  await untilClosed()
  expect((await sent({ agent, pfx })).error).toBe('CERT_HAS_EXPIRED')
  expect((await sent({ agent, pfx })).stored).toBe(true)
  await simulator.control.inject({ kind: 'down' })
  await untilClosed()
  expect((await sent({ agent, pfx })).error).toBe('ECONNREFUSED')
  await simulator.control.clear()
  expect((await sent({ agent, pfx })).stored).toBe(true)
  agent.destroy()
})

it('the audit of the chain reports only the records that never arrived', () => {
  const report = simulator.control.chain({ taxpayer: TAXPAYER })
  const codes = new Set(report.items.filter(({ severity }) => severity === 'error').map(({ code }) => code))
  expect([...codes]).toEqual(['chain.gap'])
})
