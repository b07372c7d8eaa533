/** Who is at the other end of a connection: the owner of the certificate, and for whom it may act. */
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { readCertificate } from '../authority/certificate.ts'
import { required } from '../errors/index.ts'

export interface Caller {
  /** NIF that the certificate names; undefined for one without. */
  readonly taxId: string | undefined
  readonly subject: string
}

export type CallerCheck =
  | { readonly ok: true; readonly caller: Caller }
  /** What the page says that the connection gets instead of an answer. */
  | { readonly ok: false; readonly why: string }

/** The certificate of a connection. Null: there is none, and the connection is closed without a word. */
export function callerOf(socket: TLSSocket, known: boolean, now: number): CallerCheck | null {
  const { raw } = socket.getPeerCertificate() as Partial<PeerCertificate>
  if (!raw || raw.length === 0) return null
  let certificate: ReturnType<typeof readCertificate>
  try {
    certificate = readCertificate(raw)
  } catch {
    return { ok: false, why: 'El certificado no se puede leer.' }
  }
  if (certificate.notAfter.getTime() < now)
    return { ok: false, why: 'El certificado de cliente está caducado.' }
  if (certificate.notBefore.getTime() > now)
    return { ok: false, why: 'El certificado de cliente todavía no es válido.' }
  if (known && !socket.authorized)
    return { ok: false, why: 'El certificado de cliente no lo ha emitido un prestador admitido.' }
  return { ok: true, caller: { taxId: certificate.owner.taxId ?? undefined, subject: certificate.subject } }
}

/** Taxpayers for whom somebody else may send, by the NIF of that somebody's certificate; `*` for everybody. */
export type Powers = Readonly<Record<string, readonly string[]>>

/** Whether the owner of a certificate may act for a taxpayer, itself or as the representative that is named. */
export function mayActFor(
  presenter: string,
  taxpayer: string,
  representative: string | undefined,
  powers: Powers,
): boolean {
  if (presenter === taxpayer || (representative !== undefined && presenter === representative)) return true
  const held = Object.hasOwn(powers, presenter) ? required(powers[presenter]) : []
  return held.includes('*') || held.includes(taxpayer)
}
