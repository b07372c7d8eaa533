/** A message that brought no verdict on its records: what of it is to go again, and when. */
import { afterFault, readIsolation, storedIsolation } from '../../sending/isolation.ts'
import { type Heard, isOfARecord, stoppedBy, type Unheard } from './hear.ts'
import type { Verdict } from './kind.ts'
import { KINDS } from './kinds.ts'
import * as ledger from './ledger.ts'
import { type Line, type Sent, type Step, standStill, write } from './line.ts'
import { MOST_RECORDS } from './message.ts'
import { updateQueue } from './queue.ts'
import type { Aside } from './rejected.ts'
import { settleEntries } from './verdicts.ts'

const keysOf = ({ entries }: Sent): string[] => entries.map(({ key }) => key)

/** Nothing came back that says what became of the message. */
export function lost(line: Line, sent: Sent, heard: Unheard): Promise<Step> {
  return standStill(line, sent.id, stoppedBy(heard), {
    submission: { global_status: ledger.SENT, submitted_at: sent.submitted_at },
  })
}

/** Nothing of it went out: there is no message that anybody has. */
export function notSent(line: Line, sent: Sent, heard: Unheard): Promise<Step> {
  return standStill(line, sent.id, stoppedBy(heard), {
    submission: { global_status: ledger.ERROR, xml: null },
    also: (tx) => sent.kind.comeBack(tx, keysOf(sent)),
  })
}

/** Whether anything else waits than this record. */
async function othersWait({ store, sending }: Line, [key]: readonly string[]): Promise<boolean> {
  for (const kind of KINDS) {
    const dues = await kind.waiting(store, { now: sending.app.clock.now(), most: 2 })
    if (dues.some((due) => due.key !== key)) return true
  }
  return false
}

/** The message was refused as a whole: what of it is to go again, and when. */
export async function faulted(
  line: Line,
  sent: Sent,
  heard: Extract<Heard<unknown>, { is: 'fault' }>,
): Promise<Step> {
  const { queue, lease } = line
  const { code, reason, resend } = heard
  const submission = { global_status: ledger.ERROR, submitted_at: sent.submitted_at }
  const stopped = stoppedBy(heard)
  const also = (tx: Parameters<typeof sent.kind.comeBack>[0]) => sent.kind.comeBack(tx, keysOf(sent))
  if (resend || !isOfARecord(code)) return standStill(line, sent.id, stopped, { submission, also })
  const isolation = readIsolation<Aside>(queue.isolation)
  const [entry] = sent.entries
  const next = afterFault<Aside>(isolation, {
    most: MOST_RECORDS,
    records: sent.entries.length,
    // Each was held against the schema when it was made.
    broken: -1,
    first: entry && { kind: sent.kind.name, entry, code, reason },
    othersWait: await othersWait(line, keysOf(sent)),
  })
  if (next.is === 'every')
    return standStill(
      line,
      sent.id,
      { ...stopped, stop: 'fault_message' },
      { submission, also, queue: { isolation: null } },
    )
  const isRejected = next.is === 'rejected'
  await write(line, async (tx, stamp) => {
    if (isRejected && entry) {
      const verdict: Verdict = {
        entry,
        became: 'rejected',
        literal: 'Incorrecto',
        code: code === null ? null : String(code),
        description: reason.es,
      }
      await settleEntries(tx, line, sent, [verdict], stamp)
    } else await also(tx)
    await ledger.fail(tx, sent.id, stopped, {
      ...submission,
      ...(isRejected ? { global_status: 'rejected' } : {}),
    })
    const left = isolation?.proven ? { limit: MOST_RECORDS, proven: true, aside: null } : null
    await updateQueue(tx, lease, stamp, {
      submission_id: null,
      retry_ms: 0,
      failures: queue.failures + 1,
      isolation: storedIsolation(isRejected ? left : next.isolation),
    })
  })
  return { is: 'done', submission: sent.id }
}
