/** Checks the VeriFactu periods of a company: the open period, a planned change, and the time since the last period. */
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { usesSii } from '../../src/service/sii/pending-records.ts'
import { canSign, signingMeansOf } from '../../src/service/verifactu/signing.ts'
import { foralProvince } from '../../src/service/verifactu/verifactu-config.ts'
import {
  environmentOf,
  lastPeriodOf,
  plannedPeriodOf,
  type VerifactuPeriod,
} from '../../src/service/verifactu/verifactu-period.ts'
import { countWithoutRecord } from '../../src/service/verifactu/verifactu-periods.ts'
import type { CompanyStore } from '../../src/store/store.ts'
import { PARTS } from '../generated/texts/doctor.ts'
import { type BilingualFinding, finding, localDateText } from './doctor-finding.ts'

/** Returns findings about the open period and a planned change, or about the time since the last period. */
export async function periodFindings(
  app: App,
  store: CompanyStore,
  company: CompanyRecord,
  period: VerifactuPeriod | null,
): Promise<BilingualFinding[]> {
  if (!period) return closedFindings(app, store, company)
  const planned = await plannedFindings(app, store, company, period)
  if (!isSentElsewhere(app, period)) return planned
  const environment = environmentOf(period)
  const values = { environment: PARTS[environment], aeat: app.config.aeat, wanted: period.mode }
  const level = environment === 'test' ? 'warning' : 'error'
  return [...planned, finding(level, `environment.${environment}`, values)]
}

/** Returns a finding about invoices issued since the last period was closed, if VeriFactu still applies. */
async function closedFindings(
  { clock }: App,
  store: CompanyStore,
  { data }: CompanyRecord,
): Promise<BilingualFinding[]> {
  const last = await lastPeriodOf(store)
  const isExempt = foralProvince(data) !== undefined || usesSii(data, clock.today())
  const count = !last || isExempt ? 0 : await countWithoutRecord(store, last.updated_at, null)
  return last && count > 0
    ? [
        finding('warning', 'no_period', {
          count,
          since: localDateText(last.updated_at.slice(0, 10)),
          id: store.companyId,
        }),
      ]
    : []
}

/** Whether the setting CUADRA_AEAT is for another environment than that of the period. */
const isSentElsewhere = ({ config }: App, period: VerifactuPeriod): boolean =>
  environmentOf(period) === 'test'
    ? config.aeat === 'production'
    : config.aeat !== 'production' && config.aeatVerifactuUrl === undefined && period.mode === 'verifactu'

/**
 * Returns the finding about a planned change: whether the company can sign then, and where its records will be sent.
 */
async function plannedFindings(
  app: App,
  store: CompanyStore,
  company: CompanyRecord,
  { planned_from }: VerifactuPeriod,
): Promise<BilingualFinding[]> {
  const planned = planned_from === null ? null : await plannedPeriodOf(store)
  if (!planned) return []
  const { mode, certificate_id, start_date } = planned
  const environment = environmentOf(planned)
  const values = { mode: PARTS[mode], environment: PARTS[environment], from: localDateText(start_date) }
  if (!canSign(await signingMeansOf(store, { app, company }, certificate_id, start_date)))
    return [finding('error', `planned.${mode}`, values)]
  return isSentElsewhere(app, planned)
    ? [finding('warning', `planned.${environment}`, { ...values, aeat: app.config.aeat, wanted: mode })]
    : [finding('ok', 'planned', values)]
}

/**
 * Returns a finding about a company in a regional territory with an open period. VERI*FACTU must be used until the end
 * of the year (art. 16 RD 1007/2023), and the authority accepts no other last day.
 */
export function territoryFindings(
  { clock }: App,
  { id, data }: CompanyRecord,
  period: VerifactuPeriod | null,
): BilingualFinding[] {
  const province = foralProvince(data)
  if (!period || !province) return []
  const { mode, start_date } = period
  const values = { province: province.name, mode, start: localDateText(start_date), id }
  if (mode !== 'verifactu' || period.sandbox) return [finding('warning', 'territory', values)]
  const end = localDateText(`${clock.today().slice(0, 4)}-12-31`)
  return [finding('warning', 'territory.verifactu', { ...values, end })]
}
