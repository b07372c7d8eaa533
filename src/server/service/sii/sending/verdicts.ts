/** Verdicts are written in what waits and in the submission, always together. */
import type { Tx } from '../../../store/store.ts'
import type { Verdict } from './kind.ts'
import * as ledger from './ledger.ts'
import type { Line, Sent } from './line.ts'

/** Writes verdicts on the entries of a submission, in what waits and in the submission. */
export async function settleEntries(
  tx: Tx,
  line: Line,
  { id, internal_id, kind, submitted_at }: Pick<Sent, 'id' | 'internal_id' | 'kind' | 'submitted_at'>,
  verdicts: readonly Verdict[],
  stamp: string,
): Promise<void> {
  const submission = { public_id: id, internal_id, submitted_at }
  await kind.settle(tx, { submission, company: line.company, app: line.sending.app, stamp }, verdicts)
  await ledger.writeVerdicts(tx, id, verdicts)
}
