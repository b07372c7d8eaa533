/**
 * Collects the results of `verify` for a company: the counts of checked data and, for each kind of failure, the number
 * and the first occurrence.
 */
import type { Extra, Locale, Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import { BACKUP, CHECKS, FAILURES, KINDS, NOTES } from '../generated/texts/verify.ts'

export type Check = keyof typeof CHECKS
export type FailureCode = keyof typeof FAILURES
export type NoteCode = keyof typeof NOTES

interface FailureText {
  readonly check: Check
  readonly message: Text
  /** The instruction. Default: `BACKUP`. */
  readonly fix?: Text
}

/** The subject of a finding: for example an invoice, a record, a file or a series. */
export interface Subject {
  readonly kind: keyof typeof KINDS
  readonly id: string
  /** Name for people, such as the number of an invoice or the name of a file. */
  readonly name?: string | null | undefined
}

export interface Failure {
  readonly code: string
  readonly check: Check
  readonly count: number
  readonly first: Subject
  readonly message: string
  readonly fix: string
}

export interface Note {
  readonly code: string
  readonly message: string
  readonly [member: string]: unknown
}

export interface CheckSummary {
  readonly check: Check
  readonly checked: number
  readonly failures: number
}

/** How many records and signatures of a chain were checked. */
export interface ChainCounts {
  checked: number
  signatures: number
  /** The length of the chain. */
  end: number
}

/** Maximum number of anomalies that are kept. Further ones are only counted. */
const MOST_ANOMALIES = 1000

/** Returns the name of a subject. For a list, the id is omitted, because it means nothing to people. */
const nameOf = ({ kind, id, name }: Subject, locale: Locale): string =>
  `${KINDS[kind][locale]} ${!name ? id : kind === 'list' ? name : `${name} (${id})`}`

export class Report {
  readonly #checked = new Map<Check, number>()
  readonly #failures = new Map<string, Failure>()
  readonly #notes: Note[] = []
  readonly #chainCounts = new Map<string, ChainCounts>()
  readonly #anomalies: { readonly position: string; readonly sequence: number; readonly code: string }[] = []
  readonly locale: Locale

  constructor(locale: Locale) {
    this.locale = locale
  }

  checked(check: Check, count = 1): void {
    this.#checked.set(check, (this.#checked.get(check) ?? 0) + count)
  }

  fail(code: FailureCode, first: Subject, extra: Extra = {}, check: Check = FAILURES[code].check): void {
    const { message, fix = BACKUP }: FailureText = FAILURES[code]
    const { locale } = this
    const filled = (text: Text): string => fill(text[locale], extra ?? {}, locale)
    this.addFailure(code, check, first, `${nameOf(first, locale)} ${filled(message)}.`, filled(fix))
  }

  /** Compares the columns of a row with the expected columns, and adds a failure for each difference. */
  columns(
    code: 'column_differs' | 'flag_differs' | 'record_column_differs',
    subject: Subject,
    row: object,
    expected: object,
    check?: Check,
  ): void {
    const stored = new Map<string, unknown>(Object.entries(row))
    for (const [column, value] of Object.entries(expected)) {
      const received = stored.get(column)
      if (received !== value) this.fail(code, subject, { column, received, expected: value }, check)
    }
  }

  /** Adds a failure for unreadable data, with the beginning of the parser's message. */
  unreadable(
    code: 'document_unreadable' | 'record_unreadable',
    subject: Subject,
    error: unknown,
    check?: Check,
  ): void {
    this.fail(code, subject, { reason: (error as Error).message.slice(0, 200) }, check)
  }

  /** Adds a failure with a given message, for example a message of the chain audit. */
  addFailure(code: string, check: Check, first: Subject, message: string, fix = ''): void {
    this.#noteAnomaly(code, check, first)
    const known = this.#failures.get(code)
    this.#failures.set(
      code,
      known ? { ...known, count: known.count + 1 } : { code, check, count: 1, first, message, fix },
    )
  }

  /** Stores the position of a failure in a chain. A system without VERI*FACTU later records it as an anomaly event. */
  #noteAnomaly(code: string, check: Check, { kind, id }: Subject): void {
    if (
      (kind !== 'record' && kind !== 'event' && kind !== 'chain') ||
      this.#anomalies.length >= MOST_ANOMALIES
    )
      return
    const isEvent = kind === 'event' || check === 'sif_events'
    const [environment, at] = id.split('/')
    const position = `${environment}/${isEvent ? 'events' : 'records'}`
    const sequence = kind === 'chain' ? (this.#chainCounts.get(position)?.end ?? 0) : Number(at)
    if (Number.isSafeInteger(sequence)) this.#anomalies.push({ position, sequence, code })
  }

  /** Returns the counts of a chain, updated while it is checked. */
  chainCounts(environment: string, chain: 'records' | 'events'): ChainCounts {
    const position = `${environment}/${chain}`
    const known = this.#chainCounts.get(position) ?? { checked: 0, signatures: 0, end: 0 }
    this.#chainCounts.set(position, known)
    return known
  }

  /** Returns the anomalies of a chain. */
  anomaliesOf(environment: string, chain: 'records' | 'events') {
    return this.#anomalies.filter(({ position }) => position === `${environment}/${chain}`)
  }

  note(code: NoteCode, extra: Extra): void {
    this.#notes.push({ code, message: fill(NOTES[code][this.locale], extra ?? {}, this.locale), ...extra })
  }

  addNote(code: string, message: string): void {
    this.#notes.push({ code, message })
  }

  get failures(): readonly Failure[] {
    return [...this.#failures.values()]
  }

  get notes(): readonly Note[] {
    return this.#notes
  }

  get summaries(): readonly CheckSummary[] {
    return (Object.keys(CHECKS) as Check[]).map((check) => ({
      check,
      checked: this.#checked.get(check) ?? 0,
      failures: this.failures.reduce((sum, one) => (one.check === check ? sum + one.count : sum), 0),
    }))
  }
}

/** Collects notes. Each kind is printed once, with the number of notes and the first of them. */
export class CountedNotes {
  readonly #notes = new Map<NoteCode, { readonly first: Extra; readonly count: number }>()
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  add(code: NoteCode, extra: Extra): void {
    const { first, count } = this.#notes.get(code) ?? { first: extra, count: 0 }
    this.#notes.set(code, { first, count: count + 1 })
  }

  report(): void {
    for (const [code, { first, count }] of this.#notes) this.#report.note(code, { count, ...first })
  }
}
