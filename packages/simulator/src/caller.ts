/** The client of a connection: the owner of its certificate, and the taxpayers for which the owner may act. */
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { readCertificate } from 'cuadra-authority/certificate.ts'
import { required } from '#core/errors/index.ts'

export interface Caller {
  /** NIF in the certificate, if it has one. */
  readonly taxId: string | undefined
  readonly subject: string
}

export type CallerCheck =
  | { readonly ok: true; readonly caller: Caller }
  /** `reason` is the text of the HTML page that the client receives. */
  | { readonly ok: false; readonly reason: string }

/** Checks the certificate of a connection. Returns null if there is none, so that the connection is closed. */
export function callerOf(socket: TLSSocket, checksIssuer: boolean, now: number): CallerCheck | null {
  const { raw } = socket.getPeerCertificate() as Partial<PeerCertificate>
  if (!raw || raw.length === 0) return null
  let certificate: ReturnType<typeof readCertificate>
  try {
    certificate = readCertificate(raw)
  } catch {
    return { ok: false, reason: 'El certificado no se puede leer.' }
  }
  if (certificate.notAfter.getTime() < now)
    return { ok: false, reason: 'El certificado de cliente está caducado.' }
  if (certificate.notBefore.getTime() > now)
    return { ok: false, reason: 'El certificado de cliente todavía no es válido.' }
  if (checksIssuer && !socket.authorized)
    return { ok: false, reason: 'El certificado de cliente no lo ha emitido un prestador admitido.' }
  return { ok: true, caller: { taxId: certificate.owner.taxId ?? undefined, subject: certificate.subject } }
}

/** Taxpayers for which the owner of a certificate may act by power of attorney, by NIF of the owner. `*` means all. */
export type Powers = Readonly<Record<string, readonly string[]>>

/**
 * Whether the owner of a certificate may act for a taxpayer: as the taxpayer itself, as its representative, or by a
 * power of attorney.
 */
export function mayActFor(
  presenter: string,
  taxpayer: string,
  representative: string | undefined,
  powers: Powers,
): boolean {
  if (presenter === taxpayer || (representative !== undefined && presenter === representative)) return true
  const taxpayers = Object.hasOwn(powers, presenter) ? required(powers[presenter]) : []
  return taxpayers.includes('*') || taxpayers.includes(taxpayer)
}
