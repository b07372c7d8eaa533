/** Everything of a company, in the order in which it is written. */
import type { App } from '../../app.ts'
import type { CompanyRecord } from '../../service/company.ts'
import type { Tx } from '../../store/store.ts'
import { exportDocuments, type Problems } from './documents.ts'
import { exportFiscal } from './fiscal.ts'
import type { ExportFolder } from './folder.ts'
import { exportInvoices } from './invoices.ts'
import { exportSettings } from './settings.ts'

export { ExportFolder } from './folder.ts'

/** Writes all of it, and answers which documents could not be written as they were attached. */
export async function exportCompany(
  app: App,
  db: Tx['db'],
  company: CompanyRecord,
  folder: ExportFolder,
): Promise<Problems> {
  await exportSettings(db, company, folder)
  await exportInvoices(db, company.id, folder)
  await exportFiscal(db, company.id, folder)
  return exportDocuments(app, db, company.id, folder)
}
