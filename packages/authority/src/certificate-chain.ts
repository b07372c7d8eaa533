/** Finds the chain of a certificate up to a trusted certificate (RFC 5280, section 6, without revocation). */
import type { X509Certificate } from 'node:crypto'
import { BasicConstraints, Certificate } from 'pkijs'

/** Maximum number of certificates in a chain. */
const MAX_LENGTH = 8

/** Accepted signature algorithms of certificates: RSA and ECDSA with SHA-256, SHA-384 and SHA-512, and RSA-PSS. */
const SIGNATURES: ReadonlySet<string> = new Set([
  ...['1.2.840.113549.1.1.10', '1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12', '1.2.840.113549.1.1.13'],
  ...['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4'],
])
const BASIC_CONSTRAINTS = '2.5.29.19'
/**
 * Critical extensions that are allowed: key usage, basic constraints, policies, extended key usage, QC statements. A
 * certificate with any other critical extension, such as name constraints, is not trusted.
 */
const EXTENSIONS: ReadonlySet<string> = new Set([
  ...['2.5.29.15', BASIC_CONSTRAINTS, '2.5.29.32', '2.5.29.37'],
  '1.3.6.1.5.5.7.1.3',
])

/** Whether an authority may have `below` authorities under it, and its signature and extensions are allowed. */
function isAcceptable(certificate: X509Certificate, below: number): boolean {
  const { extensions = [], signatureAlgorithm } = Certificate.fromBER(new Uint8Array(certificate.raw))
  const constraints = extensions.find(({ extnID }) => extnID === BASIC_CONSTRAINTS)?.parsedValue
  const most = constraints instanceof BasicConstraints ? constraints.pathLenConstraint : undefined
  return (
    SIGNATURES.has(signatureAlgorithm.algorithmId) &&
    extensions.every(({ extnID, critical }) => !critical || EXTENSIONS.has(extnID)) &&
    (typeof most !== 'number' || most >= below)
  )
}

/** Whether an authority issued a certificate and was itself valid at `time`. `below` counts authorities below it. */
const hasIssued = (issuer: X509Certificate, issued: X509Certificate, below: number, time: number): boolean =>
  issuer.ca &&
  issued.checkIssued(issuer) &&
  time >= Date.parse(issuer.validFrom) &&
  time <= Date.parse(issuer.validTo) &&
  isAcceptable(issuer, below) &&
  issued.verify(issuer.publicKey)

/**
 * Returns the chain from a certificate to one of `roots`, both inclusive; null if there is none. `others` are possible
 * intermediate certificates. The validity of the first certificate itself is not checked.
 */
export function chainTo(
  roots: readonly X509Certificate[],
  signer: X509Certificate,
  others: readonly X509Certificate[],
  time: number,
): readonly X509Certificate[] | null {
  const trusted = new Set(roots.map(({ fingerprint256 }) => fingerprint256))
  if (trusted.has(signer.fingerprint256)) return [signer]
  if (!isAcceptable(signer, 0)) return null
  // Shortest chains first. Each certificate is visited once, which limits the time for certificates of an attacker.
  const reached = new Set([signer.fingerprint256])
  const chains: (readonly X509Certificate[])[] = [[signer]]
  for (const chain of chains) {
    const last = chain.at(-1)
    if (last === undefined || chain.length === MAX_LENGTH) continue
    for (const issuer of [...roots, ...others]) {
      if (reached.has(issuer.fingerprint256) || !hasIssued(issuer, last, chain.length - 1, time)) continue
      if (trusted.has(issuer.fingerprint256)) return [...chain, issuer]
      reached.add(issuer.fingerprint256)
      chains.push([...chain, issuer])
    }
  }
  return null
}
