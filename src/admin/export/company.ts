/** Everything of a company, in the order in which it is written. */
import type { App } from '../../server/app/app.ts'
import type { CompanyRecord } from '../../server/service/company/company.ts'
import type { Rows } from '../../server/store/store.ts'
import { exportDocuments, type Problems } from './documents.ts'
import { exportFiscal } from './fiscal.ts'
import type { ExportFolder } from './folder.ts'
import { exportInvoices } from './invoices.ts'
import { exportMails } from './mails.ts'
import { exportSettings } from './settings.ts'

export { ExportFolder } from './folder.ts'

/** Writes all of it, and answers which documents could not be written as they were attached. */
export async function exportCompany(
  app: App,
  db: Rows,
  company: CompanyRecord,
  folder: ExportFolder,
): Promise<Problems> {
  await exportSettings(db, company, folder)
  await exportInvoices(db, folder)
  await exportFiscal(db, folder)
  await exportMails(db, folder)
  return exportDocuments(app, db, folder)
}
