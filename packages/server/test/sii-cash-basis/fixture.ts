/**
 * A company under cash basis in the SII: HTTP, administrator commands and a simulator, on one clock that tests move.
 */

import { once } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { type Simulator, startSimulator } from 'cuadra-simulator/index.ts'
import { vi } from 'vitest'
import type { Commanded } from '#test/conformance/administrator.ts'
import type { Answered as WholeAnswer } from '#test/conformance/harness.ts'
import { draft, received } from '#test/conformance/invoices.ts'
import { portOf } from '#test/narrow.ts'
import { run } from '../../admin/commands/admin-run.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createKey } from '../../src/service/access/api-keys.ts'
import { registerAllAccruals } from '../../src/service/sii/cash-basis/accruals.ts'
import type { Sending, Step } from '../../src/service/sii/sending/sii-sender.ts'
import { siiWireOf } from '../../src/service/sii/sending/sii-sender.ts'
import { Fixture, TAX_ID } from '../service/transmission/fixture.ts'
import { record, recordedWire } from '../service/transmission/recorder.ts'
import { SII } from '../service/transmission/sii/fixture.ts'

const ENROLLED = {
  enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01', environment: 'test' }],
}
const CASH = '07'

const at = (day: string, time = '10:00:00'): number => Date.parse(`${day}T${time}+01:00`)

/** Line and totals of an invoice at 21 %. */
function oneLine(item_description: string, base: number, tax_regime_key: string) {
  const tax = Math.round(base * 21) / 100
  const price = { quantity: 1, unit_price_without_tax: base, tax_output_rate: 21 }
  return {
    lines: [{ item_description, ...price, tax_regime_key }],
    totals: { total_gross_amount_before_taxes: base, total_tax_outputs: tax, invoice_total: base + tax },
  }
}

type Answered = Pick<WholeAnswer, 'status' | 'json' | 'text'>

export interface Ran extends Pick<Commanded, 'json'> {
  readonly status: number
  readonly out: string
  readonly err: string
}

export interface Stored {
  readonly number: string
  readonly date: string
  readonly amount: string
  readonly means: string
}

export interface Options {
  /** First day of the clock. */
  readonly day?: string
  readonly databaseUrl?: string
  /** Members of `company.json`. */
  readonly company?: Readonly<Record<string, unknown>>
}

export class CashBasisFixture extends Fixture<typeof SII> {
  simulator!: Simulator
  #key!: string
  #server!: Server
  #databaseUrl: string | undefined

  static async open({ day = '2026-02-02', databaseUrl, company }: Options = {}): Promise<CashBasisFixture> {
    const fixture = new CashBasisFixture(SII)
    fixture.now = at(day)
    fixture.#databaseUrl = databaseUrl
    fixture.simulator = await startSimulator({
      dataDir: join(fixture.folder, 'authority'),
      clock: () => fixture.now,
      onError: (error) => {
        throw error
      },
    })
    const { url, caFile } = fixture.simulator
    await fixture.start({
      databaseUrl,
      settings: { CUADRA_AEAT_SII_URL: url, CUADRA_AEAT_CA_FILE: caFile },
      company: { cash_basis: [{ start_date: '2026-01-01' }], sii: ENROLLED, ...company },
    })
    await fixture.certify()
    const { app, store } = fixture
    const { key } = await store.transaction((tx) => createKey(tx, { scopes: ['*'] }, app.clock.stamp()))
    fixture.#key = key
    fixture.#server = createHttpServer(app).listen(0, '127.0.0.1')
    await once(fixture.#server, 'listening')
    const { status, text } = await fixture.http('PUT', '/sii/config', { auto_submit: true })
    if (status !== 200) throw new Error(text)
    return fixture
  }

  override async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await this.simulator.close()
    await super.close()
  }

  /** Moves the clock to the morning of a day in Madrid. */
  goTo(day: string, time?: string): void {
    this.now = at(day, time)
  }

  async http(method: string, path: string, body?: unknown): Promise<Answered> {
    const port = portOf(this.#server)
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1.1${path}`, {
      method,
      headers: { 'X-API-Key': this.#key, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    record(`${method} ${path} responds ${answer.status}`, text)
    return {
      status: answer.status,
      text,
      json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }

  /** Runs a command of the administrator at the fixture's time. */
  async admin(...args: readonly string[]): Promise<Ran> {
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => this.now)
    let out = ''
    let err = ''
    try {
      const status = await run([...args, '--company', this.company.id], {
        env: {
          CUADRA_DATA_DIR: this.folder,
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
      record(`admin ${args.join(' ')} ends with ${status}`, `${out}${err}`)
      return { status, out, err, json: args.includes('--json') && status === 0 ? JSON.parse(out) : null }
    } finally {
      clock.mockRestore()
    }
  }

  /** Issues an invoice of one line at 21 %, under cash basis unless another key is given. Returns its id. */
  async issueFor(
    base: number,
    { key = CASH, more = {} }: { key?: string; more?: object } = {},
  ): Promise<string> {
    const body = draft({ invoice: { ...oneLine('Servicio', base, key), ...more } })
    const saved = await this.http('PUT', '/drafts', body)
    const answer = await this.http('POST', `/issued-invoices/${saved.json.id}/issue`)
    if (answer.status !== 200) throw new Error(`${saved.text} ${answer.text}`)
    return saved.json.id
  }

  /** Registers a supplier's invoice; returns its id. */
  async receive(
    number: string,
    base: number,
    { key = CASH, date, more = {} }: { key?: string; date?: string; more?: object } = {},
  ): Promise<string> {
    const body = received({
      taxId: TAX_ID,
      number,
      date: date ?? this.app.clock.today(),
      invoice: { ...oneLine('Material', base, key), ...more },
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
    return { app: this.app, wire: recordedWire(siiWireOf(this.app)), owner: this.app.owner }
  }

  /** Runs the background work of the server: registers accruals, and sends until nothing is pending or due. */
  async work({ most = 60 }: { readonly most?: number } = {}): Promise<Step> {
    await registerAllAccruals(this.app)
    let last: Step = { is: 'idle' }
    for (let steps = 0; steps < most; steps++) {
      last = await this.step()
      if (last.is !== 'done') return last
    }
    throw new Error(`something still goes after ${most} steps`)
  }

  /** Sends until nothing is pending, moving the clock to when the next message may be sent. */
  override async drain(): Promise<Step[]> {
    for (let steps = 0; steps < 30; steps++) {
      const last = await this.work()
      if (last.is === 'idle') return [last]
      this.now = last.is === 'later' ? Math.max(last.at, this.now + 1) : this.now + 1000
    }
    throw new Error('something still waits')
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

  /** Returns the collections (`ISSUED`) or payments (`RECEIVED`) that the authority has. */
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
