/**
 * What came of a message, written down by the holder of its queue: an answer, a fault, nothing; and what the authority has
 * of one without an answer.
 */
import type { Text } from '../../../invoice/index.ts'
import type { Tx } from '../../store/store.ts'
import { afterFailure, afterRefusal, atLeast } from './backoff.ts'
import type { Blocked } from './blocked.ts'
import type {
  Answer,
  Apart,
  Channel,
  Connection,
  Matched,
  Outbox,
  Sent,
  Settling,
  Step,
  System,
} from './channel.ts'
import { afterAnswer, afterFault, storedIsolation } from './isolation.ts'
import { idFor, keysOf, type Submission, type SubmissionChanges } from './ledger.ts'
import type { QueueChanges } from './queue.ts'
import { blockedBy, type Fault, isOfRecord, type Unanswered, valuesFor } from './response.ts'
import type { Types, Verdict } from './types.ts'

const MINUTE = 60_000

/** How long to wait after what went wrong. Of ours, somebody may fix it at any time: it is looked at again soon. */
function pauseAfter({ stop }: Blocked, failures: number): number {
  if (stop.startsWith('certificate_') || stop === 'no_certificate' || stop === 'no_message') return MINUTE
  return stop === 'fault_message' ? afterRefusal() : afterFailure(failures)
}

export const write = <S extends Types, T>(
  { system, sending, store, lease }: Outbox<S>,
  work: (tx: Tx, stamp: string) => Promise<T>,
): Promise<T> => {
  const { clock } = sending.app
  return system.queues.asHolder(store, clock, lease, (tx) => work(tx, clock.stamp()))
}

interface Changes {
  readonly submission?: SubmissionChanges
  readonly queue?: QueueChanges
  /** What else belongs to it. */
  readonly also?: (tx: Tx) => Promise<void>
}

/** Writes down why a submission did not go through, and when it is tried again. */
export async function block<S extends Types>(
  outbox: Outbox<S>,
  submission_id: string,
  blocked: Blocked,
  { submission, queue, also }: Changes = {},
): Promise<Step> {
  const { system, sending, store, environment, lease } = outbox
  const { app } = sending
  const failures = outbox.queue.failures + 1
  const at = app.clock.now() + Math.round(atLeast(pauseAfter(blocked, failures), blocked.retryAfter))
  await write(outbox, async (tx, stamp) => {
    await system.ledger.update(tx, submission_id, { blocked, ...submission })
    await also?.(tx)
    await system.queues.update(tx, lease, stamp, { failures, retry_ms: at, submission_id, ...queue })
  })
  const { stop, code } = blocked
  app.log.warn({ company_id: store.companyId, environment, stop, code, failures }, system.waitMessage)
  return { is: 'later', at, stopped: blocked }
}

/** What the authority has stored of a record. */
export const isStored = ({ outcome }: Verdict): boolean =>
  outcome === 'accepted' || outcome === 'accepted_with_errors' || outcome === 'deleted'

/** Writes verdicts in what waits and in the submission, always together. */
export async function settleEntries<S extends Types>(
  tx: Tx,
  channel: Channel<S>,
  settling: Settling<S>,
  verdicts: readonly S['verdict'][],
): Promise<void> {
  await channel.settle(tx, settling, verdicts)
  await settling.outbox.system.ledger.writeVerdicts(tx, settling.submission.id, verdicts)
}

/** Writes down as rejected a record that was set apart, as a submission of its own; returns its verdict. */
export async function rejectApart<S extends Types>(
  tx: Tx,
  outbox: Connection<S>,
  { channel, entry, code, reason }: Apart<S>,
  sent: Sent<S>,
  stamp: string,
): Promise<readonly S['verdict'][]> {
  const { system, environment } = outbox
  const { ledger } = system
  const id = idFor(undefined)
  const entries = [entry]
  // It may have changed, or gone, since it was set apart: then it is another one's turn.
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
  const submitted_at = system.apartSubmittedAt(sent, stamp)
  const verdicts = [await system.reject(tx, entry, { code, reason })]
  const submission = { id, submitted_at, csv: null }
  await settleEntries(tx, channel, { outbox, submission, stamp }, verdicts)
  const blocked = { stop: 'fault_record', code, told: valuesFor(system, reason) } as const
  await ledger.update(tx, id, { blocked, status, submitted_at })
  return verdicts
}

/** Asks the authority what it has of a message without an answer: only what it does not have goes again. */
export async function settle<S extends Types>(
  connection: Connection<S>,
  submission: Submission,
): Promise<Step> {
  const { system, store, environment, lease } = connection
  const { ledger, pacing } = system
  const { id, csv } = submission
  const channel = channelOf(system.channels, submission.channel)
  const entries = await ledger.openEntries(store, id)
  const asked = await channel.ask(connection, entries)
  if (!asked.ok) return block(connection, id, asked.stopped)
  const { held } = asked
  const verdicts = system.judgeHeld(entries, held, await ledger.sentBefore(store, environment, id, entries))
  const settled = new Set(verdicts.map(({ entry }) => entry.key))
  const left = keysOf(entries).filter((key) => !settled.has(key))
  const submitted_at = submission.submitted_at ?? submission.created_at
  await write(connection, async (tx, stamp) => {
    const settling = { outbox: connection, submission: { id, submitted_at, csv }, stamp }
    await settleEntries(tx, channel, settling, verdicts)
    await channel.requeue(tx, left)
    await ledger.settle(tx, submission, { entries, verdicts, held }, stamp)
    await system.queues.update(tx, lease, stamp, {
      submission_id: null,
      retry_ms: 0,
      ...(await pacing?.settled(tx, connection, submission, left.length === 0)),
    })
  })
  return { is: 'done', records: verdicts.length, submission: id }
}

/** The channel of a stored submission. */
export function channelOf<C extends { readonly name: string }>(
  channels: readonly C[],
  name: string | null,
): C {
  const channel = channels.find((one) => one.name === name)
  if (!channel)
    throw new Error(`A submission carries "${name}", which this program does not know. Start the newer one.`)
  return channel
}

/** Nothing came back that says what became of the message. */
export function lost<S extends Types>(
  connection: Connection<S>,
  { id, submitted_at }: Sent<S>,
  response: Unanswered,
): Promise<Step> {
  const { system } = connection
  return block(connection, id, blockedBy(system, response), {
    submission: { status: system.ledger.statuses.unknown, submitted_at },
    queue: { ...system.pacing?.sent(connection) },
  })
}

/** Nothing of it went out: there is no message that anybody has. */
export function notSent<S extends Types>(
  connection: Connection<S>,
  { id, channel, entries }: Sent<S>,
  response: Unanswered,
): Promise<Step> {
  const { system } = connection
  return block(connection, id, blockedBy(system, response), {
    submission: { status: system.ledger.statuses.failed, xml: null },
    also: (tx) => channel.requeue(tx, keysOf(entries)),
  })
}

/** Whether anything else waits than this record. */
async function othersWait<S extends Types>(
  { system, store, environment, sending }: Connection<S>,
  key: string | undefined,
): Promise<boolean> {
  for (const channel of system.channels) {
    const waiting = await channel.waiting(store, { environment, now: sending.app.clock.now(), most: 2 })
    if (waiting.some((one) => one.key !== key)) return true
  }
  return false
}

/** The message was refused as a whole. */
export async function faulted<S extends Types>(
  connection: Connection<S>,
  sent: Sent<S>,
  fault: Fault,
): Promise<Step> {
  const { system, queue, lease } = connection
  const { id, channel, entries, isolation, submitted_at } = sent
  const { code, reason, resend } = fault
  const { failed, rejected } = system.ledger.statuses
  const submission = { status: failed, submitted_at }
  const pace = { ...system.pacing?.sent(connection) }
  const blocked = blockedBy(system, fault)
  const also = (tx: Tx) => channel.requeue(tx, keysOf(entries))
  if (resend || !isOfRecord(system, code))
    return block(connection, id, blocked, { submission, also, queue: pace })
  const [entry] = entries
  const next = afterFault(isolation, {
    most: system.mostRecords,
    records: entries.length,
    broken: system.malformed(entries),
    first: entry && system.setAside(channel, entry, { code, reason }),
    othersWait: await othersWait(connection, entry?.key),
  })
  if (next.is === 'every')
    return block(
      connection,
      id,
      { ...blocked, stop: 'fault_message' },
      { submission, also, queue: { ...pace, isolation: null } },
    )
  const isRejected = next.is === 'rejected'
  await write(connection, async (tx, stamp) => {
    if (isRejected && entry) {
      const settling = { outbox: connection, submission: { id, submitted_at, csv: null }, stamp }
      await settleEntries(tx, channel, settling, [await system.reject(tx, entry, { code, reason })])
    } else await also(tx)
    await system.ledger.update(tx, id, {
      ...submission,
      blocked,
      ...(isRejected ? { status: rejected } : {}),
    })
    const proven = isolation?.proven ? { limit: system.mostRecords, proven: true, aside: null } : null
    await system.queues.update(tx, lease, stamp, {
      submission_id: isRejected || !system.narrowsSubmission ? null : id,
      retry_ms: 0,
      // Everything behind it was delayed.
      failures: queue.failures + 1,
      isolation: storedIsolation(isRejected ? proven : next.isolation),
      ...pace,
    })
  })
  return { is: 'done', records: isRejected ? 1 : 0, submission: id }
}

const ABOUT_NONE: Text = {
  en: 'the answer speaks of none of the records that were sent.',
  es: 'la respuesta no se refiere a ninguno de los registros enviados.',
}

/**
 * Pairs the lines of an answer with the records of its message: by what they name, never by their position. Where the
 * same is named twice, its lines come in the order of its records.
 */
function match<S extends Types>(
  { identityOf }: System<S>,
  entries: readonly S['entry'][],
  lines: readonly S['line'][],
): readonly Matched<S>[] {
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

/** The verdicts of an answer. What the authority has of duplicates is asked first: it may be ours. */
async function judge<S extends Types>(
  connection: Connection<S>,
  { id, channel }: Sent<S>,
  matched: readonly Matched<S>[],
): Promise<readonly S['verdict'][]> {
  const { system, store, environment } = connection
  const duplicates = matched.filter(({ line }) => line.isDuplicate).map(({ entry }) => entry)
  if (duplicates.length === 0) return matched.map((one) => system.judge(one, null, new Set()))
  const asked = await channel.ask(connection, duplicates)
  const before = await system.ledger.sentBefore(store, environment, id, duplicates)
  return matched.map((one) => system.judge(one, asked, before))
}

export async function answered<S extends Types>(
  connection: Connection<S>,
  sent: Sent<S>,
  answer: Answer<S>,
): Promise<Step> {
  const { system, sending, queue, lease } = connection
  const { id, channel, entries, isolation, submitted_at } = sent
  const { app } = sending
  const matched = match(system, entries, answer.lines)
  if (matched.length === 0) return lost(connection, sent, { is: 'unknown', reason: ABOUT_NONE })
  const strange = answer.lines.length - matched.length
  if (strange > 0) app.log.warn({ strange }, 'an answer has lines of records that were not sent')
  const verdicts = await judge(connection, sent, matched)
  const apart = isolation?.aside ? await system.apartOf(connection, isolation.aside) : null
  const pace = system.pacing?.answered(connection, answer)
  // A record that the service could not handle is not the fault of the others, which are sent.
  const failures = verdicts.every(({ outcome }) => outcome === 'again') ? queue.failures + 1 : 0
  const rejected = await write(connection, async (tx, stamp) => {
    const { status, csv, text: xml_response } = answer
    const settling = { outbox: connection, submission: { id, submitted_at, csv }, stamp }
    await settleEntries(tx, channel, settling, verdicts)
    await system.ledger.update(tx, id, { status, csv, submitted_at, xml_response, blocked: null })
    const others = apart ? await rejectApart(tx, connection, apart, sent, stamp) : []
    await system.queues.update(tx, lease, stamp, {
      // Records without a line are asked for.
      submission_id: matched.length < entries.length ? id : null,
      failures,
      retry_ms: failures > 0 ? app.clock.now() + Math.round(afterFailure(failures)) : 0,
      isolation: storedIsolation(afterAnswer(isolation, entries.length, system.mostRecords)),
      ...(await pace?.(tx)),
    })
    return others
  })
  system.count?.(app, [...verdicts, ...rejected])
  return { is: 'done', records: verdicts.length, submission: id }
}
