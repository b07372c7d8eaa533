/** Submissions to VeriFactu as rows. */
import type { CompanyRow, Rows } from '../../../store/store.ts'
import { columnsOf } from '../../transmission/blocked.ts'
import { isAwaitingResponse, type Ledger, type SubmissionChanges } from '../../transmission/ledger.ts'
import { type Verifactu, VOLUNTARY } from './verifactu-queue-types.ts'
import { addLines, firstPendingRecords } from './verifactu-records.ts'

type Row = CompanyRow<'verifactu_submissions'>

export const STATUSES = {
  sending: 'sending',
  unknown: 'unknown',
  failed: 'failed',
  rejected: 'Incorrecto',
  /** A query showed that the authority has records of this submission. */
  settled: 'settled',
  /** A query showed that the authority has none of this submission's records. */
  notReceived: 'not_received',
  /** The administrator ended the sending of this submission's records. */
  stopped: 'stopped',
} as const

const changesOf = ({ status, csv, blocked, ...same }: SubmissionChanges): Partial<Row> => ({
  ...same,
  ...(status === undefined ? {} : { estado_envio: status }),
  ...(csv === undefined ? {} : { aeat_csv: csv }),
  ...(blocked ? columnsOf(blocked) : blocked === null ? { error_code: null, error_message: null } : {}),
})

const update: Ledger<Verifactu>['update'] = async (tx, id, changes) => {
  await tx.change('verifactu_submissions', changesOf(changes), { submission_id: id })
}

const rangeOf = async (db: Rows, id: string) =>
  db
    .find('verifactu_submissions', { submission_id: id })
    .select(['environment', 'first_sequence', 'last_sequence'])
    .executeTakeFirstOrThrow()

export const LEDGER: Ledger<Verifactu> = {
  statuses: STATUSES,
  find(db, id) {
    return db
      .find('verifactu_submissions', { submission_id: id })
      .select(['submission_id as id', 'submission_type as channel', 'estado_envio as status'])
      .select(['aeat_csv as csv', 'attempts', 'submitted_at', 'created_at'])
      .executeTakeFirst()
  },
  async open(tx, submission_id, before, { environment, channel, entries, xml, status, stamp }) {
    const message = {
      record_count: entries.length,
      first_sequence: entries[0]?.sequence ?? null,
      last_sequence: entries.at(-1)?.sequence ?? null,
      xml,
      estado_envio: status,
    }
    if (before)
      await tx.change(
        'verifactu_submissions',
        { ...message, attempts: (before.attempts ?? 0) + 1 },
        { submission_id },
      )
    else
      await tx.insert('verifactu_submissions', {
        submission_id,
        environment,
        submission_type: channel,
        ...message,
        attempts: 1,
        created_at: stamp,
      })
  },
  update,
  writeResults: (tx, id, results) =>
    addLines(
      tx,
      id,
      results.map(({ entry, literal, code, description, next_step, next_options }) => ({
        num_serie: entry.num_serie,
        fecha_expedicion: entry.fecha_expedicion,
        estado_registro: literal,
        codigo_error: code,
        descripcion_error: description,
        sequence: entry.sequence,
        next_step,
        next_options,
      })),
    ),
  async settle(tx, submission, { results }, stamp) {
    // If a response covered some of its records, the submission keeps its status.
    if (!isAwaitingResponse(LEDGER, submission)) return
    const isThere = results.length > 0
    await update(tx, submission.id, {
      blocked: { reason: isThere ? 'settled' : 'not_received' },
      status: isThere ? STATUSES.settled : STATUSES.notReceived,
      submitted_at: submission.submitted_at ?? stamp,
    })
  },
  async openEntries(db, id) {
    const { environment, first_sequence: from, last_sequence: to } = await rangeOf(db, id)
    return firstPendingRecords(db, environment, { from: from ?? 0, to: to ?? 0 })
  },
  async sentBefore(db, environment, except, entries) {
    const sequences = entries.map(({ sequence }) => sequence)
    const rows = await db
      .find('verifactu_submissions', { environment, submission_type: VOLUNTARY })
      .select(['first_sequence', 'last_sequence'])
      .where('submission_id', '!=', except)
      .where('submitted_at', 'is not', null)
      .where('last_sequence', '>=', Math.min(...sequences))
      .where('first_sequence', '<=', Math.max(...sequences))
      .execute()
    const isWithin = (sequence: number) =>
      rows.some(
        ({ first_sequence: first, last_sequence: last }) =>
          first !== null && last !== null && first <= sequence && sequence <= last,
      )
    return new Set(entries.filter(({ sequence }) => isWithin(sequence)).map(({ key }) => key))
  },
}
