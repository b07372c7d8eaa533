/** Reads the parts of a signature from the tree, without verifying them. */
import { webcrypto } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { CuadraError, required } from '#core/errors/index.ts'
import { type ParsedCertificate, readCertificate } from './certificate.ts'
import { childrenOf, DSIG, isElement, uniqueElementAt, walk, XADES } from './record-document.ts'

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENC = 'http://www.w3.org/2001/04/xmlenc#'

/** Maximum number of references, and of certificates, to limit the time of a check. Signatures usually have three. */
const MAX_PARTS = 20

/** Digest methods accepted for signed content. */
export const CONTENT_DIGESTS: Readonly<Record<string, string>> = {
  [`${ENC}sha256`]: 'SHA-256',
  [`${MORE}sha384`]: 'SHA-384',
  [`${ENC}sha512`]: 'SHA-512',
}

/** Digest methods accepted for identifying a certificate or a policy. The AEAT's own sample uses SHA-1 for this. */
const NAMING_DIGESTS: Readonly<Record<string, string>> = { ...CONTENT_DIGESTS, [`${DSIG}sha1`]: 'SHA-1' }

/** Accepted signature methods, each with its hash algorithm. */
export const SIGNATURE_METHODS: Readonly<Record<string, string>> = {
  [`${MORE}rsa-sha256`]: 'SHA-256',
  [`${MORE}rsa-sha384`]: 'SHA-384',
  [`${MORE}rsa-sha512`]: 'SHA-512',
}

/** The signature policy that a signature states. */
export interface Policy {
  /** The identifier as written, such as `urn:oid:2.16.724.1.3.1.1.2.1.9`. */
  readonly identifier: string
  /** `SHA-1`, `SHA-256` and so on, or the URI of another method. */
  readonly hash: string
  /** The digest in base64. */
  readonly digest: string
  /** Address of the policy document (SPURI), or null. */
  readonly uri: string | null
}

/** A digest that identifies a certificate. */
export interface CertificateDigest {
  readonly hash: string
  readonly value: Buffer
}

export interface SignatureParts {
  readonly id: string
  readonly canonicalization: string
  readonly method: string
  readonly references: readonly Element[]
  readonly certificates: readonly ParsedCertificate[]
  /** The signed properties of this signature; null if there are none. */
  readonly properties: Element | null
  /** Whether there are signed properties of XAdES 1.3.2, even if they are not those of this signature. */
  readonly hasProperties: boolean
  readonly signingTime: string | null
  readonly epes: boolean
  readonly policy: Policy | null
  /** Digest of the signing certificate; null if the signature states none, or one of an unknown method. */
  readonly certificateDigest: CertificateDigest | null
}

const textOf = (element: Element | null): string | null => element?.textContent?.trim() ?? null

const algorithmOf = (element: Element | null): string => element?.getAttribute('Algorithm') ?? ''

/** Returns the element at the end of a path of `ds` names. Throws if it is missing or not unique. */
export function requireElement(parent: Element, ...names: string[]): Element {
  const found = uniqueElementAt(parent, DSIG, ...names)
  if (found === null)
    throw new CuadraError(`${parent.nodeName} does not have exactly one ${names.join('/')}.`)
  return found
}

const bytesOf = (element: Element | null): Buffer => Buffer.from(textOf(element) ?? '', 'base64')

function certificatesIn(keyInfo: Element): ParsedCertificate[] {
  const encoded = childrenOf(keyInfo, DSIG, 'X509Data').flatMap((data) =>
    childrenOf(data, DSIG, 'X509Certificate'),
  )
  if (encoded.length > MAX_PARTS) throw new CuadraError(`KeyInfo has more than ${MAX_PARTS} certificates.`)
  return encoded.map((element) => {
    try {
      return readCertificate(bytesOf(element))
    } catch {
      throw new CuadraError('A certificate in KeyInfo cannot be read.')
    }
  })
}

function policyIn(id: Element | null): Policy | null {
  if (id === null) return null
  const hash = uniqueElementAt(id, XADES, 'SigPolicyHash')
  const method = algorithmOf(uniqueElementAt(hash, DSIG, 'DigestMethod'))
  const uri = [...walk(id)].find((node) => isElement(node) && node.localName === 'SPURI')
  return {
    identifier: textOf(uniqueElementAt(id, XADES, 'SigPolicyId', 'Identifier')) ?? '',
    hash: NAMING_DIGESTS[method] ?? method,
    digest: textOf(uniqueElementAt(hash, DSIG, 'DigestValue')) ?? '',
    uri: textOf((uri as Element | undefined) ?? null),
  }
}

function certificateDigestIn(properties: Element | null): CertificateDigest | null {
  const list =
    uniqueElementAt(properties, XADES, 'SigningCertificate') ??
    uniqueElementAt(properties, XADES, 'SigningCertificateV2')
  // The first entry identifies the signer's own certificate, the others identify its chain.
  const digest = list && uniqueElementAt(childrenOf(list, XADES, 'Cert')[0] ?? null, XADES, 'CertDigest')
  const hash = NAMING_DIGESTS[algorithmOf(uniqueElementAt(digest, DSIG, 'DigestMethod'))]
  return hash === undefined ? null : { hash, value: bytesOf(uniqueElementAt(digest, DSIG, 'DigestValue')) }
}

/** Reads the parts of a signature. Throws if it is incomplete. */
export function readSignature(signature: Element): SignatureParts {
  const signedInfo = requireElement(signature, 'SignedInfo')
  requireElement(signature, 'SignatureValue')
  const references = childrenOf(signedInfo, DSIG, 'Reference')
  if (references.length > MAX_PARTS)
    throw new CuadraError(`SignedInfo has more than ${MAX_PARTS} references.`)
  const id = signature.getAttribute('Id') ?? ''
  const xades = [...walk(signature)].filter(
    (node): node is Element => isElement(node) && node.namespaceURI === XADES,
  )
  const qualifying = xades.filter(({ localName }) => localName === 'QualifyingProperties')
  const [own] = qualifying
  const owned =
    own?.parentNode?.parentNode === signature && own.getAttribute('Target') === `#${id}` && id !== ''
  const properties =
    qualifying.length === 1 && owned ? uniqueElementAt(required(own), XADES, 'SignedProperties') : null
  const inner = uniqueElementAt(properties, XADES, 'SignedSignatureProperties')
  const identifier = uniqueElementAt(inner, XADES, 'SignaturePolicyIdentifier')
  return {
    id,
    canonicalization: algorithmOf(requireElement(signedInfo, 'CanonicalizationMethod')),
    method: algorithmOf(requireElement(signedInfo, 'SignatureMethod')),
    references,
    certificates: certificatesIn(requireElement(signature, 'KeyInfo')),
    properties,
    hasProperties: xades.some(({ localName }) => localName === 'SignedProperties'),
    signingTime: textOf(uniqueElementAt(inner, XADES, 'SigningTime')),
    epes: identifier !== null,
    policy: policyIn(uniqueElementAt(identifier, XADES, 'SignaturePolicyId')),
    certificateDigest: certificateDigestIn(inner),
  }
}

/** Whether a digest identifies a certificate. */
export async function isNamedBy(
  { der }: ParsedCertificate,
  { hash, value }: CertificateDigest,
): Promise<boolean> {
  return value.equals(Buffer.from(await webcrypto.subtle.digest(hash, der)))
}
