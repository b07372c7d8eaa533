/**
 * Stores the outcome of a message, as the process that holds the queue. `handleResponse`: the authority has decided on
 * each record. `handleFault`: it rejected the whole message. `handleNotSent`: it did not receive the message.
 * `handleUnknown`: it may have received it, so the next step queries the authority (`settleByQuery`). Each outcome is
 * one transaction, which writes the records (channel), the submission (ledger) and the queue.
 */
import type { Text } from '#core/invoice/index.ts'
import type { Tx } from '../../store/store.ts'
import { pauseAfterFailure, pauseAfterRefusal, withRetryAfter } from './backoff.ts'
import type { Blocked } from './blocked.ts'
import type {
  AsideRecord,
  Channel,
  Connection,
  MatchedEntry,
  Outbox,
  SentBatch,
  SettlingContext,
  Step,
  SubmissionResponse,
  System,
} from './channel.ts'
import { isolationAfterResponse, isolationStepAfterFault, storedIsolation } from './isolation.ts'
import { idFor, keysOf, type Submission, type SubmissionChanges } from './ledger.ts'
import type { QueueChanges } from './queue.ts'
import {
  blockedByFailedCall,
  type FailedCall,
  type Fault,
  isOfRecord,
  valuesFor,
} from './transmission-response.ts'
import type { EntryResult, SystemTypes } from './transmission-types.ts'

const MINUTE = 60_000

/**
 * Returns the pause in milliseconds. A cause on this side, such as a missing certificate, may be fixed at any time, so
 * it is checked again after a minute.
 */
function pauseAfter({ reason }: Blocked, failures: number): number {
  if (reason.startsWith('certificate_') || reason === 'no_certificate' || reason === 'no_message')
    return MINUTE
  return reason === 'fault_message' ? pauseAfterRefusal() : pauseAfterFailure(failures)
}

export const writeToHeldQueue = <S extends SystemTypes, T>(
  { system, sending, store, lease }: Outbox<S>,
  work: (tx: Tx, stamp: string) => Promise<T>,
): Promise<T> => {
  const { clock } = sending.app
  return system.queues.asHolder(store, clock, lease, (tx) => work(tx, clock.stamp()))
}

interface Changes {
  readonly submission?: SubmissionChanges
  readonly queue?: QueueChanges
  /** Additional writes in the same transaction. */
  readonly also?: (tx: Tx) => Promise<void>
}

/** Stores why a submission failed and when it is retried. */
export async function blockQueue<S extends SystemTypes>(
  outbox: Outbox<S>,
  submission_id: string,
  blocked: Blocked,
  { submission, queue, also }: Changes = {},
): Promise<Step> {
  const { system, sending, store, environment, lease } = outbox
  const { app } = sending
  const failures = outbox.queue.failures + 1
  const pause_ms = Math.round(withRetryAfter(pauseAfter(blocked, failures), blocked.retryAfter))
  const at = app.clock.now() + pause_ms
  await writeToHeldQueue(outbox, async (tx, stamp) => {
    await system.ledger.update(tx, submission_id, { blocked, ...submission })
    await also?.(tx)
    await system.queues.update(tx, lease, stamp, {
      failures,
      retry_ms: at,
      pause_ms,
      submission_id,
      ...queue,
    })
  })
  const { reason, code } = blocked
  app.log.warn({ company_id: store.companyId, environment, reason, code, failures }, system.waitMessage)
  return { is: 'later', at, blocked }
}

/** Whether the authority has applied the record: it has registered, modified or deleted the invoice. */
export const isAppliedByAuthority = ({ outcome }: EntryResult): boolean =>
  outcome === 'accepted' || outcome === 'accepted_with_errors' || outcome === 'deleted'

/** Stores results both with their records and with their submission. */
export async function settleEntries<S extends SystemTypes>(
  tx: Tx,
  channel: Channel<S>,
  settling: SettlingContext<S>,
  results: readonly S['result'][],
): Promise<void> {
  await channel.settle(tx, settling, results)
  await settling.outbox.system.ledger.writeResults(tx, settling.submission.id, results)
}

/** Stores the rejection of a record that was set aside (`isolation.ts`) as its own submission. Returns its result. */
export async function rejectAside<S extends SystemTypes>(
  tx: Tx,
  outbox: Connection<S>,
  { channel, entry, code, reason }: AsideRecord<S>,
  sent: SentBatch<S>,
  stamp: string,
): Promise<readonly S['result'][]> {
  const { system, environment } = outbox
  const { ledger } = system
  const id = idFor(undefined)
  const entries = [entry]
  // If the record has changed or was removed since it was set aside, no rejection is stored.
  if (!(await channel.markInFlight(tx, entries, id)).has(entry.key)) return []
  const status = ledger.statuses.rejected
  await ledger.open(tx, id, undefined, {
    environment,
    channel: channel.name,
    entries,
    xml: null,
    status,
    stamp,
  })
  const submitted_at = system.asideSubmittedAt(sent, stamp)
  const results = [await system.reject(tx, entry, { code, reason })]
  const submission = { id, submitted_at, csv: null }
  await settleEntries(tx, channel, { outbox, submission, stamp }, results)
  const blocked = { reason: 'fault_record', code, values: valuesFor(system, reason) } as const
  await ledger.update(tx, id, { blocked, status, submitted_at })
  return results
}

/** Queries the authority after a message without a response. Only records that it does not have are sent again. */
export async function settleByQuery<S extends SystemTypes>(
  connection: Connection<S>,
  submission: Submission,
): Promise<Step> {
  const { system, store, environment, lease } = connection
  const { ledger, pacing } = system
  const { id, csv } = submission
  const channel = channelOf(system.channels, submission.channel)
  const entries = await ledger.openEntries(store, id)
  const asked = await channel.queryAuthority(connection, entries)
  if (!asked.ok) return blockQueue(connection, id, asked.blocked)
  const { authorityRecords } = asked
  const results = system.interpretAuthorityRecords(
    entries,
    authorityRecords,
    await ledger.sentBefore(store, environment, id, entries),
  )
  const settled = new Set(results.map(({ entry }) => entry.key))
  const left = keysOf(entries).filter((key) => !settled.has(key))
  const submitted_at = submission.submitted_at ?? submission.created_at
  await writeToHeldQueue(connection, async (tx, stamp) => {
    const settling = { outbox: connection, submission: { id, submitted_at, csv }, stamp }
    await settleEntries(tx, channel, settling, results)
    await channel.requeue(tx, left)
    await ledger.settle(tx, submission, { entries, results, authorityRecords }, stamp)
    await system.queues.update(tx, lease, stamp, {
      submission_id: null,
      retry_ms: 0,
      ...(await pacing?.afterSettling(tx, connection, submission, left.length === 0)),
    })
  })
  return { is: 'done', records: results.length, submission: id }
}

/** Returns the channel of a stored submission. */
export function channelOf<C extends { readonly name: string }>(
  channels: readonly C[],
  name: string | null,
): C {
  const channel = channels.find((one) => one.name === name)
  if (!channel)
    throw new Error(
      `Unknown channel "${name}" in a submission. Start the version that wrote it, or a newer one.`,
    )
  return channel
}

/** Handles a call after which the outcome of the message is unknown. */
export function handleUnknown<S extends SystemTypes>(
  connection: Connection<S>,
  { id, submitted_at }: SentBatch<S>,
  response: FailedCall,
): Promise<Step> {
  const { system } = connection
  return blockQueue(connection, id, blockedByFailedCall(system, response), {
    submission: { status: system.ledger.statuses.unknown, submitted_at },
    queue: { ...system.pacing?.afterSending(connection) },
  })
}

/** Handles a message that was not sent, so that the authority cannot have it. */
export function handleNotSent<S extends SystemTypes>(
  connection: Connection<S>,
  { id, channel, entries }: SentBatch<S>,
  response: FailedCall,
): Promise<Step> {
  const { system } = connection
  return blockQueue(connection, id, blockedByFailedCall(system, response), {
    submission: { status: system.ledger.statuses.failed, xml: null },
    also: (tx) => channel.requeue(tx, keysOf(entries)),
  })
}

/** Whether any record other than this one is pending. */
async function othersWait<S extends SystemTypes>(
  { system, store, environment, sending }: Connection<S>,
  key: string | undefined,
): Promise<boolean> {
  for (const channel of system.channels) {
    const waiting = await channel.waiting(store, { environment, now: sending.app.clock.now(), most: 2 })
    if (waiting.some((one) => one.key !== key)) return true
  }
  return false
}

/** Handles a message that was rejected as a whole. */
export async function handleFault<S extends SystemTypes>(
  connection: Connection<S>,
  sent: SentBatch<S>,
  fault: Fault,
): Promise<Step> {
  const { system, queue, lease } = connection
  const { id, channel, entries, isolation, submitted_at } = sent
  const { code, reason, resend } = fault
  const { failed, rejected } = system.ledger.statuses
  const submission = { status: failed, submitted_at }
  const pace = { ...system.pacing?.afterSending(connection) }
  const blocked = blockedByFailedCall(system, fault)
  const also = (tx: Tx) => channel.requeue(tx, keysOf(entries))
  if (resend || !isOfRecord(system, code))
    return blockQueue(connection, id, blocked, { submission, also, queue: pace })
  const [entry] = entries
  const next = isolationStepAfterFault(isolation, {
    most: system.maxRecords,
    records: entries.length,
    broken: system.malformed(entries),
    first: entry && system.setAside(channel, entry, { code, reason }),
    othersWait: await othersWait(connection, entry?.key),
  })
  if (next.is === 'every')
    return blockQueue(
      connection,
      id,
      { ...blocked, reason: 'fault_message' },
      { submission, also, queue: { ...pace, isolation: null } },
    )
  const isRejected = next.is === 'rejected'
  await writeToHeldQueue(connection, async (tx, stamp) => {
    if (isRejected && entry) {
      const settling = { outbox: connection, submission: { id, submitted_at, csv: null }, stamp }
      await settleEntries(tx, channel, settling, [await system.reject(tx, entry, { code, reason })])
    } else await also(tx)
    await system.ledger.update(tx, id, {
      ...submission,
      blocked,
      ...(isRejected ? { status: rejected } : {}),
    })
    const proven = isolation?.proven ? { limit: system.maxRecords, proven: true, aside: null } : null
    await system.queues.update(tx, lease, stamp, {
      submission_id: isRejected || !system.narrowsSubmission ? null : id,
      retry_ms: 0,
      // The rejection delayed all records after this message.
      failures: queue.failures + 1,
      isolation: storedIsolation(isRejected ? proven : next.isolation),
      ...pace,
    })
  })
  return { is: 'done', records: isRejected ? 1 : 0, submission: id }
}

const ABOUT_NONE: Text = {
  en: 'the response mentions none of the records that were sent.',
  es: 'la respuesta no se refiere a ninguno de los registros enviados.',
}

/**
 * Pairs the lines of a response with the records of its message, by identity and never by position. Several lines with
 * the same identity are assigned in the order of the records.
 */
export function match<S extends SystemTypes>(
  { identityOf }: Pick<System<S>, 'identityOf'>,
  entries: readonly S['entry'][],
  lines: readonly S['line'][],
): readonly MatchedEntry<S>[] {
  const byIdentity = new Map<string, S['line'][]>()
  for (const line of lines) {
    const same = byIdentity.get(line.identity)
    if (same) same.push(line)
    else byIdentity.set(line.identity, [line])
  }
  return entries.flatMap((entry) => {
    const line = byIdentity.get(identityOf(entry))?.shift()
    return line?.isKnown ? [{ entry, line }] : []
  })
}

/** Interprets the lines of a response. Queries duplicates first, because they may be this server's own records. */
async function interpret<S extends SystemTypes>(
  connection: Connection<S>,
  { id, channel }: SentBatch<S>,
  matched: readonly MatchedEntry<S>[],
): Promise<readonly S['result'][]> {
  const { system, store, environment } = connection
  const duplicates = matched.filter(({ line }) => line.isDuplicate).map(({ entry }) => entry)
  if (duplicates.length === 0) return matched.map((one) => system.interpret(one, null, new Set()))
  const asked = await channel.queryAuthority(connection, duplicates)
  const before = await system.ledger.sentBefore(store, environment, id, duplicates)
  return matched.map((one) => system.interpret(one, asked, before))
}

/** Handles a response with a line for each record. Records without a line are queried in the next step. */
export async function handleResponse<S extends SystemTypes>(
  connection: Connection<S>,
  sent: SentBatch<S>,
  response: SubmissionResponse<S>,
): Promise<Step> {
  const { system, sending, queue, lease } = connection
  const { id, channel, entries, isolation, submitted_at } = sent
  const { app } = sending
  const matched = match(system, entries, response.lines)
  if (matched.length === 0) return handleUnknown(connection, sent, { is: 'unknown', reason: ABOUT_NONE })
  const strange = response.lines.length - matched.length
  if (strange > 0) app.log.warn({ strange }, 'a response contains lines for records that were not sent')
  const results = await interpret(connection, sent, matched)
  const aside = isolation?.aside ? await system.findAside(connection, isolation.aside) : null
  const pace = system.pacing?.afterResponse(connection, response)
  // The response counts as a failure, and delays other records, only if the service could process none of its records.
  const failures = results.every(({ outcome }) => outcome === 'again') ? queue.failures + 1 : 0
  const pause_ms = failures > 0 ? Math.round(pauseAfterFailure(failures)) : 0
  const rejected = await writeToHeldQueue(connection, async (tx, stamp) => {
    const { status, csv, text: xml_response } = response
    const settling = { outbox: connection, submission: { id, submitted_at, csv }, stamp }
    await settleEntries(tx, channel, settling, results)
    await system.ledger.update(tx, id, { status, csv, submitted_at, xml_response, blocked: null })
    const others = aside ? await rejectAside(tx, connection, aside, sent, stamp) : []
    await system.queues.update(tx, lease, stamp, {
      submission_id: matched.length < entries.length ? id : null,
      failures,
      retry_ms: failures > 0 ? app.clock.now() + pause_ms : 0,
      pause_ms,
      isolation: storedIsolation(isolationAfterResponse(isolation, entries.length, system.maxRecords)),
      ...(await pace?.(tx)),
    })
    return others
  })
  system.count?.(app, [...results, ...rejected])
  return { is: 'done', records: results.length, submission: id }
}
