/** A company that sends, with a clock that tests move, in this process: no server, no wire. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { activateVerifactu } from '../../../src/server/service/verifactu/config.ts'
import type { Sending, Step } from '../../../src/server/service/verifactu/sending/sender.ts'
import { step } from '../../../src/server/service/verifactu/sending/sender.ts'
import { DATABASE_FILE, openStore } from '../../../src/server/store/store.ts'
import { draft } from '../../conformance/invoices.ts'
import { FakeAuthority } from './fake-authority.ts'

export const MORNING = Date.UTC(2026, 10, 20, 9)

const TAX_ID = 'B77777779'
let certificate: ReturnType<typeof demonstrationCertificate> | undefined

/** An embedded database with all tables and no rows: a copy of it is opened in a tenth of the time. */
let empty: Promise<Buffer> | undefined
async function emptyDatabase(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cuadra-empty-'))
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await store.close()
  const bytes = readFileSync(join(dataDir, DATABASE_FILE))
  rmSync(dataDir, { recursive: true, force: true })
  return bytes
}

export class Rig {
  now = MORNING
  readonly authority = new FakeAuthority(() => this.now)
  readonly app: App
  readonly call: Call
  readonly #folder: string

  private constructor(app: App, call: Call, folder: string) {
    this.app = app
    this.call = call
    this.#folder = folder
  }

  /** A company with a certificate and an open period. */
  static async open(databaseUrl?: string, mode: 'verifactu' | 'no_verifactu' = 'verifactu'): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), 'cuadra-sending-'))
    empty ??= emptyDatabase()
    if (!databaseUrl) writeFileSync(join(folder, DATABASE_FILE), await empty, { mode: 0o600 })
    const config = readConfig({
      CUADRA_DATA_DIR: folder,
      CUADRA_LOG_LEVEL: 'silent',
      ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
    })
    let rig: Rig | undefined
    const clock = createClock(() => rig?.now ?? MORNING)
    const app: App = { ...(await openApp(config)), clock }
    const data = readCompany({
      legal_name: 'Empresa de Pruebas, S.L.',
      tax_id: TAX_ID,
      person_type_code: 'J',
      verified: true,
      address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
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
    // Its key takes a while: made once.
    certificate ??= demonstrationCertificate(app, TAX_ID, data.legal_name)
    const file = await certificate
    await call.store.transaction((tx) => addCertificate(tx, app, { ...file, purpose: 'verifactu' }))
    await call.store.transaction((tx) => activateVerifactu(tx, call, { mode, sandbox: true }))
    rig = new Rig(app, call, folder)
    return rig
  }

  async close(): Promise<void> {
    await this.app.work.close()
    await this.app.store.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  sending(owner = 'one'): Sending {
    return { app: this.app, wire: this.authority.wire, owner }
  }

  step(owner?: string, urgent = false): Promise<Step> {
    return step(this.sending(owner), this.call.company.id, 'test', { urgent })
  }

  /** Issues so many invoices; answers their ids. */
  async issue(count = 1, series = 'F', invoice: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const sent = draft({ series, invoice })
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

  /** Sends until nothing waits, moving the clock to whenever something may go. */
  async drain(owner?: string, most = 200): Promise<void> {
    for (let steps = 0; steps < most; steps++) {
      const next = await this.step(owner)
      if (next.is === 'idle') return
      if (next.is === 'busy') this.now += 1000
      if (next.is === 'later') this.now = Math.max(next.at, this.now + 1)
    }
    throw new Error(`the queue is not empty after ${most} steps: ${JSON.stringify(await this.states())}`)
  }

  records() {
    return this.call.store.select('verifactu_records').selectAll().orderBy('sequence').execute()
  }

  async states(): Promise<string[]> {
    return (await this.records()).map(({ estado }) => estado)
  }

  submissions() {
    return this.call.store
      .select('verifactu_submissions')
      .selectAll()
      .orderBy('created_at')
      .orderBy('submission_id')
      .execute()
  }

  queue() {
    return this.call.store.select('verifactu_queues').selectAll().executeTakeFirstOrThrow()
  }
}
