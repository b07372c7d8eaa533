/** Verdicts are written down; of a message without an answer, the authority is asked what it has. */
import type { Tx } from '../../store/store.ts'
import type { Apart, Channel, Connection, Sent, Settling, Step } from './channel.ts'
import { idFor, keysOf, type Submission } from './ledger.ts'
import { block, write } from './outbox.ts'
import { valuesFor } from './response.ts'
import type { Types, Verdict } from './types.ts'

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
