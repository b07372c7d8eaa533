/** A message that brought no verdict on its records: what of it is to go again, and when. */
import { type Heard, isOfARecord, stoppedBy } from './hear.ts'
import { afterFault, storedIsolation } from './isolation.ts'
import * as ledger from './ledger.ts'
import { flowFrom, type Line, type Step, standStill, write } from './line.ts'
import { MOST_RECORDS } from './message.ts'
import { updateQueue } from './queue.ts'
import { countWaiting } from './records.ts'
import { rejectAlone } from './rejected.ts'
import type { Sent } from './sent.ts'

/** Nothing came back that says what became of the message. */
export function lost(
  line: Line,
  sent: Sent,
  heard: Exclude<Heard<unknown>, { is: 'answered' }>,
): Promise<Step> {
  return standStill(line, sent.id, stoppedBy(heard), {
    submission: { estado_envio: ledger.STATES.unknown, submitted_at: sent.submitted_at },
    queue: { flow_ms: flowFrom(line) },
  })
}

/** The message was refused as a whole: what of it is to go again, and when. */
export async function faulted(
  line: Line,
  sent: Sent,
  heard: Extract<Heard<unknown>, { is: 'fault' }>,
): Promise<Step> {
  const { environment, store, queue, lease } = line
  const { code, reason, resend } = heard
  const submission = { estado_envio: ledger.STATES.failed, submitted_at: sent.submitted_at }
  const flow_ms = flowFrom(line)
  const stopped = stoppedBy(heard)
  if (resend || !isOfARecord(code))
    return standStill(line, sent.id, stopped, { submission, queue: { flow_ms } })
  const othersWait = (await countWaiting(store, environment, 2)) > 1
  const next = afterFault(sent.isolation, sent.rows, { code, reason }, othersWait)
  if (next.is === 'every')
    return standStill(
      line,
      sent.id,
      { ...stopped, stop: 'fault_message' },
      {
        submission,
        queue: { flow_ms, isolation: null },
      },
    )
  const [row] = sent.rows
  await write(line, async (tx, stamp) => {
    await ledger.fail(tx, sent.id, stopped, {
      ...submission,
      ...(next.is === 'rejected' ? { estado_envio: 'Incorrecto' } : {}),
    })
    if (next.is === 'rejected' && row) await rejectAlone(tx, line, { row, code, reason }, sent, stamp)
    const left = sent.isolation?.proven ? { limit: MOST_RECORDS, proven: true, aside: null } : null
    await updateQueue(tx, lease, stamp, {
      submission_id: next.is === 'rejected' ? null : sent.id,
      flow_ms,
      retry_ms: 0,
      // Everything behind it was delayed.
      failures: queue.failures + 1,
      isolation: storedIsolation(next.is === 'rejected' ? left : next.isolation),
    })
  })
  return { is: 'done', records: next.is === 'rejected' ? 1 : 0 }
}
