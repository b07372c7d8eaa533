/** A company under cash basis in the SII: HTTP, the administrator's commands and a simulator, with one clock that tests move. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { run } from '../../../src/admin/commands/run.ts'
import { selfSigned } from '../../../src/authority/self-signed.ts'
import type { App } from '../../../src/server/app/app.ts'
import { openApp } from '../../../src/server/app/open.ts'
import { createClock } from '../../../src/server/environment/clock.ts'
import { readConfig } from '../../../src/server/environment/config.ts'
import { createHttpServer } from '../../../src/server/http/server.ts'
import { createKey } from '../../../src/server/service/access/keys.ts'
import { addCertificate } from '../../../src/server/service/company/certificates.ts'
import { insertCompany } from '../../../src/server/service/company/company.ts'
import { readCompany } from '../../../src/server/service/company/company-file.ts'
import { accrueAll } from '../../../src/server/service/sii/cash-basis/accruals.ts'
import type { Sending, Step } from '../../../src/server/service/sii/sending/sender.ts'
import { siiWireOf, step } from '../../../src/server/service/sii/sending/sender.ts'
import { type Simulator, startSimulator } from '../../../src/simulator/index.ts'
import { draft, received } from '../../conformance/invoices.ts'

export const TAX_ID = 'B77777779'
const PASSWORD = 'prueba'
const CASH = '07'

const NAME = 'Empresa de Pruebas, S.L.'
let made: Promise<Uint8Array> | undefined
/** Valid by the clock of the machine and by every one of the tests. Its key takes a while: made once. */
const certificate = (): Promise<Uint8Array> => {
  made ??= selfSigned({
    name: NAME,
    taxId: TAX_ID,
    from: new Date('2025-01-01'),
    until: new Date('2035-01-01'),
    password: PASSWORD,
  })
  return made
}

const at = (day: string, time = '10:00:00'): number => Date.parse(`${day}T${time}+01:00`)

export interface Answered {
  readonly status: number
  readonly json: any
  readonly text: string
}

export interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
  readonly json: any
}

export interface Stored {
  readonly number: string
  readonly date: string
  readonly amount: string
  readonly means: string
}

export interface RigOptions {
  /** The day on which it begins. */
  readonly day?: string
  readonly databaseUrl?: string
  /** Members of `company.json`. */
  readonly company?: Readonly<Record<string, unknown>>
}

export class Rig {
  now: number
  readonly simulator: Simulator
  readonly app: App
  readonly companyId: string
  readonly #key: string
  readonly #server: Server
  readonly #folder: string
  readonly #databaseUrl: string | undefined

  private constructor(parts: {
    now: number
    simulator: Simulator
    app: App
    companyId: string
    key: string
    server: Server
    folder: string
    databaseUrl: string | undefined
  }) {
    this.now = parts.now
    this.simulator = parts.simulator
    this.app = parts.app
    this.companyId = parts.companyId
    this.#key = parts.key
    this.#server = parts.server
    this.#folder = parts.folder
    this.#databaseUrl = parts.databaseUrl
  }

  static async open({ day = '2026-02-02', databaseUrl, company = {} }: RigOptions = {}): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), 'cuadra-cash-basis-'))
    const began = at(day)
    let rig: Rig | undefined
    const now = () => rig?.now ?? began
    const simulator = await startSimulator({
      dataDir: join(folder, 'authority'),
      clock: now,
      onError: (error) => {
        throw error
      },
    })
    const config = readConfig({
      CUADRA_DATA_DIR: folder,
      CUADRA_LOG_LEVEL: 'silent',
      CUADRA_AEAT_SII_URL: simulator.url,
      CUADRA_AEAT_CA_FILE: simulator.caFile,
      ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
    })
    const clock = createClock(now)
    const app: App = { ...(await openApp(config)), clock }
    const data = readCompany({
      legal_name: NAME,
      tax_id: TAX_ID,
      person_type_code: 'J',
      verified: true,
      address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
      cash_basis: [{ start_date: '2026-01-01' }],
      sii: {
        enrollment_periods: [
          { enrollment_status: 'mandatory', start_date: '2026-01-01', environment: 'test' },
        ],
      },
      ...company,
    })
    const { id: companyId } = await app.store.transaction((tx) => insertCompany(tx, data, clock.stamp()))
    const store = app.store.of(companyId)
    const p12 = await certificate()
    await store.transaction((tx) => addCertificate(tx, app, { p12, password: PASSWORD, purpose: 'general' }))
    const { key } = await store.transaction((tx) => createKey(tx, { scopes: ['*'] }, clock.stamp()))
    const server = createHttpServer(app)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    rig = new Rig({ now: began, simulator, app, companyId, key, server, folder, databaseUrl })
    const { status, text } = await rig.http('PUT', '/sii/config', { auto_submit: true })
    if (status !== 200) throw new Error(text)
    return rig
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await this.app.work.close()
    this.app.authority.close()
    this.app.recogniser.close()
    await this.app.store.close()
    await this.simulator.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get store() {
    return this.app.store.of(this.companyId)
  }

  /** Moves the clock to a day, in the morning in Madrid. */
  goTo(day: string, time?: string): void {
    this.now = at(day, time)
  }

  async http(method: string, path: string, body?: unknown): Promise<Answered> {
    const { port } = this.#server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1.1${path}`, {
      method,
      headers: { 'X-API-Key': this.#key, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }

  /** Runs a command of the administrator, at the time of the tests. */
  async admin(...args: readonly string[]): Promise<Ran> {
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => this.now)
    let out = ''
    let err = ''
    try {
      const status = await run([...args, '--company', this.companyId], {
        env: {
          CUADRA_DATA_DIR: this.#folder,
          ...(this.#databaseUrl ? { CUADRA_DATABASE_URL: this.#databaseUrl } : {}),
        },
        out: (text) => {
          out += text
        },
        err: (text) => {
          err += text
        },
        input: async function* () {},
      })
      return { status, out, err, json: args.includes('--json') && status === 0 ? JSON.parse(out) : null }
    } finally {
      clock.mockRestore()
    }
  }

  /** Issues an invoice of one line at 21 %, under cash basis unless it says another key. Answers its id. */
  async issue(
    base: number,
    { key = CASH, more = {} }: { key?: string; more?: object } = {},
  ): Promise<string> {
    const tax = Math.round(base * 21) / 100
    const body = draft({
      invoice: {
        lines: [
          {
            item_description: 'Servicio',
            quantity: 1,
            unit_price_without_tax: base,
            tax_output_rate: 21,
            tax_regime_key: key,
          },
        ],
        totals: { total_gross_amount_before_taxes: base, total_tax_outputs: tax, invoice_total: base + tax },
        ...more,
      },
    })
    const saved = await this.http('PUT', '/drafts', body)
    const answer = await this.http('POST', `/issued-invoices/${saved.json.id}/issue`)
    if (answer.status !== 200) throw new Error(`${saved.text} ${answer.text}`)
    return saved.json.id
  }

  /** Registers a supplier's invoice; answers its id. */
  async receive(
    number: string,
    base: number,
    { key = CASH, date }: { key?: string; date?: string } = {},
  ): Promise<string> {
    const tax = Math.round(base * 21) / 100
    const body = received({
      taxId: TAX_ID,
      number,
      date: date ?? this.app.clock.today(),
      invoice: {
        lines: [
          {
            item_description: 'Material',
            quantity: 1,
            unit_price_without_tax: base,
            tax_output_rate: 21,
            tax_regime_key: key,
          },
        ],
        totals: { total_gross_amount_before_taxes: base, total_tax_outputs: tax, invoice_total: base + tax },
      },
    })
    const saved = await this.http('PUT', '/received-invoices', body)
    if (!saved.json?.success) throw new Error(saved.text)
    return saved.json.id
  }

  collect(invoice: string, amount: string, date = this.app.clock.today(), method = '04') {
    return this.#note('collection', invoice, amount, date, method)
  }

  pay(invoice: string, amount: string, date = this.app.clock.today(), method = '04') {
    return this.#note('payment', invoice, amount, date, method)
  }

  #note(what: string, invoice: string, amount: string, date: string, method: string): Promise<Ran> {
    const given = ['--invoice', invoice, '--amount', amount, '--date', date, '--method', method]
    return this.admin(what, 'add', ...given, '--json')
  }

  sending(): Sending {
    return { app: this.app, wire: siiWireOf(this.app), owner: this.app.owner }
  }

  step(): Promise<Step> {
    return step(this.sending(), this.companyId)
  }

  /** What the server does by itself: writes down what accrued, and sends until nothing waits or goes now. */
  async work({ most = 60 }: { readonly most?: number } = {}): Promise<Step> {
    await accrueAll(this.app)
    let last: Step = { is: 'idle' }
    for (let steps = 0; steps < most; steps++) {
      last = await this.step()
      if (last.is !== 'done') return last
    }
    throw new Error(`something still goes after ${most} steps`)
  }

  /** Works until nothing waits, moving the clock to whenever something may go. */
  async drain(most = 30): Promise<void> {
    for (let steps = 0; steps < most; steps++) {
      const last = await this.work()
      if (last.is === 'idle') return
      if (last.is === 'later') this.now = Math.max(last.at, this.now + 1)
      else this.now += 1000
    }
    throw new Error('the line does not come to rest')
  }

  movements() {
    return this.store
      .select('sii_movements')
      .selectAll()
      .where('status', '<>', 'withdrawn')
      .orderBy('date')
      .orderBy('created_at')
      .execute()
  }

  submissions() {
    return this.store.select('sii_submissions').selectAll().orderBy('created_at').execute()
  }

  /** What the authority holds of collections (`ISSUED`) or payments (`RECEIVED`). */
  held(book: 'ISSUED' | 'RECEIVED'): readonly Stored[] {
    const operation = book === 'ISSUED' ? 'COBROS' : 'PAGOS'
    return this.simulator.control
      .records({ taxpayer: TAX_ID })
      .filter((record) => record.operation === operation && record.state !== 'Incorrecto')
      .map(({ value }) => {
        const { IDFactura, Cobros, Pagos } = JSON.parse(value)
        const [{ Fecha, Importe, Medio }] = Cobros?.Cobro ?? Pagos.Pago
        return {
          number: IDFactura.NumSerieFacturaEmisor,
          date: Fecha.split('-').reverse().join('-'),
          amount: Importe,
          means: Medio,
        }
      })
  }
}
