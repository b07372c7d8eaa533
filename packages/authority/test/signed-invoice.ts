/**
 * Fixture: certificates of made-up authorities and signers, and Facturae signed with them. Canonical forms are those of
 * libxml2, so that nothing here shares code with what is tested.
 */
import { createHash, webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'
import { XmlDocument, type XmlElement } from 'libxml2-wasm'
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { FACTURAE_POLICY } from '../src/index.ts'

// Resolved as the server's workspace does, wherever they are installed.
const workspace = createRequire(new URL('../package.json', import.meta.url))
export const pkijs: typeof import('pkijs') = workspace('pkijs')
export const asn1: typeof import('asn1js') = workspace('asn1js')
const { subtle } = webcrypto

export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
  modulusLength: 2048,
}
export const EC = { name: 'ECDSA', namedCurve: 'P-256' }

export interface Identity {
  readonly keys: webcrypto.CryptoKeyPair
  /** The subject as `[type, value]`. */
  readonly subject: readonly (readonly [string, string])[]
  readonly der: Buffer
  readonly pem: string
}

export interface IdentityWish {
  readonly name?: string
  /** `organizationIdentifier`, such as `VATES-B12345674`. */
  readonly entity?: string
  /** `serialNumber`, such as `IDCES-12345678Z`. */
  readonly person?: string
  /** Self-signed without one. */
  readonly issuer?: Identity
  readonly authority?: boolean
  readonly pathLength?: number
  readonly from?: string
  readonly until?: string
  readonly algorithm?: webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams
  readonly keys?: webcrypto.CryptoKeyPair
  /** Hash of the certificate's signature. */
  readonly hash?: string
  /** OID of a critical extension. */
  readonly critical?: string
}

/** Returns an RSA key for another hash. */
const withHash = async (key: webcrypto.CryptoKey, hash: string): Promise<webcrypto.CryptoKey> =>
  subtle.importKey('pkcs8', await subtle.exportKey('pkcs8', key), { name: RSA.name, hash }, true, ['sign'])

const encoded = (part: { toSchema(): { toBER(): ArrayBuffer } }): Buffer =>
  Buffer.from(part.toSchema().toBER())

let serial = 1000n

/** Creates a key and its certificate. */
export async function identity(wish: IdentityWish = {}): Promise<Identity> {
  const { name = 'CALDERAS FICTICIAS SL', entity, person, issuer, authority = false, pathLength } = wish
  const keys =
    wish.keys ??
    ((await subtle.generateKey(wish.algorithm ?? RSA, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair)
  const subject: [string, string][] = [
    ['2.5.4.6', 'ES'],
    ...(entity ? [['2.5.4.97', entity] as [string, string]] : []),
    ...(person ? [['2.5.4.5', person] as [string, string]] : []),
    ['2.5.4.3', name],
  ]
  const certificate = new pkijs.Certificate()
  certificate.version = 2
  certificate.serialNumber = asn1.Integer.fromBigInt(serial++)
  // The library writes a single set, whose members DER orders by their bytes.
  for (const [party, parts] of [
    [certificate.subject, subject],
    [certificate.issuer, issuer?.subject ?? subject],
  ] as const)
    party.typesAndValues = parts
      .map(
        ([type, value]) => new pkijs.AttributeTypeAndValue({ type, value: new asn1.Utf8String({ value }) }),
      )
      .sort((one, other) => Buffer.compare(encoded(one), encoded(other)))
  certificate.notBefore.value = new Date(wish.from ?? '2026-01-01T00:00:00Z')
  certificate.notAfter.value = new Date(wish.until ?? '2030-01-01T00:00:00Z')
  const constraints = new pkijs.BasicConstraints({
    cA: authority,
    ...(pathLength === undefined ? {} : { pathLenConstraint: pathLength }),
  })
  certificate.extensions = [
    new pkijs.Extension({
      extnID: '2.5.29.19',
      critical: true,
      extnValue: constraints.toSchema().toBER(false),
    }),
    ...(wish.critical
      ? [
          new pkijs.Extension({
            extnID: wish.critical,
            critical: true,
            extnValue: new asn1.Null().toBER(false),
          }),
        ]
      : []),
  ]
  const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as never })
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey, engine)
  const { privateKey } = (issuer ?? { keys }).keys
  const signing = wish.hash ? await withHash(privateKey, wish.hash) : privateKey
  await certificate.sign(signing, wish.hash ?? 'SHA-256', engine)
  const der = Buffer.from(certificate.toSchema().toBER(false))
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return { keys, subject, der, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}

/** Replaces exactly one occurrence; fails if there is none. */
export function change(text: string, from: string, to: string): string {
  expect(text.split(from).length - 1, `occurrences of ${from}`).toBe(1)
  return text.replace(from, () => to)
}

export interface SigningWish {
  readonly time?: string
  /** `sha256` and so on, of the references. */
  readonly digest?: 'sha1' | 'sha256' | 'sha512'
  /** Signature method. */
  readonly method?: string
  readonly canonicalization?: string
  /** Certificates of KeyInfo; by default the signer's. */
  readonly chain?: readonly Identity[]
  /** Attributes and transforms of the reference to the document. */
  readonly whole?: { readonly uri: string; readonly transforms: string }
  readonly policyDigest?: string
  /** Type of the reference to the signed properties. */
  readonly type?: string
  /** Namespace of the signed properties. */
  readonly xades?: string
  /** Whether the signature has signed properties. */
  readonly properties?: boolean
  /** Whether the signed properties name the certificate. */
  readonly named?: boolean
  /** Elements at the end of the signature, not signed. */
  readonly extra?: string
}

export const ENVELOPED = `<ds:Transform Algorithm="${DSIG}enveloped-signature"/>`
const NAMESPACES = { ds: DSIG }
const DIGESTS = {
  sha1: `${DSIG}sha1`,
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

/** Returns the canonical form of the first element at an XPath; of the document without one. */
function canonical(xml: string, path?: string): string {
  const document = XmlDocument.fromString(xml)
  try {
    const element = path === undefined ? undefined : document.get(path, NAMESPACES)
    return path === undefined
      ? document.canonicalizeToString()
      : (required(element) as XmlElement).canonicalizeToString()
  } finally {
    document.dispose()
  }
}

/** Signs a Facturae as `by`: the document, the signed properties and KeyInfo, as the programs of suppliers do. */
export async function signed(xml: string, by: Identity, wish: SigningWish = {}): Promise<string> {
  const { time = '2026-03-16T10:00:00+01:00', digest = 'sha256', chain = [by], extra = '' } = wish
  const { method = `${MORE}rsa-sha256`, canonicalization = C14N, properties = true, named = true } = wish
  const { xades = XADES, type = 'http://uri.etsi.org/01903#SignedProperties' } = wish
  const { uri, transforms } = wish.whole ?? { uri: '', transforms: ENVELOPED }
  const hash = (text: string | Buffer) => createHash(digest).update(text).digest('base64')
  const reference = (at: string, value: string, more = '', steps = '') =>
    `<ds:Reference${more} URI="${at}">${steps && `<ds:Transforms>${steps}</ds:Transforms>`}<ds:DigestMethod Algorithm="${DIGESTS[digest]}"/><ds:DigestValue>${value}</ds:DigestValue></ds:Reference>`
  const certificate = `<xades:SigningCertificate><xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="${DIGESTS[digest]}"/><ds:DigestValue>${hash(by.der)}</ds:DigestValue></xades:CertDigest><xades:IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>1</ds:X509SerialNumber></xades:IssuerSerial></xades:Cert></xades:SigningCertificate>`
  const policy = `<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId><xades:Identifier>${FACTURAE_POLICY.identifier}</xades:Identifier></xades:SigPolicyId><xades:SigPolicyHash><ds:DigestMethod Algorithm="${DIGESTS.sha1}"/><ds:DigestValue>${wish.policyDigest ?? FACTURAE_POLICY.digest}</ds:DigestValue></xades:SigPolicyHash></xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>`
  const object = properties
    ? `<ds:Object><xades:QualifyingProperties xmlns:xades="${xades}" Target="#sig"><xades:SignedProperties Id="props"><xades:SignedSignatureProperties><xades:SigningTime>${time}</xades:SigningTime>${named ? certificate : ''}${policy}</xades:SignedSignatureProperties></xades:SignedProperties></xades:QualifyingProperties></ds:Object>`
    : ''
  const certificates = chain.map(
    ({ der }) => `<ds:X509Certificate>${der.toString('base64')}</ds:X509Certificate>`,
  )
  const { n, e } = await subtle.exportKey('jwk', by.keys.publicKey)
  const base64 = (value = '') => Buffer.from(value, 'base64url').toString('base64')
  const key = n
    ? `<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${base64(n)}</ds:Modulus><ds:Exponent>${base64(e)}</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>`
    : ''
  const write = (references: string, value: string): string => {
    const signature = `<ds:Signature xmlns:ds="${DSIG}" Id="sig"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${canonicalization}"/><ds:SignatureMethod Algorithm="${method}"/>${references}</ds:SignedInfo><ds:SignatureValue>${value}</ds:SignatureValue><ds:KeyInfo Id="key">${key}<ds:X509Data>${certificates.join('')}</ds:X509Data></ds:KeyInfo>${object}${extra}</ds:Signature>`
    return xml.replace(/<\/[\w:]+>\s*$/, (end) => signature + end)
  }
  const draft = write('', '')
  const content = uri === '' ? canonical(xml) : canonical(draft, `//*[@Id="${uri.slice(1)}"]`)
  const typed = ` Type="${type}"`
  const references = [
    reference(uri, hash(content), '', transforms),
    ...(properties ? [reference('#props', hash(canonical(draft, '//*[@Id="props"]')), typed)] : []),
    reference('#key', hash(canonical(draft, '//ds:KeyInfo'))),
  ].join('')
  const info = Buffer.from(canonical(write(references, ''), '//ds:SignedInfo'))
  const { privateKey } = by.keys
  const { name } = privateKey.algorithm
  const signing = method.endsWith('rsa-sha1') ? await withHash(privateKey, 'SHA-1') : privateKey
  const value = await subtle.sign({ name, hash: 'SHA-256' }, signing, info)
  return write(references, Buffer.from(value).toString('base64'))
}
