/** What both systems do with a message of records: judged record by record, stored in one transaction, and answered. */
import { randomBytes } from 'node:crypto'
import type { Powers } from './caller.ts'
import { descriptionOf } from './codes.ts'
import type { InvoiceKey, InvoiceRow, SimulatorDatabase, SubmissionRow } from './database.ts'
import type { Faults } from './faults.ts'
import {
  type Block,
  type Environment,
  type MessageState,
  messageState,
  type Outcome,
  type Verdict,
} from './types.ts'

/** What handling a message needs. */
export interface Handling {
  readonly database: SimulatorDatabase
  readonly faults: Faults
  readonly powers: Powers
  readonly environment: Environment
  /** NIF of the certificate. */
  readonly presenter: string
  readonly now: number
  /** Seconds that answers tell to wait. */
  readonly wait: number
  /** Rows of one answer to a query. */
  readonly pageSize: number
  /** NIFs that are registered for the SII; undefined: everybody is. */
  readonly siiHolders: readonly string[] | undefined
}

/** A record as it is looked up and stored. */
export interface Identified {
  readonly key: InvoiceKey
  readonly operation: string
  readonly hash: string | null
  readonly chain: string | null
}

/** A record with what is stored of its invoice, and what a fault makes of it. */
export interface Judging<Item> extends Identified {
  readonly record: Item
  readonly position: number
  readonly stored: InvoiceRow | undefined
  readonly forced: Verdict | null
}

export interface Judged<Item> extends Judging<Item> {
  readonly verdict: Verdict
}

/** What becomes of an invoice by a record that was taken. */
export type Kept = Pick<InvoiceRow, 'state' | 'registration' | 'period'>

/** What a system says of the records of a message. */
export interface Procedure<Item> {
  /** Code with which the fault `partial` rejects, where it names none. */
  readonly partial: number
  /** Lines that an answer has at least. */
  readonly leastLines: number
  readonly identify: (record: Item) => Identified
  readonly judge: (judging: Judging<Item>) => Verdict
  /** Null where a record leaves the state of its invoice as it is. */
  readonly keep: (judged: Judged<Item>, id: number, submission: number) => Kept | null
  readonly line: (judged: Judged<Item>, csv: string | null) => Block
  readonly answer: (state: MessageState, csv: string | null, lines: readonly Block[]) => string
}

type Message = Pick<
  SubmissionRow,
  'service' | 'root' | 'taxpayer' | 'taxpayer_name' | 'representative' | 'wait' | 'early' | 'incident'
>

/** A receipt code in the form of the authority's. */
const newCsv = (): string =>
  `A-${randomBytes(12)
    .toString('base64url')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, 'X')
    .slice(0, 14)}`

/** Code and description as the answers of both systems have them. */
export const errorOf = ({ code, description }: Pick<Verdict, 'code' | 'description'>) => ({
  ...(code === null ? {} : { CodigoErrorRegistro: String(code) }),
  ...(description === null ? {} : { DescripcionErrorRegistro: description }),
})

/** Judges, stores and answers the records of a message. */
export function submit<Item>(
  handling: Handling,
  message: Message,
  records: readonly Item[],
  xml: string,
  procedure: Procedure<Item>,
): Outcome {
  const { database, environment, presenter, now, faults } = handling
  const { service, taxpayer, wait } = message
  const target = { service, operation: 'submission', taxpayer } as const
  const partial = faults.take('answer', target, ['partial'])

  const forcedOf = (number: string, position: number): Verdict | null => {
    const taken = faults.take('record', { ...target, number })
    const byPartial = partial && position % 2 === 1 ? (partial.code ?? procedure.partial) : undefined
    const code = taken?.code ?? byPartial
    if (code === undefined) return null
    const state = taken?.kind === 'accept_with_errors' ? 'AceptadoConErrores' : 'Incorrecto'
    return { state, code, description: descriptionOf(service, code) }
  }

  const settle = (record: Item, position: number, submission: number): Judged<Item> => {
    const identified = procedure.identify(record)
    const { key, operation, hash, chain } = identified
    const stored = database.invoice(key)
    const judging = { ...identified, record, position, stored, forced: forcedOf(key.number, position) }
    const verdict = procedure.judge(judging)
    const judged = { ...judging, verdict }
    const value = JSON.stringify(record)
    const id = database.insertRecord({
      ...key,
      submission,
      position,
      operation,
      ...verdict,
      hash,
      chain,
      value,
    })
    const kept = verdict.state === 'Incorrecto' ? null : procedure.keep(judged, id, submission)
    if (kept) {
      const { code, description } = verdict
      const modified = (stored?.modified ?? -1) + 1
      database.keepInvoice(stored, { ...key, ...kept, code, description, record: id, submission, modified })
    }
    return judged
  }

  return database.transaction(() => {
    const submission = database.insertSubmission(
      {
        ...message,
        environment,
        presenter,
        received_at: now,
        state: 'Incorrecto',
        csv: null,
        records: records.length,
        code: null,
        description: null,
      },
      xml,
    )
    const judged = records.map((record, position) => settle(record, position, submission))
    const state = messageState(judged.map(({ verdict }) => verdict.state))
    const csv = state === 'Incorrecto' ? null : newCsv()
    database.updateSubmission(submission, { state, csv, wait })
    const lines = judged.map((one) => procedure.line(one, csv))
    if (faults.take('answer', target, ['wrong_order'])) lines.reverse()
    if (lines.length > procedure.leastLines && faults.take('answer', target, ['missing_line'])) lines.pop()
    return { kind: 'answer', xml: procedure.answer(state, csv, lines) }
  })
}
