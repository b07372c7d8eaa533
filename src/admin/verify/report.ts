/** Collects what `verify` finds of a company: how much was looked at, the first break of each kind, and how many. */
import type { Extra, Locale } from '../../invoice/index.ts'
import { fill } from '../../messages/index.ts'
import {
  BACKUP,
  BREAKS,
  type BreakCode,
  type BreakText,
  CHECKS,
  type Check,
  NOTES,
  type NoteCode,
} from './messages.ts'

/** What a finding is about: an invoice, a record, a file, a series. */
export interface Subject {
  readonly kind: keyof typeof KINDS
  readonly id: string
  /** As people know it: its number, its file name. */
  readonly name?: string | null | undefined
}

export interface Break {
  readonly code: string
  readonly check: Check
  readonly found: number
  /** The first one. */
  readonly first: Subject
  readonly message: string
  readonly fix: string
}

export interface Note {
  readonly code: string
  readonly message: string
  readonly [member: string]: unknown
}

export interface CheckLine {
  readonly check: Check
  readonly checked: number
  readonly breaks: number
}

/** How much of a chain was looked at. */
export interface Walked {
  checked: number
  signatures: number
  /** The length of the chain. */
  end: number
}

/** Anomalies of a chain that are kept: of more, the number says enough. */
const MOST_ANOMALIES = 1000

const KINDS = {
  invoice: { en: 'Invoice', es: 'La factura' },
  record: { en: 'Record', es: 'El registro' },
  event: { en: 'Event', es: 'El evento' },
  chain: { en: 'Chain', es: 'La cadena' },
  series: { en: 'Series', es: 'La serie' },
  attachment: { en: 'Attachment', es: 'El adjunto' },
  file: { en: 'File', es: 'El fichero' },
  collection: { en: 'Collection', es: 'El cobro' },
  payment: { en: 'Payment', es: 'El pago' },
  list: { en: 'Invoices', es: 'Las facturas' },
} as const

/** A list has no id that would tell people anything. */
const nameOf = ({ kind, id, name }: Subject, locale: Locale): string =>
  `${KINDS[kind][locale]} ${!name ? id : kind === 'list' ? name : `${name} (${id})`}`

export class Report {
  readonly #checked = new Map<Check, number>()
  readonly #breaks = new Map<string, Break>()
  readonly #notes: Note[] = []
  readonly #walked = new Map<string, Walked>()
  readonly #anomalies: { readonly place: string; readonly sequence: number; readonly code: string }[] = []
  readonly locale: Locale

  constructor(locale: Locale) {
    this.locale = locale
  }

  checked(check: Check, count = 1): void {
    this.#checked.set(check, (this.#checked.get(check) ?? 0) + count)
  }

  broken(code: BreakCode, first: Subject, extra: Extra = {}, check: Check = BREAKS[code].check): void {
    const { message, fix = BACKUP }: BreakText = BREAKS[code]
    const { locale } = this
    const text = `${nameOf(first, locale)} ${fill(message[locale], extra ?? {}, locale)}.`
    this.found(code, check, first, text, fix[locale])
  }

  /** Columns of a row against what they must be, each that differs a break. */
  columns(
    code: 'column_differs' | 'record_column_differs',
    subject: Subject,
    row: object,
    expected: object,
    check?: Check,
  ): void {
    const stored = new Map<string, unknown>(Object.entries(row))
    for (const [column, value] of Object.entries(expected)) {
      const received = stored.get(column)
      if (received !== value) this.broken(code, subject, { column, received, expected: value }, check)
    }
  }

  /** Something that cannot be read, with the beginning of what the reader said. */
  unreadable(
    code: 'document_unreadable' | 'record_unreadable',
    subject: Subject,
    error: unknown,
    check?: Check,
  ): void {
    this.broken(code, subject, { reason: (error as Error).message.slice(0, 200) }, check)
  }

  /** A break whose words come from elsewhere: the audit of the chain has its own. */
  found(code: string, check: Check, first: Subject, message: string, fix = ''): void {
    this.#noteAnomaly(code, check, first)
    const known = this.#breaks.get(code)
    this.#breaks.set(
      code,
      known ? { ...known, found: known.found + 1 } : { code, check, found: 1, first, message, fix },
    )
  }

  /** Breaks of the chains with their places: a system without VERI*FACTU records them as events. */
  #noteAnomaly(code: string, check: Check, { kind, id }: Subject): void {
    if (
      (kind !== 'record' && kind !== 'event' && kind !== 'chain') ||
      this.#anomalies.length >= MOST_ANOMALIES
    )
      return
    const isEvent = kind === 'event' || check === 'sif_events'
    const [environment, at] = id.split('/')
    const place = `${environment}/${isEvent ? 'events' : 'records'}`
    const sequence = kind === 'chain' ? (this.#walked.get(place)?.end ?? 0) : Number(at)
    if (Number.isSafeInteger(sequence)) this.#anomalies.push({ place, sequence, code })
  }

  /** The account of a chain, to be filled in while it is looked at. */
  walked(environment: string, chain: 'records' | 'events'): Walked {
    const place = `${environment}/${chain}`
    const known = this.#walked.get(place) ?? { checked: 0, signatures: 0, end: 0 }
    this.#walked.set(place, known)
    return known
  }

  /** What is wrong in a chain, by place and code. */
  anomaliesOf(environment: string, chain: 'records' | 'events') {
    return this.#anomalies.filter(({ place }) => place === `${environment}/${chain}`)
  }

  note(code: NoteCode, extra: Extra): void {
    this.#notes.push({ code, message: fill(NOTES[code][this.locale], extra ?? {}, this.locale), ...extra })
  }

  remark(code: string, message: string): void {
    this.#notes.push({ code, message })
  }

  get breaks(): readonly Break[] {
    return [...this.#breaks.values()]
  }

  get notes(): readonly Note[] {
    return this.#notes
  }

  get lines(): readonly CheckLine[] {
    return (Object.keys(CHECKS) as Check[]).map((check) => ({
      check,
      checked: this.#checked.get(check) ?? 0,
      breaks: this.breaks.reduce((sum, one) => (one.check === check ? sum + one.found : sum), 0),
    }))
  }
}
