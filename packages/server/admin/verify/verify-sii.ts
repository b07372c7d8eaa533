/** Compares, for each invoice, the record that the SII accepted last with the stored invoice. */

import type { SiiRecord } from '#records/sii/index.ts'
import { isSameContent } from '../../src/service/sii/sending/compare-sii.ts'
import { recordsIn } from '../../src/service/sii/sending/sii-ledger.ts'
import { identityIn, recordFor } from '../../src/service/sii/sending/sii-record.ts'
import { unlessDamaged } from '../../src/store/invoices.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { CountedNotes, type Report } from './verify-report.ts'

const ACCEPTED = ['accepted', 'accepted_with_errors'] as const

/** Returns the invoices whose record the SII accepted last with this message. */
const acceptedOf = (db: Rows, publicId: string, internalId: number) =>
  db
    .select('sii_submission_items', {
      sii_records: 'invoice_id',
      invoices: 'invoice_id',
      invoice_documents: 'invoice_id',
    })
    .select([
      'sii_submission_items.line',
      'sii_submission_items.invoice_id',
      'sii_submission_items.invoice_number',
      'invoices.status',
      'invoice_documents.canonical',
    ])
    .where('sii_submission_items.public_id', '=', publicId)
    .where('sii_records.last_submission_id', '=', internalId)
    .where('sii_records.status', 'in', ACCEPTED)
    .execute()

const contentOf = (record: SiiRecord): unknown =>
  'FacturaExpedida' in record
    ? record.FacturaExpedida
    : 'FacturaRecibida' in record
      ? record.FacturaRecibida
      : undefined

/** Whether the record of the stored invoice equals the record that was sent. `verify` reports damaged documents. */
async function equalsStored(
  db: Rows,
  sent: SiiRecord,
  { invoice_id, canonical, status }: Awaited<ReturnType<typeof acceptedOf>>[number],
): Promise<boolean> {
  if (canonical === null || status === null) return true
  const stored = await unlessDamaged(recordFor(db, invoice_id, fromJson(canonical), status))
  if (!stored) return true
  return (
    stored.ok &&
    identityIn(stored.record) === identityIn(sent) &&
    isSameContent(contentOf(sent), contentOf(stored.record))
  )
}

export async function verifySii(db: Rows, report: Report): Promise<void> {
  const notes = new CountedNotes(report)
  const messages = db
    .select('sii_submissions')
    .select(['public_id', 'internal_id', 'xml'])
    .where('kind', 'in', ['ISSUED', 'RECEIVED'])
    .where('xml', 'is not', null)
  for await (const { public_id, internal_id, xml } of rowsInKeyOrder(messages, 'public_id')) {
    const accepted = await acceptedOf(db, public_id, internal_id)
    if (xml === null || accepted.length === 0) continue
    const records = recordsIn(xml)
    for (const row of accepted) {
      report.checked('sii')
      const sent = records[row.line]
      if (sent && !(await equalsStored(db, sent, row)))
        notes.add('sii_differs', { invoice: row.invoice_number })
    }
  }
  notes.report()
}
