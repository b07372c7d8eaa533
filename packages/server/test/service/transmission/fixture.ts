/**
 * A company that sends to the tax authority, in this process, on a clock that tests move: the fixture of all senders. A
 * `Channel` has what differs between them, such as the authority.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import { draft } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import type { App } from '../../../src/app/app.ts'
import { openApp } from '../../../src/app/open.ts'
import { createClock } from '../../../src/environment/clock.ts'
import { readConfig } from '../../../src/environment/config.ts'
import type { Call } from '../../../src/service/access/call.ts'
import { addCertificate } from '../../../src/service/company/certificates.ts'
import { insertCompany } from '../../../src/service/company/company.ts'
import { readCompany } from '../../../src/service/company/company-files.ts'
import { validateOnEventLoop } from '../../../src/service/invoice/validate-sent.ts'
import { cancelInvoice } from '../../../src/service/issued/cancel.ts'
import { saveDraft } from '../../../src/service/issued/drafts.ts'
import { issueInvoice } from '../../../src/service/issued/issue.ts'
import { type CompanyStore, DATABASE_FILE, openStore } from '../../../src/store/store.ts'
import type { Purpose } from '../../../src/store/tables.ts'
import { followLedgers, leaveLedgers, recordedLog, recordedStep } from './recorder.ts'

export const MORNING = Date.UTC(2026, 10, 20, 9)
export const TAX_ID = 'B77777779'
const NAME = 'Empresa de Pruebas, S.L.'
const PASSWORD = 'prueba'

type Step =
  | { readonly is: 'idle' | 'busy' | 'done' }
  | { readonly is: 'later'; readonly at: number; readonly blocked?: { readonly reason: string } }

/** What differs between the channels. */
export interface Channel {
  readonly purpose: Purpose
  readonly step: (sending: never, companyId: string, urgent: boolean) => Promise<Step>
  readonly records: (store: CompanyStore) => Promise<object[]>
  readonly stateOf: (record: never) => string
  readonly submissions: (store: CompanyStore) => Promise<object[]>
  readonly queue: (store: CompanyStore) => Promise<object>
}
export type SendingOf<C extends Channel> = Parameters<C['step']>[0]
type StepOf<C extends Channel> = Awaited<ReturnType<C['step']>>

let certificate: Promise<Uint8Array> | undefined

/** Opens an application on a clock, and records its log. */
export async function openAppOn(
  now: () => number,
  databaseUrl: string | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<App> {
  const opened = await openApp(
    readConfig({
      CUADRA_LOG_LEVEL: 'silent',
      ...settings,
      ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
    }),
  )
  return { ...opened, clock: createClock(now), log: recordedLog(opened.log) }
}

export async function closeApp(app: App): Promise<void> {
  app.authority.close()
  app.recogniser.close()
  await app.work.close()
  await app.store.close()
}

/** Inserts the fixture's company, with some members of `company.json` replaced. */
export function insertTaxpayer(app: App, members: Readonly<Record<string, unknown>>) {
  const data = readCompany({
    legal_name: NAME,
    tax_id: TAX_ID,
    person_type_code: 'J',
    verified: true,
    address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
    ...members,
  })
  return app.store.transaction((tx) => insertCompany(tx, data, app.clock.stamp()))
}

/** A company and its operations, independent of store and authority. */
export abstract class Taxpayer<C extends Channel> {
  abstract readonly app: App
  abstract readonly company: Call['company']
  abstract now: number
  readonly channel: C

  constructor(channel: C) {
    this.channel = channel
  }

  abstract sending(owner?: string): SendingOf<C>

  /** Milliseconds that the sender's clock is ahead. */
  get skew(): number {
    return 0
  }

  get store(): CompanyStore {
    return this.app.store.of(this.company.id)
  }

  get call(): Call {
    const { app, company, store } = this
    const constants = { requestId: 'test', locale: 'en', keyId: 'test', size: 1000 } as const
    return { app, company, store, idempotencyKey: undefined, ...constants }
  }

  /** Adds the certificate of the tests, generated once since its key is slow to make. */
  async certify(): Promise<void> {
    certificate ??= createSelfSignedCertificate({
      name: NAME,
      taxId: TAX_ID,
      // Valid by the machine's clock and by the clocks of all tests.
      from: new Date('2025-01-01'),
      until: new Date('2035-01-01'),
      password: PASSWORD,
    })
    const file = { p12: await certificate, password: PASSWORD, purpose: this.channel.purpose }
    await this.store.transaction((tx) => addCertificate(tx, this.app, file))
  }

  step(owner?: string, urgent = false): Promise<StepOf<C>> {
    const { channel, company } = this
    const step = () => channel.step(this.sending(owner), company.id, urgent)
    return recordedStep(owner, step) as Promise<StepOf<C>>
  }

  /** Issues a number of invoices; returns their ids. */
  async issue(count = 1, series = 'F', invoice: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
    const { call, store } = this
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const sent = draft({ series, invoice })
      const validated = validateOnEventLoop(call, sent, 'draft', { totals: 'check' })
      const saved = await store.transaction((tx) => saveDraft(tx, call, sent, validated as never))
      const id: string = saved.id
      await store.transaction((tx) => issueInvoice(tx, call, id, undefined))
      ids.push(id)
    }
    return ids
  }

  cancel(id: string): Promise<unknown> {
    return this.store.transaction((tx) => cancelInvoice(tx, this.call, id))
  }

  /**
   * Sends until nothing is pending, moving the clock to when the next message may be sent. Returns the results of all
   * steps.
   */
  async drain(owner?: string, after?: (next: StepOf<C>) => Promise<void>): Promise<StepOf<C>[]> {
    const steps: StepOf<C>[] = []
    while (steps.length < 200) {
      const next = await this.step(owner)
      steps.push(next)
      await after?.(next)
      if (next.is === 'idle') return steps
      if (next.is === 'busy') this.now += 1000
      if (next.is === 'later') this.now = Math.max(next.at - this.skew, this.now + 1)
    }
    throw new Error(`something still waits after ${steps.length} steps: ${JSON.stringify(steps.slice(-3))}`)
  }

  records(): ReturnType<C['records']> {
    return this.channel.records(this.store) as ReturnType<C['records']>
  }

  async states(): Promise<string[]> {
    return ((await this.records()) as never[]).map(this.channel.stateOf)
  }

  submissions(): ReturnType<C['submissions']> {
    return this.channel.submissions(this.store) as ReturnType<C['submissions']>
  }

  queue(): ReturnType<C['queue']> {
    return this.channel.queue(this.store) as ReturnType<C['queue']>
  }
}

/** Returns an embedded database with empty tables: opening a copy takes a tenth of the time. */
let empty: Promise<Buffer> | undefined
async function emptyDatabase(): Promise<Buffer> {
  const dataDir = temporaryFolder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await store.close()
  const bytes = readFileSync(join(dataDir, DATABASE_FILE))
  rmSync(dataDir, { recursive: true, force: true })
  return bytes
}

export interface StartOptions {
  readonly databaseUrl?: string | undefined
  /** Members of `company.json`. */
  readonly company?: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, string>>
}

/** An application with one company. */
export abstract class Fixture<C extends Channel> extends Taxpayer<C> {
  override now = MORNING
  override app!: App
  override company!: Call['company']
  readonly folder = temporaryFolder()

  /** Opens the application and inserts the company. */
  protected async start({ databaseUrl, company = {}, settings = {} }: StartOptions): Promise<void> {
    empty ??= emptyDatabase()
    if (!databaseUrl) writeFileSync(join(this.folder, DATABASE_FILE), await empty, { mode: 0o600 })
    this.app = await openAppOn(() => this.now, databaseUrl, { CUADRA_DATA_DIR: this.folder, ...settings })
    this.company = await insertTaxpayer(this.app, company)
    followLedgers(this, () => [this.store])
  }

  async close(): Promise<void> {
    await leaveLedgers(this)
    await closeApp(this.app)
    rmSync(this.folder, { recursive: true, force: true })
  }
}
