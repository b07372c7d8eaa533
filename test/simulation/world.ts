/**
 * The world of a simulation: processes of the server on one data folder, with a virtual machine, network, authority and
 * mail server. All run in this process of Node, on virtual time.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import { createAuthorityClient } from 'cuadra-authority/wire/authority.ts'
import type { Reading, Recogniser } from 'cuadra-recognition/index.ts'
import type { App } from 'cuadra-server/app/app.ts'
import { openApp, type Ports } from 'cuadra-server/app/open.ts'
import { openDiskFiles } from 'cuadra-server/documents/disk.ts'
import { createClock } from 'cuadra-server/environment/clock.ts'
import { readConfig } from 'cuadra-server/environment/config.ts'
import { ApiError } from 'cuadra-server/errors/api-error.ts'
import { createKey } from 'cuadra-server/service/access/api-keys.ts'
import type { Call } from 'cuadra-server/service/access/call.ts'
import { addCertificate } from 'cuadra-server/service/company/certificates.ts'
import { companyOf, insertCompany, updateCompany } from 'cuadra-server/service/company/company.ts'
import { readCompany } from 'cuadra-server/service/company/company-files.ts'
import { addPayment } from 'cuadra-server/service/sii/add-payment.ts'
import {
  cancelRecordedPayment,
  resendRejected,
} from 'cuadra-server/service/sii/cash-basis/payment-commands.ts'
import { resendInvoice } from 'cuadra-server/service/sii/sending/sii-sender.ts'
import { changeSiiConfig } from 'cuadra-server/service/sii/sii.ts'
import { type Corrected, correctRecord } from 'cuadra-server/service/verifactu/correct.ts'
import {
  answerRequest,
  type Request as RequestOf,
  type RequestResult,
} from 'cuadra-server/service/verifactu/sending/answer-request.ts'
import { requestSending, wireOf } from 'cuadra-server/service/verifactu/sending/verifactu-sender.ts'
import { beginNewChain } from 'cuadra-server/service/verifactu/system-change.ts'
import {
  changePeriod,
  closePeriod,
  openPeriod,
  withdrawChange,
} from 'cuadra-server/service/verifactu/verifactu-periods.ts'
import { type Assembled, assemble } from 'cuadra-server/start.ts'
import { DATABASE_FILE, openStore, type Tx } from 'cuadra-server/store/store.ts'
import { createWork } from 'cuadra-server/work/work.ts'
import { openSqlite } from 'cuadra-storage/sqlite.ts'
import { CuadraError, required } from '#core/errors/index.ts'
import { writeFolderAtomically } from '../../packages/server/admin/atomic-folder.ts'
import { writeManifest } from '../../packages/server/admin/backup/backup-folder.ts'
import { writeBackup } from '../../packages/server/admin/backup/make.ts'
import { manifestText, readManifest } from '../../packages/server/admin/backup/manifest.ts'
import { requireIntact, restoreBackup } from '../../packages/server/admin/backup/restore.ts'
import { recordRestoreEvent, unacceptedRestoreOf } from '../../packages/server/admin/backup/restores.ts'
import { checkSinceBackup } from '../../packages/server/admin/backup/since.ts'
import { RestoreTarget } from '../../packages/server/admin/backup/target.ts'
import { acceptRestored } from '../../packages/server/admin/commands/admin-restore-work.ts'
import { companiesOf } from '../../packages/server/admin/session.ts'
import { verifyCompany } from '../../packages/server/admin/verify/verify-run.ts'
import { postgresUrl } from '../conformance/postgres.ts'
import { folderInMemory } from '../folders.ts'
import { Authority } from './authority.ts'
import {
  type Arrived,
  abandonDatabase,
  count,
  type DatabaseFault,
  exchange,
  faultyDelivery,
  faultyFiles,
  flushesCommits,
  Killed,
  type MailServer,
  type Network,
  type Operating,
  type Operation,
  type RawDatabase,
  type Statement,
} from './faults.ts'
import { Connections, type Received, type Sent } from './http.ts'
import { createDatabase, dropDatabase, readRows } from './postgres.ts'
import { afterPowerFailure, type Image, imageOf, lose, noteFlushed } from './power.ts'
import { context, type Owner, time } from './virtual.ts'

type Book = 'ISSUED' | 'RECEIVED'

/** Tax ids of the companies. */
export const TAX_IDS = ['B77777779', 'B12345674', 'A58818501'] as const
const PASSWORD = 'prueba'
const SECRET = '5'.repeat(64)
const OTHER_SECRET = '6'.repeat(64)
const VERIFACTU_URL = 'https://aeat.example/'
const SII_URL = 'https://sii.aeat.example/'
/** Process ids that no real process has. */
const FIRST_PID = 10_000_000
/** Virtual milliseconds that a request takes at least. */
const REQUEST_MS = 20
const REQUEST_LIMIT_MS = 400_000

/** Certificates by their last day; made once, as their keys are slow to make. */
const certificates = new Map<string, Promise<Uint8Array>>()
function certificateUntil(until: string): Promise<Uint8Array> {
  const known =
    certificates.get(until) ??
    createSelfSignedCertificate({
      name: 'Gestoría de Pruebas, S.L.',
      taxId: 'B12345674',
      from: new Date('2025-01-01'),
      until: new Date(until),
      password: PASSWORD,
    })
  certificates.set(until, known)
  return known
}
/** Days on which certificates end, so that a company is without one now and then. */
export const CERTIFICATES = ['2026-03-15', '2026-06-10', '2026-09-05', '2026-12-20', '2027-03-25'] as const
export const LAST_CERTIFICATE = '2035-01-01'

/** A database to copy: the content of a file, or the name of one on PostgreSQL. */
export type Stored = Buffer | string

/** An empty database, to copy: creating its tables takes longer than the rest of a start. */
let empty: Stored | undefined

export type StoreKind = 'sqlite' | 'postgres'
let store: StoreKind = 'sqlite'

/** Makes what all worlds need, in real time. Call it before the virtual time is installed. */
export async function prepare(kind: StoreKind): Promise<void> {
  store = kind
  // The server loads these on first use. A load takes real time, in which a run could not be replayed.
  await Promise.all([
    import('cuadra-authority/index.ts'),
    import('cuadra-authority/pkcs12.ts'),
    import('cuadra-server/service/received/recognize.ts'),
    import('nodemailer'),
  ])
  for (const until of [...CERTIFICATES, LAST_CERTIFICATE]) await certificateUntil(until)
  const folder = folderInMemory()
  const name = kind === 'postgres' ? await createDatabase() : undefined
  const databaseUrl = name === undefined ? undefined : await postgresUrl(name)
  await (await openStore({ dataDir: folder, databaseUrl })).close()
  empty = name ?? readFileSync(join(folder, DATABASE_FILE))
  rmSync(folder, { recursive: true, force: true })
}

const NO_METRICS: App['metrics'] = {
  observe: () => {},
  countIssued: () => {},
  countResults: () => {},
  text: async () => '',
  contentType: 'text/plain',
}

/** Renders no PDF: what it looks like is tested elsewhere, and it takes a hundred times longer than an issue. */
function plainWork(): App['work'] {
  const work = createWork(new URL('file:///none'), { large: Number.POSITIVE_INFINITY })
  return {
    ...work,
    renderInvoice: async () => ({ pdf: Buffer.from('%PDF-1.7'), language: 'es', logoProblem: null }),
  }
}

/** Reads the files of the simulation, whose text names the outcome. */
const stubbedReader = (process: Operating): Recogniser => {
  const read = async (bytes: Uint8Array): Promise<Reading> => {
    const text = Buffer.from(bytes).toString()
    process.step('disk', 'reader')
    await new Promise((resolve) => setTimeout(resolve, 2000))
    process.step('disk', 'read')
    if (text.includes('broken')) return { unreadable: 'broken' }
    if (text.includes('busy')) return { unavailable: 'busy' }
    return { material: { kind: 'pdf', pages: [], xml: null, codes: [] } }
  }
  return { available: true, missing: [], read, readFine: read, close: () => {} }
}

/** Ends a process after some operations, or after some of one kind. */
export interface Kill {
  after: number
  /** Whether the power of the machine fails, which ends all processes. */
  readonly isPowerFailure?: boolean
  readonly at: Operation | 'any'
}

/** A command that has done its work, or refuses it with a reason. */
export type Ended<T> =
  | { readonly done: T; readonly refusal: '' }
  | { readonly done: null; readonly refusal: string }

/** Any other error is a fault of the program. */
const ended = <T>(work: Promise<T>): Promise<Ended<T>> =>
  work.then(
    (done) => ({ done, refusal: '' as const }),
    (error) => {
      if (!(error instanceof CuadraError || error instanceof ApiError)) throw error
      return { done: null, refusal: error.message }
    },
  )

/** Producer and number of an installation of the invoicing system. */
export interface System {
  readonly producer: string
  readonly installation: string
}

export const PRODUCERS = ['B12345674', 'B77777779'] as const

const declarationOf = (producer: string): string =>
  JSON.stringify({
    ...{ system_name: 'cuadra', system_id: 'CU', version: '0.1.0', components: 'cuadra' },
    ...{ verifactu_only: false, multi_taxpayer: true, signature_types: 'XAdES Enveloped' },
    ...{ producer_name: 'Programas Ficticios, S.L.', producer_nif: producer },
    ...{ producer_address: 'Calle Mayor, 1, 28013 Madrid', date: '2026-01-01', place: 'Madrid, España' },
  })

/** What `verify` finds of one kind. */
export interface Found {
  readonly code: string
  readonly count: number
  readonly message: string
}

/** Breaks a server, to prove that this is found. */
export interface Sabotage {
  readonly ports?: (ports: Ports) => Ports
  /** Returns how a process runs its statements. */
  readonly statement?: () => Statement
}

/** A process of the server, or a command of the administrator. */
export class Process implements Operating, Owner {
  isDead = false
  database: DatabaseFault | null = null
  /** When it is killed; null if it is not. */
  killIn: Kill | null = null
  readonly open = new Set<RawDatabase>()
  readonly pid: number
  readonly #world: World
  assembled: Assembled | undefined
  connections: Connections | undefined
  /** Commands of the administrator are never broken on purpose. */
  statement: Statement | undefined

  constructor(world: World, pid: number) {
    this.#world = world
    this.pid = pid
  }

  get isLosingPower(): boolean {
    return this.killIn?.isPowerFailure === true && this.killIn.after === 0
  }

  readonly keepImage = (): void => {
    this.#before = this.#world.image()
  }
  #before: Image | undefined

  readonly step = (operation: Operation, what: string): void => {
    if (this.isDead) throw new Killed('the process is dead')
    const before = this.#before
    this.#before = undefined
    this.#world.note(`${this.pid - FIRST_PID} ${operation} ${what}`)
    if (this.killIn === null || (this.killIn.at !== 'any' && this.killIn.at !== operation)) return
    if (this.killIn.after-- > 0) return
    const { isPowerFailure } = this.killIn
    count(`${isPowerFailure ? 'power failure' : 'kill'} at ${operation}`)
    if (isPowerFailure) this.#world.cutPower(before)
    else this.#world.kill(this)
    throw new Killed('killed')
  }
}

export interface Answer {
  readonly status: number
  readonly json: any
  readonly code: string
}

export interface CompanyKey {
  readonly id: string
  readonly taxId: string
  readonly key: string
}

export class World {
  /** In memory, since a simulation flushes thousands of times. */
  readonly folder = folderInMemory()
  dataDir = join(this.folder, 'data-0')
  readonly authority = new Authority(() => time.now)
  network: Network = 'well'
  mailServer: MailServer = 'well'
  readonly disk = { isFull: false }
  readonly arrived: Arrived[] = []
  readonly processes: Process[] = []
  /** Milliseconds that the machine's clock is ahead. */
  skew = 0
  /** Whether the server is configured with the key that its certificates are encrypted with. */
  hasKey = true
  /** The invoicing system as configured. */
  system: System = { producer: PRODUCERS[0], installation: '1' }
  readonly backups: { readonly folder: string; readonly at: number }[] = []
  /** How the server is broken on purpose. */
  sabotage: Sabotage | undefined
  #pids = FIRST_PID
  /** Connections of ended processes. */
  readonly #abandoned: RawDatabase[] = []
  readonly #alive = new Set<Process>()
  /** The database on the disk after a power failure, until the machine has power again. */
  #left: Image | undefined
  #reader: Awaited<ReturnType<typeof openSqlite>> | undefined
  #digest = 0x811c9dc5
  /** Everything that happened, if it is asked for. */
  readonly log: string[] | undefined = process.env.CUADRA_SIMULATION_LOG ? [] : undefined

  /** Databases on PostgreSQL; the last one is in use. */
  readonly #databases: string[] = []
  #databaseUrl: string | undefined

  /** Opens a world with a copy of a database, or an empty one. */
  static async open(database: Stored | undefined = empty): Promise<World> {
    const world = new World()
    mkdirSync(world.dataDir, { mode: 0o700 })
    for (const producer of PRODUCERS)
      writeFileSync(join(world.folder, `${producer}.json`), declarationOf(producer))
    if (store === 'postgres') await world.#useDatabase(database as string)
    else writeFileSync(join(world.dataDir, DATABASE_FILE), database as Buffer, { mode: 0o600 })
    noteFlushed(world.folder)
    return world
  }

  /** The files of the embedded database. */
  image(): Image {
    return imageOf(join(this.dataDir, DATABASE_FILE))
  }

  /** Cuts the power of the machine, during a statement if `before` is the database before it. A database server has its own. */
  cutPower(before = this.image()): void {
    const connections = [...this.#alive].flatMap(({ open }) => [...open])
    this.#left = afterPowerFailure(before, this.image(), connections.every(flushesCommits), time.chance)
    for (const own of this.#alive) this.kill(own)
  }

  /** Turns on the machine after a power failure: in a new folder, since ended processes have the old files open. */
  async #ready(): Promise<void> {
    if (!this.#left) return
    const { database, log } = this.#left
    this.#left = undefined
    await time.settle()
    lose(this.dataDir, time.chance, (name) => name.startsWith(DATABASE_FILE))
    lose(this.folder, time.chance, (name) => !name.startsWith('backup-'))
    const before = this.dataDir
    this.#useFolder()
    for (const name of readdirSync(before))
      if (!name.startsWith(DATABASE_FILE)) renameSync(join(before, name), join(this.dataDir, name))
    if (store === 'sqlite') writeFileSync(join(this.dataDir, DATABASE_FILE), database, { mode: 0o600 })
    if (log.length > 0) writeFileSync(join(this.dataDir, `${DATABASE_FILE}-wal`), log, { mode: 0o600 })
    noteFlushed(this.folder)
    for (const { folder } of this.backups) await requireIntact(folder, await readManifest(folder))
  }

  /** Continues in a new data folder. */
  #useFolder(): void {
    this.#reader?.close()
    this.#reader = undefined
    this.dataDir = join(this.folder, `data-${++this.#folders}`)
    mkdirSync(this.dataDir, { mode: 0o700 })
  }
  #folders = 0

  async #useDatabase(template?: string): Promise<void> {
    const name = await createDatabase(template)
    this.#databases.push(name)
    this.#databaseUrl = await postgresUrl(name)
  }

  /** The database, while no process has it open. It stays when the world is closed. */
  async database(): Promise<Stored> {
    if (store === 'postgres') return required(this.#databases.pop())
    const file = join(this.dataDir, DATABASE_FILE)
    const raw = await openSqlite(file)
    raw.exec('pragma wal_checkpoint(truncate)')
    raw.close()
    return readFileSync(file)
  }

  /** Notes that something happened: two runs of a seed must have the same digest. */
  note(what: string): void {
    this.log?.push(`${new Date(time.now).toISOString()} ${what}`)
    let hash = this.#digest
    const text = `${time.now}${what}`
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    this.#digest = hash >>> 0
  }

  get digest(): string {
    return this.#digest.toString(16).padStart(8, '0')
  }

  /** The machine's clock. */
  get now(): number {
    return time.now + this.skew
  }

  #config(isAdmin = false) {
    return readConfig({
      CUADRA_DATA_DIR: this.dataDir,
      CUADRA_DATABASE_URL: this.#databaseUrl,
      CUADRA_LOG_LEVEL: process.env.CUADRA_SIMULATION_LEVEL ?? 'silent',
      CUADRA_AEAT: 'preproduction',
      CUADRA_INSTALLATION: this.system.installation,
      CUADRA_DECLARATION: join(this.folder, `${this.system.producer}.json`),
      CUADRA_AEAT_VERIFACTU_URL: VERIFACTU_URL,
      CUADRA_AEAT_SII_URL: SII_URL,
      CUADRA_SECRET: this.hasKey ? SECRET : OTHER_SECRET,
      CUADRA_WORKERS: isAdmin ? 'off' : 'on',
    })
  }

  #ports(own: Process): Ports {
    const clock = createClock(() => this.now)
    const ports: Ports = {
      clock,
      files: faultyFiles(openDiskFiles(join(this.dataDir, 'files')), own, this.disk),
      metrics: NO_METRICS,
      work: plainWork(),
      recogniser: stubbedReader(own),
      deliver: faultyDelivery(own, this),
      authority: createAuthorityClient({
        environment: 'simulator',
        addresses: { verifactu: VERIFACTU_URL, sii: SII_URL },
        now: clock.now,
        post: (xml, { signal }) => exchange(own, this, xml, signal),
      }),
      owner: `${hostname()}/${own.pid}/simulated`,
    }
    return ports
  }

  #process(): Process {
    const own = new Process(this, ++this.#pids)
    this.#alive.add(own)
    time.pids.add(own.pid)
    return own
  }

  /** Starts a process of the server. Returns undefined if it was killed or failed while starting. */
  async start({ killIn = null }: { readonly killIn?: Kill | null } = {}): Promise<Process | undefined> {
    await this.#ready()
    const own = this.#process()
    own.killIn = killIn
    own.statement = this.sabotage?.statement?.()
    const ports = this.#ports(own)
    this.processes.push(own)
    try {
      await context.run(own, () =>
        time.until(
          (async () => {
            const assembled = await assemble(this.#config(), this.sabotage?.ports?.(ports) ?? ports)
            own.assembled = assembled
            own.connections = new Connections(assembled.server, own)
            await assembled.watch()
          })(),
        ),
      )
      return own
    } catch (error) {
      if (!(error instanceof Killed)) this.startError = error
      this.kill(own)
      return undefined
    }
  }

  /** Why the last start failed, if it was not killed. */
  startError: unknown

  /** Ends a process at once. */
  kill(own: Process): void {
    if (own.isDead) return
    own.isDead = true
    this.#alive.delete(own)
    time.drop(own)
    time.pids.delete(own.pid)
    for (const raw of own.open) {
      abandonDatabase(raw)
      this.#abandoned.push(raw)
    }
    own.open.clear()
    own.connections?.cut()
    const at = this.processes.indexOf(own)
    if (at !== -1) this.processes.splice(at, 1)
  }

  /** Ends a process as an administrator does. */
  async stop(own: Process): Promise<void> {
    try {
      await context.run(own, () => time.until(required(own.assembled).close(), 120_000))
    } catch (error) {
      if (!(error instanceof Killed) && !own.isDead && own.database === null) throw error
    }
    this.kill(own)
  }

  /** Sends a request to a process. Returns undefined if no response came. */
  async send(own: Process, sent: Sent): Promise<Received | undefined> {
    this.note(`request ${sent.method} ${sent.path}`)
    await time.pass(REQUEST_MS)
    if (own.isDead || !own.connections) return undefined
    const received = own.connections.send(sent)
    // After a timeout the client has no response.
    return time.until(received, REQUEST_LIMIT_MS).catch(() => undefined)
  }

  async call(
    own: Process,
    company: CompanyKey,
    method: string,
    path: string,
    {
      body,
      once,
      type = 'application/json',
    }: { readonly body?: unknown; readonly once?: string | undefined; readonly type?: string } = {},
  ): Promise<Answer | undefined> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const received = await this.send(own, {
      method,
      path: `/api/v1.1${path}`,
      headers: {
        Host: 'simulated',
        'X-API-Key': company.key,
        ...(body === undefined ? {} : { 'Content-Type': type }),
        ...(once === undefined ? {} : { 'Idempotency-Key': once }),
      },
      body: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
    })
    if (!received) return undefined
    let json: Answer['json']
    try {
      json = JSON.parse(received.body.toString())
    } catch {
      json = undefined
    }
    const answer = { status: received.status, json, code: json?.detail?.code ?? '' }
    this.note(`response ${answer.status} ${answer.code}`)
    return answer
  }

  /** Runs a command of the administrator in a process of its own. */
  async admin<T>(
    work: (app: App) => Promise<T>,
    { killIn = null, isOnline = false }: { readonly killIn?: Kill | null; readonly isOnline?: boolean } = {},
  ): Promise<T> {
    await this.#ready()
    const own = this.#process()
    own.killIn = killIn
    const run = async () => {
      const app = await openApp(this.#config(true), this.#ports(own))
      const result = await work(app)
      await app.store.close()
      return result
    }
    try {
      return await context.run(own, () => (isOnline ? time.until(run(), 3_600_000) : time.work(own, run())))
    } catch (error) {
      throw own.isDead ? new Killed('the command was killed') : error
    } finally {
      this.kill(own)
    }
  }

  #call(app: App, company: { readonly id: string; readonly data: unknown }): Call {
    const constants = { requestId: 'simulation', locale: 'en', keyId: 'simulation', size: 1000 } as const
    return {
      app,
      company: company as never,
      store: app.store.of(company.id),
      idempotencyKey: undefined,
      ...constants,
    }
  }

  /** Creates a company with a key, a certificate, and a period in a mode. */
  addCompany(taxId: string): Promise<CompanyKey> {
    return this.admin(async (app) => {
      const data = readCompany({
        legal_name: 'Empresa de Pruebas, S.L.',
        tax_id: taxId,
        person_type_code: 'J',
        verified: true,
        operated_by_partner: true,
        fiscal_systems: { verifactu_in_plan: true, sii_in_plan: false },
        address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
        contact_email: 'facturas@empresa.example',
      })
      const { id, key } = await app.store.transaction(async (tx) => {
        const company = await insertCompany(tx, data, app.clock.stamp())
        const made = await createKey(tx.of(company.id), { scopes: ['*'] }, app.clock.stamp())
        return { id: company.id, key: made.key }
      })
      return { id, taxId, key }
    })
  }

  async addCertificate(company: CompanyKey, until: string): Promise<void> {
    const p12 = await certificateUntil(until)
    await this.admin((app) =>
      app.store
        .of(company.id)
        .transaction((tx) => addCertificate(tx, app, { p12, password: PASSWORD, purpose: 'verifactu' })),
    )
  }

  /** Closes the open period of a company and opens another. */
  changeMode({ id }: CompanyKey, from: Mode, to: Mode, killIn: Kill | null = null): Promise<Ended<true>> {
    const change = async (tx: Tx, call: Call): Promise<true> => {
      if (from !== 'none' && to !== 'none') await changePeriod(tx, call, { mode: to })
      else if (to !== 'none') await openPeriod(tx, call, { mode: to, sandbox: true })
      else await closePeriod(tx, call)
      return true
    }
    return this.#inCompany(id, change, killIn)
  }

  /** Plans a change of mode for a later day. */
  planMode({ id }: CompanyKey, mode: Exclude<Mode, 'none'>, from: string): Promise<Ended<unknown>> {
    return this.#inCompany(id, (tx, call) => changePeriod(tx, call, { mode, from }))
  }

  withdrawPlan({ id }: CompanyKey): Promise<Ended<unknown>> {
    return this.#inCompany(id, (tx, call) => withdrawChange(tx, call))
  }

  /** Runs a command of the administrator in one transaction. */
  #inCompany<T>(
    id: string,
    work: (tx: Tx, call: Call) => Promise<T>,
    killIn: Kill | null = null,
  ): Promise<Ended<T>> {
    const run = async (app: App) => {
      const call = this.#call(app, (await companyOf(app.store.of(id))) as never)
      return app.store.of(id).transaction((tx) => work(tx, call))
    }
    return ended(this.admin(run, { killIn }))
  }

  /** Begins a new chain of records with the system as configured. */
  beginNewChain({ id }: CompanyKey): Promise<Ended<unknown>> {
    return this.#inCompany(id, (tx, call) => beginNewChain(tx, call, 'test'))
  }

  /** The record that was made last in the chain of events. */
  async lastEvent({ id }: CompanyKey): Promise<string | undefined> {
    const [row] = await this.rows<{ record: string }>(
      'select record from verifactu_events where company_id = ? order by sequence desc limit 1',
      [id],
    )
    return row?.record
  }

  /** The day for which a change of mode is planned; null if none is. */
  async plannedFor({ id }: CompanyKey): Promise<string | null> {
    const sql = 'select start_date from verifactu_planned_periods where company_id = ?'
    const [row] = await this.rows<{ start_date: string }>(sql, [id])
    return row?.start_date ?? null
  }

  /** The mode of the open period. */
  async modeOf({ id }: CompanyKey): Promise<Mode> {
    const [open] = await this.rows<{ mode: Mode }>(
      'select mode from verifactu_periods where company_id = ? and end_date is null',
      [id],
    )
    return open?.mode ?? 'none'
  }

  updateCompany({ id }: CompanyKey, patch: object): Promise<unknown> {
    return this.admin((app) =>
      app.store.of(id).transaction((tx) => updateCompany(tx, patch, app.clock.stamp())),
    )
  }

  /** Has what a company reports to the SII sent automatically. */
  reportToSii({ id }: CompanyKey): Promise<unknown> {
    return this.#inCompany(id, (tx, call) => changeSiiConfig(tx, call, { auto_submit: true }))
  }

  /** Sends again what the SII rejected. Returns how many invoices and payments these are. */
  async resendToSii({ id }: CompanyKey): Promise<number> {
    const rows = await this.rows<{ invoice_id: string }>(
      "select invoice_id from sii_records where company_id = ? and status in ('rejected', 'accepted_with_errors') order by invoice_id",
      [id],
    )
    return this.admin(async (app) => {
      const store = app.store.of(id)
      for (const { invoice_id } of rows) await resendInvoice(app, store, invoice_id)
      const books = ['ISSUED', 'RECEIVED'] as const
      let payments = 0
      for (const book of books)
        payments += await store.transaction((tx) => resendRejected(tx, app.clock, book))
      return rows.length + payments
    })
  }

  /** Registers a collection or payment of today. */
  addPayment(
    { id }: CompanyKey,
    book: Book,
    invoice_id: string,
    cents: number,
  ): Promise<Ended<{ id: string }>> {
    return ended(
      this.admin((app) =>
        app.store.of(id).transaction((tx) => {
          const payment = { invoice_id, date: app.clock.today(), amount: cents / 100, method: '04' }
          return addPayment(tx, book, payment, app.clock)
        }),
      ),
    )
  }

  cancelPayment({ id }: CompanyKey, book: Book, payment: string): Promise<Ended<unknown>> {
    return ended(
      this.admin((app) =>
        app.store.of(id).transaction((tx) => cancelRecordedPayment(tx, app.clock, book, payment)),
      ),
    )
  }

  /** Replies to a request of the authority. */
  answerRequest(
    company: CompanyKey,
    request: Omit<RequestOf, 'environment'>,
    killIn: Kill | null,
  ): Promise<Ended<RequestResult>> {
    const answer = async (app: App) => {
      const own = await companyOf(app.store.of(company.id))
      const sending = { app, wire: wireOf(app), owner: app.owner }
      const pause = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))
      return answerRequest(sending, own as never, { environment: 'test', ...request }, pause)
    }
    return ended(this.admin(answer, { killIn, isOnline: true }))
  }

  sendNow(company: CompanyKey): Promise<number> {
    return this.admin((app) => requestSending(app, company.id))
  }

  /** Makes the record that an invoice lacks. */
  correct({ id }: CompanyKey, invoice: string): Promise<Ended<Corrected>> {
    return this.#inCompany(id, (tx, call) => correctRecord(tx, call, invoice, {}))
  }

  /** What `cuadra-admin verify` finds, by company. */
  verify(): Promise<Map<string, readonly Found[]>> {
    return this.admin(async (app) => {
      const found = new Map<string, readonly Found[]>()
      for (const company of await companiesOf(app))
        found.set(company.id, (await verifyCompany(app, company, 'en')).failures)
      return found
    })
  }

  async backup(killIn: Kill | null): Promise<boolean> {
    const folder = join(this.folder, `backup-${this.backups.length}`)
    const at = time.now
    try {
      await this.admin(
        (app) =>
          writeFolderAtomically(folder, 'full', async (part) => {
            await writeManifest(part, manifestText(await writeBackup(app, part)))
          }),
        { killIn },
      )
    } catch (error) {
      if (error instanceof Killed) {
        rmSync(folder, { recursive: true, force: true })
        return false
      }
      throw error
    }
    this.backups.push({ folder, at })
    return true
  }

  /** Restores a backup into a new data folder, and accepts it. All processes must have ended. */
  async restore(
    from: number,
    skipNumbers: number,
    series: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    const { folder } = required(this.backups[from])
    await this.#ready()
    this.#restores++
    this.#useFolder()
    noteFlushed(this.dataDir)
    if (store === 'postgres') await this.#useDatabase()
    const owner = this.#process()
    await context.run(owner, () =>
      time.work(
        owner,
        (async () => {
          const manifest = await readManifest(folder)
          await requireIntact(folder, manifest)
          const state = { restore_id: randomUUID(), owner: `${hostname()}/${owner.pid}/restore` }
          const { target } = await RestoreTarget.claim(this.#config(), state)
          await restoreBackup(folder, manifest, this.#config(), target, state.restore_id)
          await target.finish()
        })(),
      ),
    )
    this.kill(owner)
    await this.admin(async (app) => {
      const row = await unacceptedRestoreOf(app)
      if (!row) throw new Error('there is no restore to accept')
      for (const company of await companiesOf(app)) {
        const { id } = company
        await recordRestoreEvent(app, company, row)
        const { failures } = await verifyCompany(app, company, 'en')
        const wrong = failures.find(({ code }) => code !== 'cancellation_missing')
        if (wrong) throw new Error(`the restored data is wrong: ${wrong.message}`)
        const { counters_to_advance } = await checkSinceBackup(app, company, row.made_at)
        // Series that customers have invoices of may be unknown here.
        const unknown = (series.get(id) ?? []).map((series_code) => ({ series_code, next: 1 }))
        await this.#advance(app, id, [...unknown, ...counters_to_advance])
      }
      await acceptRestored(app, { anyway: true, numbersChecked: false, skipNumbers })
    })
  }
  #restores = 0

  /** How many numbers a restore skips: more than were given since any backup, those of earlier restores included. */
  nextSkip(): number {
    return 1000 * 2 ** this.#restores
  }

  /** Sets the counters as `restore` asks an administrator to. */
  async #advance(
    app: App,
    company: string,
    counters: readonly { readonly series_code: string; readonly next: number }[],
  ): Promise<void> {
    for (const { series_code, next } of counters)
      await app.store.of(company).transaction(async (tx) => {
        const fresh = { series_code, template: '{series}{number:6}', next_number: next }
        const isNew = await tx.insertNew('series', { ...fresh, created_at: app.clock.stamp() })
        if (isNew || next === 1) return
        await tx.update('series', { next_number: next }).where('series_code', '=', series_code).execute()
      })
  }

  /** Rows of the database, read by the simulation itself. */
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  async rows(sql: string, values: readonly unknown[] = []): Promise<unknown[]> {
    await this.#ready()
    if (store === 'postgres') return readRows(required(this.#databases.at(-1)), sql, values)
    this.#reader ??= await openSqlite(join(this.dataDir, DATABASE_FILE), { readonly: true })
    return this.#reader.prepare(sql).all(values)
  }

  async close(): Promise<void> {
    for (const own of [...this.processes]) this.kill(own)
    await time.settle()
    this.#reader?.close()
    for (const raw of this.#abandoned) raw.close()
    for (const name of this.#databases) await dropDatabase(name)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export type Mode = 'none' | 'verifactu' | 'no_verifactu'
