/** Errors of certificates and signatures: a code for programs, a message with the fix for people. */
import { CuadraError } from '../errors/index.ts'

export type SignatureErrorCode =
  /** Not well-formed XML. */
  | 'xml'
  /** The XML has a document type declaration: entities and external files are never read. */
  | 'doctype'
  /** The root element is not a fiscal record of the official namespaces. */
  | 'root'
  /** Well-formed, but with parts that no fiscal record has and that signature tools read differently. */
  | 'unsupported'
  /** The record is already signed. */
  | 'already_signed'
  /** The hash is missing or is not 64 upper-case hexadecimal digits. */
  | 'missing_hash'
  /** `id` is not an XML name. */
  | 'id'
  /** `timestamp` is not an ISO date and time with offset. */
  | 'timestamp'
  /** The private key cannot be read or used. */
  | 'key'
  /** The private key is not RSA, or is meant for another algorithm. */
  | 'key_algorithm'
  /** An RSA key under 2048 bits. */
  | 'key_size'
  /** The private key does not belong to the certificate. */
  | 'key_mismatch'
  /** The certificate cannot be read. */
  | 'certificate'
  /** The certificate is not valid at `timestamp`. */
  | 'certificate_period'
  /** The finished signature did not verify; no signed text is returned. */
  | 'self_check'

/** Describes a failed signature: what failed, where, why, and how to fix it. */
export interface SignatureFault {
  readonly what: string
  /** The argument or the position in the text: `privateKey`, `line 3, column 14`. */
  readonly where: string
  readonly why: string
  /** The instruction, in the imperative, without a full stop. */
  readonly fix: string
}

/**
 * Thrown when a record cannot be signed. `message` contains all four parts of the fault.
 *
 * For example:
 * try { await signRecord(xml, options) } catch (error) {
 *   if (error instanceof SignatureError && error.code === 'certificate_period') renew()
 * }
 */
export class SignatureError extends CuadraError {
  override readonly name = 'SignatureError'
  readonly code: SignatureErrorCode
  readonly where: string
  readonly why: string
  readonly fix: string
  constructor(code: SignatureErrorCode, { what, where, why, fix }: SignatureFault) {
    super(`${what} (${where}): ${why}. ${fix}.`)
    this.code = code
    this.where = where
    this.why = why
    this.fix = fix
  }
}

export type CertificateErrorCode =
  /** Not a PKCS#12 file. */
  | 'not_pkcs12'
  /** Wrong password. */
  | 'password'
  /** The encryption is not supported. */
  | 'encryption'
  | 'no_key'
  | 'no_certificate'
  /** Not RSA, too short, or damaged. */
  | 'key'
  | 'expired'
  | 'not_yet_valid'
  /** Belongs to a holder other than the company. */
  | 'other_owner'
  /** Test certificates work with the simulator only. */
  | 'simulator_only'
  | 'unknown_certificate'

/** Thrown for a certificate file, or a company's certificate, that cannot be used. */
export class CertificateError extends CuadraError {
  override readonly name = 'CertificateError'
  constructor(
    readonly code: CertificateErrorCode,
    message: string,
  ) {
    super(message)
  }
}
