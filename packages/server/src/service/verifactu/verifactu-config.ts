/** Configuration of VeriFactu: its mode, environment and certificate. */
import { randomUUID } from 'node:crypto'
import { subdivisionOf } from '#core/catalogs/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { VerifactuActivation, VerifactuConfig, VerifactuConfigRequest } from '../../shapes/schemas.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { listCertificates } from '../company/certificates.ts'
import type { CompanyData } from '../company/company-shape.ts'
import { periodForGenerating, startPeriod } from './mode-change.ts'
import { canSign, signingMeansOf } from './signing.ts'
import { lastPeriodOf, openPeriodOf, type VerifactuPeriod } from './verifactu-period.ts'

/** Returns the province of a company if the province has its own tax authority. No VeriFactu period can begin there. */
export const foralProvince = ({ address }: CompanyData) => {
  const province = address.province_code === null ? undefined : subdivisionOf(address.province_code)
  return province?.is_foral ? province : undefined
}

/** `GET /verifactu/config`, also for a company without a period. */
export async function verifactuConfig({ app, company, store }: Call): Promise<VerifactuConfig> {
  const open = await openPeriodOf(store, app.clock)
  const shown = open ?? (await lastPeriodOf(store))
  const means = await signingMeansOf(store, { app, company }, open?.certificate_id ?? null)
  const { operated_by_partner } = company.data
  const state = (): VerifactuConfig['regime_state'] => {
    if (open) return canSign(means) ? 'habilitado' : 'suspendido'
    if (shown) return 'revocado'
    return operated_by_partner && !canSign(means) ? 'pendiente_mandato' : 'no_activado'
  }
  const { certificate } = means
  return {
    configured: shown !== null,
    // A period that was open when the company moved remains in force until it is closed.
    applicable: open !== null || !foralProvince(company.data),
    mode: shown?.mode ?? null,
    regime_state: state(),
    operated_by_partner,
    sandbox: shown ? shown.sandbox : null,
    updated_at: shown?.updated_at ?? null,
    active_certificate: certificate && { name: certificate.name, fingerprint: certificate.fingerprint },
  }
}

/** Throws if VeriFactu does not apply to the company. A period that is open remains in force until it is closed. */
export function requireVerifactu(
  { company: { data } }: Pick<Call, 'company'>,
  open: VerifactuPeriod | null = null,
): void {
  const province = foralProvince(data)
  if (province && !open) throw new ApiError('verifactu_not_applicable_foral', { province: province.name })
  if (!data.fiscal_systems.verifactu_in_plan)
    throw new ApiError('feature_outside_plan', { feature: 'verifactu' })
}

async function openPeriod(
  tx: Tx,
  call: Call,
  { mode, sandbox }: Required<VerifactuConfigRequest>,
  certificate_id: number | null,
): Promise<VerifactuPeriod> {
  // If two requests insert at once, the second violates the unique index. The store repeats its transaction, which then
  // finds the period.
  const { period, row } = await startPeriod(tx, call, {
    period_id: randomUUID(),
    mode,
    sandbox: sandbox ? 1 : 0,
    certificate_id,
    start_date: call.app.clock.today(),
  })
  tx.setTrace(async (lost) => !(await lost.insertNew('verifactu_periods', row)))
  return period
}

/** `PUT /verifactu/config`: opens a period from today. If a period is already open, it does not change. */
export async function activateVerifactu(
  tx: Tx,
  call: Call,
  { mode = 'no_verifactu', sandbox = true }: VerifactuConfigRequest = {},
): Promise<VerifactuActivation> {
  const open = await periodForGenerating(tx, call)
  requireVerifactu(call, open)
  const means = await signingMeansOf(tx, call, open?.certificate_id ?? null)
  if (!canSign(means)) throw new ApiError('active_verifactu_certificate_or_delegation_required')
  const period = open ?? (await openPeriod(tx, call, { mode, sandbox }, means.certificate?.id ?? null))
  const certificates = await listCertificates(tx)
  return {
    configured: true,
    enabled: true,
    mode: period.mode,
    sandbox: period.sandbox,
    certificate_id: period.certificate_id,
    certificate_name: certificates.find(({ id }) => id === period.certificate_id)?.name ?? null,
  }
}
