/** Submissions to the SII as rows, with one item for each record. */
import { readSii, type SiiRecord } from '#records/sii/index.ts'
import type { CompanyRow, Rows, Tx } from '../../../store/store.ts'
import { columnsOf } from '../../transmission/blocked.ts'
import {
  isAwaitingResponse,
  keysOf,
  type Ledger,
  type Settlement,
  type SubmissionChanges,
} from '../../transmission/ledger.ts'
import { isAppliedByAuthority } from '../../transmission/transmission-outcome.ts'
import { internalIdOf } from '../pending-records.ts'
import { groupKeysByChanges, splitIntoBatches } from './row-operations.ts'
import type { AuthorityRecord, Entry, EntryResult, Sii } from './sii-queue-types.ts'

type Row = CompanyRow<'sii_submissions'>

/** Statuses: `sent` includes messages in flight; `error` means that the tax authority has accepted no record. */
const SENT = 'sent'
const ERROR = 'error'

function changesOf({ status, blocked, ...same }: SubmissionChanges): Partial<Row> {
  const { error_code = null, error_message: error_description = null } = blocked ? columnsOf(blocked) : {}
  return {
    ...same,
    ...(status === undefined ? {} : { global_status: status }),
    ...(blocked === undefined ? {} : { error_code, error_description }),
  }
}

/** Closes items without a result. Their records are sent again with another submission. */
const closeOpenItems = (tx: Tx, id: string): Promise<unknown> =>
  tx.change('sii_submission_items', { item_status: ERROR }, { public_id: id, item_status: SENT })

async function update(tx: Tx, id: string, changes: SubmissionChanges): Promise<void> {
  await tx.change('sii_submissions', changesOf(changes), { public_id: id })
  if (changes.status === ERROR) await closeOpenItems(tx, id)
}

async function writeItems(
  tx: Tx,
  public_id: string,
  entries: readonly Entry[],
  item_status: string,
): Promise<void> {
  await tx.delete('sii_submission_items', { public_id }).execute()
  const rows = entries.map(({ key, version, invoice_id, invoice_number }, line) => ({
    public_id,
    line,
    invoice_id,
    invoice_number,
    item_status,
    error_code: null,
    error_description: null,
    aeat_record_state: null,
    record_key: key,
    version,
  }))
  for (const some of splitIntoBatches(rows)) await tx.insert('sii_submission_items', some)
}

/** Item status for each outcome. */
const ITEM_STATUSES: Readonly<Record<EntryResult['outcome'], string>> = {
  accepted: 'accepted',
  accepted_with_errors: 'accepted_with_errors',
  deleted: 'deleted',
  // The response rejected the record. The next attempt is sent in another message.
  differs: 'rejected',
  absent: 'rejected',
  rejected: 'rejected',
  again: 'rejected',
}

/** Returns the CSV (secure verification code) of all results; null if there is none, or more than one. */
function receiptOf(authorityRecords: readonly AuthorityRecord[]): string | null {
  const [first = null, ...others] = new Set(authorityRecords.map(({ csv }) => csv))
  return others.length === 0 ? first : null
}

/** Returns the status of a submission whose outcome was queried: it depends on the records that the authority has. */
function globalOf({ entries, results }: Settlement<Sii>): string {
  const stored = results.filter(isAppliedByAuthority)
  if (stored.length === 0) return ERROR
  const isWhole =
    stored.length === entries.length && stored.every(({ outcome }) => outcome !== 'accepted_with_errors')
  return isWhole ? 'accepted' : 'partially_accepted'
}

/** Returns the records in a message, in order. */
export function recordsIn(xml: string): readonly SiiRecord[] {
  const read = readSii(xml)
  if (!read.ok) throw new Error(`a stored message cannot be read: ${read.items[0]?.message}`)
  const { Cabecera: _, ...rest } = read.value as Readonly<Record<string, SiiRecord | SiiRecord[]>>
  return Object.values(rest).flat()
}

const messageOf = (db: Rows, id: string) =>
  db.find('sii_submissions', { public_id: id }).select(['xml', 'operation_type']).executeTakeFirstOrThrow()

export const LEDGER: Ledger<Sii> = {
  statuses: { sending: SENT, unknown: SENT, failed: ERROR, rejected: 'rejected' },
  find: (db, id) =>
    db
      .find('sii_submissions', { public_id: id })
      .select(['public_id as id', 'kind as channel', 'global_status as status'])
      .select(['csv', 'attempts', 'submitted_at', 'created_at'])
      .executeTakeFirst(),
  async open(tx, id, before, { environment, channel, entries, xml, status, stamp }) {
    const message = {
      environment,
      kind: channel,
      book_type: channel === 'ISSUED' || channel === 'COLLECTIONS' ? 'ISSUED' : 'RECEIVED',
      operation_type: entries[0]?.operation ?? 'A0',
      global_status: status,
      record_count: entries.length,
      xml,
    } as const
    if (before)
      await tx.change(
        'sii_submissions',
        { ...message, attempts: (before.attempts ?? 0) + 1 },
        { public_id: id },
      )
    else
      await tx.insert('sii_submissions', {
        public_id: id,
        internal_id: internalIdOf(id),
        ...message,
        attempts: 1,
        created_at: stamp,
      })
    await writeItems(tx, id, entries, status)
  },
  update,
  async writeResults(tx, id, results) {
    const groups = groupKeysByChanges(results, ({ entry, outcome, literal, code, description }) => [
      entry.key,
      {
        item_status: ITEM_STATUSES[outcome],
        aeat_record_state: literal,
        error_code: code,
        error_description: description,
      },
    ])
    for (const { changes, keys } of groups)
      for (const some of splitIntoBatches(keys))
        await tx
          .update('sii_submission_items', changes)
          .where('public_id', '=', id)
          .where('record_key', 'in', some)
          .execute()
  },
  async settle(tx, submission, settlement) {
    // If a response covered some of its records, the submission keeps its status.
    if (isAwaitingResponse(LEDGER, submission))
      await update(tx, submission.id, {
        blocked: {
          reason: settlement.results.some(isAppliedByAuthority) ? 'settled_with_csv' : 'not_received',
        },
        status: globalOf(settlement),
        submitted_at: submission.submitted_at ?? submission.created_at,
        csv:
          submission.csv ??
          receiptOf([...settlement.authorityRecords.values()].filter(({ isSame }) => isSame)),
      })
    await closeOpenItems(tx, submission.id)
  },
  async openEntries(db, id) {
    const { xml, operation_type: operation } = await messageOf(db, id)
    if (xml === null) return []
    const records = recordsIn(xml)
    const rows = await db
      .find('sii_submission_items', { public_id: id, item_status: SENT })
      .select(['line', 'record_key', 'version', 'invoice_id', 'invoice_number'])
      .orderBy('line')
      .execute()
    return rows.flatMap(({ line, record_key: key, version, invoice_id, invoice_number }): Entry[] => {
      const record = records[line]
      if (!record || key === null) return []
      return [{ key, version: version ?? 0, invoice_id, invoice_number, operation, record }]
    })
  },
  async sentBefore(db, _, id, entries) {
    const sent = new Set<string>()
    for (const some of splitIntoBatches(keysOf(entries))) {
      const rows = await db
        .select('sii_submission_items', { sii_submissions: 'public_id' })
        .select('sii_submission_items.record_key')
        .where('sii_submission_items.record_key', 'in', some)
        .where('sii_submission_items.public_id', '!=', id)
        .where('sii_submissions.xml', 'is not', null)
        .where(({ or, eb }) =>
          or([
            eb('sii_submissions.global_status', '!=', ERROR),
            eb('sii_submissions.error_code', 'in', ['not_received', 'settled_with_csv']),
          ]),
        )
        .execute()
      for (const { record_key } of rows) if (record_key !== null) sent.add(record_key)
    }
    return sent
  },
}
