/**
 * `kill -9` at ten points of a delivery: every mail arrives as one message. Message-IDs are counted, as by a mailbox
 * that drops duplicates. If the mail server accepted a message and the sender was killed before it stored that, a
 * second, identical copy arrives; SMTP has no way to avoid it.
 *
 * `npm test` has ten mails at ten points and one kill; `npm run test:long` also has one kill for each point and, on
 * PostgreSQL, a second running server that takes over the mails.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { stepsOf } from '#test/conformance/steps.ts'
import { temporaryFolder } from '#test/folders.ts'
import { itInAll, LONG } from '#test/size.ts'
import { until } from '#test/until.ts'
import { type FakeSmtpServer, refusal, type Script, startFakeSmtpServer } from './fake-smtp-server.ts'

/**
 * Where the mail is when the process is killed. `request`: the client has just sent its request. `second`: one
 * recipient is accepted, the other not yet. `end`: the server has the whole message and has not stored it. `accepted`:
 * it has stored it and not replied. `answered`: it is just replying.
 */
const KILLED_AT = [
  'request',
  'connect',
  'mail',
  'rcpt',
  'second',
  'data',
  'middle',
  'end',
  'accepted',
  'answered',
] as const
type KilledAt = (typeof KILLED_AT)[number]

const BEFORE_DATA: readonly KilledAt[] = ['connect', 'mail', 'rcpt', 'second']

/** Minimum and maximum number of copies with the same Message-ID. */
const COPIES: Readonly<Record<KilledAt, readonly [number, number]>> = {
  request: [1, 2],
  connect: [1, 1],
  mail: [1, 1],
  rcpt: [1, 1],
  second: [1, 1],
  data: [1, 1],
  middle: [1, 1],
  end: [1, 1],
  accepted: [2, 2],
  answered: [1, 2],
}

const toOf = (at: KilledAt) => [`${at}@cliente.example`, `${at}-2@cliente.example`]

/** Returns the point whose mail an address belongs to, be it a recipient's or the sender's. */
const mailAt = (address = ''): string => address.replace(/(?:-2)?@.*/, '')

interface World {
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly store: 'sqlite' | 'postgres'
}

let mails: FakeSmtpServer | undefined
const servers: TestServer[] = []
const folders: string[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop().catch(() => undefined)
  await mails?.close()
})

const start = async (world: World): Promise<TestServer> => {
  const server = await startServer({
    ...world,
    check: false,
    env: { CUADRA_SMTP_URL: mails?.url ?? '', CUADRA_LOG_LEVEL: 'error' },
  })
  servers.push(server)
  return server
}

/** Sends a mail at each of the points, all at once, then kills the server. */
async function killedAt(points: readonly KilledAt[], store: World['store'], withOther = false) {
  const held = new Set<string>()
  let crash = () => {}
  const crashed = new Promise<void>((resolve) => {
    crash = resolve
  })
  let isOver = false
  let connections = 0
  const hold = async (at: string) => {
    held.add(at)
    await crashed
    throw refusal(421, 'gone')
  }
  const script: Script = async (point, about) => {
    if (isOver) return
    // The mail of a connection is unknown when it begins: the first connection is the one that ends there.
    if (point === 'connect') {
      connections++
      if (connections === 1 && points.includes('connect')) await hold('connect')
      return
    }
    const at = mailAt(about[0])
    const isHere =
      at === point
        ? point !== 'rcpt' || !about[0]?.includes('-2@')
        : at === 'second' && about[0]?.includes('-2@')
    if (isHere) await hold(at)
    if (at === 'answered' && point === 'accepted') setImmediate(() => void first.process.kill('SIGKILL'))
  }
  mails = await startFakeSmtpServer(script)
  const dataDir = temporaryFolder()
  folders.push(dataDir)
  const world: World = {
    dataDir,
    store,
    ...(store === 'postgres' ? { databaseUrl: await postgresDatabase() } : {}),
  }
  const first = await start(world)
  const steps = stepsOf(() => first)
  // The sender's address identifies the mail before a recipient is known.
  const companies = new Map<KilledAt, TestCompany>()
  const invoices = new Map<KilledAt, string>()
  const keys = new Map<KilledAt, string>()
  for (const at of points) {
    const company = await first.company({ contact_email: `${at}@empresa.example` })
    companies.set(at, company)
    invoices.set(at, (await steps.issued(company.key)).id)
    keys.set(at, randomUUID())
  }
  const send = (to: TestServer, at: KilledAt) =>
    to.call('POST', `/issued-invoices/${invoices.get(at)}/send`, {
      key: companies.get(at)?.key ?? '',
      body: { to: toOf(at), attach_xml: true },
      headers: { 'Idempotency-Key': keys.get(at) ?? '' },
    })
  const asked: Promise<unknown>[] = []
  const ask = (at: KilledAt) => asked.push(send(first, at).catch(() => undefined))
  const waiting = points.filter((at) => at !== 'request' && at !== 'answered')
  if (waiting.includes('connect')) ask('connect')
  await until(() => !waiting.includes('connect') || held.has('connect'), 'the first mail has connected')
  for (const at of waiting) if (at !== 'connect') ask(at)
  await until(() => waiting.every((at) => held.has(at)), 'every mail has reached its point')
  const other = withOther ? await start(world) : undefined
  if (points.includes('request')) ask('request')
  if (points.includes('answered')) {
    const exit = once(first.process, 'exit')
    ask('answered')
    await exit
  } else await sleep(Math.random() * 100)
  await first.kill()
  isOver = true
  crash()
  await Promise.all(asked)
  const next = other ?? (await start(world))
  // Half of the clients repeat their request with the same key; the worker sends the other mails.
  const again = points.filter((at, index) => at === 'request' || index % 2 === 0)
  const answers = other ? [] : await Promise.all(again.map((at) => send(next, at)))
  expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(
    (other ? [] : again).map(
      (at) => `200 ${JSON.stringify({ invoice_id: invoices.get(at), sent_to: toOf(at), refused: [] })}`,
    ),
  )
  const here = stepsOf(() => next)
  const get = async (at: KilledAt) => here.get(companies.get(at)?.key ?? '', invoices.get(at) ?? '')
  for (const at of points)
    await until(async () => (await get(at)).status === 'sent', `the mail of ${at} is sent`, {
      seconds: 60,
      everyMs: 100,
    })
  for (const at of points) {
    const copies = copiesOf(at)
    const [least, most] = COPIES[at]
    expect(new Set(copies.map(({ mail }) => mail.messageId)).size, at).toBe(1)
    expect(new Set(copies.map(({ raw }) => raw.toString('latin1'))).size, at).toBe(1)
    expect(copies.length, `copies of ${at}`).toBeGreaterThanOrEqual(least)
    expect(copies.length, `copies of ${at}`).toBeLessThanOrEqual(most)
    expect(copies[0]?.mail.attachments.map(({ contentType }) => contentType)).toEqual([
      'application/pdf',
      'application/xml',
    ])
    expect(copies[0]?.recipients).toEqual(toOf(at))
    const key = companies.get(at)?.key ?? ''
    const sent = (await here.eventsOf(key, invoices.get(at) ?? '')).filter(
      ({ event_code }: { event_code: string }) => event_code === 'sent',
    )
    expect(sent, at).toHaveLength(1)
    expect(sent[0].details.message_id).toBe(copies[0]?.mail.messageId)
    // Marked for mails that may have arrived twice, not for those whose data were never sent.
    if (at === 'accepted') expect(sent[0].details.may_be_double).toBe(true)
    if (BEFORE_DATA.includes(at)) expect(sent[0].details.may_be_double, at).toBeUndefined()
    // A repeated request gets the response of the mail that was sent.
    if (!other) expect((await send(next, at)).status, at).toBe(200)
    expect(copiesOf(at)).toHaveLength(copies.length)
  }
  const open = await next.past((db) =>
    db.selectFrom('mails').select(['state', 'attempts']).where('state', '!=', 'sent').execute(),
  )
  expect(open).toEqual([])
  expect(await next.past((db) => db.selectFrom('mail_contents').select('mail_id').execute())).toEqual([])
}

const copiesOf = (at: KilledAt) =>
  (mails?.arrived ?? []).filter(({ recipients }) => recipients.some((to) => mailAt(to) === at))

describe('kill -9 of a server', () => {
  itInAll(
    'ten mails at ten points each arrive under one Message-ID with the expected number of copies',
    async () => {
      await killedAt(KILLED_AT, 'sqlite')
    },
    180_000,
  )

  it.skipIf(!LONG).each(KILLED_AT)(
    'a kill at %s alone has the same result',
    async (at) => void (await killedAt([at], 'sqlite')),
    180_000,
  )

  it.skipIf(!LONG || !hasPostgres())(
    'on PostgreSQL, a running server takes over',
    async () => {
      await killedAt(
        KILLED_AT.filter((at) => at !== 'request'),
        'postgres',
        true,
      )
    },
    180_000,
  )
})

itInAll(
  'a stopping server waits for the mail that it is sending and stores its outcome',
  async () => {
    let reached = () => {}
    const atEnd = new Promise<void>((resolve) => {
      reached = resolve
    })
    let accept = () => {}
    const isStopping = new Promise<void>((resolve) => {
      accept = resolve
    })
    mails = await startFakeSmtpServer(async (point) => {
      if (point !== 'end') return
      reached()
      await isStopping
    })
    const dataDir = temporaryFolder()
    folders.push(dataDir)
    const first = await start({ dataDir, store: 'sqlite' })
    const company = await first.company()
    const { id } = await stepsOf(() => first).issued(company.key)
    const sending = first.call('POST', `/issued-invoices/${id}/send`, {
      key: company.key,
      body: { to: ['ana@cliente.example'] },
    })
    await atEnd
    const stopped = first.stop()
    const isRefused = () =>
      fetch(`${first.url}/health`).then(
        () => false,
        () => true,
      )
    await until(isRefused, 'the server accepts no more connections')
    accept()
    await Promise.all([stopped, sending.catch(() => undefined)])
    const next = await start({ dataDir, store: 'sqlite' })
    const steps = stepsOf(() => next)
    expect((await steps.get(company.key, id)).status).toBe('sent')
    // Nothing more of it is sent before the next mail.
    const later = await steps.issued(company.key)
    const sent = await next.call('POST', `/issued-invoices/${later.id}/send`, {
      key: company.key,
      body: { to: ['eva@cliente.example'] },
    })
    expect(sent.status).toBe(200)
    expect(mails.arrived.map(({ recipients }) => recipients)).toEqual([
      ['ana@cliente.example'],
      ['eva@cliente.example'],
    ])
  },
  60_000,
)
