/** A message without an answer: the authority is asked what it has of it, and only what it has not goes again. */
import type { Held, Verdict } from './kind.ts'
import { kindOf } from './kinds.ts'
import * as ledger from './ledger.ts'
import { askingOf, type Line, type Step, standStill, write } from './line.ts'
import { settledBy } from './outcome.ts'
import { updateQueue } from './queue.ts'
import { settleEntries } from './verdicts.ts'

/** The one receipt of all that was found; null where they have different ones, or none. */
function receiptOf(held: readonly Held[]): string | null {
  const [first = null, ...others] = new Set(held.map(({ csv }) => csv))
  return others.length === 0 ? first : null
}

const STORED: readonly Verdict['became'][] = ['accepted', 'accepted_with_errors', 'deleted']

/** State of a submission that was asked for; what is stored of it counts. */
function globalOf(verdicts: readonly Verdict[], all: number): string {
  const stored = verdicts.filter(({ became }) => STORED.includes(became))
  if (stored.length === 0) return ledger.ERROR
  const isWhole = stored.length === all && stored.every(({ became }) => became !== 'accepted_with_errors')
  return isWhole ? 'accepted' : 'partially_accepted'
}

export async function settle(line: Line, submission: ledger.Submission): Promise<Step> {
  const { store, lease } = line
  const { public_id: id, internal_id, global_status } = submission
  const kind = kindOf(submission.kind)
  const entries = await ledger.openEntries(store, id)
  const asked = await kind.ask(askingOf(line), entries)
  if (!asked.ok) return standStill(line, id, asked.stopped)
  const before = await ledger.sentBefore(
    store,
    id,
    entries.map(({ key }) => key),
  )
  const verdicts = entries.flatMap((entry): Verdict[] => {
    const verdict = settledBy(entry, asked.held.get(entry.key), before)
    return verdict ? [verdict] : []
  })
  const settled = new Set(verdicts.map(({ entry }) => entry.key))
  const left = entries.map(({ key }) => key).filter((key) => !settled.has(key))
  const submitted_at = submission.submitted_at ?? submission.created_at
  const isNothing = !verdicts.some(({ became }) => STORED.includes(became))
  await write(line, async (tx, stamp) => {
    await settleEntries(tx, line, { id, internal_id, kind, submitted_at }, verdicts, stamp)
    await kind.comeBack(tx, left)
    // An answer that told of some of its records keeps its own words.
    if (global_status === ledger.SENT)
      await ledger.fail(
        tx,
        id,
        { stop: isNothing ? 'not_received' : 'settled_with_csv' },
        {
          global_status: globalOf(verdicts, entries.length),
          submitted_at,
          csv: submission.csv ?? receiptOf([...asked.held.values()].filter(({ isSame }) => isSame)),
        },
      )
    await ledger.giveUp(tx, id)
    await updateQueue(tx, lease, stamp, { submission_id: null, retry_ms: 0 })
  })
  return { is: 'done', submission: id }
}
