/** Runs a story in a world, and checks after each step what must hold. */

import { createHash } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import { ACTIONS } from './actions.ts'
import { did } from './acts.ts'
import { answer, isCancelledHereOnly, MADRID } from './administrator.ts'
import { Killed, NETWORK } from './faults.ts'
import {
  type Company,
  checkAuthority,
  checkBooks,
  checkChain,
  checkList,
  checkMails,
  checkNumbers,
  checkRequests,
  checkShown,
  checkStored,
  checkTotal,
  type Given,
  give,
  type Invoice,
  isEnrolled,
  madrid,
  must,
  type RecordRow,
  recordsOf,
  type Shown,
  siiOf,
  systemOf,
  Violation,
} from './model.ts'
import type { Dice, Step } from './story.ts'
import { context, time } from './virtual.ts'
import {
  type Answer,
  CERTIFICATES,
  type Kill,
  LAST_CERTIFICATE,
  type Process,
  type Stored,
  TAX_IDS,
  World,
} from './world.ts'

/** 7 January 2026, 09:00 in Madrid. */
export const BEGIN = Date.UTC(2026, 0, 7, 8)
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

export type Outcome =
  | { readonly is: 'done'; readonly json: any }
  /** Refused: nothing was changed, by the response. */
  | { readonly is: 'refused'; readonly code: string; readonly json: any }
  /** No response, or one that does not know. */
  | { readonly is: 'unknown' }

export interface Request {
  readonly body?: unknown
  readonly once?: string | undefined
  readonly type?: string
  /** Codes of refusals that may come. */
  readonly may?: readonly string[]
}

/** Codes that any request may get while a fault lasts. */
const OF_FAULTS = ['insufficient_storage', 'service_unavailable', 'invoice_race_condition']

export interface Failure {
  readonly rule: string
  readonly message: string
  /** Number of the step; -1 for the end. */
  readonly at: number
}

export interface Result {
  readonly failure: Failure | null
  /** What happened in each step. */
  readonly lines: readonly string[]
  readonly digest: string
  readonly days: number
  readonly log: readonly string[] | undefined
}

export class Run {
  readonly world: World
  readonly companies: Company[] = []
  given: Given = { numbers: new Map(), series: new Map() }
  hasRestored = false
  /** Whether the clock was ever wrong: what depends on it may be refused. */
  wasSkewed = false
  /** The records seen so far, by company and sequence. */
  readonly #seen = new Map<string, Map<number, string>>()
  /** Invoices whose records the model reads instead of knowing them. */
  step!: Step
  /** Models of the companies as of each backup. */
  readonly saved: Company[][] = []
  #notes: string[] = []
  /** Counters of references and of keys. */
  refs = 0
  keys = 0

  constructor(world: World) {
    this.world = world
  }

  say(text: string): void {
    this.#notes.push(text)
  }

  /** Says what the company of the step does. */
  note(text: string): void {
    this.say(`company ${this.step.company} ${text}`)
  }

  /** Begins the planned period of a company once its day has come. */
  resolve(company: Company): void {
    if (company.planned && company.planned.from <= this.today) this.#begin(company)
  }

  #begin(company: Company): void {
    company.mode = company.planned?.mode ?? company.mode
    company.planned = null
    did('mode: planned change')
  }

  hasCertificate({ certifiedUntil }: Company): boolean {
    return certifiedUntil !== null && this.world.now < Date.parse(certifiedUntil)
  }

  /** Whether a record of a company can be signed, as it is without VERI*FACTU. */
  canSign(company: Company): boolean {
    return company.mode !== 'no_verifactu' || (this.hasCertificate(company) && this.world.hasKey)
  }

  /** Whether a record can be made: a chain belongs to one producer. */
  canRecord(company: Company): boolean {
    return !this.isOtherProducer(company) && this.canSign(company)
  }

  /** Whether another producer declares the system than the one of a company's records. */
  isOtherProducer({ mode, system }: Company): boolean {
    return mode !== 'none' && system !== null && system.producer !== this.world.system.producer
  }

  /** Notes the system of a company's chain, which its first record or event decides. */
  async noteSystem(company: Company): Promise<void> {
    const rows = await this.records(company)
    const last = rows.at(-1)?.record ?? (await this.world.lastEvent(company))
    if (!last || (company.system && company.chainStarts.includes(rows.length + 1))) return
    company.system = systemOf(last)
    company.systems.add(JSON.stringify(company.system))
  }

  get today(): string {
    return madrid(this.world.now)
  }

  /** Makes the record that an invoice lacks. Returns its type, or null if the command makes none. */
  async correct(company: Company, invoice: Invoice) {
    const { done, refusal } = await this.world.correct(company, invoice.id)
    if (!done) return { made: null, text: `no record of ${invoice.number} is made: ${refusal.slice(0, 120)}` }
    const type = done.tipo
    must(
      'a command acts on the invoice, not on its last record',
      type === (invoice.status === 'cancelled' ? 'anulacion' : 'alta'),
      () => `${invoice.number} is ${invoice.status}, and got the record ${type}`,
    )
    invoice.records.push({ type, mode: company.mode })
    if (type === 'anulacion') invoice.isMissing = false
    return { made: type, text: `the administrator makes the record ${type} of ${invoice.number}` }
  }

  /** Starts the server anew with another configuration. */
  async restart(change: Partial<Pick<World, 'system' | 'hasKey'>>): Promise<void> {
    const { world } = this
    const count = Math.max(1, world.processes.length)
    for (const process of [...world.processes]) await world.stop(process)
    Object.assign(world, change)
    for (let at = 0; at < count; at++) await world.start()
  }

  /** Runs a command of the administrator, which may be killed. Returns whether it ended. */
  async command(work: (killIn: Kill | null) => Promise<unknown>): Promise<boolean> {
    try {
      await work(this.step?.kill && { ...this.step.kill, at: 'any' })
      return true
    } catch (error) {
      if (error instanceof Killed) return false
      throw error
    }
  }

  /** Issues with a key, whose responses can be asked for again. */
  readonly issues: {
    readonly company: string
    readonly path: string
    readonly once: string
    readonly number: string
    readonly at: number
  }[] = []

  /** Invoices that a mail may still set to `sent`. */
  readonly mailed = new Set<string>()

  /** Keeps the model, as of a backup. */
  save(): void {
    this.saved.push(structuredClone(this.companies))
  }

  /** Goes back to the model of a backup. What customers and the authority have stays. */
  restoring(from: number): void {
    this.hasRestored = true
    this.issues.length = 0
    this.#seen.clear()
    const before = structuredClone(required(this.saved[from]))
    for (const [at, company] of before.entries()) {
      company.hasSkipped = true
      // Mails that were sent since are known to have arrived; those in between are not sent again.
      const mails = this.companies[at]?.mails ?? []
      this.companies[at] = { ...company, mails }
    }
  }

  /** The hash of a file. */
  async bytes(company: Company, path: string): Promise<string> {
    for (let tries = 0; tries < 12; tries++) {
      const received = await this.world.send(await this.server(), {
        method: 'GET',
        path: `/api/v1.1${path}`,
        headers: { Host: 'simulated', 'X-API-Key': company.key },
      })
      if (received?.status === 200) return createHash('sha256').update(received.body).digest('hex')
      await time.pass(3000)
    }
    throw new Violation('everything can be read', path)
  }

  async #createCompanies(hasSignatures: boolean): Promise<void> {
    for (const taxId of TAX_IDS) {
      const key = await this.world.addCompany(taxId)
      // The last company has no certificate yet.
      const certifiedUntil = taxId === TAX_IDS.at(-1) ? null : CERTIFICATES[0]
      if (certifiedUntil) await this.world.addCertificate(key, certifiedUntil)
      this.companies.push({
        ...key,
        ...{
          mode: 'none',
          planned: null,
          system: null,
          systems: new Set(),
          chainStarts: [],
          certifiedUntil,
          isActive: true,
          receivedAtMost: null,
        },
        ...{ province: '28', taxGroup: 'IVA', requests: new Map(), stored: new Map() },
        // The last company reports to the SII.
        sii:
          taxId === TAX_IDS.at(-1)
            ? { periods: [{ start_date: '2026-01-01', end_date: null }], isInPlan: true }
            : null,
        invoices: new Map(),
        received: new Map(),
        mails: [],
        hasSkipped: false,
      })
    }
    const reporting = required(this.companies.at(-1))
    await this.world.reportToSii(reporting)
    await this.world.updateCompany(reporting, {
      cash_basis: [{ start_date: '2025-01-01', end_date: null }],
      ...siiOf(reporting),
    })
    // Signatures take most of the time of a simulation.
    const modes = ['verifactu', hasSignatures ? 'no_verifactu' : 'verifactu'] as const
    for (const [at, mode] of modes.entries()) {
      const company = required(this.companies[at])
      await this.world.changeMode(company, 'none', mode)
      company.mode = mode
    }
  }

  /** Creates the companies, or copies those that an earlier story began with. */
  static async begin(hasSignatures: boolean): Promise<Run> {
    const known = beginnings.get(hasSignatures)
    if (known) {
      time.reset(BEGIN, 1)
      const run = new Run(await World.open(known.database))
      run.companies.push(...structuredClone(known.companies))
      return run
    }
    time.reset(BEGIN - 3_600_000, 1)
    const run = new Run(await World.open())
    await run.#createCompanies(hasSignatures)
    beginnings.set(hasSignatures, { database: await run.world.database(), companies: run.companies })
    await run.world.close()
    return Run.begin(hasSignatures)
  }

  /** A process of the server that runs; starts one if none does. */
  async server(which = 0): Promise<Process> {
    const { world } = this
    for (let tries = 0; ; tries++) {
      const running = world.processes.filter(({ connections }) => connections)
      const own = running[which % Math.max(1, running.length)]
      if (own) return own
      world.startError = undefined
      await world.start()
      if (world.startError !== undefined && tries > 2)
        throw new Violation('a server starts', String((world.startError as Error).stack))
    }
  }

  /** Sends a request once. */
  async once(
    company: Company,
    method: string,
    path: string,
    request: Request = {},
    which = 0,
  ): Promise<Outcome> {
    const process = await this.server(which)
    const hasFault = process.database !== null || this.world.disk.isFull
    const answer = await this.world.call(process, company, method, path, request)
    return this.#outcomeOf(answer, `${method} ${path}`, request, hasFault)
  }

  #outcomeOf(answer: Answer | undefined, what: string, { may = [] }: Request, hasFault: boolean): Outcome {
    if (!answer) return { is: 'unknown' }
    const { status, json, code } = answer
    if (status < 400) return { is: 'done', json }
    if (code === 'outcome_unknown') return { is: 'unknown' }
    if (may.includes(code) || code === 'invoice_race_condition') return { is: 'refused', code, json }
    if (hasFault && (OF_FAULTS.includes(code) || code === 'internal_error')) {
      // A database that is broken in the middle of a statement is an unexpected error, after which nothing is known.
      return code === 'internal_error' ? { is: 'unknown' } : { is: 'refused', code, json }
    }
    throw new Violation('a response is expected', `${what}: ${status} ${JSON.stringify(json).slice(0, 600)}`)
  }

  /** Sends a request until its outcome is known. Without a key, a request without a response is not repeated. */
  async request(company: Company, method: string, path: string, request: Request = {}): Promise<Outcome> {
    for (let tries = 0; ; tries++) {
      const outcome = await this.once(company, method, path, request, this.step.dice[5])
      if (outcome.is !== 'unknown') return outcome
      if (request.once === undefined || tries > 8) return outcome
      await time.pass(3000)
    }
  }

  /** Reads something; a server that is not there, or has a fault, is asked again. */
  async read<Body>(company: Company, path: string): Promise<Body> {
    for (let tries = 0; tries < 12; tries++) {
      const outcome = await this.once(company, 'GET', path)
      if (outcome.is === 'done') return outcome.json
      await time.pass(3000)
    }
    throw new Violation('everything can be read', path)
  }

  /** Reads the status of an invoice that may or may not have been changed. */
  async learn(company: Company, invoice: Invoice, may: readonly Invoice['status'][]): Promise<void> {
    const shown = await this.read<Shown>(company, `/issued-invoices/${invoice.id}`)
    must(
      'an unknown outcome is one of the possible ones',
      may.includes(shown.status),
      () => `${invoice.ref} is ${shown.status}`,
    )
    this.#adopt(company, invoice, shown)
  }

  /** Takes over what the server says of an invoice. */
  adopt(company: Company, invoice: Invoice, shown: Shown): void {
    this.#adopt(company, invoice, shown)
  }

  #adopt(company: Company, invoice: Invoice, shown: Shown): void {
    const before = invoice.status
    const after = shown.status
    if (before === 'draft' && after !== 'draft') {
      invoice.number = shown.number
      invoice.date = shown.issue_date
      const dates = [this.today, madrid(this.world.now - HOUR_MS)]
      const last = this.#lastDate(company, invoice)
      must(
        'an invoice has the date of its issue',
        dates.includes(String(invoice.date)) || (last !== null && invoice.date === last),
        () => `${invoice.number} is of ${invoice.date}, on ${this.today}`,
      )
      this.resolve(company)
      if (company.mode !== 'none') invoice.records.push({ type: 'alta', mode: company.mode })
      invoice.isInBook = isEnrolled(company, this.today)
      give(this.given, company, invoice)
    }
    // A cancelled invoice has no collections. One of a day in a period of the SII may come into the book without amounts.
    if (before !== 'cancelled' && after === 'cancelled') {
      for (const one of invoice.payments) one.isCancelled = true
      if (!invoice.isInBook && isEnrolled(company, String(invoice.date))) invoice.isInBook = null
    }
    this.resolve(company)
    // A sent invoice is cancelled without a record, and one that was never registered needs none.
    if (before === 'issued' && after === 'cancelled' && invoice.records.length > 0) {
      // A worker may have sent its mail just before.
      const isUncertain = this.mailed.has(invoice.id)
      if (company.mode !== 'none' && this.canRecord(company)) {
        invoice.records.push({ type: 'anulacion', mode: company.mode })
        invoice.isLastRecordOptional = isUncertain
      } else {
        invoice.isMissing = isUncertain ? null : true
        did(
          company.mode === 'none'
            ? 'cancel without a period'
            : this.isOtherProducer(company)
              ? 'cancel with another producer'
              : this.world.hasKey
                ? 'cancel without a certificate'
                : 'cancel with a certificate that cannot be opened',
        )
      }
    }
    invoice.status = after
    checkShown(invoice, shown)
  }

  #lastDate(company: Company, invoice: Invoice): string | null {
    const dates = [...company.invoices.values()].flatMap((one) =>
      one.series === invoice.series && one.date !== null && one.id !== invoice.id ? [one.date] : [],
    )
    return dates.sort().at(-1) ?? null
  }

  /** Does what another kind of step does, for one that needs its result. */
  act(name: string, company: Company, dice: Dice): Promise<void> | undefined {
    return ACTIONS.get(name)?.run(this, company, dice)
  }

  /** Runs one step. */
  async run(step: Step): Promise<string> {
    this.step = step
    this.#notes = []
    time.chance = new (time.chance.constructor as new (seed: number) => typeof time.chance)(step.seed)
    time.leap(step.wait)
    await time.pass(4000)
    const [first] = this.world.processes
    if (first && step.kill !== null) first.killIn = { ...step.kill }
    const action = ACTIONS.get(step.act)
    if (!action) throw new Error(`unknown action ${step.act}`)
    const company = required(this.companies[step.company % this.companies.length])
    if (!company.isActive) await this.#activate(company)
    // While the clock was wrong, the day of a planned change may have begun for a time.
    if (company.planned && this.wasSkewed && (await this.world.plannedFor(company)) === null)
      this.#begin(company)
    this.resolve(company)
    await action.run(this, company, step.dice)
    await time.pass(3000)
    if (first && step.kill !== null) {
      if (first.isDead)
        this.say(
          `(${step.kill.isPowerFailure ? 'the power fails' : 'the server is killed'} after ${step.kill.after} operations${step.kill.at === 'any' ? '' : ` of the ${step.kill.at}`})`,
        )
      first.killIn = null
    }
    return this.#notes.join(' ') || step.act
  }

  /** Joins the SII, or joins it again. */
  async join(company: Company): Promise<void> {
    const { sii } = company
    const last = sii?.periods.at(-1)
    if (!sii || !last) return
    sii.isInPlan = true
    if (last.end_date !== null && last.end_date >= this.today) last.end_date = null
    else if (last.end_date !== null) sii.periods.push({ start_date: this.today, end_date: null })
    await this.world.updateCompany(company, siiOf(company))
  }

  /** What a period of the SII leaves pending is still sent. */
  async checkLeftPending(company: Company): Promise<void> {
    const { world } = this
    if (!this.hasCertificate(company) || company.receivedAtMost !== null || !company.isActive) return
    if (world.skew !== 0 || (await this.#pendingAtSii()).length === 0) return
    for (let rounds = 0; rounds < 30; rounds++) {
      await this.server()
      await time.pass(60_000)
      time.leap(10 * MINUTE_MS)
      const pending = await this.#pendingAtSii()
      if (pending.length === 0) return did('SII: the rest of a period is sent')
    }
    throw new Violation(
      'what a period of the SII leaves pending is sent',
      JSON.stringify(await this.#pendingAtSii()).slice(0, 1500),
    )
  }

  /** What the SII must still get. Payments of a rejected invoice wait for it. */
  #pendingAtSii(): Promise<unknown[]> {
    return this.world.rows(
      "select invoice_id, book_type, error_code from sii_records where status = 'pending' union all select invoice_id, kind, error_code from sii_movements m where status = 'pending' and not exists (select 1 from sii_records r where r.invoice_id = m.invoice_id and r.book_type = m.book_type and r.status = 'rejected')",
    )
  }

  /** A company that is not active has no access, and its data stays. */
  async #activate(company: Company): Promise<void> {
    const answer = await this.world.call(await this.server(), company, 'GET', '/drafts')
    must('an inactive company has no access', !answer || answer.status === 401, () => `${answer?.status}`)
    await this.world.updateCompany(company, { is_active: true })
    company.isActive = true
  }

  /** Checks what must hold of a company. */
  async check(company: Company, isOver = false): Promise<void> {
    const { world } = this
    await this.server()
    for (const process of world.processes) process.database = null
    world.disk.isFull = false
    const total = async (path: string) => (await this.read<{ total: number }>(company, path)).total
    const list = await this.read<{ items: Shown[]; total: number }>(company, '/issued-invoices?limit=500')
    for (const shown of list.items) {
      const invoice = company.invoices.get(shown.id)
      // A worker has sent a mail whose request had no response.
      if (invoice?.status === 'issued' && shown.status === 'sent' && this.mailed.has(shown.id))
        invoice.status = 'sent'
    }
    checkList(company, list)
    const count = (status: string) =>
      [...company.invoices.values()].filter((one) => one.status === status).length
    const statuses = ['draft', 'issued', 'sent', 'cancelled']
    const status = required(statuses[this.refs % 4])
    for (const one of isOver ? statuses : [status])
      checkTotal(one, await total(`/issued-invoices?limit=1&status=${one}`), count(one))
    checkTotal('drafts', await total('/drafts?limit=1'), count('draft'))
    checkTotal('received', await total('/received-invoices?limit=1'), company.received.size)
    checkNumbers(company)
    const rows = await this.records(company)
    const seen = this.#seen.get(company.id) ?? new Map<number, string>()
    this.#seen.set(company.id, seen)
    checkChain(company, rows, seen)
    await this.noteSystem(company)
    // Whether a mail was sent before the cancellation is known now.
    for (const invoice of company.invoices.values()) {
      if (!invoice.isLastRecordOptional) continue
      invoice.isLastRecordOptional = false
      const own = rows.filter(({ invoice_id }) => invoice_id === invoice.id)
      if (own.length < invoice.records.length) invoice.records.pop()
    }
    const received = world.authority.received.filter((one) => one.company === company.taxId)
    checkAuthority(company, rows, received, this)
    checkRequests(company, rows, world.authority.requested, this)
    checkStored(company, await this.#storedOf(company))
    checkMails(company, world.arrived, isOver)
  }

  /** What each issued invoice says, as stored. */
  #storedOf(company: Company): Promise<{ readonly invoice_id: string; readonly canonical: string }[]> {
    return this.world.rows(
      "select d.invoice_id, d.canonical from invoice_documents d join invoices i on i.company_id = d.company_id and i.invoice_id = d.invoice_id where d.company_id = ? and i.direction = 'issued' and i.status <> 'draft' and i.imported = 0",
      [company.id],
    )
  }

  records(company: Company): Promise<RecordRow[]> {
    return this.world.rows(
      'select sequence, invoice_id, tipo, estado, mode, huella, huella_anterior, record, num_serie from verifactu_records where company_id = ? order by sequence',
      [company.id],
    )
  }

  async verify(): Promise<void> {
    const found = await this.world.verify()
    for (const company of this.companies) {
      const all = found.get(company.id) ?? []
      const invoices = [...company.invoices.values()]
      const least = invoices.filter(({ isMissing }) => isMissing === true).length
      // The authority may have one as valid that was cancelled without VERI*FACTU.
      const uncertain = invoices.filter(
        ({ isMissing, status, records }) =>
          isMissing === null ||
          (status === 'cancelled' &&
            records.at(-1)?.mode === 'no_verifactu' &&
            records.some(({ mode }) => mode === 'verifactu')),
      ).length
      const missing = all.find(({ code }) => code === 'cancellation_missing')?.count ?? 0
      must(
        'verify finds each cancellation without its record',
        least <= missing && missing <= least + uncertain,
        () => `${missing} instead of ${least}`,
      )
      const failures = all
        .map(({ code, message }) => `${code}: ${message}`)
        .filter(
          (one) =>
            !one.startsWith('cancellation_missing') &&
            !(company.hasSkipped && /gap|next_number|missing_numbers/.test(one)) &&
            // With a wrong clock, an invoice issued without a period may seem to be of the next period.
            !(this.wasSkewed && one.startsWith('record_missing')),
        )
      must('verify finds nothing', failures.length === 0, () => failures.join('\n'))
    }
  }

  /** Ends all faults, and waits until nothing is to be done any more. */
  async calm(): Promise<void> {
    const { world } = this
    world.network = 'well'
    world.mailServer = 'well'
    world.disk.isFull = false
    world.skew = 0
    world.authority.codes.length = 0
    world.authority.books.codes.length = 0
    for (const process of world.processes) {
      process.database = null
      process.killIn = null
    }
    for (const company of this.companies) {
      if (company.certifiedUntil !== LAST_CERTIFICATE) {
        await world.addCertificate(company, LAST_CERTIFICATE)
        company.certifiedUntil = LAST_CERTIFICATE
      }
      await world.updateCompany(company, { is_active: true, operated_by_partner: true })
      Object.assign(company, { isActive: true, receivedAtMost: null })
      if (company.sii && !isEnrolled(company, this.today)) await this.join(company)
    }
    await this.server()
    for (let rounds = 0; rounds < 60; rounds++) {
      time.leap(10 * MINUTE_MS)
      await time.pass(15_000)
      const records = await world.rows("select 1 from verifactu_records where estado = 'pending'")
      const mails = await world.rows("select 1 from mails where state in ('pending', 'sending')")
      const waiting = [...records, ...mails, ...(await this.#pendingAtSii())]
      if (waiting.length === 0 && rounds > 2) return
    }
    const rows = await world.rows(
      "select num_serie, tipo, sequence from verifactu_records where estado = 'pending'",
    )
    const queues = await world.rows('select * from verifactu_queues')
    const entries = await this.#pendingAtSii()
    throw new Violation(
      'everything is sent in the end',
      JSON.stringify({ rows, entries, queues }).slice(0, 2500),
    )
  }

  /** What must hold at the end. */
  async end(): Promise<void> {
    if (this.step) this.step = { ...this.step, kill: null }
    await this.calm()
    for (const company of this.companies) await this.#makeGood(company)
    await this.world.resendToSii(required(this.companies.at(-1)))
    await this.calm()
    for (const company of this.companies) {
      await this.check(company, true)
      await this.#checkSettled(company)
    }
    await this.verify()
    for (const process of [...this.world.processes]) await this.world.stop(process)
  }

  /** Makes every record that is missing, and answers each request to its end. */
  async #makeGood(company: Company): Promise<void> {
    const { world } = this
    this.resolve(company)
    const lacking = [...company.invoices.values()].filter(
      (one) => one.isMissing === true || isCancelledHereOnly(world.authority, company, one),
    )
    if (lacking.length > 0 && company.mode !== 'verifactu') {
      await world.updateCompany(company, { address: MADRID })
      if (company.planned) await world.withdrawPlan(company)
      const { refusal } = await world.changeMode(company, company.mode, 'verifactu')
      must('a period can be opened', refusal === '', () => refusal)
      Object.assign(company, { mode: 'verifactu', planned: null, province: '28' })
    }
    const rows = await this.records(company)
    if (lacking.length > 0 && company.system && this.isOtherProducer(company))
      await this.restart({ system: { ...world.system, producer: company.system.producer } })
    for (const invoice of lacking) {
      const last = rows.findLast(({ invoice_id }) => invoice_id === invoice.id)
      const { made, text } = await this.correct(company, invoice)
      must('a missing record can be made', made !== null || last?.estado === 'rejected', () => text)
    }
    for (const [reference, request] of company.requests)
      for (const period of request.periods)
        if (recordsOf(rows, { periods: [period], uncertain: 0 }).length > 0)
          await answer(this, company, reference, request, period)
  }

  /** Every record of VERI*FACTU is at the authority, unless the authority refused or lost it. */
  async #checkSettled(company: Company): Promise<void> {
    if (this.hasRestored) return
    if (company.sii) checkBooks(company, this.world.authority.books.of(company.taxId))
    const valid = [...company.invoices.values()].filter((one) =>
      isCancelledHereOnly(this.world.authority, company, one),
    )
    must('what is cancelled here is cancelled at the authority', valid.length === 0, () =>
      valid.map(({ number }) => number).join(),
    )
    const received = this.world.authority.received.filter((one) => one.company === company.taxId)
    const lost = received.some(({ isForgotten }) => isForgotten)
    for (const row of await this.records(company)) {
      if (row.mode !== 'verifactu') continue
      const own = received.filter(({ hash }) => hash === row.huella)
      must('each record is sent', own.length > 0, () => `${row.num_serie} (${row.tipo}, ${row.estado})`)
      must(
        'a rejected record was rejected',
        row.estado !== 'rejected' || lost || !own.some(({ outcome }) => outcome !== 'Incorrecto'),
        () => `${row.num_serie} (${row.tipo}) is rejected, but the authority accepted it`,
      )
    }
  }
}

/** The database and the companies of a beginning. Making them takes longer than ten steps. */
const beginnings = new Map<boolean, { readonly database: Stored; readonly companies: Company[] }>()

export interface Settings {
  /** Changes the server, to prove that a broken one is found. */
  readonly sabotage?: World['sabotage'] | undefined
  /** Decides how the world begins. */
  readonly seed?: number
  /** Steps between two runs of `verify`. */
  readonly verifyEvery?: number
}

/** Runs a story in a new world. Never rejects for a violation. */
export async function simulate(
  story: readonly Step[],
  { sabotage, seed = 0, verifyEvery = 25 }: Settings = {},
): Promise<Result> {
  const run = await Run.begin(seed % 6 === 0)
  const { world } = run
  world.sabotage = sabotage
  const lines: string[] = []
  let at = 0
  const failed = (error: unknown): Failure => ({
    rule: error instanceof Violation ? error.rule : 'nothing unexpected happens',
    message: error instanceof Violation ? error.message : String((error as Error).stack ?? error),
    at,
  })
  rejected.length = 0
  let failure: Failure | null = null
  try {
    await context.exit(async () => {
      for (const [index, step] of story.entries()) {
        at = index
        lines.push(
          `${new Date(time.now + step.wait).toISOString().slice(0, 16).replace('T', ' ')}  ${step.act}`,
        )
        lines[index] += `: ${await run.run(step)}`
        const company = required(run.companies[step.company % 3])
        if (company.isActive) await run.check(company)
        if (index % verifyEvery === verifyEvery - 1) await run.verify()
        if (rejected.length > 0) throw rejected[0]
      }
      at = -1
      await run.end()
    })
  } catch (error) {
    failure = failed(error)
  } finally {
    await world.close()
  }
  return {
    failure,
    lines,
    digest: world.digest,
    days: Math.round((time.now - BEGIN) / 86_400_000),
    log: world.log,
  }
}

/** Rejections that nothing handled. Those of killed processes are of no interest. */
const rejected: unknown[] = []
export function watchRejections(): void {
  process.on('unhandledRejection', (error) => {
    if (!(error instanceof Killed)) rejected.push(error)
  })
}

export { NETWORK }
