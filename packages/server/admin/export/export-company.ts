/** Exports all data of a company. */
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { exportDocuments, type Problems } from './export-documents.ts'
import { exportFiscal } from './export-fiscal.ts'
import type { ExportFolder } from './export-folder.ts'
import { exportInvoices } from './export-invoices.ts'
import { exportSettings } from './export-settings.ts'

export { ExportFolder } from './export-folder.ts'

/** Exports one line per mail. The content is not exported, because it is stored only until the mail is sent. */
async function exportMails(db: Rows, folder: ExportFolder): Promise<void> {
  async function* mails() {
    for await (const row of rowsInKeyOrder(db.select('mails').selectAll(), 'mail_id'))
      yield {
        mail_id: row.mail_id,
        invoice_id: row.invoice_id,
        state: row.state,
        message_id: row.message_id,
        sender: row.sender,
        recipients: fromJson(row.recipients),
        subject: row.subject,
        files: fromJson(row.files),
        size: Number(row.size),
        sha256: row.sha256,
        attempts: row.attempts,
        api_key_id: row.key_id,
        refused: fromJson(row.refused),
        failure: fromJson(row.failure),
        created_at: row.created_at,
        updated_at: row.updated_at,
        sent_at: row.sent_at,
      }
  }
  await folder.lines('mails.ndjson', 'mails', mails())
}

/** Writes all data. Returns the problems of documents that are missing or changed. */
export async function exportCompany(
  app: App,
  db: Rows,
  company: CompanyRecord,
  folder: ExportFolder,
): Promise<Problems> {
  await exportSettings(db, company, folder)
  const changed = await exportInvoices(db, folder)
  await exportFiscal(db, folder)
  await exportMails(db, folder)
  return [...changed, ...(await exportDocuments(app, db, folder))]
}
