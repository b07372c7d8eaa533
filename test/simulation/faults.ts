/** Faults of the world around a server: its database, its disk, the network to the authority, the mail server. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostResult } from 'cuadra-authority/wire/post.ts'
import type { Files } from 'cuadra-server/documents/files.ts'
import { MailError } from 'cuadra-server/mail/failure.ts'
import type { Deliver } from 'cuadra-server/mail/outgoing.ts'
import type { Authority } from './authority.ts'
import { context, time } from './virtual.ts'

const require = createRequire(import.meta.url)

/** Thrown wherever a killed process touches the world: nothing that it does from then on has an effect. */
export class Killed extends Error {}

/** What a process does with the world. Every one of these is a place where it can be killed. */
export type Operation = 'database' | 'commit' | 'disk' | 'network' | 'mail'

/** How the database fails. `from` is counted in operations that write. */
export interface DatabaseFault {
  readonly kind: 'full' | 'broken' | 'locked' | 'read-only' | 'damaged'
  from: number
  left: number
}

/** Runs a statement otherwise than it should be. `exec` runs another one. */
export type Statement = <T>(sql: string, work: () => T, exec: (sql: string) => unknown) => T

/** The side of a process that the world sees. */
export interface Operating {
  readonly isDead: boolean
  /** Counts an operation, before or after it takes effect; throws `Killed` if the process ends there. */
  readonly step: (operation: Operation, what: string) => void
  /** Whether the power fails at the next operation. */
  readonly isLosingPower: boolean
  /** Keeps the files of the database as they are before a statement. */
  readonly keepImage: () => void
  readonly database: DatabaseFault | null
  readonly open: Set<RawDatabase>
  /** Runs statements otherwise, in a server that is broken on purpose. */
  readonly statement?: Statement | undefined
}

export interface RawDatabase {
  readonly inTransaction: boolean
  exec(sql: string): unknown
  close(): unknown
  /** Cuts the connection to a database server. */
  cut?(): unknown
}

/** Number of faults that took effect, by kind. */
export const counts = new Map<string, number>()
export const count = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1)

const CODES = {
  full: ['SQLITE_FULL', 'database or disk is full'],
  broken: ['SQLITE_IOERR_WRITE', 'disk I/O error'],
  locked: ['SQLITE_BUSY', 'database is locked'],
  'read-only': ['SQLITE_READONLY', 'attempt to write a readonly database'],
  damaged: ['SQLITE_CORRUPT', 'database disk image is malformed'],
} as const

const COMMITS = /^\s*commit/i

export const WRITES = /^\s*(insert|update|delete|create|alter|begin immediate|commit)/i

/** Only a beginning can find the database locked. */
const BEGINS = /^begin/i

/** The process that is running; undefined for the simulation itself. */
export const operatingNow = (): Operating | undefined => context.getStore() as Operating | undefined

/** Throws the fault of the database that is due. */
function failDatabase(
  process: Operating,
  raw: RawDatabase,
  rollback: (sql: string) => unknown,
  sql: string,
): void {
  const fault = process.database
  if (!fault || !(fault.kind === 'locked' ? BEGINS : WRITES).test(sql)) return
  if (fault.from > 0) {
    fault.from--
    return
  }
  if (fault.left <= 0) return
  fault.left--
  count(`database ${fault.kind}`)
  const [code, message] = CODES[fault.kind]
  if (fault.kind !== 'locked' && /^commit/i.test(sql) && raw.inTransaction) rollback('ROLLBACK')
  throw Object.assign(new Error(message), { code })
}

/** Makes every statement of the embedded database an operation of the process that runs it. */
export function installDatabaseFaults(): void {
  const { prototype } = require('libsql')
  const { prepare, exec, close } = prototype
  let writes = 0
  const run = <T>(raw: RawDatabase, sql: string, work: () => T): T => {
    time.activity++
    if (WRITES.test(sql)) writes++
    const process = operatingNow()
    if (!process) return work()
    process.open.add(raw)
    const operation = COMMITS.test(sql) ? 'commit' : 'database'
    const execute = (text: string) => exec.call(raw, text)
    process.step(operation, sql)
    failDatabase(process, raw, execute, sql)
    if (process.isLosingPower) process.keepImage()
    const result = process.statement ? process.statement(sql, work, execute) : work()
    process.step(operation, sql)
    return result
  }
  prototype.exec = function (this: RawDatabase, sql: string) {
    return run(this, sql, () => exec.call(this, sql))
  }
  prototype.close = function (this: RawDatabase) {
    operatingNow()?.open.delete(this)
    return close.call(this)
  }
  prototype.prepare = function (this: RawDatabase, sql: string) {
    const statement = prepare.call(this, sql)
    for (const name of ['all', 'run', 'get']) {
      const method = statement[name]
      statement[name] = (...values: unknown[]) => run(this, sql, () => method.apply(statement, values))
    }
    return statement
  }
  // The server looks at the time and size of the file to see whether there were writes. Their real values depend on the
  // speed of the machine.
  const files = require('node:fs')
  const { statSync } = files
  files.statSync = (path: string, options: object) =>
    String(path).endsWith('-wal') ? { mtimeNs: BigInt(writes), size: 0n } : statSync(path, options)
  syncBuiltinESMExports()
  flushesCommits = (raw) =>
    raw.cut !== undefined || prepare.call(raw, 'PRAGMA synchronous').all()[0].synchronous >= FULL
  abandonDatabase = (raw) => {
    if (raw.cut) raw.cut()
    else if (raw.inTransaction) exec.call(raw, 'ROLLBACK')
  }
}

/**
 * Rolls back what a process has not committed, as the operating system makes the database do when a process ends. The
 * connection is closed later, because the dead process may still look at it.
 */
export let abandonDatabase: (raw: RawDatabase) => void = () => {}

/** The value of `synchronous` with which a commit is flushed before it returns. */
const FULL = 2

/** Whether a connection flushes each commit. */
export let flushesCommits: (raw: RawDatabase) => boolean = () => true

async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of list) all.push(one)
  return all
}

/** Files of a process: each access is an operation, and the disk can be full. */
export const faultyFiles = (files: Files, process: Operating, disk: { isFull: boolean }): Files => ({
  async write(key, content) {
    process.step('disk', `write ${key}`)
    if (disk.isFull) {
      count('disk full')
      content.resume()
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    await time.busy(files.write(key, content))
    process.step('disk', `written ${key}`)
  },
  async read(key) {
    process.step('disk', `read ${key}`)
    // Read at once, so that no part of it arrives in real time.
    return Readable.from([await time.busy(files.read(key).then(buffer))])
  },
  async remove(key) {
    process.step('disk', `remove ${key}`)
    await time.busy(files.remove(key))
    process.step('disk', `removed ${key}`)
  },
  async *list(company) {
    yield* await time.busy(allOf(files.list(company)))
  },
})

/** How the network to the authority, or the authority, behaves. */
export const NETWORK = [
  'well',
  'down',
  'refusing',
  'slow',
  'too slow',
  'response lost',
  'response cut',
  'page instead',
  'overloaded',
  'fault',
  'one line missing',
  'other taxpayer',
] as const
export type Network = (typeof NETWORK)[number]

export const MAILS = ['well', 'down', 'refusing', 'slow', 'response lost', 'refusing some'] as const
export type MailServer = (typeof MAILS)[number]

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const nothing = Buffer.alloc(0)
const XML = { 'content-type': 'text/xml; charset=utf-8' }

/** Posts a message to the authority over the current network. */
export async function exchange(
  process: Operating,
  {
    network,
    authority,
    skew,
  }: { readonly network: Network; readonly authority: Authority; readonly skew: number },
  xml: string,
  signal: AbortSignal | undefined,
): Promise<PostResult> {
  process.step('network', 'connect')
  if (network !== 'well') count(`authority ${network}`)
  if (network === 'down') {
    await sleep(20)
    process.step('network', 'no connection')
    return { problem: 'not_reachable', detail: 'ECONNREFUSED', body: nothing }
  }
  await sleep(30)
  if (signal?.aborted) return { problem: 'stopped_before', body: nothing }
  process.step('network', 'send')
  // The header states the authority's clock, which the machine's may differ from.
  const headers = { ...XML, date: new Date(time.now).toUTCString() }
  void skew
  if (network === 'overloaded')
    return { status: 503, headers: { ...headers, 'retry-after': '120' }, body: nothing }
  if (network === 'refusing') return { status: 403, headers, body: nothing }
  if (network === 'fault')
    return {
      status: 500,
      headers,
      body: Buffer.from(
        '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:Server</faultcode><faultstring>Codigo[103].Servicio no disponible</faultstring></env:Fault></env:Body></env:Envelope>',
      ),
    }
  const text = authority.take(xml)
  const wait = network === 'slow' ? 45_000 : network === 'too slow' ? 120_000 : 0
  // A server that is stopped waits no longer.
  if (wait > 0) await delay(wait, undefined, { signal }).catch(() => undefined)
  if (signal?.aborted) return { problem: 'stopped_after', body: nothing }
  process.step('network', 'respond')
  switch (network) {
    case 'too slow':
      return { problem: 'response_timeout', body: nothing }
    case 'response lost':
      return { problem: 'connection_lost', detail: 'ECONNRESET', body: nothing }
    case 'response cut':
      return {
        problem: 'response_cut_off',
        status: 200,
        headers,
        body: Buffer.from(text.slice(0, text.length / 2)),
      }
    case 'page instead':
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<html><body>Mantenimiento</body></html>'),
      }
    case 'one line missing':
      return {
        status: 200,
        headers,
        body: Buffer.from(
          text.replace(/<r:RespuestaLinea>(?![\s\S]*<r:RespuestaLinea>)[\s\S]*<\/r:RespuestaLinea>/, ''),
        ),
      }
    case 'other taxpayer':
      return {
        status: 200,
        headers,
        body: Buffer.from(
          text.replace(
            /<sf:NIF>\w+<\/sf:NIF><\/sf:(ObligadoEmision|Titular)>/,
            '<sf:NIF>B99999997</sf:NIF></sf:$1>',
          ),
        ),
      }
    default:
      return { status: 200, headers, body: Buffer.from(text) }
  }
}

/** A mail that a mail server has accepted. */
export interface Arrived {
  readonly subject: string
  readonly messageId: string
  readonly to: readonly string[]
}

const failure = (
  reason: 'unreachable' | 'message_refused' | 'timeout',
  permanent: boolean,
  uncertain: boolean,
) => new MailError({ reason, permanent, uncertain })

/** Delivers a mail to the current mail server. */
export const faultyDelivery =
  (process: Operating, world: { readonly mailServer: MailServer; readonly arrived: Arrived[] }): Deliver =>
  async ({ to, content }, handOver) => {
    const { mailServer } = world
    if (mailServer !== 'well') count(`mail server ${mailServer}`)
    process.step('mail', 'connect')
    await sleep(mailServer === 'slow' ? 20_000 : 50)
    process.step('mail', 'connected')
    if (mailServer === 'down') throw failure('unreachable', false, false)
    if (mailServer === 'refusing') throw failure('message_refused', true, false)
    await handOver()
    process.step('mail', 'end of the message')
    const [refused, accepted] =
      mailServer === 'refusing some' && to.length > 1 ? [to.slice(0, 1), to.slice(1)] : [[], to]
    const text = Buffer.from(content).toString('latin1')
    const [, subject = ''] = /^Subject: (.*)\r?$/m.exec(text) ?? []
    const [, messageId = ''] = /^Message-ID: (.*)\r?$/im.exec(text) ?? []
    world.arrived.push({ subject: subject.trim(), messageId: messageId.trim(), to: accepted })
    await sleep(50)
    process.step('mail', 'accepted')
    if (mailServer === 'response lost') throw failure('timeout', false, true)
    return { accepted, refused: refused.map((address) => ({ address, permanent: true, smtp_code: 550 })) }
  }
