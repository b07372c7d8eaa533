/**
 * Records what the senders do, so that two states of the code can be compared: in order, every message to the authority
 * with its response, every result of a step, response of the server, output of a command and log line, and at the end
 * of each test the rows of the ledgers that it changed. Each test has a text file in the folder of
 * `CUADRA_RECORD_TRANSMISSIONS`; without it nothing is recorded. `recording.config.ts` has the command.
 *
 * Everything is literal except what differs between two runs of the same code:
 *
 * - UUIDs are made one after the other, not at random, because the order of messages depends on them; they become
 *   `id-1`, `id-2`, and CSVs `csv-1`, in the order in which a test shows them;
 * - ports, process ids, the name of the machine, temporary folders and random file names become their kind;
 * - stamps with microseconds are cut to seconds, because their fractions count the calls of the clock;
 * - signatures, digests of signatures and certificates of this run become their kind;
 * - log lines have no time, process, stack or duration;
 * - `Math.random`, which pauses use, always returns 0.5.
 *
 * Tests of `CONCURRENT` and `KILLED` depend on when processes run. Of the former only the rows of `OUTLINE` are
 * recorded: the records and their statuses. The latter issue as many invoices as time allows: only their distinct
 * outlines are recorded, without numbers.
 */

import { createHash, type randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { required } from '#core/errors/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { messageOf } from '#test/narrow.ts'
import { createLog } from '../../../src/environment/log.ts'
import type { CompanyStore } from '../../../src/store/store.ts'

const FOLDER = process.env.CUADRA_RECORD_TRANSMISSIONS

/** Tests whose messages and steps have a different order each time. */
const CONCURRENT = [
  'three workers at once',
  'a worker goes on at once when the clock is set back',
  'three processes at once',
  'invoices are accepted in order, at the pace of the authority',
  'that pauses for longer than its lease',
]
/** Tests that kill processes while invoices are issued. */
const KILLED = ['times one is killed']

interface Ledger {
  /** Table with its rows, if its name differs. */
  readonly table?: string
  /** Condition that selects its rows in that table. */
  readonly isOwn?: (row: Row) => boolean
  /** Columns whose names in the table differ. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Its key, `|`, its other columns, `|`, the columns that order its rows. */
  readonly columns: string
}

/**
 * The only place that knows tables: a ledger keeps its name and columns here when its rows move to another table. Every
 * key also has `company_id`.
 */
const LEDGERS: Readonly<Record<string, Ledger>> = {
  // The chain of events is not part of sending.
  verifactu_chains: {
    isOwn: ({ chain }) => chain === 'records',
    columns: 'environment chain | sequence last_record | environment',
  },
  verifactu_records: {
    columns: `environment sequence | record_id invoice_id num_serie fecha_expedicion tipo mode estado huella
      huella_anterior qr_url record xml_sent xml_response aeat_csv ts_gen submitted_at created_at updated_at
      submission_id | environment sequence`,
  },
  verifactu_submissions: {
    columns: `submission_id | environment submission_type ref_requerimiento record_count estado_envio aeat_csv
      error_code error_message submitted_at created_at first_sequence last_sequence attempts xml xml_response
      | created_at`,
  },
  verifactu_submission_lines: {
    columns: `submission_id line | num_serie fecha_expedicion estado_registro codigo_error descripcion_error sequence
      next_step next_options | submission_id line`,
  },
  verifactu_queues: {
    columns: `environment | owner fence lease_ms flow_ms retry_ms wait_seconds failures submission_id delayed_to
      isolation skew_ms updated_at | environment`,
  },
  sii_records: {
    columns: `invoice_id book_type | internal_id operation_type status deadline last_submission_id submitted_at
      accepted_at error_code error_description created_at updated_at version sending_id registered not_before_ms turns
      | internal_id`,
  },
  sii_movements: {
    columns: `movement_id | invoice_id book_type kind payment_id date amount method account status deadline sending_id
      not_before_ms last_submission_id submitted_at accepted_at error_code error_description created_at updated_at
      | created_at`,
  },
  sii_submissions: {
    columns: `public_id | internal_id book_type operation_type global_status submitted_at csv record_count error_code
      error_description created_at environment kind attempts xml xml_response | internal_id`,
  },
  sii_submission_items: {
    columns: `public_id line | invoice_id invoice_number item_status error_code error_description aeat_record_state
      record_key version | public_id line`,
  },
  sii_queues: {
    columns: `environment | owner fence lease_ms retry_ms failures submission_id isolation updated_at | environment`,
  },
}

/** Columns that do not depend on the order of tests. */
const OUTLINE: Readonly<Record<string, string>> = {
  verifactu_records: 'num_serie tipo mode estado',
  verifactu_queues: 'environment owner failures submission_id isolation',
  sii_records: 'book_type operation_type status sending_id',
  sii_queues: 'environment owner failures submission_id isolation',
}
/** The outline's column with the number of rows. */
const NUMBER = 'num_serie'

type Row = Readonly<Record<string, unknown>>

/** Patterns that are replaced everywhere, by kind. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}/g, '$1'],
  [new RegExp(`${hostname()}/${process.pid}/`, 'g'), 'host/pid/'],
  [new RegExp(`${tmpdir()}/test-\\w{6}(?!\\w)`, 'g'), 'folder'],
  [/(127\.0\.0\.1|localhost|\[::1\]):\d{4,5}/g, '$1:port'],
  [/REF-\d+-\d+/g, 'REF'],
  [/(<ds:(SignatureValue|DigestValue|X509\w+)[^>]*>)[^<]+/g, '$1$2'],
]
/** Kinds that are numbered in the order in which a test shows them. */
const NAMED = [
  ['id', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g],
  ['csv', /\bA-[\dA-Z]{14,16}\b/g],
] as const

let ids = 0
const idOf = (number: number): string =>
  `${number.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-4000-8000-000000000000`
/** Makes consecutive UUIDs, since records with the same deadline are sent in the order of their ids. */
export const nextId = () => idOf(++ids * 0x1_0000) as ReturnType<typeof randomUUID>
/** Numbers that the SII's responses show beside UUIDs are the first digits of those. */
const NUMBER_OF_ID = /((?:internal_id|last_submission_id|invoice_id)"?: ?)(\d+)\b/g

const steady = (text: string): string =>
  KINDS.reduce((result, [pattern, kind]) => result.replace(pattern, kind), text)

/** Names of the ids that a test has shown. */
class Names {
  readonly #known = new Map<string, string>()
  readonly #counts = { id: 0, csv: 0 }

  known(value: unknown): unknown {
    return this.#known.get(String(value)) ?? value
  }

  /** Replaces every id and CSV by its name; new ones get a new name, or that of their kind. */
  replaced(text: string, areNew: 'named' | 'blind' = 'named'): string {
    return NAMED.reduce(
      (result, [kind, pattern]) =>
        result.replace(pattern, (found) => {
          const name =
            this.#known.get(found) ?? (areNew === 'blind' ? kind : `${kind}-${++this.#counts[kind]}`)
          if (areNew === 'named') this.#known.set(found, name)
          return name
        }),
      steady(text).replace(NUMBER_OF_ID, (_, name, number) => `${name}number of ${idOf(Number(number))}`),
    )
  }
}

let names = new Names()
let lines: string[] = []
let outlines: string[] = []
let detail: 'everything' | 'outline' | 'states' = 'everything'
/** Company stores of each open fixture, with the rows recorded before. */
const followed = new Map<object, () => Iterable<CompanyStore>>()
const before = new Map<string, string>()

/** Receives log lines while something is recorded. */
const log = FOLDER ? openLog() : undefined
function openLog() {
  const folder = temporaryFolder()
  const descriptor = openSync(join(folder, 'log'), 'a+')
  process.once('exit', () => closeSync(descriptor))
  return { descriptor, logger: createLog('debug', descriptor), read: 0 }
}

/** Records the log lines since the last call. */
function recordLog(): void {
  if (!log) return
  const bytes = Buffer.alloc(1 << 16)
  let text = ''
  for (;;) {
    const count = readSync(log.descriptor, bytes, 0, bytes.length, log.read)
    if (count === 0) break
    log.read += count
    text += bytes.toString('utf8', 0, count)
  }
  for (const line of text.split('\n').filter(Boolean)) {
    const { time: _time, pid: _pid, ms: _duration, ...rest } = JSON.parse(line)
    delete rest.err?.stack
    lines.push(names.replaced(`== log ${JSON.stringify(rest)}`))
  }
}

/** Records an event, after the log lines that precede it. */
export function record(what: string, value: unknown): void {
  if (!FOLDER) return
  recordLog()
  lines.push(names.replaced(`== ${what}\n${typeof value === 'string' ? value : JSON.stringify(value)}`))
}

/** Records the result of some work, or its error; returns it. */
export async function recorded<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    const result = await work()
    record(what, result ?? null)
    return result
  } catch (error) {
    record(`${what} throws`, messageOf(error))
    throw error
  }
}

interface Call {
  readonly environment: string
  readonly operation: string
  readonly address?: string
}

/** Returns a wire that records every message and its outcome. */
export function recordedWire<Caller extends Call, Outcome>(
  wire: (xml: string, caller: Caller) => Promise<Outcome>,
): typeof wire {
  if (!FOLDER) return wire
  return async (xml, caller) => {
    const { environment, operation, address = 'verifactu' } = caller
    const what = `${operation} ${address} ${environment}`
    record(`message ${what}`, xml)
    const outcome = wire(xml, caller)
    // The document is parsed from the text.
    const result = outcome.then((said) => ({ ...said, document: undefined }))
    await recorded(`outcome of ${what}`, () => result)
    return outcome
  }
}

interface Step {
  readonly is: string
  readonly at?: number
  readonly blocked?: { readonly reason: string; readonly code?: string | number | null }
}

/** Returns a step that records its results. */
export async function recordedStep<T extends Step>(
  owner: string | undefined,
  step: () => Promise<T>,
): Promise<T> {
  let next: T | undefined
  await recorded(owner === undefined ? 'step' : `step of ${owner}`, async () => {
    next = await step()
    const { is, at, blocked } = next
    return { is, at, reason: blocked?.reason, code: blocked?.code }
  })
  return required(next)
}

/** Returns a log that records its lines. */
export const recordedLog = (own: Logger): Logger => log?.logger ?? own

/** Records, at the end of each test, the rows that changed in the ledgers of a fixture's companies. */
export function followLedgers(fixture: object, stores: () => Iterable<CompanyStore>): void {
  if (FOLDER) followed.set(fixture, stores)
}

/** Records them for the last time, before the store is closed. */
export async function leaveLedgers(fixture: object): Promise<void> {
  if (!followed.has(fixture)) return
  await recordLedgers(fixture)
  followed.delete(fixture)
}

const wordsOf = (text = ''): string[] => text.split(/\s+/).filter(Boolean)

async function rowsOf(store: CompanyStore, name: string): Promise<Row[]> {
  const { table = name, isOwn = () => true, renamed = {}, columns } = required(LEDGERS[name])
  const rows: Row[] = await store
    .select(table as never)
    .selectAll()
    .execute()
  const [key, others] = columns.split('|').map(wordsOf)
  return rows
    .filter(isOwn)
    .map((row) =>
      Object.fromEntries(
        [...(key ?? []), ...(others ?? [])].map((column) => [column, row[renamed[column] ?? column] ?? null]),
      ),
    )
}

const inOrder = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : a === b ? 0 : 1

/** Sorts rows in the order of the ledger; ids in the order in which they were shown. */
function sorted(rows: readonly Row[], columns: readonly string[]): Row[] {
  const place = (value: unknown) => {
    const [, number] = /^id-(\d+)$/.exec(String(names.known(value))) ?? []
    return number === undefined ? value : Number(number)
  }
  const blind = (row: Row) => names.replaced(JSON.stringify(row), 'blind')
  return [...rows].sort(
    (a, b) =>
      columns.map((column) => inOrder(place(a[column]), place(b[column]))).find((order) => order !== 0) ??
      inOrder(blind(a), blind(b)),
  )
}

async function recordLedgers(fixture: object): Promise<void> {
  recordLog()
  for (const store of followed.get(fixture)?.() ?? []) {
    if (detail !== 'everything') outlines.push(...(await outlineOf(store, detail === 'outline')))
    for (const [name, { columns }] of Object.entries(LEDGERS)) {
      const [key = [], , order = []] = columns.split('|').map(wordsOf)
      const place = `${store.companyId} ${name} `
      const left = new Set([...before.keys()].filter((one) => one.startsWith(place)))
      for (const row of sorted(await rowsOf(store, name), order)) {
        const id = `${place}${key.map((column) => row[column]).join(' ')}`
        const text = steady(JSON.stringify(row))
        left.delete(id)
        if (before.get(id) === text) continue
        before.set(id, text)
        const values = Object.entries(row).map(([column, value]) => `  ${column}: ${JSON.stringify(value)}`)
        lines.push(names.replaced([`== row of ${name}`, ...values].join('\n')))
      }
      for (const id of left) {
        before.delete(id)
        lines.push(names.replaced(`== row gone from ${id.slice(store.companyId.length + 1)}`))
      }
    }
  }
}

/** Returns the distinct rows without numbers, which do not depend on the order of tests. */
async function outlineOf(store: CompanyStore, hasNumbers: boolean): Promise<string[]> {
  const found = Object.entries(OUTLINE).map(async ([name, columns]) => {
    const shown = wordsOf(columns).filter((column) => hasNumbers || column !== NUMBER)
    const rows = (await rowsOf(store, name)).map((row) =>
      JSON.stringify(Object.fromEntries(shown.map((column) => [column, row[column]]))),
    )
    return (hasNumbers ? rows : [...new Set(rows)]).sort().map((row) => `== outline of ${name}\n${row}`)
  })
  return (await Promise.all(found)).flat()
}

const slugOf = (text: string): string => text.replace(/[^\p{L}\d.]+/gu, '-').replace(/^-|-$/g, '')

/** Returns the file of a test. It does not depend on the test's suite or on other tests. */
function fileOf({ file, name }: Test): string {
  const suite = join(basename(dirname(file)).replace('-sending', ''), basename(file, '.test.ts'))
  const text = slugOf(name)
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return join(FOLDER ?? '', suite, `${text.length > 120 ? `${text.slice(0, 120)}-${digest}` : text}.txt`)
}

export interface Test {
  readonly file: string
  readonly name: string
}

/** Begins a test. */
export function beginTest({ name }: Test): void {
  const isOf = (part: string) => name.includes(part)
  detail = KILLED.some(isOf) ? 'states' : CONCURRENT.some(isOf) ? 'outline' : 'everything'
}

/** Ends a test: records the ledgers of fixtures that stay open, and writes the file. */
export async function endTest(test: Test, hasFailed: boolean): Promise<void> {
  for (const fixture of followed.keys()) await recordLedgers(fixture)
  const file = fileOf(test)
  mkdirSync(dirname(file), { recursive: true })
  const body = detail === 'everything' ? lines : outlines
  writeFileSync(file, [test.name, ...body, `== ${hasFailed ? 'failed' : 'passed'}`, ''].join('\n'))
  names = new Names()
  lines = []
  outlines = []
}
