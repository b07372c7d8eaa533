/** Interprets what a response, or a query, states about each record of a message. */
import { columnsOf } from '../../transmission/blocked.ts'
import type { Asked, Matched } from '../../transmission/channel.ts'
import type { Refusal } from '../../transmission/types.ts'
import type { Entry, Held, Sii, Verdict } from './types.ts'

/** Error codes: the record to modify was deleted; it was deleted before. */
const GONE = '3001'
const DELETED_BEFORE = '3002'

/** Whether another system registered an invoice: the agency has it, and this server never sent its registration. */
const isOfAnother = ({ key, operation }: Entry, sentBefore: ReadonlySet<string>): boolean =>
  operation === 'A0' && !sentBefore.has(key)

/** Registrations of other systems are replaced only at the administrator's request. */
const OF_ANOTHER = {
  code: '3000',
  description: columnsOf({ stop: 'registered_elsewhere' }).error_message,
} as const

/** Returns the outcome of a duplicate by what the agency has. */
function outcomeOfDuplicate(
  entry: Entry,
  held: Held | undefined,
  sentBefore: ReadonlySet<string>,
): Verdict['outcome'] {
  if (held?.isSame && held.state !== 'deleted') return held.state
  return held?.state === 'deleted' || isOfAnother(entry, sentBefore) ? 'rejected' : 'differs'
}

function outcomeOf(
  { entry, line }: Matched<Sii>,
  held: Held | undefined,
  sentBefore: ReadonlySet<string>,
): Verdict['outcome'] {
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

const wordsOf = ({ literal, code, description }: Held) => ({ literal, code, description })

/**
 * Interprets the line of a record. A duplicate is our own record if the authority has the same content: an earlier
 * message delivered it, and nothing was rejected.
 */
export function judge(
  matched: Matched<Sii>,
  asked: Asked<Sii> | null,
  sentBefore: ReadonlySet<string>,
): Verdict {
  const { entry, line } = matched
  const held = asked?.ok ? asked.held.get(entry.key) : undefined
  const outcome = outcomeOf(matched, held, sentBefore)
  const literal = line.aeat_record_state
  if (line.isDuplicate) {
    if (held && (outcome === 'accepted' || outcome === 'accepted_with_errors'))
      return { entry, outcome, ...wordsOf(held) }
    if (outcome === 'rejected' && held?.state !== 'deleted') return { entry, outcome, literal, ...OF_ANOTHER }
  }
  return { entry, outcome, literal, code: line.error_code, description: line.error_description }
}

/** Interprets what the authority has of a record; null if it does not have it, so that it is sent again unchanged. */
function verdictIn(entry: Entry, held: Held | undefined, sentBefore: ReadonlySet<string>): Verdict | null {
  if (!held) return null
  if (entry.operation === 'BAJA')
    return held.state === 'deleted' ? { entry, outcome: 'deleted', ...wordsOf(held) } : null
  if (held.state === 'deleted') return null
  if (held.isSame) return { entry, outcome: held.state, ...wordsOf(held) }
  // The agency has the invoice with other content: send a modification.
  if (entry.operation !== 'A0') return null
  return isOfAnother(entry, sentBefore)
    ? { entry, outcome: 'rejected', literal: held.literal, ...OF_ANOTHER }
    : { entry, outcome: 'differs', ...wordsOf(held) }
}

export const judgeHeld = (
  entries: readonly Entry[],
  held: ReadonlyMap<string, Held>,
  sentBefore: ReadonlySet<string>,
): readonly Verdict[] => entries.flatMap((entry) => verdictIn(entry, held.get(entry.key), sentBefore) ?? [])

/** Returns the result of a record that made the authority reject its whole message, as a line would state it. */
export const reject = (entry: Entry, { code, reason }: Refusal): Verdict => ({
  entry,
  outcome: 'rejected',
  literal: 'Incorrecto',
  code: code === null ? null : String(code),
  description: reason.es,
})
