/** The certificate that identifies a company to the authority. */
import type { App } from '../../app/app.ts'
import type { CompanyStore } from '../../store/store.ts'
import type { Purpose } from '../../store/tables.ts'
import { hasOtherHolder, isUnusable, openCertificate, validCertificates } from '../company/certificates.ts'
import type { CompanyRecord } from '../company/company.ts'
import { type Blocked, otherHolderBlocked } from './blocked.ts'

export type SendingCertificate = { readonly certificateId: number } | Blocked

export interface CertificateRequest {
  /** The certificate that the company has chosen. */
  readonly preferred: number | null
  /** Selects a certificate if the company has chosen none. */
  readonly purpose: Purpose
}

/** Returns the identity with one certificate, or the reason why this certificate cannot be used. */
async function identityWith(
  app: Pick<App, 'config' | 'log'>,
  store: CompanyStore,
  { id, data }: CompanyRecord,
  certificateId: number,
): Promise<SendingCertificate> {
  try {
    const { certificate } = await openCertificate(store, app, certificateId)
    return hasOtherHolder(certificate, data)
      ? otherHolderBlocked(id, certificate.owner.taxId, data.tax_id)
      : { certificateId }
  } catch (error) {
    if (!isUnusable(error)) throw error
    app.log.error({ err: error }, 'a certificate cannot be opened')
    const reason = {
      en: 'see the server log',
      es: 'consulte el registro del servidor',
    }
    return { reason: 'certificate_unreadable', values: { reason } }
  }
}

/**
 * Returns the first certificate, the preferred one before others, that is valid now, can be opened, and belongs to the
 * company. If a partner operates for the company (`operated_by_partner`), other holders are accepted: the authority
 * checks their authorisation.
 */
export async function sendingCertificateFor(
  app: Pick<App, 'config' | 'clock' | 'log'>,
  store: CompanyStore,
  company: CompanyRecord,
  { preferred, purpose }: CertificateRequest,
): Promise<SendingCertificate> {
  let first: SendingCertificate | undefined
  for (const { id } of await validCertificates(store, app, app.clock.now(), preferred, purpose)) {
    const identity = await identityWith(app, store, company, id)
    if ('certificateId' in identity) return identity
    first ??= identity
  }
  return first ?? { reason: 'no_certificate' }
}
