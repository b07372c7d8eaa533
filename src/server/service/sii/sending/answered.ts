/** An answer is written down: in one transaction with the states of its invoices, its items and its CSV. */
import type { Text } from '../../../../invoice/index.ts'
import type { ResponseSummary } from '../../../../sii/index.ts'
import { afterFailure } from '../../sending/backoff.ts'
import { afterAnswer, readIsolation, storedIsolation } from '../../sending/isolation.ts'
import { lost } from './faulted.ts'
import { kindOf } from './kinds.ts'
import * as ledger from './ledger.ts'
import { askingOf, type Line, type Sent, type Step, write } from './line.ts'
import { MOST_RECORDS } from './message.ts'
import { isDuplicate, judged, matched } from './outcome.ts'
import { updateQueue } from './queue.ts'
import { type Aside, rejectAlone } from './rejected.ts'
import { settleEntries } from './verdicts.ts'

const NONE_OF_THEM: Text = {
  en: 'the answer speaks of none of the records that were sent.',
  es: 'la respuesta no se refiere a ninguno de los registros enviados.',
}

export async function answered(line: Line, sent: Sent, answer: ResponseSummary, text: string): Promise<Step> {
  const { sending, queue, lease } = line
  const { told, untold, strange } = matched(sent.entries, answer.lines)
  if (told.length === 0) return lost(line, sent, { is: 'unknown', reason: NONE_OF_THEM })
  if (strange > 0) sending.app.log.warn({ strange }, 'an answer has lines of records that were not sent')
  const duplicates = told.filter(isDuplicate).map(({ entry }) => entry)
  const asked = duplicates.length > 0 ? await sent.kind.ask(askingOf(line), duplicates) : null
  const before =
    duplicates.length > 0
      ? await ledger.sentBefore(
          line.store,
          sent.id,
          duplicates.map(({ key }) => key),
        )
      : new Set<string>()
  const verdicts = told.map((one) => judged(one, asked, before))
  const isolation = readIsolation<Aside>(queue.isolation)
  const aside = isolation?.aside ?? null
  // A record that the service could not handle is not the fault of the others, which are sent.
  const failed = verdicts.length > 0 && verdicts.every(({ became }) => became === 'again')
  const failures = failed ? queue.failures + 1 : 0
  await write(line, async (tx, stamp) => {
    await settleEntries(tx, line, sent, verdicts, stamp)
    await ledger.update(tx, sent.id, {
      global_status: answer.global_status,
      csv: answer.csv,
      submitted_at: sent.submitted_at,
      xml_response: text,
      error_code: null,
      error_description: null,
    })
    if (aside) await rejectAlone(tx, line, kindOf(aside.kind), aside, stamp)
    await updateQueue(tx, lease, stamp, {
      // Records of which nothing was said are asked for.
      submission_id: untold.length > 0 ? sent.id : null,
      failures,
      retry_ms: failed ? sending.app.clock.now() + Math.round(afterFailure(failures)) : 0,
      isolation: storedIsolation(afterAnswer(isolation, sent.entries.length, MOST_RECORDS)),
    })
  })
  return { is: 'done', submission: sent.id }
}
