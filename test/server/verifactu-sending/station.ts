/**
 * The real sender with the real client over TLS, against the simulator of the tax authority; on one clock that tests
 * move, so that no pause is waited for. Companies as many as are wanted, each with a chain of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '../../../src/authority/verifactu-wire.ts'
import { type AuthorityOptions, createAuthority } from '../../../src/authority/wire/index.ts'
import type { App } from '../../../src/server/app/app.ts'
import { openApp } from '../../../src/server/app/open.ts'
import { createClock } from '../../../src/server/environment/clock.ts'
import { readConfig } from '../../../src/server/environment/config.ts'
import type { Call } from '../../../src/server/service/access/call.ts'
import { addCertificate, demonstrationCertificate } from '../../../src/server/service/company/certificates.ts'
import { insertCompany } from '../../../src/server/service/company/company.ts'
import { readCompany } from '../../../src/server/service/company/company-file.ts'
import { judgeAtOnce } from '../../../src/server/service/invoice/judge.ts'
import { cancelInvoice } from '../../../src/server/service/issued/cancel.ts'
import { saveDraft } from '../../../src/server/service/issued/drafts.ts'
import { issueInvoice } from '../../../src/server/service/issued/issue.ts'
import { activateVerifactu } from '../../../src/server/service/verifactu/config.ts'
import type { Sending, Step } from '../../../src/server/service/verifactu/sending/sender.ts'
import { step, wireOf } from '../../../src/server/service/verifactu/sending/sender.ts'
import type { Mode } from '../../../src/server/store/tables.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../src/simulator/index.ts'
import { nextTaxId } from '../../conformance/harness.ts'
import { draft } from '../../conformance/invoices.ts'
import { sendingProblems } from './sending-problems.ts'

/** Who sends for all companies of the tests: one certificate is made, and no more. */
const PARTNER = 'B77777779'
/** Milliseconds of an answer, so that a slow one is given up soon. */
const ANSWER = 200

export interface StationOptions {
  readonly databaseUrl?: string
  readonly limits?: AuthorityOptions['limits']
  readonly wait?: number
  /** The clock of the machine, which nobody moves. */
  readonly isReal?: boolean
  /** Where everything is kept; a new folder otherwise. */
  readonly folder?: string
}

export class Station {
  /** Milliseconds that this clock is ahead of the machine's when it was opened. */
  now = Date.now()
  app!: App
  simulator!: Simulator
  /** Milliseconds that the sender's clock is ahead of the authority's. */
  skew = 0
  readonly folder: string
  readonly #options: StationOptions
  #certificate: ReturnType<typeof demonstrationCertificate> | undefined
  #port = 0
  #processes = 0

  constructor(options: StationOptions = {}) {
    this.#options = options
    this.folder = options.folder ?? mkdtempSync(join(tmpdir(), 'cuadra-station-'))
  }

  time(): number {
    return this.#options.isReal ? Date.now() : this.now
  }

  static async open(options?: StationOptions): Promise<Station> {
    const station = new Station(options)
    await station.startAuthority()
    await station.startProcess()
    return station
  }

  /** Starts the simulator, on the port and with the state of the one before. */
  async startAuthority(changes: Partial<SimulatorOptions> = {}): Promise<void> {
    await this.simulator?.close()
    this.simulator = await startSimulator({
      dataDir: join(this.folder, 'simulator'),
      port: this.#port,
      wait: this.#options.wait ?? 60,
      powers: { [PARTNER]: ['*'] },
      clock: () => this.time(),
      onError: (error) => {
        throw error
      },
      ...changes,
    })
    this.#port = this.simulator.port
  }

  /** Starts what sends and issues, with the rows of the one before and nothing else of it. */
  async startProcess(): Promise<void> {
    await this.stopProcess()
    const { databaseUrl } = this.#options
    const config = readConfig({
      CUADRA_DATA_DIR: join(this.folder, 'data'),
      CUADRA_LOG_LEVEL: 'silent',
      CUADRA_AEAT_SIMULATOR: 'off',
      ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
    })
    const authority = createAuthority({
      environment: 'simulator',
      addresses: { verifactu: this.simulator.url },
      authorities: [readFileSync(this.simulator.caFile, 'utf8')],
      limits: { connect: 2000, answer: ANSWER, ...this.#options.limits },
    })
    const opened = await openApp(config)
    this.app = {
      ...opened,
      clock: createClock(() => this.time() + this.skew),
      authority,
      owner: `p${++this.#processes}`,
    }
  }

  async stopProcess(): Promise<void> {
    if (!this.app) return
    this.app.authority.close()
    this.app.recogniser.close()
    await this.app.work.close()
    await this.app.store.close()
  }

  async close(): Promise<void> {
    await this.stopProcess()
    await this.simulator?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** What happens around the next call to the authority, once. */
  around: ((call: () => Promise<Outcome>) => Promise<Outcome>) | undefined

  sending(owner = this.app.owner): Sending {
    const wire = wireOf(this.app)
    return {
      app: this.app,
      wire: (xml, caller) => {
        const { around = (call) => call() } = this
        this.around = undefined
        return around(() => wire(xml, caller))
      },
      owner,
    }
  }

  /** A company with an open period, for which the partner sends. */
  async company(taxId = nextTaxId(), mode: Mode = 'verifactu'): Promise<Taxpayer> {
    const { app } = this
    const data = readCompany({
      legal_name: 'Empresa de Pruebas, S.L.',
      tax_id: taxId,
      person_type_code: 'J',
      verified: true,
      operated_by_partner: true,
      address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
    })
    this.#certificate ??= demonstrationCertificate(app, PARTNER, 'Gestoría de Pruebas, S.L.')
    const file = await this.#certificate
    const company = await app.store.transaction((tx) => insertCompany(tx, data, app.clock.stamp()))
    const taxpayer = new Taxpayer(this, company)
    const { store } = taxpayer.call
    await store.transaction((tx) => addCertificate(tx, app, { ...file, purpose: 'verifactu' }))
    await store.transaction((tx) => activateVerifactu(tx, taxpayer.call, { mode, sandbox: true }))
    return taxpayer
  }
}

/** One company of a station. */
export class Taxpayer {
  readonly station: Station
  readonly company: Call['company']

  constructor(station: Station, company: Call['company']) {
    this.station = station
    this.company = company
  }

  get call(): Call {
    const { app } = this.station
    return {
      app,
      requestId: 'test',
      locale: 'en',
      company: this.company,
      store: app.store.of(this.company.id),
      keyId: 'test',
      size: 1000,
      idempotencyKey: undefined,
    }
  }

  get taxId(): string {
    return this.company.data.tax_id
  }

  step(owner?: string, urgent = false): Promise<Step> {
    return step(this.station.sending(owner), this.company.id, 'test', { urgent })
  }

  /** Issues so many invoices; answers their ids. */
  async issue(count = 1, series = 'F'): Promise<string[]> {
    const { call } = this
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const sent = draft({ series })
      const judged = judgeAtOnce(call, sent, 'draft', { totals: 'check' })
      const saved = await call.store.transaction((tx) => saveDraft(tx, call, sent, judged as never))
      const id = saved.id as string
      await call.store.transaction((tx) => issueInvoice(tx, call, id, undefined))
      ids.push(id)
    }
    return ids
  }

  cancel(id: string): Promise<unknown> {
    const { call } = this
    return call.store.transaction((tx) => cancelInvoice(tx, call, id))
  }

  /** Sends until nothing waits, moving the clock to whenever something may go. Answers what came of each look. */
  async drain({
    most = 60,
    after,
  }: {
    most?: number
    after?: (next: Step) => Promise<void>
  } = {}): Promise<Step[]> {
    const steps: Step[] = []
    while (steps.length < most) {
      const next = await this.step()
      steps.push(next)
      await after?.(next)
      if (next.is === 'idle') return steps
      if (next.is === 'busy') this.station.now += 1000
      if (next.is === 'later') this.station.now = Math.max(next.at - this.station.skew, this.station.now + 1)
    }
    throw new Error(`the line is not empty after ${most} steps: ${JSON.stringify(steps.slice(-3))}`)
  }

  records() {
    return this.call.store.select('verifactu_records').selectAll().orderBy('sequence').execute()
  }

  submissions() {
    const all = this.call.store.select('verifactu_submissions').selectAll()
    return all.orderBy('created_at').orderBy('submission_id').execute()
  }

  queue() {
    return this.call.store.select('verifactu_queues').selectAll().executeTakeFirstOrThrow()
  }

  /** What the authority has: every record that came, in the order in which it came. */
  received() {
    return this.station.simulator.control.records({ taxpayer: this.taxId })
  }

  messages() {
    return this.station.simulator.control.submissions({ taxpayer: this.taxId })
  }

  /** Everything that is wrong once nothing waits any more. */
  async problems({ resent = 0 }: { readonly resent?: number } = {}): Promise<string[]> {
    const { problems, again } = await sendingProblems(this.call.store, this.station.simulator, this.taxId)
    if (again !== resent) problems.push(`${again} records were sent again although the authority had them`)
    const early = this.messages().filter((one) => one.early === 1).length
    if (early > 0) problems.push(`${early} messages came before their time`)
    return problems
  }
}
