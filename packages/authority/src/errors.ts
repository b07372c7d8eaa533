/** Errors of certificates and signatures. Each has a code for programs, and a message with the fix for people. */
import { CuadraError } from '#core/errors/index.ts'

export type SignatureErrorCode =
  /** Not well-formed XML. */
  | 'xml'
  /** The XML has a document type declaration. Entities and external files are never read. */
  | 'doctype'
  /** The root element is not a fiscal record in an official namespace. */
  | 'root'
  /** The XML is well-formed, but has parts that no fiscal record has and that signature tools interpret differently. */
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
  /** The finished signature could not be verified. No signed text is returned. */
  | 'self_check'

/** The parts of an error message: what failed, where, why, and how to fix it. */
export interface SignatureFault {
  readonly what: string
  /** The argument, or the position in the text: `privateKey`, `line 3, column 14`. */
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
  /** The file is not a PKCS#12 file. */
  | 'not_pkcs12'
  /** Wrong password. */
  | 'password'
  /** The encryption is not supported. */
  | 'encryption'
  | 'no_key'
  | 'no_certificate'
  /** The key is not RSA, too short, or damaged. */
  | 'key'
  | 'expired'
  | 'not_yet_valid'
  /** The holder of the certificate is not the company. */
  | 'other_owner'
  /** Only the simulator accepts test certificates. */
  | 'simulator_only'
  | 'unknown_certificate'

/** Thrown if a certificate file, or a certificate of a company, cannot be used. */
export class CertificateError extends CuadraError {
  override readonly name = 'CertificateError'
  constructor(
    readonly code: CertificateErrorCode,
    message: string,
  ) {
    super(message)
  }
}
