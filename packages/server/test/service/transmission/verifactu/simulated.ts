/**
 * The real sender with the real client over TLS, against the simulator of the tax authority. All use one clock that
 * tests move, so that no pause takes real time. Any number of companies, each with its own chain.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AuthorityClientOptions, createAuthorityClient } from 'cuadra-authority/wire/index.ts'
import type { Outcome } from 'cuadra-authority/wires.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from 'cuadra-simulator/index.ts'
import { taxIdOf } from '#test/conformance/harness.ts'
import { temporaryFolder } from '#test/folders.ts'
import { startAgain } from '#test/until.ts'
import type { App } from '../../../../src/app/app.ts'
import type { Call } from '../../../../src/service/access/call.ts'
import type { Sending } from '../../../../src/service/verifactu/sending/verifactu-sender.ts'
import { wireOf } from '../../../../src/service/verifactu/sending/verifactu-sender.ts'
import { activateVerifactu } from '../../../../src/service/verifactu/verifactu-config.ts'
import type { Mode } from '../../../../src/store/tables.ts'
import { closeApp, insertTaxpayer, MORNING, openAppOn, TAX_ID, Taxpayer } from '../fixture.ts'
import { followLedgers, leaveLedgers, recordedWire } from '../recorder.ts'
import { VERIFACTU } from './fixture.ts'
import { sendingProblems } from './problems.ts'

/** Milliseconds to wait for a response, so that a slow one times out soon. */
const ANSWER = 1000

export interface SimulatedOptions {
  readonly databaseUrl?: string | undefined
  readonly limits?: AuthorityClientOptions['limits']
  readonly wait?: number
  /** The clock of the machine, which tests do not move. */
  readonly isReal?: boolean
  /** Data folder; by default a new one. */
  readonly folder?: string
}

export class SimulatedFixture {
  now = MORNING
  app!: App
  simulator!: Simulator
  /** Milliseconds that the sender's clock is ahead of the authority's. */
  skew = 0
  readonly folder: string
  readonly taxpayers: SimulatedTaxpayer[] = []
  readonly #options: SimulatedOptions
  #port = 0
  #processes = 0

  constructor(options: SimulatedOptions = {}) {
    this.#options = options
    this.folder = options.folder ?? temporaryFolder()
  }

  time(): number {
    return this.#options.isReal ? Date.now() : this.now
  }

  static async open(options?: SimulatedOptions): Promise<SimulatedFixture> {
    const fixture = new SimulatedFixture(options)
    followLedgers(fixture, () => fixture.taxpayers.map(({ store }) => store))
    await fixture.startAuthority()
    await fixture.startProcess()
    return fixture
  }

  /** Starts the simulator, on the port and with the state of the previous one. */
  async startAuthority(changes: Partial<SimulatorOptions> = {}): Promise<void> {
    await this.simulator?.close()
    this.simulator = await startAgain(() =>
      startSimulator({
        dataDir: join(this.folder, 'simulator'),
        port: this.#port,
        wait: this.#options.wait ?? 60,
        powers: { [TAX_ID]: ['*'] },
        clock: () => this.time(),
        onError: (error) => {
          throw error
        },
        ...changes,
      }),
    )
    this.#port = this.simulator.port
  }

  /** Starts the sending and issuing part, with the rows of the previous one. */
  async startProcess(): Promise<void> {
    await this.stopProcess()
    const authority = createAuthorityClient({
      environment: 'simulator',
      addresses: { verifactu: this.simulator.url },
      authorities: [readFileSync(this.simulator.caFile, 'utf8')],
      limits: { connectMs: 2000, responseMs: ANSWER, ...this.#options.limits },
    })
    const opened = await openAppOn(() => this.time() + this.skew, this.#options.databaseUrl, {
      CUADRA_DATA_DIR: join(this.folder, 'data'),
      CUADRA_AEAT_SIMULATOR: 'off',
    })
    this.app = { ...opened, authority, owner: `p${++this.#processes}` }
  }

  async stopProcess(): Promise<void> {
    if (this.app) await closeApp(this.app)
  }

  async close(): Promise<void> {
    await leaveLedgers(this)
    await this.stopProcess()
    await this.simulator?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Changes the next call to the authority, once. */
  around: ((call: () => Promise<Outcome>) => Promise<Outcome>) | undefined

  sending(owner = this.app.owner): Sending {
    const wire = recordedWire(wireOf(this.app))
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

  /** Adds a company with an open period that a partner operates: all share one certificate. */
  async company(
    taxId = taxIdOf(this.taxpayers.length),
    mode: Mode = 'verifactu',
  ): Promise<SimulatedTaxpayer> {
    const company = await insertTaxpayer(this.app, { tax_id: taxId, operated_by_partner: true })
    const taxpayer = new SimulatedTaxpayer(this, company)
    this.taxpayers.push(taxpayer)
    await taxpayer.certify()
    await taxpayer.store.transaction((tx) => activateVerifactu(tx, taxpayer.call, { mode, sandbox: true }))
    return taxpayer
  }
}

/** A company of the fixture. */
export class SimulatedTaxpayer extends Taxpayer<typeof VERIFACTU> {
  override readonly company: Call['company']
  readonly #fixture: SimulatedFixture

  constructor(fixture: SimulatedFixture, company: Call['company']) {
    super(VERIFACTU)
    this.#fixture = fixture
    this.company = company
  }

  override get app(): App {
    return this.#fixture.app
  }

  override get now(): number {
    return this.#fixture.now
  }

  override set now(now: number) {
    this.#fixture.now = now
  }

  override get skew(): number {
    return this.#fixture.skew
  }

  get taxId(): string {
    return this.company.data.tax_id
  }

  sending(owner?: string): Sending {
    return this.#fixture.sending(owner)
  }

  /** Returns the records at the authority, in order of arrival. */
  received() {
    return this.#fixture.simulator.control.records({ taxpayer: this.taxId })
  }

  messages() {
    return this.#fixture.simulator.control.submissions({ taxpayer: this.taxId })
  }

  /** Finds problems once nothing is pending. */
  async problems({ resent = 0 }: { readonly resent?: number } = {}): Promise<string[]> {
    const { problems, again } = await sendingProblems(this.store, this.#fixture.simulator, this.taxId)
    if (again !== resent) problems.push(`${again} records were sent again although the authority had them`)
    const early = this.messages().filter((one) => one.early === 1).length
    if (early > 0) problems.push(`${early} messages came before their time`)
    return problems
  }
}
