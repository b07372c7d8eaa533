/** What an answer says of each record of a message. */
import type { ResponseLine } from '../../../../sii/index.ts'
import { columnsOf } from '../../sending/stops.ts'
import type { Asked, Entry, Held, Verdict } from './kind.ts'
import { identityIn } from './record.ts'

/** A record with the line that speaks of it. */
export interface Told {
  readonly entry: Entry
  readonly line: ResponseLine
}

export interface Matched {
  readonly told: readonly Told[]
  /** Records of which the answer says nothing. */
  readonly untold: readonly Entry[]
  /** Lines that are of no record of the message. */
  readonly strange: number
}

const dayOf = (day: string | null): string => (day ?? '').split('-').reverse().join('-')

const identityOf = ({ issuer_id, invoice_number, issue_date }: ResponseLine): string =>
  JSON.stringify([issuer_id ?? '', invoice_number ?? '', dayOf(issue_date)])

/**
 * Puts lines and records together: by issuer, number and day, never by their place. Where the same invoice occurs
 * twice, as with several collections, its lines come in the order of its records.
 */
export function matched(entries: readonly Entry[], lines: readonly ResponseLine[]): Matched {
  const waiting = new Map<string, ResponseLine[]>()
  for (const line of lines) {
    const key = identityOf(line)
    waiting.set(key, [...(waiting.get(key) ?? []), line])
  }
  const told: Told[] = []
  const untold: Entry[] = []
  for (const entry of entries) {
    const line = waiting.get(identityIn(entry.record))?.shift()
    if (line && line.item_status !== 'unknown') told.push({ entry, line })
    else untold.push(entry)
  }
  return { told, untold, strange: lines.length - told.length }
}

/** Whether what is stored has to be looked at before anything is said of the record. */
export const isDuplicate = ({ line }: Told): boolean => line.next === 'adopt'

const GONE = '3001'

/** What the agency has of a registration that was never sent from here was registered by another system. */
const isOfAnother = ({ key, operation }: Entry, sentBefore: ReadonlySet<string>): boolean =>
  operation === 'A0' && !sentBefore.has(key)

/** A registration of another system is not replaced without a command. */
const OF_ANOTHER = {
  code: '3000',
  description: columnsOf({ stop: 'registered_elsewhere' }).error_message,
} as const

function becameOf(
  { entry, line }: Told,
  asked: Asked | null,
  sentBefore: ReadonlySet<string>,
): Verdict['became'] {
  const isDeletion = entry.operation === 'BAJA'
  if (line.item_status === 'deleted') return 'deleted'
  if (line.item_status !== 'rejected')
    return isDeletion ? 'deleted' : line.item_status === 'accepted' ? 'accepted' : 'accepted_with_errors'
  // There is nothing to delete: what was to be reached is so.
  if (isDeletion && (line.next === 'done' || line.error_code === '3002')) return 'deleted'
  if (line.error_code === GONE && entry.operation === 'A1') return 'deleted'
  switch (line.next) {
    case 'adopt': {
      const held = asked?.ok ? asked.held.get(entry.key) : undefined
      if (held?.isSame && held.state !== 'deleted') return held.state
      return held?.state === 'deleted' || isOfAnother(entry, sentBefore) ? 'rejected' : 'differs'
    }
    case 'register':
      return 'absent'
    case 'retry':
      return 'again'
    default:
      return 'rejected'
  }
}

const heldWords = (held: Held) => ({
  literal: held.literal,
  code: held.code,
  description: held.description,
})

/**
 * The state of a record after an answer. A duplicate is our own record where the authority has the same content: then
 * an earlier message arrived, and nothing was rejected.
 */
export function judged(told: Told, asked: Asked | null, sentBefore: ReadonlySet<string>): Verdict {
  const { entry, line } = told
  const became = becameOf(told, asked, sentBefore)
  const held = asked?.ok ? asked.held.get(entry.key) : undefined
  const isAdopted = isDuplicate(told) && (became === 'accepted' || became === 'accepted_with_errors')
  return {
    entry,
    became,
    ...(isAdopted && held
      ? heldWords(held)
      : isDuplicate(told) && became === 'rejected' && held?.state !== 'deleted'
        ? { literal: line.aeat_record_state, ...OF_ANOTHER }
        : { literal: line.aeat_record_state, code: line.error_code, description: line.error_description }),
  }
}

/**
 * What became of a record without an answer, by what the authority has; null where it has not got it, and it goes
 * again as it is.
 */
export function settledBy(
  entry: Entry,
  held: Held | undefined,
  sentBefore: ReadonlySet<string>,
): Verdict | null {
  if (!held) return null
  if (entry.operation === 'BAJA')
    return held.state === 'deleted' ? { entry, became: 'deleted', ...heldWords(held) } : null
  if (held.state === 'deleted') return null
  if (held.isSame) return { entry, became: held.state, ...heldWords(held) }
  // What is to be registered is there with another content: it goes as a modification.
  if (entry.operation !== 'A0') return null
  return isOfAnother(entry, sentBefore)
    ? { entry, became: 'rejected', literal: held.literal, ...OF_ANOTHER }
    : { entry, became: 'differs', ...heldWords(held) }
}
