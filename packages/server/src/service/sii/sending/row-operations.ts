/** Operations that the tables of records and of movements share. */
import { type RawBuilder, sql } from 'kysely'
import { inBatches } from '../../../store/batches.ts'
import type { Book } from '../../../store/tables.ts'
import { columnsOf } from '../../transmission/blocked.ts'
import type { SettlingContext } from '../../transmission/channel.ts'
import { internalIdOf } from '../pending-records.ts'
import type { BuildResult, EntryResult, NotSentReason, Sii, SiiChannel } from './sii-queue-types.ts'

/** Splits rows into batches of 200, one statement each. */
export const splitIntoBatches = <T>(all: readonly T[]): Iterable<readonly T[]> => inBatches(all, 200)

interface Group<Changes> {
  readonly changes: Changes
  readonly keys: string[]
}

/** Groups keys by the columns to write for them. Most rows of a message have the same outcome, so few groups result. */
export function groupKeysByChanges<T, Changes>(
  all: readonly T[],
  changeOf: (one: T) => readonly [key: string, changes: Changes],
): readonly Group<Changes>[] {
  const groups = new Map<string, Group<Changes>>()
  for (const one of all) {
    const [key, changes] = changeOf(one)
    const name = JSON.stringify(changes)
    const group = groups.get(name)
    if (group) group.keys.push(key)
    else groups.set(name, { changes, keys: [key] })
  }
  return [...groups.values()]
}

/** Milliseconds until a record is retried after a technical failure. */
const LATER = 900_000
/** Milliseconds until a record that could not be built is tried again, because its cause may have been fixed. */
const SIX_HOURS = 6 * 3_600_000

const deferral = (now: number, pause_ms: number) => ({ not_before_ms: now + pause_ms, pause_ms })

/** Returns the columns to write for the result of a record, for each kind of result. */
export function resultColumnsOf(
  { code, description }: EntryResult,
  { submission, stamp, outbox }: SettlingContext<Sii>,
) {
  const submissionColumns = {
    sending_id: null,
    last_submission_id: internalIdOf(submission.id),
    submitted_at: submission.submitted_at,
    updated_at: stamp,
  }
  const error = { error_code: code, error_description: description }
  return {
    submissionColumns,
    error,
    noError: { error_code: null, error_description: null },
    again: { ...submissionColumns, ...error, ...deferral(outbox.sending.app.clock.now(), LATER) },
  }
}

/** The result for a record that needs a damaged document. It defers the row, so that others are sent. */
export const DOCUMENT_DAMAGED: BuildResult = {
  is: 'refused',
  code: 'document_damaged',
  blocked: { reason: 'document_damaged' },
}

/** Returns the columns of a row whose record is not sent. */
export const deferredColumns = ({ code: error_code, blocked }: NotSentReason, now: number) => ({
  error_code,
  error_description: columnsOf(blocked).error_message,
  ...deferral(now, SIX_HOURS),
})

/** Whether a row is not deferred. A deferral that began in the future was written before the clock was set back. */
export const isDue = (name: 'sii_records' | 'sii_movements', now: number): RawBuilder<boolean> => {
  const [until, pause] = [sql.ref(`${name}.not_before_ms`), sql.ref(`${name}.pause_ms`)]
  return sql<boolean>`(${until} <= ${now} or ${until} - ${pause} > ${now})`
}

/**
 * Returns the operations of a channel on one book of a table. `isOpen` must use literals, because with parameters the
 * databases would not use the partial index.
 */
export function rowOperationsOf(
  name: 'sii_records' | 'sii_movements',
  key: 'invoice_id' | 'movement_id',
  book: Book,
  isOpen: RawBuilder<boolean>,
): Pick<SiiChannel, 'companies' | 'requeue' | 'release'> {
  return {
    async companies(all, now) {
      const rows = await all
        .selectFrom(name)
        .leftJoin('sii_config', 'sii_config.company_id', `${name}.company_id`)
        .select(`${name}.company_id`)
        .distinct()
        .where(isOpen)
        .where(`${name}.book_type`, '=', book)
        .where(({ and, or, eb }) =>
          or([
            eb(`${name}.sending_id`, 'is not', null),
            and([
              eb('sii_config.auto_submit', '=', 1),
              eb(`${name}.status`, '=', 'pending'),
              isDue(name, now),
            ]),
          ]),
        )
        .execute()
      return rows.map(({ company_id }) => company_id)
    },
    async requeue(tx, keys) {
      for (const some of splitIntoBatches(keys))
        await tx
          .update(name, { sending_id: null })
          .where('book_type', '=', book)
          .where(key, 'in', some)
          .execute()
    },
    async release(tx, invoiceId) {
      const held = tx
        .update(name, { not_before_ms: 0 })
        .where('book_type', '=', book)
        .where(isOpen)
        .where('not_before_ms', '>', 0)
      await (invoiceId === undefined ? held : held.where('invoice_id', '=', invoiceId)).execute()
    },
  }
}
