/** Reads PKCS#12 files (`.p12`, `.pfx`), which contain a certificate and its private key. */
import { webcrypto } from 'node:crypto'
import {
  CertBag,
  EncryptedContentInfo,
  EncryptedData,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeContents,
} from 'pkijs'
import { isKeyOfCertificate, type ParsedCertificate, privateKeyOf, readCertificate } from './certificate.ts'
import { CertificateError, SignatureError } from './errors.ts'
import { LegacyCryptoEngine } from './old-encryption.ts'

export interface Pkcs12 {
  /** The key for signing. It cannot be exported. */
  readonly privateKey: webcrypto.CryptoKey
  /** Returns the key as PEM, which TLS requires. A function, so that printing this object does not print the key. */
  readonly privateKeyPem: () => string
  /** The certificate that belongs to the key. */
  readonly certificate: ParsedCertificate
  readonly chain: readonly ParsedCertificate[]
}

const engine = new LegacyCryptoEngine({ name: 'node', crypto: webcrypto as never })

const messageOf = (error: unknown): string => (error as Error).message.replace(/\.$/, '')

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** Matches the library's error for an unsupported algorithm. */
const UNKNOWN = /contentEncryptionAlgorithm|algorithm/i
const isLatin1 = (text: string): boolean => [...text].every((one) => one.charCodeAt(0) < 256)

/** Opens the file and verifies its checksum with the password. */
async function openSafe(bytes: Uint8Array, password: string) {
  let file: PFX
  try {
    file = PFX.fromBER(buffer(bytes))
  } catch (error) {
    throw new CertificateError(
      'not_pkcs12',
      `The file is not a PKCS#12 file (.p12, .pfx): ${messageOf(error)}. Export the certificate with its private key.`,
    )
  }
  if (!file.macData)
    throw new CertificateError(
      'not_pkcs12',
      'The file has no checksum (MAC). Export it again with a password.',
    )
  let isRight: boolean
  try {
    // The checksum needs the password in two-byte characters. The library creates these from single bytes.
    await file.parseInternalValues({ password: buffer(Buffer.from(password, 'latin1')) }, engine)
    isRight = true
  } catch (error) {
    if (!/[Ii]ntegrity/.test(messageOf(error)))
      throw new CertificateError(
        'not_pkcs12',
        `The file cannot be checked: ${messageOf(error)}. Export it again.`,
      )
    isRight = false
  }
  const safe = file.parsedValue?.authenticatedSafe
  if (!isRight || !safe)
    throw new CertificateError(
      'password',
      isLatin1(password)
        ? 'Wrong password, or the file is damaged.'
        : 'The password has unsupported characters, such as €. Export the file again with another password.',
    )
  return safe
}

/** Returns the keys and certificates of a file. */
async function openBags(bytes: Uint8Array, password: string) {
  const safe = await openSafe(bytes, password)
  const secret = buffer(Buffer.from(password, 'utf8'))
  const keys: PrivateKeyInfo[] = []
  const certificates: ParsedCertificate[] = []
  try {
    await safe.parseInternalValues(
      { safeContents: safe.safeContents.map(() => ({ password: secret })) },
      engine,
    )
    const contents = (safe.parsedValue as { safeContents: { value: SafeContents }[] }).safeContents
    for (const { bagValue } of contents.flatMap(({ value }) => value.safeBags)) {
      if (bagValue instanceof PrivateKeyInfo) keys.push(bagValue)
      if (bagValue instanceof PKCS8ShroudedKeyBag) {
        const encryptedContentInfo = new EncryptedContentInfo({
          contentEncryptionAlgorithm: bagValue.encryptionAlgorithm,
          encryptedContent: bagValue.encryptedData,
        })
        const opened = await new EncryptedData({ encryptedContentInfo }).decrypt({ password: secret }, engine)
        keys.push(PrivateKeyInfo.fromBER(opened))
      }
      const der = bagValue instanceof CertBag ? bagValue.certValue : undefined
      if (der && 'valueBlock' in der)
        certificates.push(readCertificate((der.valueBlock as { valueHexView: Uint8Array }).valueHexView))
    }
  } catch (error) {
    if (error instanceof CertificateError) throw error
    throw UNKNOWN.test(messageOf(error))
      ? new CertificateError(
          'encryption',
          `The encryption of the file is not supported (${messageOf(error)}). Convert it: openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem; openssl pkcs12 -export -in all.pem -out new.p12; rm all.pem`,
        )
      : new CertificateError(
          'not_pkcs12',
          `The content of the file cannot be read: ${messageOf(error)}. Export it again.`,
        )
  }
  return { keys, certificates }
}

const pemOf = (info: PrivateKeyInfo): string => {
  const der = Buffer.from(info.toSchema().toBER(false)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----`
}

async function usableKey(pem: string): Promise<webcrypto.CryptoKey> {
  try {
    return await privateKeyOf(pem)
  } catch (error) {
    if (error instanceof SignatureError) throw new CertificateError('key', error.message)
    throw error
  }
}

/**
 * Returns the issuers of the certificate in the file, starting with its direct issuer, then the remaining certificates.
 */
function chainOf(certificate: ParsedCertificate, others: readonly ParsedCertificate[]): ParsedCertificate[] {
  const chain: ParsedCertificate[] = []
  let rest = others.filter((one) => one !== certificate)
  for (let below = certificate; ; ) {
    const issuer = rest.find(({ subject }) => subject === below.issuer)
    if (!issuer) return [...chain, ...rest]
    chain.push(issuer)
    rest = rest.filter((one) => one !== issuer)
    below = issuer
  }
}

/**
 * Reads key, certificate and chain of a PKCS#12 file. Throws a `CertificateError` if they cannot be used for signing.
 */
export async function readPkcs12(bytes: Uint8Array, password: string): Promise<Pkcs12> {
  const { keys, certificates } = await openBags(bytes, password)
  const [info] = keys
  if (!info)
    throw new CertificateError(
      'no_key',
      'The file holds no private key. Export the certificate together with its key.',
    )
  const privateKey = await usableKey(pemOf(info))
  for (const certificate of certificates)
    if (await isKeyOfCertificate(privateKey, certificate))
      return {
        privateKey,
        privateKeyPem: () => pemOf(info),
        certificate,
        chain: chainOf(certificate, certificates),
      }
  throw new CertificateError(
    'no_certificate',
    'The file holds no certificate that belongs to its private key. Export a certificate together with its own key.',
  )
}
