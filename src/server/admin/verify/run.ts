/** `verify`: all checks of one company, as of one moment, while the server may go on. */
import type { Locale } from '../../../invoice/index.ts'
import type { App } from '../../app/app.ts'
import type { CompanyRecord } from '../../service/company/company.ts'
import { enrollmentOn } from '../../service/sii/pending.ts'
import { openPeriodOf } from '../../service/verifactu/period.ts'
import type { Rows } from '../../store/store.ts'
import { verifyAttachments, verifyFiles } from './attachments.ts'
import { verifyCollections, verifyCounts } from './counts.ts'
import { verifyInvoices } from './invoices.ts'
import { verifyNumbers } from './numbers.ts'
import { verifyVerifactu } from './records.ts'
import { type Break, type CheckLine, type Note, Report } from './report.ts'

export interface Verified {
  readonly company_id: string
  readonly tax_id: string
  readonly legal_name: string
  readonly ok: boolean
  readonly checks: readonly CheckLine[]
  readonly breaks: readonly Break[]
  readonly notes: readonly Note[]
}

async function verifySystems(app: App, db: Rows, { data }: CompanyRecord, report: Report) {
  if (!data.fiscal_systems.sii_in_plan || !enrollmentOn(data, app.clock.today())) return
  if (await openPeriodOf(db)) report.note('verifactu_and_sii', {})
}

export async function verifyCompany(app: App, company: CompanyRecord, locale: Locale): Promise<Verified> {
  const report = new Report(locale)
  const { id, data } = company
  await app.store.snapshot(id, async (db) => {
    await verifyInvoices(db, report)
    await verifyNumbers(db, report, app.clock.today())
    await verifyCounts(db, report)
    await verifyCollections(db, report, app.clock.today())
    await verifyVerifactu(db, report)
    await verifySystems(app, db, company, report)
    await verifyAttachments(app, db, report)
  })
  await verifyFiles(app, id, report)
  const { lines, breaks, notes } = report
  const { tax_id, legal_name } = data
  return { company_id: id, tax_id, legal_name, ok: breaks.length === 0, checks: lines, breaks, notes }
}
