/** Reads certificates and private keys from files, and writes distinguished names as signatures require them. */
import { webcrypto } from 'node:crypto'
import { ObjectIdentifier, Sequence } from 'asn1js'
import {
  Certificate,
  ExtKeyUsage,
  PrivateKeyInfo,
  QCStatements,
  type RelativeDistinguishedNames,
} from 'pkijs'
import { type CertificateHolder, COMMON_NAME, certificateHolderOf } from './certificate-owner.ts'
import { SignatureError } from './errors.ts'

const RSA = '1.2.840.113549.1.1.1'
/** Minimum bits of an RSA key for new signatures. */
const MIN_BITS = 2048

/** Short names of attribute types (RFC 4514, section 3). All other types are written by their OID. */
const RFC4514: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.9': 'STREET',
  '0.9.2342.19200300.100.1.25': 'DC',
  '0.9.2342.19200300.100.1.1': 'UID',
}

/** Customary short names of further attribute types, for display. Spanish certificates store the NIF in some. */
const CUSTOMARY: Readonly<Record<string, string>> = {
  ...RFC4514,
  '2.5.4.4': 'SN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.12': 'T',
  '2.5.4.13': 'DESCRIPTION',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'ORGANIZATIONIDENTIFIER',
  '1.2.840.113549.1.9.1': 'E',
}

const escaped = (value: string): string =>
  value
    .replace(/[\\"+,;<>=]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/(?<=[^\\]) $/, '\\ ')

/**
 * Returns a name, most specific part first (RFC 4514). If a type has no short name, its value is written as hexadecimal
 * DER.
 */
function nameText(name: RelativeDistinguishedNames, types: Readonly<Record<string, string>>): string {
  const parts = name.typesAndValues.map(({ type, value }) => {
    const short = types[type]
    const content: unknown = value.valueBlock.value
    if (short !== undefined && typeof content === 'string') return `${short}=${escaped(content)}`
    return `${type}=#${Buffer.from(value.toBER(false)).toString('hex')}`
  })
  return parts.reverse().join(',')
}

const valuesOf = (name: RelativeDistinguishedNames): ReadonlyMap<string, string> =>
  new Map(
    name.typesAndValues.flatMap(({ type, value }) => {
      const content: unknown = value.valueBlock.value
      return typeof content === 'string' ? [[type, content] as const] : []
    }),
  )

const QC_STATEMENTS = '1.3.6.1.5.5.7.1.3'
const QC_TYPE = '0.4.0.1862.1.6'
const QC_SEAL = '0.4.0.1862.1.6.2'
const EXTENDED_USAGE = '2.5.29.37'
/** `anyExtendedKeyUsage` and `clientAuth`. */
const CLIENT_USAGES = ['2.5.29.37.0', '1.3.6.1.5.5.7.3.2']

const extensionOf = (certificate: Certificate, id: string): unknown =>
  certificate.extensions?.find(({ extnID }) => extnID === id)?.parsedValue

/**
 * Whether a certificate states that it is a qualified seal (ETSI EN 319 412-5, section 4.2.3); null if it states no
 * type of certificate.
 */
function isSealed(certificate: Certificate): boolean | null {
  const statements = extensionOf(certificate, QC_STATEMENTS)
  if (!(statements instanceof QCStatements)) return null
  const types: unknown = statements.values.find(({ id }) => id === QC_TYPE)?.type
  if (!(types instanceof Sequence)) return null
  return types.valueBlock.value.some((one) => one instanceof ObjectIdentifier && one.getValue() === QC_SEAL)
}

function isForClients(certificate: Certificate): boolean {
  const usage = extensionOf(certificate, EXTENDED_USAGE)
  return !(usage instanceof ExtKeyUsage) || usage.keyPurposes.some((one) => CLIENT_USAGES.includes(one))
}

/** A parsed certificate. Names follow RFC 4514, the serial number is decimal. */
export interface ParsedCertificate {
  readonly der: Uint8Array<ArrayBuffer>
  /** DER of the public key (SubjectPublicKeyInfo). */
  readonly spki: ArrayBuffer
  readonly rsa: boolean
  /** Common name of the subject; empty if there is none. */
  readonly name: string
  /** The subject for display, with names such as `SERIALNUMBER` instead of OIDs. `issuer` has the same form. */
  readonly subject: string
  readonly issuer: string
  /** The issuer's name in the form that `X509IssuerName` requires. */
  readonly issuerName: string
  readonly serial: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** The holder that the subject names. */
  readonly owner: CertificateHolder
  /** Whether the certificate may authenticate a TLS client. */
  readonly forClients: boolean
}

/** Parses the DER of a certificate. Throws if the bytes are not a certificate. */
export function readCertificate(bytes: Uint8Array): ParsedCertificate {
  const der = new Uint8Array(bytes)
  const certificate = Certificate.fromBER(der)
  const subject = valuesOf(certificate.subject)
  return {
    der,
    spki: certificate.subjectPublicKeyInfo.toSchema().toBER(false),
    rsa: certificate.subjectPublicKeyInfo.algorithm.algorithmId === RSA,
    name: subject.get(COMMON_NAME) ?? '',
    subject: nameText(certificate.subject, CUSTOMARY),
    issuer: nameText(certificate.issuer, CUSTOMARY),
    issuerName: nameText(certificate.issuer, RFC4514),
    serial: BigInt(
      `0x${Buffer.from(certificate.serialNumber.valueBlock.valueHexView).toString('hex')}`,
    ).toString(),
    notBefore: certificate.notBefore.value,
    notAfter: certificate.notAfter.value,
    owner: certificateHolderOf(subject, isSealed(certificate)),
    forClients: isForClients(certificate),
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const PEM_BLOCK = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g

/** Returns all certificates in a text: one or several PEM blocks, or the base64 of one DER certificate. */
export function certificatesOf(text: string, where: string): ParsedCertificate[] {
  const blocks = [...String(text).matchAll(PEM_BLOCK)].map(([, block = '']) => block)
  const encoded = blocks.length > 0 ? blocks : [String(text)]
  return encoded.map((block) => {
    try {
      if (!BASE64.test(block.replace(/\s+/g, ''))) throw new Error('it is neither PEM nor base64')
      return readCertificate(Buffer.from(block, 'base64'))
    } catch (error) {
      throw new SignatureError('certificate', {
        what: 'The certificate cannot be read',
        where,
        why: (error as Error).message,
        fix: 'Give an X.509 certificate as PEM (-----BEGIN CERTIFICATE-----) or as the base64 of its DER',
      })
    }
  })
}

/** Returns the public key of a certificate for a given hash algorithm; null if it is not RSA or cannot be read. */
export async function publicKeyOf(
  { spki, rsa }: ParsedCertificate,
  hash: string,
): Promise<webcrypto.CryptoKey | null> {
  if (!rsa) return null
  try {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash }
    return await webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify'])
  } catch {
    return null
  }
}

export const keyLengthOf = (key: webcrypto.CryptoKey): number =>
  (key.algorithm as webcrypto.RsaHashedKeyAlgorithm).modulusLength

const PKCS8 = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/

const where = 'privateKey'

const unreadable = (why: string): SignatureError =>
  new SignatureError('key', {
    what: 'The private key cannot be used',
    where,
    why,
    fix: 'Give an unencrypted PKCS#8 PEM (openssl pkcs8 -topk8 -nocrypt), or a CryptoKey with the usage "sign"',
  })

const notRsa = (why: string): SignatureError =>
  new SignatureError('key_algorithm', {
    what: 'The private key does not fit RSA with SHA-256',
    where,
    why,
    fix: 'Use the RSA key of a qualified certificate: records are signed with RSASSA-PKCS1-v1_5 and SHA-256',
  })

/** Returns the private key for signing. Throws a `SignatureError` if it is unreadable, not RSA or too short. */
export async function privateKeyOf(key: string | webcrypto.CryptoKey): Promise<webcrypto.CryptoKey> {
  const read = typeof key === 'string' ? await importPem(key) : key
  const { name, hash } = (read?.algorithm ?? {}) as Partial<webcrypto.RsaHashedKeyAlgorithm>
  if (read?.type !== 'private') throw unreadable('it is neither a text nor a private CryptoKey')
  if (name !== 'RSASSA-PKCS1-v1_5' || hash?.name !== 'SHA-256')
    throw notRsa(`its algorithm is ${[name, hash?.name].filter(Boolean).join(' with ')}`)
  if (!read.usages.includes('sign')) throw unreadable('the CryptoKey has no usage "sign"')
  if (keyLengthOf(read) < MIN_BITS)
    throw new SignatureError('key_size', {
      what: 'The private key is too short',
      where,
      why: `it has ${keyLengthOf(read)} bits; new signatures need at least ${MIN_BITS}`,
      fix: 'Use a current qualified certificate and its key',
    })
  return read
}

async function importPem(pem: string): Promise<webcrypto.CryptoKey> {
  const block = PKCS8.exec(pem)?.[1]
  if (block === undefined)
    throw unreadable(`it is not ${/ENCRYPTED/.test(pem) ? 'an unencrypted' : 'a'} PKCS#8 PEM`)
  const der = new Uint8Array(Buffer.from(block, 'base64'))
  let algorithm: string
  try {
    algorithm = PrivateKeyInfo.fromBER(der).privateKeyAlgorithm.algorithmId
  } catch (error) {
    throw unreadable((error as Error).message)
  }
  if (algorithm !== RSA) throw notRsa(`its algorithm is ${algorithm}`)
  try {
    const parameters = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    return await webcrypto.subtle.importKey('pkcs8', der, parameters, false, ['sign'])
  } catch (error) {
    throw unreadable((error as Error).message || 'its content is damaged')
  }
}

/**
 * Whether a private key belongs to a certificate. Signs with the key, and verifies the signature with the certificate.
 */
export async function isKeyOfCertificate(
  key: webcrypto.CryptoKey,
  certificate: ParsedCertificate,
): Promise<boolean> {
  const publicKey = await publicKeyOf(certificate, 'SHA-256')
  if (publicKey === null) return false
  const probe = new Uint8Array(32)
  const { subtle } = webcrypto
  try {
    const value = await subtle.sign('RSASSA-PKCS1-v1_5', key, probe)
    return await subtle.verify('RSASSA-PKCS1-v1_5', publicKey, value, probe)
  } catch (error) {
    throw unreadable((error as Error).message || 'signing failed')
  }
}
