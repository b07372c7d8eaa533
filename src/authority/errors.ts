/** What certificates and signatures are refused for: a code for programs, a sentence with the remedy for people. */
import { CuadraError } from '../errors/index.ts'

export type SignatureErrorCode =
  /** Not well-formed XML. */
  | 'xml'
  /** A document type: entities and external files are never read. */
  | 'doctype'
  /** Another root element than a fiscal record of the official namespaces. */
  | 'root'
  /** Well-formed, yet with parts that no fiscal record has and that signature tools read differently. */
  | 'unsupported'
  /** The record carries a signature. */
  | 'already_signed'
  /** No hash, or no hash of 64 upper-case hexadecimal digits. */
  | 'missing_hash'
  /** `id` is no XML name. */
  | 'id'
  /** `moment` is no ISO date and time with offset. */
  | 'timestamp'
  /** The private key cannot be read or used. */
  | 'key'
  /** The private key is not RSA, or made for another algorithm. */
  | 'key_algorithm'
  /** An RSA key under 2048 bits. */
  | 'key_size'
  /** The private key does not belong to the certificate. */
  | 'key_mismatch'
  /** The certificate cannot be read. */
  | 'certificate'
  /** The certificate is not valid at `moment`. */
  | 'certificate_period'
  /** The finished signature did not verify; nothing is handed out. */
  | 'self_check'

/** Which part of a signature's making failed, where, why, and what to do about it. */
export interface SignatureFault {
  readonly what: string
  /** The argument or the place in the text: `privateKey`, `line 3, column 14`. */
  readonly where: string
  readonly why: string
  /** How to mend it. */
  readonly fix: string
}

/**
 * A record that was not signed. `message` holds all four parts.
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
  /** No PKCS#12 file. */
  | 'not_pkcs12'
  /** The password is not the file's. */
  | 'password'
  /** Encrypted in a way that is not read here. */
  | 'encryption'
  | 'no_key'
  | 'no_certificate'
  /** Not RSA, too short, or damaged. */
  | 'key'
  | 'expired'
  | 'not_yet_valid'
  /** Belongs to another owner than the company. */
  | 'other_owner'
  /** Certificates for trying out are for the simulator only. */
  | 'simulator_only'
  | 'unknown_certificate'

/** A file with a certificate, or a certificate of a company, that is refused. */
export class CertificateError extends CuadraError {
  override readonly name = 'CertificateError'
  constructor(
    readonly code: CertificateErrorCode,
    message: string,
  ) {
    super(message)
  }
}
