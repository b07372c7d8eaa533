/** Exports `company.json`, which `company create` reads, and `settings.json`. */
import { listKeys } from '../../src/service/access/api-keys.ts'
import { listCertificates } from '../../src/service/company/certificates.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { companyFileOf } from '../../src/service/company/company-files.ts'
import { logoOf } from '../../src/service/company/company-logo.ts'
import { plannedPeriodOf } from '../../src/service/verifactu/verifactu-period.ts'
import type { Rows } from '../../src/store/store.ts'
import type { ExportFolder } from './export-folder.ts'

const flagged = (value: number | null): boolean | null => (value === null ? null : value === 1)

export async function exportSettings(db: Rows, { id, data }: CompanyRecord, folder: ExportFolder) {
  await folder.json('company.json', companyFileOf(data))
  const logo = await logoOf(db)
  if (logo) await folder.bytes(`logo.${logo.contentType === 'image/png' ? 'png' : 'jpg'}`, logo.bytes)
  const series = await db
    .select('series')
    .select(['series_code', 'template', 'next_number', 'pdf_template', 'created_at'])
    .orderBy('series_code')
    .execute()
  const filed_returns = await db
    .select('filed_returns')
    .select(['period', 'first_day', 'last_day', 'filed_at'])
    .orderBy('first_day')
    .orderBy('period')
    .execute()
  const periods = await db
    .select('verifactu_periods')
    .select(['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date', 'end_date', 'created_at'])
    .orderBy('created_at')
    .execute()
  const planned = await plannedPeriodOf(db)
  const sii = await db
    .select('sii_config')
    .select(['auto_submit', 'certificate_id', 'updated_at'])
    .executeTakeFirst()
  await folder.json('settings.json', {
    company_id: id,
    series,
    filed_returns,
    verifactu_periods: periods.map((row) => ({ ...row, sandbox: flagged(row.sandbox) })),
    verifactu_planned_period: planned,
    sii_config: sii ? { ...sii, auto_submit: flagged(sii.auto_submit) } : null,
    certificates: await listCertificates(db),
    // Keys with their scopes, but without the hashes of their secrets.
    api_keys: await listKeys(db),
  })
  folder.count('series', series.length)
}
