/** Why a file with a certificate is refused: a code for programs, a sentence with the remedy for people. */
import { CuadraError } from '../errors/index.ts'

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
  /** Of somebody else than the company. */
  | 'other_owner'
  /** Certificates for trying out are for the simulator only. */
  | 'simulator_only'
  | 'unknown_certificate'

export class CertificateError extends CuadraError {
  override readonly name = 'CertificateError'
  constructor(
    readonly code: CertificateErrorCode,
    message: string,
  ) {
    super(message)
  }
}
