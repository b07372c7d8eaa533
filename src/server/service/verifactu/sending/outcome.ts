/** What an answer says of each record of a message. */
import type { AnswerLine } from '../../../../verifactu/index.ts'
import { type Asked, nameOf, verdictBy } from './ask.ts'
import { estadoOf, type Verdict, type Waiting } from './records.ts'

/** A record with the line that speaks of it. */
export interface Told {
  readonly record: Waiting
  readonly line: AnswerLine
}

export interface Matched {
  readonly told: readonly Told[]
  /** Records of which the answer says nothing. */
  readonly untold: readonly Waiting[]
  /** Lines that are of no record of the message. */
  readonly strange: number
}

const keyOf = (tipo: string, named: Pick<Waiting, 'num_serie' | 'fecha_expedicion'>): string =>
  `${tipo} ${nameOf(named)}`

/**
 * Puts lines and records together: by number, date and operation, never by their place. Where the same invoice occurs
 * twice with the same operation, its lines come in the order of its records.
 */
export function matched(records: readonly Waiting[], lines: readonly AnswerLine[]): Matched {
  const waiting = new Map<string, AnswerLine[]>()
  for (const line of lines) {
    const key = keyOf(line.operation, line)
    waiting.set(key, [...(waiting.get(key) ?? []), line])
  }
  const told: Told[] = []
  const untold: Waiting[] = []
  for (const record of records) {
    const line = waiting.get(keyOf(record.tipo, record))?.shift()
    if (line && estadoOf(line.state)) told.push({ record, line })
    else untold.push(record)
  }
  return { told, untold, strange: lines.length - told.length }
}

const DUPLICATE = 3000

export const isDuplicate = ({ line }: Told): boolean => line.code === DUPLICATE

export interface Judged extends Told {
  readonly estado: Verdict['estado']
  /** It was there before this message: an earlier one whose answer was lost. */
  readonly arrivedBefore: boolean
}

/**
 * The state of a record after an answer. A duplicate is our own record where the authority holds its hash: then an
 * earlier message arrived, and nothing was rejected. Where it could not be asked, or names no hash, the answer has to
 * do: a duplicate that was sent before, and stands, is that one.
 */
export function judged(
  { record, line }: Told,
  asked: Asked | null,
  sentBefore: (record: Waiting) => boolean,
): Judged {
  const estado = estadoOf(line.state) ?? 'rejected'
  if (!isDuplicate({ record, line })) return { record, line, estado, arrivedBefore: false }
  const held = asked?.ok ? asked.held.get(nameOf(record)) : undefined
  const isTold = asked?.ok === true && held?.huella !== null
  const own = isTold
    ? verdictBy(record, held, [])
    : sentBefore(record)
      ? estadoOf(line.duplicate_state ?? held?.state ?? 'unknown')
      : null
  return own === null || own === 'rejected'
    ? { record, line, estado: 'rejected', arrivedBefore: false }
    : { record, line, estado: own, arrivedBefore: true }
}
