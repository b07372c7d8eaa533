/** What the verification of a signature can find. */
import type { Policy } from './signature-parts.ts'

export type VerifyErrorCode =
  /** Not well-formed XML. */
  | 'xml'
  | 'doctype'
  /** No fiscal record of the official namespaces. */
  | 'root'
  | 'no_signature'
  | 'several_signatures'
  /** The signature is not the last child of the record (of Evento in an event). */
  | 'place'
  /** A part of the signature is missing, doubled or unreadable. */
  | 'structure'
  /** SHA-1, another signature method than RSA, or a canonicalisation that is not accepted. */
  | 'algorithm'
  /** Not the whole record is signed, or there is content inside of the signature (wrapping). */
  | 'not_covered'
  /** The signed properties are missing, not this signature's, or not signed. */
  | 'properties_not_covered'
  /** A reference to something else: another document, no such Id, the same Id twice. */
  | 'reference'
  /** The record is not what was signed. */
  | 'content_changed'
  /** Signing time, certificate digests, policy or format are not what was signed. */
  | 'properties_changed'
  /** Another signed part of the signature is not what was signed. */
  | 'part_changed'
  /** `SignedInfo` or the signature value was changed, or another key made it. */
  | 'signature_value'
  /** No certificate in KeyInfo, or one without an RSA key. */
  | 'certificate'
  /** The certificate in KeyInfo is not the one that was signed. */
  | 'certificate_digest'
  /** The signing time lies outside of the certificate's validity. */
  | 'certificate_period'
  | 'key_size'
  /** The AGE policy with another digest than the published one. */
  | 'policy'

export interface Finding {
  readonly code: VerifyErrorCode
  readonly message: string
}

/** The signer's certificate, as the signature carries it. */
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

/** What `verifySignature` found. */
export interface SignatureCheck {
  /** All references and the signature value hold, the whole record is covered, `errors` is empty. */
  readonly valid: boolean
  /** References in the signature. */
  readonly references: number
  /** Those whose digest is right. */
  readonly verified_references: number
  /** `EPES` names a signature policy, which the AEAT asks for; `BES` names none. Null without a signature. */
  readonly profile: 'EPES' | 'BES' | null
  readonly policy: Policy | null
  /** As written by the signer; nobody else vouches for it. */
  readonly signing_time: string | null
  readonly signed_by: SignerCertificate | null
  /** Always: neither the chain to a trusted root nor revocation nor the owner is looked at. */
  readonly trust: 'not_checked'
  readonly errors: readonly Finding[]
}
