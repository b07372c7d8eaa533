/** A database that was put back from a backup: to be recorded by whoever puts it back, before anything else is. */
import type { Tx } from '../../../store/store.ts'
import type { VerifactuPeriod } from '../period.ts'
import { type WrittenEvent, writeEvent } from '../sif-events.ts'
import type { SigningContext } from '../signing.ts'

/**
 * Records that a backup was restored (event 07), with the moment of the backup where it is known. Throws
 * `not_signed` where nobody can sign.
 *
 * For example, `recordRestore(tx, context, period, '2026-11-20T03:00:00+01:00')`.
 */
export const recordRestore = (
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  madeAt?: string,
): Promise<WrittenEvent> =>
  writeEvent(tx, context, period, {
    type: '07',
    ...(madeAt === undefined ? {} : { text: `Copia de seguridad de ${madeAt}`.slice(0, 100) }),
  })
