/** Verifies the signature of a received Facturae, and determines whether its signer can be trusted. */
import { X509Certificate } from 'node:crypto'
import { checkTaxId } from '#core/identifiers/index.ts'
import { decodeXml } from '#core/xml/index.ts'
import { type ParsedCertificate, readCertificate } from './certificate.ts'
import { chainTo } from './certificate-chain.ts'
import type { SignerCertificate, VerifyErrorCode } from './findings.ts'
import type { Policy } from './signature-parts.ts'
import { type Inspection, inspectFacturae } from './verify-signature.ts'

/**
 * `valid`: the document is unchanged, and the supplier signed it with a trusted certificate. `untrusted`: it is
 * unchanged, but `doubts` has reasons not to trust the signer. `altered`: it was changed after signing, or only a part
 * of it was signed. `unsupported`: its algorithm or form cannot be verified.
 */
export type InvoiceSignatureState = 'valid' | 'untrusted' | 'altered' | 'unsupported'

/** `form`: the signature is not XAdES, because it has no signed properties that identify the certificate. */
export type SignatureFailure = VerifyErrorCode | 'form'

export type SignatureDoubt =
  /** The certificate had expired at the signing time. */
  | 'expired'
  | 'not_yet_valid'
  /** The signer issued the certificate itself. */
  | 'self_signed'
  /** No chain leads to a trusted certificate. */
  | 'root_unknown'
  /** The signer is not the supplier. */
  | 'third_party'
  /** The certificate has no Spanish NIF. */
  | 'signer_unknown'
  /** The digest of the signature policy differs from the published one. */
  | 'policy'

/** The signer, according to the certificate in the signature. */
export interface InvoiceSigner extends SignerCertificate {
  readonly name: string
  /** NIF of the entity or, if the certificate names no entity, of the person. */
  readonly tax_id: string | null
  /** NIF of the person who signed, if the certificate names one. */
  readonly person_tax_id: string | null
  readonly relation: 'supplier' | 'third_party' | 'unknown'
  readonly self_signed: boolean
  /** The time for which the certificate is checked (ISO 8601, UTC): the signing time or, if missing or later, `at`. */
  readonly checked_at: string
  readonly valid_at_signing_time: boolean
  /** Whether the certificate has expired at the time of the check. */
  readonly expired: boolean
  /** Subject of the trusted certificate at the end of the chain; null if no chain leads to one. */
  readonly trusted_root: string | null
}

export interface InvoiceSignature {
  readonly state: InvoiceSignatureState
  /** What was changed, is missing, or is not supported. Empty in the states `valid` and `untrusted`. */
  readonly failures: readonly SignatureFailure[]
  readonly doubts: readonly SignatureDoubt[]
  readonly signer: InvoiceSigner | null
  /** The time that the signer stated. No third party has confirmed it. */
  readonly signing_time: string | null
  readonly policy: Policy | null
}

export interface InvoiceSignatureOptions {
  /** Trusted certificates, each as one PEM text: roots, intermediate authorities or individual signers. */
  readonly roots: readonly string[]
  /** The time of the check, in milliseconds since 1970. */
  readonly at: number
  /** Tax id of the invoice's supplier. */
  readonly supplierTaxId: string | undefined
}

/** Failures that prove that the document or its signature was changed. */
const CHANGED: ReadonlySet<VerifyErrorCode> = new Set([
  'content_changed',
  'properties_changed',
  'part_changed',
  'signature_value',
  'certificate_digest',
])
const UNSUPPORTED: ReadonlySet<VerifyErrorCode> = new Set([
  'algorithm',
  'certificate',
  'key_size',
  'countersigned',
  'no_signature',
  'xml',
  'doctype',
  'root',
])
/** Findings that concern only the trust in the signer. */
const DOUBTFUL: ReadonlySet<VerifyErrorCode> = new Set(['certificate_period', 'policy'])

/** Returns the failures and the resulting state; null if the document is unchanged since it was signed. */
function failureOf({ check, parts }: Inspection, signer: InvoiceSigner | null) {
  const failures = check.errors.map(({ code }) => code).filter((code) => !DOUBTFUL.has(code))
  if (failures.length === 0)
    return signer ? null : ({ state: 'unsupported', failures: ['certificate'] } as const)
  // If no signed properties identify a certificate, the signature is not XAdES.
  const isPlain = parts !== null && !parts.hasProperties
  const isForm = isPlain || (parts?.properties && parts.certificateDigest === null)
  if (failures.some((code) => CHANGED.has(code) && !(isForm && code === 'certificate_digest')))
    return { state: 'altered', failures } as const
  if (isForm) return { state: 'unsupported', failures: ['form'] } as const
  const unsupported = failures.filter((code) => UNSUPPORTED.has(code))
  return unsupported.length > 0
    ? ({ state: 'unsupported', failures: unsupported } as const)
    : ({ state: 'altered', failures } as const)
}

const normalised = (taxId: string): string => checkTaxId(taxId, 'ES').normalized

function relationOf({ owner }: ParsedCertificate, supplier: string | undefined): InvoiceSigner['relation'] {
  const own = [owner.taxId, owner.personTaxId].flatMap((one) => one ?? [])
  if (own.length === 0 || supplier === undefined) return 'unknown'
  return own.includes(normalised(supplier)) ? 'supplier' : 'third_party'
}

/** Reads a certificate; null if OpenSSL cannot read it. */
function certificateIn(source: string | Uint8Array): X509Certificate | null {
  try {
    return new X509Certificate(source)
  } catch {
    return null
  }
}

function signerOf(
  { check, parts, signer }: Inspection,
  { roots, at, supplierTaxId }: InvoiceSignatureOptions,
): InvoiceSigner | null {
  if (parts === null || signer === null || check.signed_by === null) return null
  const signed = Date.parse(parts.signingTime ?? '')
  const time = signed <= at ? signed : at
  const own = certificateIn(signer.der)
  if (own === null) return null
  const others = parts.certificates.flatMap(({ der }) => certificateIn(der) ?? [])
  const trusted = roots.flatMap((pem) => certificateIn(pem) ?? [])
  const anchor = chainTo(trusted, own, others, time)?.at(-1)
  return {
    ...check.signed_by,
    name: signer.name || signer.subject,
    tax_id: signer.owner.taxId,
    person_tax_id: signer.owner.personTaxId,
    relation: relationOf(signer, supplierTaxId),
    self_signed: own.checkIssued(own),
    checked_at: new Date(time).toISOString(),
    valid_at_signing_time: time >= signer.notBefore.getTime() && time <= signer.notAfter.getTime(),
    expired: at > signer.notAfter.getTime(),
    trusted_root: anchor ? readCertificate(anchor.raw).subject : null,
  }
}

function doubtsAbout(signer: InvoiceSigner, { check }: Inspection): SignatureDoubt[] {
  const isEarly = signer.checked_at < signer.not_before
  const holds: Readonly<Record<SignatureDoubt, boolean>> = {
    expired: !signer.valid_at_signing_time && !isEarly,
    not_yet_valid: !signer.valid_at_signing_time && isEarly,
    self_signed: signer.trusted_root === null && signer.self_signed,
    root_unknown: signer.trusted_root === null && !signer.self_signed,
    third_party: signer.relation === 'third_party',
    signer_unknown: signer.tax_id === null,
    policy: check.errors.some(({ code }) => code === 'policy'),
  }
  return (Object.keys(holds) as SignatureDoubt[]).filter((doubt) => holds[doubt])
}

/**
 * Verifies the signature of a received Facturae (XAdES enveloped): the digest of every reference, the signature value,
 * the signing certificate and its dates, its chain to a trusted certificate, and whether the supplier signed. Never
 * throws for any bytes.
 *
 * Not checked: revocation, time stamps, and whether the certificate is qualified.
 *
 * @see https://www.w3.org/TR/xmldsig-core1/ and ETSI EN 319 132-1; art. 10 RD 1619/2012
 */
export async function verifyInvoiceSignature(
  bytes: Uint8Array,
  options: InvoiceSignatureOptions,
): Promise<InvoiceSignature> {
  const inspection = await inspectFacturae(decodeXml(bytes).text ?? '')
  const signer = signerOf(inspection, options)
  const failure = failureOf(inspection, signer)
  const doubts = failure || !signer ? [] : doubtsAbout(signer, inspection)
  return {
    state: failure?.state ?? (doubts.length === 0 ? 'valid' : 'untrusted'),
    failures: failure?.failures ?? [],
    doubts,
    signer,
    signing_time: inspection.check.signing_time,
    policy: inspection.check.policy,
  }
}
