/** Compares rows with the digests that the store wrote with them. */
import { changedColumns } from '../../src/store/digests.ts'
import type { Rows } from '../../src/store/store.ts'
import type { CompanyTable } from '../../src/store/tables.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import type { Check, Report, Subject } from './verify-report.ts'

/** The check of `verify` that reports changed rows of each table with digests. */
const CHECKED: Partial<Record<CompanyTable, Check>> = {
  companies: 'company',
  invoice_documents: 'invoices',
  events: 'events',
  attachments: 'attachments',
  collections: 'collections',
  payments: 'collections',
}

/** Adds a failure if a row differs from its digests. */
export function verifyDigests(report: Report, subject: Subject, table: CompanyTable, row: object): void {
  const columns = changedColumns(table, row).join(', ')
  if (columns !== '') report.fail('digest_differs', subject, { table, columns }, CHECKED[table])
}

/** Checks the settings of the company. */
export async function verifySettings(db: Rows, report: Report): Promise<void> {
  const row = await db.select('companies').selectAll().executeTakeFirstOrThrow()
  report.checked('company')
  verifyDigests(report, { kind: 'company', id: db.companyId, name: row.tax_id }, 'companies', row)
}

/** Checks collections and payments. Their amounts are not stored anywhere else, so only digests reveal a change. */
export async function verifyPayments(db: Rows, report: Report): Promise<void> {
  for await (const row of rowsInKeyOrder(db.select('collections').selectAll(), 'collection_id'))
    verifyDigests(report, { kind: 'collection', id: row.collection_id }, 'collections', row)
  for await (const row of rowsInKeyOrder(db.select('payments').selectAll(), 'payment_id'))
    verifyDigests(report, { kind: 'payment', id: row.payment_id }, 'payments', row)
}

/** Checks the messages to the tax authority and its responses. Reads them one by one, because they are long. */
export async function verifyMessages(db: Rows, report: Report): Promise<void> {
  const check = (table: 'verifactu_submissions' | 'sii_submissions', id: string, row: object) => {
    report.checked('messages')
    verifyDigests(report, { kind: 'message', id }, table, row)
  }
  const verifactu = db.select('verifactu_submissions').select('submission_id')
  for await (const key of rowsInKeyOrder(verifactu, 'submission_id'))
    for (const row of await db.find('verifactu_submissions', key).selectAll().execute())
      check('verifactu_submissions', key.submission_id, row)
  for await (const key of rowsInKeyOrder(db.select('sii_submissions').select('public_id'), 'public_id'))
    for (const row of await db.find('sii_submissions', key).selectAll().execute())
      check('sii_submissions', key.public_id, row)
}
