/**
 * Signatures of fiscal records in mode `no_verifactu`. Records of this mode are not sent, so each one is signed when it
 * is generated (art. 12 RD 1007/2023; art. 14 Orden HAC/1177/2024). In mode `verifactu`, records are sent and need no
 * signature.
 */

import { SignatureError } from 'cuadra-authority/errors.ts'
import { ConditionError, isCondition } from '#core/errors/index.ts'
import type { Extra, ValidationItem } from '#core/invoice/index.ts'
import { createItem, messageWithoutFix } from '#core/messages/index.ts'
import { CODES } from '../../errors/error-codes.ts'
import type { Certificate } from '../../shapes/schemas.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { isUnusable, openCertificate, validCertificate } from '../company/certificates.ts'
import type { CompanyData } from '../company/company-shape.ts'
import type { VerifactuPeriod } from './verifactu-period.ts'

/** The company that signs, and the language and request id for reporting failures. */
export type SigningContext = Pick<Call, 'app' | 'company' | 'locale' | 'requestId'>

/** Whether, on a day, a delegated signature replaces a certificate. */
const isDelegated = ({ delegated_signature }: CompanyData, day: string): boolean =>
  delegated_signature !== null && delegated_signature.valid_until >= day

export interface SigningMeans {
  readonly certificate: Certificate | null
  readonly delegated: boolean
}

/** Returns the certificate and the delegation with which the company can sign now, or at the start of a later day. */
export async function signingMeansOf(
  db: Rows,
  { app, company }: Pick<Call, 'app' | 'company'>,
  preferred: number | null = null,
  day: string = app.clock.today(),
): Promise<SigningMeans> {
  const at = day > app.clock.today() ? Date.parse(day) : app.clock.now()
  return {
    certificate: await validCertificate(db, app, at, preferred),
    delegated: isDelegated(company.data, day),
  }
}

export const canSign = ({ certificate, delegated }: SigningMeans): boolean =>
  certificate !== null || delegated

/** The code of the problem that a record must be signed, but the company has no means to sign it. */
export const SIGNATURE_REQUIRED = 'active_verifactu_certificate_or_delegation_required'
const MESSAGES = {
  [SIGNATURE_REQUIRED]: CODES[SIGNATURE_REQUIRED],
  'record.signature': {
    en: 'The fiscal record could not be signed: {reason}',
    es: 'El registro de facturación no pudo firmarse: {reason}',
  },
} as const

const problem = ({ locale }: Pick<Call, 'locale'>, code: keyof typeof MESSAGES, extra: Extra | null = null) =>
  createItem(messageWithoutFix(MESSAGES[code]), { code, path: '', extra, severity: 'error' }, locale)

type Items = readonly ValidationItem[]

/** Returns the error for a record that must be signed but cannot be. The record is not stored. */
const notSigned = (items: Items): ConditionError =>
  new ConditionError('not_signed', 'the record was not signed', { items })

/** Returns why a record was not signed (condition `not_signed`); null for any other error. */
export const unsignedItems = (error: unknown): Items | null =>
  isCondition(error, 'not_signed') ? (error.items as Items) : null

/** Returns the problem if the company must sign and cannot; null otherwise. */
export async function signingProblem(
  db: Rows,
  call: SigningContext,
  period: VerifactuPeriod,
): Promise<ValidationItem | null> {
  if (period.mode === 'verifactu') return null
  return canSign(await signingMeansOf(db, call, period.certificate_id))
    ? null
    : problem(call, SIGNATURE_REQUIRED)
}

/** Returns the key of a certificate of the company, in the form that signing needs. */
export async function signingKeyOf(db: Rows, call: SigningContext, certificate: Certificate) {
  const { privateKey, certificate: own, chain } = await openCertificate(db, call.app, certificate.id)
  const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64')
  return { privateKey, certificate: base64(own.der), chain: chain.map(({ der }) => base64(der)) }
}

/** Logs the cause of a failure for the administrator, and returns the problems for the client. */
export function logAndListFailure(call: SigningContext, error: unknown): Items {
  if (error instanceof SignatureError) return [problem(call, 'record.signature', { reason: error.message })]
  if (!isUnusable(error)) throw error
  call.app.log.error({ err: error, request_id: call.requestId }, 'a certificate cannot be opened')
  const reason =
    call.locale === 'es'
      ? 'el certificado guardado no puede abrirse; consulte la causa en el registro del servidor'
      : 'the stored certificate cannot be opened; see the server log for the cause'
  return [problem(call, 'record.signature', { reason })]
}

export interface FinishedRecord {
  readonly xml: string
  /**
   * `pending`: waits to be sent. `registered`: final. `signature_pending`: waits for the signature of the party to
   * which signing was delegated, because this server does not have its key.
   */
  readonly estado: 'pending' | 'registered' | 'signature_pending'
}

/** Completes the XML of a record, with a signature if necessary, to the XML that is stored. Throws `not_signed`. */
export type Finisher = (xml: string, timestamp: string) => Promise<FinishedRecord>

/**
 * Returns the function that completes the records of a period. Throws `not_signed` if they must be signed but cannot
 * be.
 */
export async function finisherOf(db: Rows, call: SigningContext, period: VerifactuPeriod): Promise<Finisher> {
  if (period.mode === 'verifactu') return async (xml) => ({ xml, estado: 'pending' })
  const { certificate, delegated } = await signingMeansOf(db, call, period.certificate_id)
  if (!certificate) {
    if (!delegated) throw notSigned([problem(call, SIGNATURE_REQUIRED)])
    return async (xml) => ({ xml, estado: 'signature_pending' })
  }
  try {
    const options = await signingKeyOf(db, call, certificate)
    const { signRecord } = await import('cuadra-authority/index.ts')
    return async (xml, timestamp) => {
      try {
        return { xml: await signRecord(xml, { ...options, timestamp }), estado: 'registered' }
      } catch (error) {
        throw notSigned(logAndListFailure(call, error))
      }
    }
  } catch (error) {
    throw notSigned(logAndListFailure(call, error))
  }
}
