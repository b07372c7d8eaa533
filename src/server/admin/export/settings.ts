/** What a company is and how it is set up: `company.json`, which `company create` takes, and `settings.json`. */
import { listCertificates } from '../../service/certificates.ts'
import type { CompanyRecord } from '../../service/company.ts'
import { fileOf } from '../../service/company-file.ts'
import { listKeys } from '../../service/keys.ts'
import type { Tx } from '../../store/store.ts'
import type { ExportFolder } from './folder.ts'

type Db = Tx['db']

const flagged = (value: number | null): boolean | null => (value === null ? null : value === 1)

export async function exportSettings(db: Db, { id, data }: CompanyRecord, folder: ExportFolder) {
  await folder.json('company.json', fileOf(data))
  const series = await db
    .selectFrom('series')
    .select(['series_code', 'template', 'next_number', 'pdf_template', 'created_at'])
    .where('company_id', '=', id)
    .orderBy('series_code')
    .execute()
  const filed_returns = await db
    .selectFrom('filed_returns')
    .select(['period', 'first_day', 'last_day', 'filed_at'])
    .where('company_id', '=', id)
    .orderBy('first_day')
    .orderBy('period')
    .execute()
  const periods = await db
    .selectFrom('verifactu_periods')
    .select(['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date', 'end_date', 'created_at'])
    .where('company_id', '=', id)
    .orderBy('created_at')
    .execute()
  const sii = await db
    .selectFrom('sii_config')
    .select(['auto_submit', 'certificate_id', 'updated_at'])
    .where('company_id', '=', id)
    .executeTakeFirst()
  await folder.json('settings.json', {
    company_id: id,
    series,
    filed_returns,
    verifactu_periods: periods.map((row) => ({ ...row, sandbox: flagged(row.sandbox) })),
    sii_config: sii ? { ...sii, auto_submit: flagged(sii.auto_submit) } : null,
    certificates: await listCertificates(db, id),
    // Keys by what they may do; hashes of their secrets stay where they are.
    api_keys: await listKeys(db, id),
  })
  folder.count('series', series.length)
}
