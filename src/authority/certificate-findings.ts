/** Findings about problems of a certificate, before the tax authority rejects it. Each finding is in both languages. */
import type { Extra, Text } from '../invoice/index.ts'
import { fill } from '../messages/index.ts'
import type { ReadCertificate } from './certificate.ts'

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

type Declaration = Pick<CertificateFinding, 'severity'> & Text

const DECLARED: Readonly<Record<CertificateFindingCode, Declaration>> = {
  expired: {
    severity: 'error',
    en: 'The certificate of {owner} expired on {until}. Add the renewed one (cuadra-admin certificate add).',
    es: 'El certificado de {owner} caducó el {until}. Añada el renovado (cuadra-admin certificate add).',
  },
  not_yet_valid: {
    severity: 'error',
    en: 'The certificate of {owner} is not valid until {from}. Wait until then, or check the clock of this machine.',
    es: 'El certificado de {owner} es válido a partir del {from}. Espere hasta entonces o compruebe el reloj de esta máquina.',
  },
  expires_soon: {
    severity: 'warning',
    en: 'The certificate of {owner} expires on {until}, in {days} days. Renew it and add the new one, which replaces it automatically.',
    es: 'El certificado de {owner} caduca el {until}, dentro de {days} días. Renuévelo y añada el nuevo, que lo sustituirá automáticamente.',
  },
  other_owner: {
    severity: 'warning',
    en: 'The certificate belongs to {received}, but the company is {expected}. The tax authority accepts it only from an authorised representative (apoderado) or a registered filing agent (colaborador social) of the company; otherwise add a certificate of {expected}.',
    es: 'El certificado es de {received} y la empresa es {expected}. La AEAT solo lo admite si su titular es apoderado o colaborador social de la empresa; si no lo es, añada un certificado de {expected}.',
  },
  no_owner: {
    severity: 'warning',
    en: 'The certificate contains no Spanish NIF ({owner}). Add a qualified certificate that contains one: the tax authority accepts no others.',
    es: 'El certificado no contiene ningún NIF español ({owner}). La AEAT admite certificados cualificados que lo contengan.',
  },
  not_for_clients: {
    severity: 'warning',
    en: 'The certificate of {owner} is not intended for client authentication (clientAuth): it can sign, but the tax authority may reject the connection. Ask the provider for a certificate with this extended key usage.',
    es: 'El certificado de {owner} no sirve para identificar a un cliente en una conexión (clientAuth): puede firmar, pero la AEAT puede rechazar la conexión. Solicite a su prestador uno con ese uso.',
  },
  self_signed: {
    severity: 'warning',
    en: 'The certificate of {owner} is self-signed: the simulator accepts it, the tax authority does not. Add a qualified one.',
    es: 'El certificado de {owner} es autofirmado: lo admite el simulador, no la AEAT. Añada uno cualificado.',
  },
}

/** Days before expiry from which to warn: renewing takes a visit to an office. */
const SOON_DAYS = 30
const DAY = 86_400_000

/** Returns the whole days until a certificate expires; negative after expiry. */
export const daysLeft = ({ notAfter }: Pick<ReadCertificate, 'notAfter'>, now: number): number =>
  Math.floor((notAfter.getTime() - now) / DAY)

const day = (date: Date): string => date.toISOString().slice(0, 10)

/**
 * Returns the findings about a certificate at the time `now`. `taxId` is the NIF of the company, if known. A seal, or a
 * representative's certificate, is treated as the company's own certificate.
 */
export function certificateFindings(
  certificate: ReadCertificate,
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
