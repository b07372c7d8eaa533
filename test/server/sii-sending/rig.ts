/** A company that reports through the SII, with a clock that tests move, in this process: no server, no wire. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { deleteReceived, saveReceived } from '../../../src/server/service/received/received.ts'
import { judgeReceived } from '../../../src/server/service/received/verdict.ts'
import type { Sending, Step } from '../../../src/server/service/sii/sending/sender.ts'
import { sendAgain, sendNow, step } from '../../../src/server/service/sii/sending/sender.ts'
import { pendingOf, siiStatusOf } from '../../../src/server/service/sii/sii.ts'
import { openDatabase, type SimulatorDatabase } from '../../../src/simulator/database.ts'
import { type Document, draft, received } from '../../conformance/invoices.ts'
import { Authority } from './authority.ts'

export const MORNING = Date.UTC(2026, 10, 20, 9)
const TAX_ID = 'B77777779'
let certificate: ReturnType<typeof demonstrationCertificate> | undefined

const ENROLLED = { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] }

export interface RigOptions {
  readonly auto?: boolean
  readonly certified?: boolean
  readonly company?: Readonly<Record<string, unknown>>
}

export class Rig {
  now = MORNING
  readonly authority: Authority
  readonly app: App
  readonly call: Call
  readonly #folder: string
  readonly #simulated: SimulatorDatabase

  private constructor(app: App, call: Call, folder: string, simulated: SimulatorDatabase) {
    this.app = app
    this.call = call
    this.#folder = folder
    this.#simulated = simulated
    this.authority = new Authority(simulated, TAX_ID, () => this.now)
  }

  static async open({ auto = true, certified = true, company: other = {} }: RigOptions = {}): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), 'cuadra-sii-'))
    const config = readConfig({ CUADRA_DATA_DIR: folder, CUADRA_LOG_LEVEL: 'silent' })
    let rig: Rig | undefined
    const clock = createClock(() => rig?.now ?? MORNING)
    const app: App = { ...(await openApp(config)), clock }
    const data = readCompany({
      legal_name: 'Empresa de Pruebas, S.L.',
      tax_id: TAX_ID,
      person_type_code: 'J',
      verified: true,
      address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
      sii: ENROLLED,
      ...other,
    })
    const company = await app.store.transaction((tx) => insertCompany(tx, data, clock.stamp()))
    const call = {
      app,
      requestId: 'test',
      locale: 'en',
      company,
      store: app.store.of(company.id),
      keyId: 'test',
      size: 1000,
      idempotencyKey: undefined,
    } as const
    rig = new Rig(app, call, folder, await openDatabase(join(folder, 'simulator')))
    if (certified) await rig.certify()
    const updated_at = clock.stamp()
    await call.store.transaction((tx) => tx.insert('sii_config', { auto_submit: auto ? 1 : 0, updated_at }))
    return rig
  }

  async certify(): Promise<void> {
    // Its key takes a while: made once.
    certificate ??= demonstrationCertificate(this.app, TAX_ID, 'Empresa de Pruebas, S.L.')
    const file = await certificate
    await this.call.store.transaction((tx) => addCertificate(tx, this.app, { ...file, purpose: 'general' }))
  }

  async close(): Promise<void> {
    await this.app.work.close()
    await this.app.store.close()
    this.#simulated.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  sending(owner = 'one'): Sending {
    return { app: this.app, wire: this.authority.wire, owner }
  }

  step(owner?: string): Promise<Step> {
    return step(this.sending(owner), this.call.company.id)
  }

  sendNow(invoiceId?: string) {
    return sendNow(this.sending(), this.call.company.id, invoiceId)
  }

  sendAgain(invoiceId: string): Promise<void> {
    return sendAgain(this.app, this.call.store, invoiceId)
  }

  /** Issues so many invoices; answers their ids. */
  async issue(count = 1, invoice: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const sent = draft({ invoice })
      const judged = judgeAtOnce(this.call, sent, 'draft', { totals: 'check' })
      const saved = await this.call.store.transaction((tx) => saveDraft(tx, this.call, sent, judged as never))
      const id = saved.id as string
      await this.call.store.transaction((tx) => issueInvoice(tx, this.call, id, undefined))
      ids.push(id)
    }
    return ids
  }

  cancel(id: string): Promise<unknown> {
    return this.call.store.transaction((tx) => cancelInvoice(tx, this.call, id))
  }

  /** Registers an invoice of a supplier, or writes over the one with an id. */
  async buy(
    options: Partial<Parameters<typeof received>[0]> & { readonly receiptDate?: string } = {},
    id?: string,
  ): Promise<string> {
    const { receiptDate, ...rest } = options
    const sent: Document = received({ taxId: TAX_ID, number: 'R-1', date: '2026-11-18', ...rest })
    if (receiptDate) sent.invoice.issue_data.receipt_date = receiptDate
    return this.call.store.transaction(async (tx) => {
      const judged = await judgeReceived(tx, this.call, sent)
      const saved = await saveReceived(tx, this.call, sent, judged, id)
      if (!saved.success) throw new Error(JSON.stringify(saved.errors))
      return saved.id as string
    })
  }

  discard(id: string): Promise<void> {
    return this.call.store.transaction((tx) => deleteReceived(tx, this.call, id))
  }

  /** Sends until nothing waits, moving the clock to whenever something may go. */
  async drain(owner?: string, most = 100): Promise<void> {
    for (let steps = 0; steps < most; steps++) {
      const next = await this.step(owner)
      if (next.is === 'idle') return
      if (next.is === 'busy') this.now += 1000
      if (next.is === 'later') this.now = Math.max(next.at, this.now + 1)
    }
    throw new Error(`the line is not empty after ${most} steps: ${JSON.stringify(await this.states())}`)
  }

  records() {
    return this.call.store.select('sii_records').selectAll().orderBy('created_at').execute()
  }

  async states(): Promise<string[]> {
    return (await this.records()).map(({ status }) => status)
  }

  async status(id: string, locale: 'en' | 'es' = 'en') {
    const [one] = await siiStatusOf({ ...this.call, locale }, id)
    if (!one) throw new Error(`${id} is in no book`)
    return one
  }

  pending() {
    return pendingOf(this.call, 1000)
  }

  submissions() {
    return this.call.store
      .select('sii_submissions')
      .selectAll()
      .orderBy('created_at')
      .orderBy('public_id')
      .execute()
  }

  numberOf(id: string): Promise<string> {
    return this.call.store
      .select('invoices')
      .select('number')
      .where('invoice_id', '=', id)
      .executeTakeFirstOrThrow()
      .then(({ number }) => number ?? '')
  }

  queue() {
    return this.call.store.select('sii_queues').selectAll().executeTakeFirstOrThrow()
  }
}
