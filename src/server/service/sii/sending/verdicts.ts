/** What an answer, or a query, says of each record of a message. */
import { columnsOf } from '../../transmission/blocked.ts'
import type { Asked, Matched } from '../../transmission/channel.ts'
import type { Refusal } from '../../transmission/types.ts'
import type { Entry, Held, Sii, Verdict } from './types.ts'

/** The agency has deleted what was to be modified. */
const GONE = '3001'
const DELETED_BEFORE = '3002'

/** What the agency has of a registration that was never sent from here was registered by another system. */
const isOfAnother = ({ key, operation }: Entry, sentBefore: ReadonlySet<string>): boolean =>
  operation === 'A0' && !sentBefore.has(key)

/** A registration of another system is not replaced without a command. */
const OF_ANOTHER = {
  code: '3000',
  description: columnsOf({ stop: 'registered_elsewhere' }).error_message,
} as const

/** The outcome of a duplicate by what the agency has. */
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
  // There is nothing to delete: what was to be reached is so.
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
 * The outcome of a record after an answer. A duplicate is our own record where the authority has the same content: then
 * an earlier message arrived, and nothing was rejected.
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

/** The outcome by what the authority has; null where it does not have the record, and it goes again as it is. */
function verdictIn(entry: Entry, held: Held | undefined, sentBefore: ReadonlySet<string>): Verdict | null {
  if (!held) return null
  if (entry.operation === 'BAJA')
    return held.state === 'deleted' ? { entry, outcome: 'deleted', ...wordsOf(held) } : null
  if (held.state === 'deleted') return null
  if (held.isSame) return { entry, outcome: held.state, ...wordsOf(held) }
  // What is to be registered is there with another content: it goes as a modification.
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

/** A record that its whole message was refused for: rejected, as a line says it of others. */
export const reject = (entry: Entry, { code, reason }: Refusal): Verdict => ({
  entry,
  outcome: 'rejected',
  literal: 'Incorrecto',
  code: code === null ? null : String(code),
  description: reason.es,
})
