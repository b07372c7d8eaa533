/** Processes a message, for both systems: decides on each record and stores all records in one transaction. */
import { randomBytes } from 'node:crypto'
import type { Powers } from './caller.ts'
import { descriptionOf } from './simulated-codes.ts'
import type { Faults } from './simulated-faults.ts'
import type { InvoiceKey, InvoiceRow, SimulatorDatabase, SubmissionRow } from './simulator-database.ts'
import {
  type Block,
  type Decision,
  type Environment,
  type MessageState,
  messageState,
  type Outcome,
} from './simulator-types.ts'

/** The context for processing a message. */
export interface RequestContext {
  readonly database: SimulatorDatabase
  readonly faults: Faults
  readonly powers: Powers
  readonly environment: Environment
  /** NIF in the certificate of the sender. */
  readonly presenter: string
  readonly now: number
  /** Wait time that the response states, in seconds. */
  readonly wait: number
  /** Number of rows in a page of a query. */
  readonly pageSize: number
  /** NIFs registered for the SII; undefined means all. */
  readonly siiHolders: readonly string[] | undefined
}

/** The keys under which a record is stored. */
export interface RecordKeys {
  readonly key: InvoiceKey
  readonly operation: string
  readonly hash: string | null
  readonly chain: string | null
}

/** A record to decide on, with its stored invoice, and with the decision if a fault determines it. */
export interface Candidate<Item> extends RecordKeys {
  readonly record: Item
  readonly position: number
  readonly stored: InvoiceRow | undefined
  readonly forced: Decision | null
}

export interface DecidedRecord<Item> extends Candidate<Item> {
  readonly decision: Decision
}

/** The change of an invoice that an accepted record causes. */
export type InvoiceUpdate = Pick<InvoiceRow, 'state' | 'registration' | 'period'>

/** The functions that differ between the two systems. */
export interface Procedure<Item> {
  /** Error code of the fault `partial`, if the fault states none. */
  readonly partialCode: number
  /** Minimum number of lines in a response. */
  readonly minLines: number
  readonly identify: (record: Item) => RecordKeys
  readonly decide: (candidate: Candidate<Item>) => Decision
  /** Returns null if the record does not change the state of its invoice. */
  readonly applyToInvoice: (
    decided: DecidedRecord<Item>,
    id: number,
    submission: number,
  ) => InvoiceUpdate | null
  readonly line: (decided: DecidedRecord<Item>, csv: string | null) => Block
  readonly response: (state: MessageState, csv: string | null, lines: readonly Block[]) => string
}

type Message = Pick<
  SubmissionRow,
  'service' | 'root' | 'taxpayer' | 'taxpayer_name' | 'representative' | 'wait' | 'early' | 'incident'
>

/** Returns a CSV (receipt code) in the format of the authority. */
const newCsv = (): string =>
  `A-${randomBytes(12)
    .toString('base64url')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, 'X')
    .slice(0, 14)}`

/** Returns code and description as fields of a response line, which are the same in both systems. */
export const errorOf = ({ code, description }: Pick<Decision, 'code' | 'description'>) => ({
  ...(code === null ? {} : { CodigoErrorRegistro: String(code) }),
  ...(description === null ? {} : { DescripcionErrorRegistro: description }),
})

/** Decides on the records of a message, stores them and returns the response. */
export function submit<Item>(
  handling: RequestContext,
  message: Message,
  records: readonly Item[],
  xml: string,
  procedure: Procedure<Item>,
): Outcome {
  const { database, environment, presenter, now, faults } = handling
  const { service, taxpayer, wait } = message
  const target = { service, operation: 'submission', taxpayer } as const
  const partial = faults.take('response', target, ['partial'])

  const forcedOf = (number: string, position: number): Decision | null => {
    const taken = faults.take('record', { ...target, number })
    const byPartial = partial && position % 2 === 1 ? (partial.code ?? procedure.partialCode) : undefined
    const code = taken?.code ?? byPartial
    if (code === undefined) return null
    const state = taken?.kind === 'accept_with_errors' ? 'AceptadoConErrores' : 'Incorrecto'
    return { state, code, description: descriptionOf(service, code) }
  }

  const processRecord = (record: Item, position: number, submission: number): DecidedRecord<Item> => {
    const identified = procedure.identify(record)
    const { key, operation, hash, chain } = identified
    const stored = database.invoice(key)
    const candidate = { ...identified, record, position, stored, forced: forcedOf(key.number, position) }
    const decision = procedure.decide(candidate)
    const decided = { ...candidate, decision }
    const value = JSON.stringify(record)
    const id = database.insertRecord({
      ...key,
      submission,
      position,
      operation,
      ...decision,
      hash,
      chain,
      value,
    })
    const update = decision.state === 'Incorrecto' ? null : procedure.applyToInvoice(decided, id, submission)
    if (update) {
      const { code, description } = decision
      const modified = (stored?.modified ?? -1) + 1
      database.saveInvoice(stored, { ...key, ...update, code, description, record: id, submission, modified })
    }
    return decided
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
    const decided = records.map((record, position) => processRecord(record, position, submission))
    const state = messageState(decided.map(({ decision }) => decision.state))
    const csv = state === 'Incorrecto' ? null : newCsv()
    database.updateSubmission(submission, { state, csv, wait })
    const lines = decided.map((one) => procedure.line(one, csv))
    if (faults.take('response', target, ['wrong_order'])) lines.reverse()
    if (lines.length > procedure.minLines && faults.take('response', target, ['missing_line'])) lines.pop()
    return { kind: 'response', xml: procedure.response(state, csv, lines) }
  })
}
