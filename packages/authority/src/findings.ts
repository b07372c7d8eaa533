/** Results of verifying a signature. */
import type { Policy } from './signature-parts.ts'

export type VerifyErrorCode =
  /** Not well-formed XML. */
  | 'xml'
  | 'doctype'
  /** The root element is not a fiscal record in an official namespace. */
  | 'root'
  | 'no_signature'
  | 'several_signatures'
  /** The signature carries counter-signatures (XAdES `CounterSignature`). */
  | 'countersigned'
  /** The signature is not the last child of the record (of Evento in an event). */
  | 'place'
  /** A part of the signature is missing, repeated or unreadable. */
  | 'structure'
  /** The signature uses SHA-1, a signature method other than RSA, or an unsupported canonicalisation or transform. */
  | 'algorithm'
  /** The signature does not cover the whole record, or content is hidden inside the signature (wrapping). */
  | 'not_covered'
  /** The signed properties are missing, not signed, or part of another signature. */
  | 'properties_not_covered'
  /** A reference is to another document, to an unknown Id, or to an Id that occurs twice. */
  | 'reference'
  /** The record was changed after signing. */
  | 'content_changed'
  /** The signing time, certificate digests, policy or format were changed after signing. */
  | 'properties_changed'
  /** Another signed part of the signature was changed after signing. */
  | 'part_changed'
  /** `SignedInfo` or the signature value was changed, or another key produced it. */
  | 'signature_value'
  /** KeyInfo contains no certificate, or a certificate without an RSA key. */
  | 'certificate'
  /** The certificate in KeyInfo is not the one that the signed properties identify. */
  | 'certificate_digest'
  /** The signing time is outside the validity period of the certificate. */
  | 'certificate_period'
  | 'key_size'
  /** The signature states the AGE or Facturae policy, but a digest other than the published one. */
  | 'policy'

export interface Finding {
  readonly code: VerifyErrorCode
  readonly message: string
}

/** The signer's certificate, as included in the signature. */
export interface SignerCertificate {
  /** RFC 4514, most specific part first: `CN=…,SERIALNUMBER=IDCES-89890001K,C=ES`. */
  readonly subject: string
  readonly issuer: string
  /** Decimal. */
  readonly serial: string
  /** ISO 8601, UTC. */
  readonly not_before: string
  readonly not_after: string
}

/** The result of `verifySignature`. */
export interface SignatureCheck {
  /** True if all references and the signature value verify, the whole record is covered, and `errors` is empty. */
  readonly valid: boolean
  /** Number of references in the signature. */
  readonly references: number
  /** Number of references whose digest matches. */
  readonly verified_references: number
  /**
   * `EPES`: the signature states a policy, which the AEAT requires. `BES`: it states none. Null without a signature.
   */
  readonly profile: 'EPES' | 'BES' | null
  readonly policy: Policy | null
  /** The time that the signer stated. No third party has confirmed it. */
  readonly signing_time: string | null
  readonly signed_by: SignerCertificate | null
  /** Constant. The chain to a trusted root, revocation, and the holder are not checked. */
  readonly trust: 'not_checked'
  readonly errors: readonly Finding[]
}
