/**
 * Checks the chains in a running server: hashes, links, timestamps, stored text, and a sample of the signatures. The
 * work is limited. In a long chain, each check covers the newest records and a range of older ones. The next check
 * covers the following range, until all older records have been checked.
 */
import { spanishTimestamp } from '#records/fiscal/index.ts'
import { ChainAudit, type FiscalRecord } from '#records/verifactu/index.ts'
import type { App } from '../../../app/app.ts'
import type { Rows } from '../../../store/store.ts'
import { fromJson, type Json } from '../../../store/stored-json.ts'
import type { ChainName, Environment, TipoAnomalia } from '../../../store/tables.ts'
import { anomalyOf, moreSevere } from '../anomalies.ts'
import { laterChainStarts } from '../company-chains.ts'
import { sha256 } from '../record-options.ts'
import { isSigned, isXmlOfRecord, signatureProblem } from '../stored-text.ts'

/** Number of records in a range. A check covers one range of the newest records and one of older records. */
const RANGE_LENGTH = 5000
/** Approximate number of signatures to verify per range. Each takes some milliseconds. */
const SIGNATURES = 200
/** Number of records read per page. Other requests wait for at most one page. */
const PAGE = 100

/** A record with an anomaly. */
export interface FoundAnomaly {
  readonly chain: ChainName
  readonly sequence: number
  readonly type: TipoAnomalia
}

interface SequenceRange {
  /** First sequence that is checked. */
  readonly from: number
  readonly to: number
}

/** The work and the results of checking a chain. */
export interface Checked {
  readonly chain: ChainName
  readonly hashes: number
  readonly signatures: number
  readonly ranges: readonly SequenceRange[]
  readonly found: readonly FoundAnomaly[]
  /** Sequence after which the next check continues; 0 to start again from the first record. */
  readonly next: number
}

/** Returns the ranges to check of a chain of length `end`. `before` is the last older sequence that was checked. */
export function rangesOf(end: number, before: number): { ranges: readonly SequenceRange[]; next: number } {
  if (end <= 2 * RANGE_LENGTH) return { ranges: end > 0 ? [{ from: 1, to: end }] : [], next: 0 }
  const newest = { from: end - RANGE_LENGTH + 1, to: end }
  const from = before < end - RANGE_LENGTH ? before + 1 : 1
  const to = Math.min(from + RANGE_LENGTH - 1, newest.from - 1)
  return { ranges: [{ from, to }, newest], next: to === newest.from - 1 ? 0 : to }
}

interface Stored {
  readonly sequence: number
  readonly record: Json<FiscalRecord>
  readonly xml: string | null
  readonly estado?: string
}

const TABLES = { records: 'verifactu_records', events: 'verifactu_events' } as const

function page(
  db: Rows,
  environment: Environment,
  chain: ChainName,
  from: number,
  to: number,
): Promise<readonly Stored[]> {
  const rows = db
    .find(TABLES[chain], { environment })
    .select(['sequence', 'record'])
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .orderBy('sequence')
    .limit(PAGE)
  return chain === 'records'
    ? rows.select(['xml_sent as xml', 'estado']).execute()
    : rows.select('xml').execute()
}

/** Returns the interval between verified signatures of a range. Each check verifies different ones. */
const signatureInterval = ({ from, to }: SequenceRange): number =>
  Math.max(1, Math.ceil((to - from + 1) / SIGNATURES))

class RangeCheck {
  hashes = 0
  signatures = 0
  readonly found = new Map<number, TipoAnomalia>()
  readonly #now: string
  readonly #starts: ReadonlySet<number>
  #sequences: number[] = []
  #audit: ChainAudit
  readonly #range: SequenceRange
  readonly #round: number
  #before: number

  constructor(range: SequenceRange, round: number, now: string, starts: ReadonlySet<number>) {
    this.#range = range
    this.#round = round
    this.#now = now
    this.#starts = starts
    this.#before = range.from - 1
    this.#audit = this.#newAudit()
  }

  #newAudit(): ChainAudit {
    return new ChainAudit({
      hash: sha256,
      now: this.#now,
      onItem: ({ code, severity, extra }) => {
        const sequence = this.#sequences[Number(extra?.record ?? 0)] ?? this.#range.to
        if (severity === 'error') this.#note(sequence, code)
      },
    })
  }

  #note(sequence: number, code: string): void {
    const type = anomalyOf(code)
    // The record before the range only provides its hash. Its anomalies are reported by another check.
    if (type === undefined || sequence < this.#range.from) return
    this.found.set(sequence, moreSevere(type, this.found.get(sequence)))
  }

  async add({ sequence, record, xml, estado }: Stored): Promise<void> {
    const isBefore = sequence < this.#range.from
    if (!isBefore && sequence !== this.#before + 1) this.#note(sequence, 'sequence_gap')
    this.#before = Math.max(this.#before, sequence)
    if (this.#starts.has(sequence)) {
      this.#audit.end()
      this.#audit = this.#newAudit()
      this.#sequences = []
    }
    this.#sequences.push(sequence)
    try {
      const parsed = fromJson(record)
      this.#audit.add(parsed)
      if (isBefore) return
      this.hashes++
      if (xml !== null) await this.#checkText(sequence, parsed, xml, estado === 'registered')
    } catch {
      this.#note(sequence, 'record_unreadable')
    }
  }

  async #checkText(
    sequence: number,
    record: FiscalRecord,
    xml: string,
    mustBeSigned: boolean,
  ): Promise<void> {
    if (!isXmlOfRecord(record, xml)) {
      this.#note(sequence, 'record_xml_differs')
      return
    }
    if (!isSigned(xml)) {
      if (mustBeSigned) this.#note(sequence, 'signature_wrong')
      return
    }
    if (sequence % signatureInterval(this.#range) !== this.#round % signatureInterval(this.#range)) return
    this.signatures++
    if ((await signatureProblem(xml)) !== null) this.#note(sequence, 'signature_wrong')
  }

  end(): void {
    this.#audit.end()
  }
}

/** Whether the last record of a chain equals the stored end of the chain. */
async function isEndIntact(db: Rows, environment: Environment, chain: ChainName): Promise<boolean> {
  const head = await db
    .find('verifactu_chains', { environment, chain })
    .select(['sequence', 'last_record'])
    .executeTakeFirst()
  if (!head || Number(head.sequence) === 0) return true
  const [last] = await page(db, environment, chain, Number(head.sequence), Number(head.sequence))
  return last?.record === head.last_record
}

export interface CheckOptions {
  readonly environment: Environment
  readonly chain: ChainName
  /** Length of the chain when the check began. */
  readonly end: number
  readonly round: number
  readonly before: number
}

/**
 * Returns when the last record of a chain was written; undefined if there is none. If the clock was set back, this
 * prevents earlier records from being reported as dated in the future.
 */
async function lastWritten(db: Rows, environment: Environment, chain: ChainName, end: number) {
  const last = db.find(TABLES[chain], { environment, sequence: end }).select('created_at')
  const row = await last.executeTakeFirst()
  return row && Date.parse(`${row.created_at}Z`)
}

/** Yields the records of a range and the record before it, page by page. Other requests run after each page. */
async function* storedIn(
  db: Rows,
  environment: Environment,
  chain: ChainName,
  { from: first, to }: SequenceRange,
): AsyncGenerator<Stored, void> {
  for (let from = Math.max(1, first - 1); from <= to; ) {
    const rows = await page(db, environment, chain, from, to)
    yield* rows
    from = rows.length < PAGE ? to + 1 : (rows.at(-1)?.sequence ?? from) + 1
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Checks the ranges of a chain that are due in this check. Writes nothing. */
export async function checkChain(
  db: Rows,
  { clock }: Pick<App, 'clock'>,
  { environment, chain, end, round, before }: CheckOptions,
): Promise<Checked> {
  const { ranges, next } = rangesOf(end, before)
  const found = new Map<number, TipoAnomalia>()
  let [hashes, signatures] = [0, 0]
  const written = (await lastWritten(db, environment, chain, end)) ?? 0
  const now = written > clock.now() ? spanishTimestamp(written) : clock.timestamp()
  const starts = await laterChainStarts(db, environment, chain)
  for (const range of ranges) {
    const check = new RangeCheck(range, round, now, starts)
    for await (const row of storedIn(db, environment, chain, range)) await check.add(row)
    check.end()
    hashes += check.hashes
    signatures += check.signatures
    for (const [sequence, type] of check.found) found.set(sequence, type)
  }
  if (end > 0 && !found.has(end) && !(await isEndIntact(db, environment, chain))) found.set(end, '05')
  return {
    chain,
    hashes,
    signatures,
    ranges,
    next,
    found: [...found].map(([sequence, type]) => ({ chain, sequence, type })),
  }
}
