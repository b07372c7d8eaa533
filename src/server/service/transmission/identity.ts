/** The certificate that identifies a company to the authority. */
import type { App } from '../../app/app.ts'
import type { CompanyStore } from '../../store/store.ts'
import type { Purpose } from '../../store/tables.ts'
import { isUnusable, openCertificate, validCertificate } from '../company/certificates.ts'
import type { CompanyRecord } from '../company/company.ts'
import type { Blocked } from './blocked.ts'

export type Identity = { readonly certificateId: number } | Blocked

export interface Wanted {
  /** The certificate that the company has chosen. */
  readonly preferred: number | null
  /** Selects a certificate if the company has chosen none. */
  readonly purpose: Purpose
}

/**
 * Returns the currently valid certificate if it belongs to the company. One of another holder is accepted if a partner
 * operates for the company (`operated_by_partner`); the authority checks the authorisation.
 */
export async function identityFor(
  app: Pick<App, 'config' | 'clock' | 'log'>,
  store: CompanyStore,
  { data }: CompanyRecord,
  { preferred, purpose }: Wanted,
): Promise<Identity> {
  const certificate = await validCertificate(store, app.clock.stamp(), preferred, purpose)
  if (!certificate) return { reason: 'no_certificate' }
  try {
    const { certificate: own } = await openCertificate(store, app, certificate.id)
    const holder = own.owner.taxId
    if (holder !== null && holder !== data.tax_id && !data.operated_by_partner)
      return { reason: 'certificate_of_another', values: { holder, tax_id: data.tax_id } }
  } catch (error) {
    if (!isUnusable(error)) throw error
    app.log.error({ err: error }, 'a certificate cannot be opened')
    const reason = {
      en: 'see the server log',
      es: 'consulte el registro del servidor',
    }
    return { reason: 'certificate_unreadable', values: { reason } }
  }
  return { certificateId: certificate.id }
}
