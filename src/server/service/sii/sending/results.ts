/** Interprets what a response, or a query, states about each record of a message. */
import { columnsOf } from '../../transmission/blocked.ts'
import type { Asked, Matched } from '../../transmission/channel.ts'
import type { Refusal } from '../../transmission/types.ts'
import type { Entry, EntryResult, Held, Sii } from './types.ts'

/** Error codes: the record to modify was deleted; it was deleted before. */
const GONE = '3001'
const DELETED_BEFORE = '3002'

/** Whether another system registered an invoice: the agency has it, and this server never sent its registration. */
const isRegisteredElsewhere = ({ key, operation }: Entry, sentBefore: ReadonlySet<string>): boolean =>
  operation === 'A0' && !sentBefore.has(key)

/** Registrations of other systems are replaced only at the administrator's request. */
const REGISTERED_ELSEWHERE = {
  code: '3000',
  description: columnsOf({ stop: 'registered_elsewhere' }).error_message,
} as const

/** Returns the outcome of a duplicate by what the agency has. */
function outcomeOfDuplicate(
  entry: Entry,
  held: Held | undefined,
  sentBefore: ReadonlySet<string>,
): EntryResult['outcome'] {
  if (held?.isSame && held.state !== 'deleted') return held.state
  return held?.state === 'deleted' || isRegisteredElsewhere(entry, sentBefore) ? 'rejected' : 'differs'
}

function outcomeOf(
  { entry, line }: Matched<Sii>,
  held: Held | undefined,
  sentBefore: ReadonlySet<string>,
): EntryResult['outcome'] {
  const isDeletion = entry.operation === 'BAJA'
  if (line.item_status === 'deleted') return 'deleted'
  if (line.item_status !== 'rejected')
    return isDeletion ? 'deleted' : line.item_status === 'accepted' ? 'accepted' : 'accepted_with_errors'
  // There is nothing to delete, which is the intended state.
  if (isDeletion && (line.next === 'done' || line.error_code === DELETED_BEFORE)) return 'deleted'
  if (line.error_code === GONE && entry.operation === 'A1') return 'deleted'
  switch (line.next) {
    case 'adopt':
      return outcomeOfDuplicate(entry, held, sentBefore)
    case 'register':
      return 'absent'
    case 'retry':
      return 'again'
    default:
      return 'rejected'
  }
}

const statusColumnsOf = ({ literal, code, description }: Held) => ({ literal, code, description })

/**
 * Interprets the line of a record. A duplicate is our own record if the authority has the same content: an earlier
 * message delivered it, and nothing was rejected.
 */
export function interpret(
  matched: Matched<Sii>,
  asked: Asked<Sii> | null,
  sentBefore: ReadonlySet<string>,
): EntryResult {
  const { entry, line } = matched
  const held = asked?.ok ? asked.held.get(entry.key) : undefined
  const outcome = outcomeOf(matched, held, sentBefore)
  const literal = line.aeat_record_state
  if (line.isDuplicate) {
    if (held && (outcome === 'accepted' || outcome === 'accepted_with_errors'))
      return { entry, outcome, ...statusColumnsOf(held) }
    if (outcome === 'rejected' && held?.state !== 'deleted')
      return { entry, outcome, literal, ...REGISTERED_ELSEWHERE }
  }
  return { entry, outcome, literal, code: line.error_code, description: line.error_description }
}

/** Interprets what the authority has of a record; null if it does not have it, so that it is sent again unchanged. */
function resultFromHeld(
  entry: Entry,
  held: Held | undefined,
  sentBefore: ReadonlySet<string>,
): EntryResult | null {
  if (!held) return null
  if (entry.operation === 'BAJA')
    return held.state === 'deleted' ? { entry, outcome: 'deleted', ...statusColumnsOf(held) } : null
  if (held.state === 'deleted') return null
  if (held.isSame) return { entry, outcome: held.state, ...statusColumnsOf(held) }
  // The agency has the invoice with other content: send a modification.
  if (entry.operation !== 'A0') return null
  return isRegisteredElsewhere(entry, sentBefore)
    ? { entry, outcome: 'rejected', literal: held.literal, ...REGISTERED_ELSEWHERE }
    : { entry, outcome: 'differs', ...statusColumnsOf(held) }
}

export const interpretHeld = (
  entries: readonly Entry[],
  held: ReadonlyMap<string, Held>,
  sentBefore: ReadonlySet<string>,
): readonly EntryResult[] =>
  entries.flatMap((entry) => resultFromHeld(entry, held.get(entry.key), sentBefore) ?? [])

/** Returns the result of a record that made the authority reject its whole message, as a line would state it. */
export const reject = (entry: Entry, { code, reason }: Refusal): EntryResult => ({
  entry,
  outcome: 'rejected',
  literal: 'Incorrecto',
  code: code === null ? null : String(code),
  description: reason.es,
})
