/** Records that a whole message was refused for: each is rejected, as a line says it of others. */
import type { Text } from '../../../../invoice/index.ts'
import type { Tx } from '../../../store/store.ts'
import type { Entry, Kind, KindName } from './kind.ts'
import * as ledger from './ledger.ts'
import type { Line } from './line.ts'
import { settleEntries } from './verdicts.ts'

/** A record that was set apart, with what was said of its message. */
export interface Aside {
  readonly kind: KindName
  readonly entry: Entry
  readonly code: number | null
  readonly reason: Text
}

/** Writes a record down as rejected for the fault that it brings upon its message, as a submission of its own. */
export async function rejectAlone(
  tx: Tx,
  line: Line,
  kind: Kind,
  { entry, code, reason }: Pick<Aside, 'entry' | 'code' | 'reason'>,
  stamp: string,
): Promise<void> {
  const id = ledger.idFor(undefined)
  // It may have changed, or gone, since it was set apart: then it is another one's turn.
  if (!(await kind.depart(tx, [entry], id)).has(entry.key)) return
  const opening = { kind, environment: line.environment, operation: entry.operation, entries: [entry] }
  const internal_id = await ledger.open(tx, id, undefined, {
    ...opening,
    xml: null,
    global_status: ledger.SENT,
    stamp,
  })
  const verdict = {
    entry,
    became: 'rejected',
    literal: 'Incorrecto',
    code: code === null ? null : String(code),
    description: reason.es,
  } as const
  await settleEntries(tx, line, { id, internal_id, kind, submitted_at: stamp }, [verdict], stamp)
  await ledger.fail(
    tx,
    id,
    { stop: 'fault_record', code, told: { reason, service: 'sii' } },
    { global_status: 'rejected', submitted_at: stamp },
  )
}
