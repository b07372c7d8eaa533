/**
 * Signs fiscal records of NO VERI*FACTU systems: XAdES enveloped, class EPES, with the signature policy of the Spanish
 * administration (AGE 1.9). Source: AEAT, signature specification 0.1.5 (2025-03-06).
 */
import { webcrypto } from 'node:crypto'
import { type Element, XMLSerializer } from '@xmldom/xmldom'
import { xml as xades } from 'xadesjs'
import { required } from '#core/errors/index.ts'
import { certificatesOf, isKeyOfCertificate, type ParsedCertificate, privateKeyOf } from './certificate.ts'
import { SignatureError } from './errors.ts'
import { AGE_POLICY, FACTURAE_POLICY, type SignaturePolicy } from './policy.ts'
import { type RecordDocument, readRecord } from './record-document.ts'
import { facturaeToSign, hashToSign } from './signable.ts'
import { SignedRecord } from './signed-record.ts'
import { verifyFacturae, verifySignature } from './verify-signature.ts'

export interface SignOptions {
  /** Unencrypted PKCS#8 PEM, or a CryptoKey (RSASSA-PKCS1-v1_5, SHA-256, usage `sign`). RSA, 2048 bits or more. */
  readonly privateKey: string | webcrypto.CryptoKey
  /** The signer's certificate: PEM, or the base64 of its DER. Further certificates in the PEM are added to `chain`. */
  readonly certificate: string
  /** Signing time, ISO 8601 with offset, such as `2027-01-02T10:00:00+01:00`. It is written as given. */
  readonly timestamp: string
  /** Further certificates in the same formats, starting with the issuer's. Default: none. */
  readonly chain?: readonly string[]
  /** Id of the signature, and prefix of the Ids inside it. Default: `xmldsig-` followed by the record's hash. */
  readonly id?: string
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/
const NAME = /^[A-Za-z_][\w.-]*$/
function instantOf(timestamp: string): number {
  const [, local] = TIMESTAMP.exec(timestamp) ?? []
  const wall = local === undefined ? Number.NaN : Date.parse(`${local}Z`)
  // Rejects dates such as 31 February, which `Date` would convert to a date in March.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 19) !== local)
    throw new SignatureError('timestamp', {
      what: 'The signing time is not a date and time with offset',
      where: 'timestamp',
      why: `"${timestamp}" is not of the form YYYY-MM-DDThh:mm:ss±hh:mm`,
      fix: 'Give the time of the host, as in 2027-01-02T10:00:00+01:00',
    })
  return Date.parse(timestamp)
}

async function digestOf({ der }: ParsedCertificate): Promise<Uint8Array> {
  return new Uint8Array(await webcrypto.subtle.digest('SHA-256', der))
}

/** Returns the `CertDigest` and `IssuerSerial` of a certificate. */
async function certificateReference(certificate: ParsedCertificate): Promise<xades.Cert> {
  const reference = new xades.Cert()
  reference.CertDigest.DigestMethod.Algorithm = 'http://www.w3.org/2001/04/xmlenc#sha256'
  reference.CertDigest.DigestValue = await digestOf(certificate)
  reference.IssuerSerial.X509IssuerName = certificate.issuerName
  reference.IssuerSerial.X509SerialNumber = certificate.serial
  return reference
}

function checkPeriod({ subject, notBefore, notAfter }: ParsedCertificate, timestamp: string): void {
  const instant = instantOf(timestamp)
  if (instant >= notBefore.getTime() && instant <= notAfter.getTime()) return
  throw new SignatureError('certificate_period', {
    what: 'The certificate is not valid at the signing time',
    where: 'certificate',
    why: `${subject} is valid from ${notBefore.toISOString()} to ${notAfter.toISOString()}, and the record is signed at ${timestamp}`,
    fix: 'Sign with a certificate that is valid now; check the clock of the host',
  })
}

function checkedId(id: string): string {
  if (NAME.test(id)) return id
  throw new SignatureError('id', {
    what: 'The Id of the signature is not an XML name',
    where: 'id',
    why: `"${id}" must start with a letter or _, followed by letters, digits, dots, hyphens and _`,
    fix: 'Omit id: it then comes from the hash of the record',
  })
}

/** Returns the complete signature element. The result depends neither on a clock nor on random numbers. */
async function signatureElement(
  record: RecordDocument,
  key: webcrypto.CryptoKey,
  certificates: readonly ParsedCertificate[],
  timestamp: string,
  id: string,
  policy: SignaturePolicy,
): Promise<Element> {
  const signed = new SignedRecord(record.document, record.host)
  // The library has already generated an Id, so every attribute that contains it is overwritten.
  const properties = signed.SignedProperties
  required(signed.Properties).Target = `#${id}`
  properties.Id = `${id}-signedprops`
  for (const certificate of certificates)
    properties.SignedSignatureProperties.SigningCertificate.Add(await certificateReference(certificate))
  const format = new xades.DataObjectFormat()
  format.ObjectReference = `#${id}-ref0`
  format.MimeType = 'text/xml'
  format.Encoding = 'UTF-8'
  properties.SignedDataObjectProperties.DataObjectFormats.Add(format)

  await signed.Sign({ name: 'RSASSA-PKCS1-v1_5' }, key as never, record.document as never, {
    id,
    references: [{ id: `${id}-ref0`, uri: '', hash: 'SHA-256', transforms: ['enveloped'] }],
    x509: certificates.map(({ der }) => Buffer.from(der).toString('base64')),
    // A quoted format is written literally, so the offset stays as given, whatever the time zone of the machine.
    signingTime: { value: new Date(instantOf(timestamp)), format: `"${timestamp}"` },
    policy: {
      identifier: { value: policy.identifier },
      hash: policy.hash,
      digestValue: policy.digest,
      ...(policy.uri === null ? {} : { qualifiers: [policy.uri] }),
    },
  })
  return signed.GetXml() as never as Element
}

/** Returns the document with its signature, after verifying the signature. */
async function signedText(
  xml: string,
  record: RecordDocument,
  id: string,
  options: SignOptions,
  policy: SignaturePolicy,
  verify: typeof verifySignature,
): Promise<string> {
  const key = await privateKeyOf(options.privateKey)
  const [certificate, ...rest] = certificatesOf(options.certificate, 'certificate')
  const chain = (options.chain ?? []).flatMap((text, index) => certificatesOf(text, `chain[${index}]`))
  checkPeriod(required(certificate), options.timestamp)
  if (!(await isKeyOfCertificate(key, required(certificate))))
    throw new SignatureError('key_mismatch', {
      what: 'The private key does not belong to the certificate',
      where: 'privateKey, certificate',
      why: `what it signs does not verify with the certificate of ${required(certificate).subject}`,
      fix: 'Give the key and the certificate of the same file (PKCS#12)',
    })
  const certificates = [required(certificate), ...rest, ...chain]
  const element = await signatureElement(record, key, certificates, options.timestamp, id, policy)
  const signature = new XMLSerializer().serializeToString(element)
  const signed = xml.slice(0, record.hostEnd) + signature + xml.slice(record.hostEnd)
  const check = await verify(signed)
  if (check.valid) return signed
  throw new SignatureError('self_check', {
    what: 'The new signature does not verify',
    where: record.root.nodeName,
    why: check.errors.map(({ code, message }) => `${code}: ${message}`).join('; '),
    fix: 'Nothing was signed; report the record as a defect of this package',
  })
}

/**
 * Signs a fiscal record: the XML text of a `RegistroAlta`, `RegistroAnulacion` or `RegistroEvento` with its hash.
 *
 * Returns the same text with a `ds:Signature` as the last child of the record (of `Evento` in an event); no other
 * character changes. Uses RSA-SHA256, SHA-256 and Canonical XML 1.0, and covers the whole record and the signed
 * properties (signing time, certificate and chain, AGE policy 1.9, text/xml). The same input gives the same signature,
 * without clock or randomness. The signature is verified once before it is returned.
 *
 * The host must check that the certificate is qualified, trusted and not revoked, and that it belongs to the taxpayer.
 *
 * @param xml One record with any prefixes, without the message or envelope around it.
 * @throws {SignatureError} With a `code`, for everything that is not signed.
 * @see https://sede.agenciatributaria.gob.es (Sistemas informáticos de facturación: specification of the signature)
 * For example:
 * const signed = await signRecord(xml, { privateKey, certificate, timestamp: '2027-01-02T10:00:00+01:00' })
 * (await verifySignature(signed)).valid // => true
 */
export async function signRecord(xml: string, options: SignOptions): Promise<string> {
  const record = readRecord(xml)
  const hash = hashToSign(record)
  const id = checkedId(options.id ?? `xmldsig-${hash}`)
  return signedText(xml, record, id, options, AGE_POLICY, verifySignature)
}

/**
 * Signs a Facturae with the policy of the format, version 3.1: XAdES enveloped, class EPES, with the signature as the
 * last child of the root. As in `signRecord`, no other character changes, the same input gives the same signature, and
 * it is verified once before it is returned.
 *
 * @param xml A Facturae without a signature, as `writeInvoice` returns it.
 * @throws {SignatureError} With a `code`, for everything that is not signed.
 * @see http://www.facturae.gob.es (signature policy, version 3.1); art. 10.1 RD 1619/2012
 */
export async function signFacturae(xml: string, options: SignOptions): Promise<string> {
  const document = facturaeToSign(xml)
  const digest = await webcrypto.subtle.digest('SHA-256', Buffer.from(xml))
  const id = checkedId(options.id ?? `xmldsig-${Buffer.from(digest).toString('hex').toUpperCase()}`)
  return signedText(xml, document, id, options, FACTURAE_POLICY, verifyFacturae)
}
