/**
 * Findings about a certificate that show problems before the tax authority rejects it. Each one is in both languages.
 */
import type { Extra, Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import type { ParsedCertificate } from './certificate.ts'
import { DECLARED } from './generated/texts/certificates.ts'

export type CertificateFindingCode =
  | 'expired'
  | 'not_yet_valid'
  | 'expires_soon'
  | 'other_owner'
  | 'no_owner'
  | 'not_for_clients'
  | 'self_signed'

export interface CertificateFinding {
  readonly code: CertificateFindingCode
  /** An `error` prevents sending; a `warning` needs review. */
  readonly severity: 'error' | 'warning'
  readonly message: Text
}

/** Days before expiry from which a warning is given, because renewing a certificate requires a visit to an office. */
const SOON_DAYS = 30
const DAY = 86_400_000

/** Returns the whole days until a certificate expires; negative after expiry. */
export const daysLeft = ({ notAfter }: Pick<ParsedCertificate, 'notAfter'>, now: number): number =>
  Math.floor((notAfter.getTime() - now) / DAY)

const day = (date: Date): string => date.toISOString().slice(0, 10)

/**
 * Returns the findings about a certificate at the time `now`. `taxId` is the NIF of the company, if known. The
 * company's seal and the certificates of its representatives count as its own certificates.
 */
export function certificateFindings(
  certificate: ParsedCertificate,
  { now, taxId }: { readonly now: number; readonly taxId?: string },
): CertificateFinding[] {
  const { owner, subject, issuer, notBefore, notAfter, forClients } = certificate
  const days = daysLeft(certificate, now)
  const values: Extra = {
    owner: owner.taxId ?? subject,
    received: owner.taxId,
    expected: taxId,
    from: day(notBefore),
    until: day(notAfter),
    days,
  }
  const find = (code: CertificateFindingCode): CertificateFinding => {
    const { severity, en, es } = DECLARED[code]
    return { code, severity, message: { en: fill(en, values, 'en'), es: fill(es, values, 'es') } }
  }
  const holds: Readonly<Record<CertificateFindingCode, boolean>> = {
    expired: now > notAfter.getTime(),
    not_yet_valid: now < notBefore.getTime(),
    expires_soon: now <= notAfter.getTime() && days <= SOON_DAYS,
    other_owner: taxId !== undefined && owner.taxId !== null && owner.taxId !== taxId,
    no_owner: owner.taxId === null,
    not_for_clients: !forClients,
    self_signed: subject === issuer,
  }
  return (Object.keys(DECLARED) as CertificateFindingCode[]).filter((code) => holds[code]).map(find)
}
