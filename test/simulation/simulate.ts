/** Runs a story in a world, and checks after each step what must hold. */
import { createHash } from 'node:crypto'
import { ACTIONS } from './actions.ts'
import { Killed, NETWORK } from './faults.ts'
import {
  type Company,
  checkAuthority,
  checkChain,
  checkList,
  checkMails,
  checkNumbers,
  checkShown,
  checkTotal,
  type Given,
  give,
  type Invoice,
  madrid,
  must,
  type RecordRow,
  type Shown,
  Violation,
} from './model.ts'
import type { Step } from './story.ts'
import { context, time } from './virtual.ts'
import { type Answer, CERTIFICATES, type Process, TAX_IDS, World } from './world.ts'

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
  given: Given = { numbers: new Map() }
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

  /** Whether a record of a company can be made: without VERI*FACTU it is signed. */
  canSign({ mode, certifiedUntil }: Company): boolean {
    return mode !== 'no_verifactu' || this.world.now < Date.parse(certifiedUntil)
  }

  get today(): string {
    return madrid(this.world.now)
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
    const before = structuredClone(this.saved[from] as Company[])
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
      await this.world.addCertificate(key, CERTIFICATES[0])
      this.companies.push({
        ...key,
        mode: 'none',
        certifiedUntil: CERTIFICATES[0],
        invoices: new Map(),
        received: new Map(),
        mails: [],
        hasSkipped: false,
      })
    }
    // Signatures take most of the time of a simulation.
    const modes = ['verifactu', hasSignatures ? 'no_verifactu' : 'verifactu'] as const
    for (const [at, mode] of modes.entries()) {
      const company = this.companies[at] as Company
      await this.world.changeMode(company, 'none', mode)
      company.mode = mode
    }
  }

  /** Creates the companies, or copies those that an earlier story began with. */
  static async begin(hasSignatures: boolean): Promise<Run> {
    const known = beginnings.get(hasSignatures)
    if (known) {
      time.reset(BEGIN, 1)
      const run = new Run(new World())
      run.world.begin(known.database)
      run.companies.push(...structuredClone(known.companies))
      return run
    }
    time.reset(BEGIN - 3_600_000, 1)
    const run = new Run(new World())
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
  async read(company: Company, path: string): Promise<any> {
    for (let tries = 0; tries < 12; tries++) {
      const outcome = await this.once(company, 'GET', path)
      if (outcome.is === 'done') return outcome.json
      await time.pass(3000)
    }
    throw new Violation('everything can be read', path)
  }

  /** Reads the status of an invoice that may or may not have been changed. */
  async learn(company: Company, invoice: Invoice, may: readonly Invoice['status'][]): Promise<void> {
    const shown: Shown = await this.read(company, `/issued-invoices/${invoice.id}`)
    must(
      'an unknown outcome is one of the possible ones',
      may.includes(shown.status as never),
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
    const after = shown.status as Invoice['status']
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
      if (company.mode !== 'none') invoice.records.push('alta')
      give(this.given, company, invoice)
    }
    const isRecorded = company.mode !== 'none' && invoice.records.includes('alta')
    // Without a certificate nothing can be signed, and the invoice is cancelled without a record.
    if (before === 'issued' && after === 'cancelled' && isRecorded && this.canSign(company))
      invoice.records.push('anulacion')
    // A worker may have sent its mail just before, and a sent invoice is cancelled without a record.
    invoice.isLastRecordOptional = this.mailed.has(invoice.id) && invoice.records.at(-1) === 'anulacion'
    invoice.status = after
    checkShown(invoice, shown)
  }

  #lastDate(company: Company, invoice: Invoice): string | null {
    const dates = [...company.invoices.values()].flatMap((one) =>
      one.series === invoice.series && one.date !== null && one.id !== invoice.id ? [one.date] : [],
    )
    return dates.sort().at(-1) ?? null
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
    const company = this.companies[step.company % this.companies.length] as Company
    await action.run(this, company, step.dice)
    await time.pass(3000)
    if (first && step.kill !== null) {
      if (first.isDead)
        this.say(
          `(the server is killed after ${step.kill.after} operations${step.kill.at === 'any' ? '' : ` of the ${step.kill.at}`})`,
        )
      first.killIn = null
    }
    return this.#notes.join(' ') || step.act
  }

  /** Checks what must hold of a company. */
  async check(company: Company, isOver = false): Promise<void> {
    const { world } = this
    await this.server()
    for (const process of world.processes) process.database = null
    world.disk.isFull = false
    const list = await this.read(company, '/issued-invoices?limit=500')
    for (const shown of list.items as Shown[]) {
      const invoice = company.invoices.get(shown.id)
      // A worker has sent a mail whose request had no response.
      if (invoice?.status === 'issued' && shown.status === 'sent' && this.mailed.has(shown.id))
        invoice.status = 'sent'
    }
    checkList(company, list)
    const count = (status: string) =>
      [...company.invoices.values()].filter((one) => one.status === status).length
    const statuses = ['draft', 'issued', 'sent', 'cancelled']
    const status = statuses[this.refs % 4] as string
    for (const one of isOver ? statuses : [status])
      checkTotal(one, (await this.read(company, `/issued-invoices?limit=1&status=${one}`)).total, count(one))
    checkTotal('drafts', (await this.read(company, '/drafts?limit=1')).total, count('draft'))
    checkTotal(
      'received',
      (await this.read(company, '/received-invoices?limit=1')).total,
      company.received.size,
    )
    checkNumbers(company)
    const rows = await this.records(company)
    const seen = this.#seen.get(company.id) ?? new Map<number, string>()
    this.#seen.set(company.id, seen)
    checkChain(company, rows, seen)
    const received = world.authority.received.filter((one) => one.company === company.taxId)
    checkAuthority(company, rows, received, this)
    checkMails(company, world.arrived, isOver)
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
      const failures = (found.get(company.id) ?? []).filter(
        (one) => !(company.hasSkipped && /gap|next_number|missing_numbers/.test(one)),
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
    for (const process of world.processes) {
      process.database = null
      process.killIn = null
    }
    for (const company of this.companies)
      if (company.certifiedUntil !== CERTIFICATES[1]) {
        await world.addCertificate(company, CERTIFICATES[1])
        company.certifiedUntil = CERTIFICATES[1]
      }
    await this.server()
    for (let rounds = 0; rounds < 60; rounds++) {
      time.leap(10 * MINUTE_MS)
      await time.pass(15_000)
      const [{ n: records }] = await world.rows(
        "select count(*) as n from verifactu_records where estado = 'pending'",
      )
      const [{ n: mails }] = await world.rows(
        "select count(*) as n from mails where state in ('pending', 'sending')",
      )
      if (records === 0 && mails === 0 && rounds > 2) return
    }
    const rows = await world.rows(
      "select num_serie, tipo, sequence from verifactu_records where estado = 'pending'",
    )
    const queues = await world.rows('select * from verifactu_queues')
    throw new Violation('everything is sent in the end', JSON.stringify({ rows, queues }).slice(0, 1500))
  }

  /** What must hold at the end. */
  async end(): Promise<void> {
    await this.calm()
    for (const company of this.companies) {
      await this.check(company, true)
      await this.#checkSettled(company)
    }
    await this.verify()
    for (const process of [...this.world.processes]) await this.world.stop(process)
  }

  /** Every record of VERI*FACTU is at the authority, unless the authority refused or lost it. */
  async #checkSettled(company: Company): Promise<void> {
    if (this.hasRestored) return
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
const beginnings = new Map<boolean, { readonly database: Buffer; readonly companies: Company[] }>()

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
        await run.check(run.companies[step.company % 3] as Company)
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
