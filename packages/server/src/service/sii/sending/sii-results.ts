/** Interprets the result of each record of a message, as stated in a response or found by a query. */
import { columnsOf } from '../../transmission/blocked.ts'
import type { MatchedEntry, QueryResult } from '../../transmission/channel.ts'
import type { Refusal } from '../../transmission/transmission-types.ts'
import type { AuthorityRecord, Entry, EntryResult, Sii } from './sii-queue-types.ts'

/** Error codes: the record to modify was deleted, and the record to delete was deleted before. */
const GONE = '3001'
const DELETED_BEFORE = '3002'

/**
 * Whether another system registered the invoice. The tax authority has a record, but this server has never sent one.
 */
const isOfAnotherSystem = ({ key, operation }: Entry, sentBefore: ReadonlySet<string>): boolean =>
  operation === 'A0' && !sentBefore.has(key)

/** Code and description for an invoice that another system registered. Only an administrator can have it replaced. */
const REGISTERED_ELSEWHERE = {
  code: '3000',
  description: columnsOf({ reason: 'registered_elsewhere' }).error_message,
} as const

/** Returns the outcome of a duplicate, depending on the record that the tax authority has. */
function outcomeOfDuplicate(
  entry: Entry,
  authorityRecord: AuthorityRecord | undefined,
  sentBefore: ReadonlySet<string>,
): EntryResult['outcome'] {
  if (authorityRecord?.isSame && authorityRecord.state !== 'deleted') return authorityRecord.state
  return authorityRecord?.state === 'deleted' || isOfAnotherSystem(entry, sentBefore) ? 'rejected' : 'differs'
}

function outcomeOf(
  { entry, line }: MatchedEntry<Sii>,
  authorityRecord: AuthorityRecord | undefined,
  sentBefore: ReadonlySet<string>,
): EntryResult['outcome'] {
  const isDeletion = entry.operation === 'BAJA'
  if (line.item_status === 'deleted') return 'deleted'
  if (line.item_status !== 'rejected')
    return isDeletion ? 'deleted' : line.item_status === 'accepted' ? 'accepted' : 'accepted_with_errors'
  // The record does not exist, which is what the deletion should achieve.
  if (isDeletion && (line.next === 'done' || line.error_code === DELETED_BEFORE)) return 'deleted'
  if (line.error_code === GONE && entry.operation === 'A1') return 'deleted'
  switch (line.next) {
    case 'adopt':
      return outcomeOfDuplicate(entry, authorityRecord, sentBefore)
    case 'register':
      return 'absent'
    case 'retry':
      return 'again'
    default:
      return 'rejected'
  }
}

const statusColumnsOf = ({ literal, code, description }: AuthorityRecord) => ({ literal, code, description })

/**
 * Interprets the response line of a record. A duplicate is this server's own record if the authority has the same
 * content: an earlier message delivered it, so it counts as accepted.
 */
export function interpret(
  matched: MatchedEntry<Sii>,
  asked: QueryResult<Sii> | null,
  sentBefore: ReadonlySet<string>,
): EntryResult {
  const { entry, line } = matched
  const authorityRecord = asked?.ok ? asked.authorityRecords.get(entry.key) : undefined
  const outcome = outcomeOf(matched, authorityRecord, sentBefore)
  const literal = line.aeat_record_state
  if (line.isDuplicate) {
    if (authorityRecord && (outcome === 'accepted' || outcome === 'accepted_with_errors'))
      return { entry, outcome, ...statusColumnsOf(authorityRecord) }
    if (outcome === 'rejected' && authorityRecord?.state !== 'deleted')
      return { entry, outcome, literal, ...REGISTERED_ELSEWHERE }
  }
  return { entry, outcome, literal, code: line.error_code, description: line.error_description }
}

/** Returns the result of a record according to a query; null if it must be sent again unchanged. */
function resultFromAuthority(
  entry: Entry,
  authorityRecord: AuthorityRecord | undefined,
  sentBefore: ReadonlySet<string>,
): EntryResult | null {
  if (!authorityRecord) return null
  if (entry.operation === 'BAJA')
    return authorityRecord.state === 'deleted'
      ? { entry, outcome: 'deleted', ...statusColumnsOf(authorityRecord) }
      : null
  if (authorityRecord.state === 'deleted') return null
  if (authorityRecord.isSame)
    return { entry, outcome: authorityRecord.state, ...statusColumnsOf(authorityRecord) }
  // The tax authority has the invoice with other content, so a modification is necessary.
  if (entry.operation !== 'A0') return null
  return isOfAnotherSystem(entry, sentBefore)
    ? { entry, outcome: 'rejected', literal: authorityRecord.literal, ...REGISTERED_ELSEWHERE }
    : { entry, outcome: 'differs', ...statusColumnsOf(authorityRecord) }
}

export const interpretAuthorityRecords = (
  entries: readonly Entry[],
  authorityRecords: ReadonlyMap<string, AuthorityRecord>,
  sentBefore: ReadonlySet<string>,
): readonly EntryResult[] =>
  entries.flatMap((entry) => resultFromAuthority(entry, authorityRecords.get(entry.key), sentBefore) ?? [])

/** Returns the result, in the form of a response line, of a record that made the authority reject a message. */
export const rejectedResultOf = (entry: Entry, { code, reason }: Refusal): EntryResult => ({
  entry,
  outcome: 'rejected',
  literal: 'Incorrecto',
  code: code === null ? null : String(code),
  description: reason.es,
})
