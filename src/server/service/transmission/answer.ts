/** An answer is written down: in one transaction with the states of its records, its lines and its CSV. */
import type { Text } from '../../../invoice/index.ts'
import { afterFailure } from './backoff.ts'
import type { Answer, Connection, Matched, Sent, Step, System } from './channel.ts'
import { lost } from './fault.ts'
import { afterAnswer, storedIsolation } from './isolation.ts'
import { write } from './outbox.ts'
import { rejectApart, settleEntries } from './settlement.ts'
import type { Types } from './types.ts'

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
