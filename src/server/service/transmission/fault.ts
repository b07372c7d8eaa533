/** A message without a verdict on its records: what of it is to go again, and when. */
import type { Tx } from '../../store/store.ts'
import type { Connection, Sent, Step } from './channel.ts'
import { afterFault, storedIsolation } from './isolation.ts'
import { keysOf } from './ledger.ts'
import { block, write } from './outbox.ts'
import { blockedBy, type Fault, isOfRecord, type Unanswered } from './response.ts'
import { settleEntries } from './settlement.ts'
import type { Types } from './types.ts'

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
