/** PKCS#12 files (`.p12`, `.pfx`): how a person holds a certificate with its private key. */
import { webcrypto } from 'node:crypto'
import {
  CertBag,
  CryptoEngine,
  EncryptedContentInfo,
  EncryptedData,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeContents,
} from 'pkijs'
import { belongTogether, privateKeyOf, type ReadCertificate, readCertificate } from './certificate.ts'
import { CertificateError } from './certificate-error.ts'
import { SignatureError } from './errors.ts'

export interface Pkcs12 {
  readonly privateKey: webcrypto.CryptoKey
  /** The one that belongs to the key. */
  readonly certificate: ReadCertificate
  readonly chain: readonly ReadCertificate[]
}

const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as never })

const messageOf = (error: unknown): string => (error as Error).message.replace(/\.$/, '')

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

const OLD = /contentEncryptionAlgorithm/
const isLatin1 = (text: string): boolean => [...text].every((one) => one.charCodeAt(0) < 256)

/** The safe of a file whose checksum is right under the password. */
async function openSafe(bytes: Uint8Array, password: string) {
  let file: PFX
  try {
    file = PFX.fromBER(buffer(bytes))
  } catch (error) {
    throw new CertificateError(
      'not_pkcs12',
      `The file is no PKCS#12 file (.p12, .pfx): ${messageOf(error)}. Export the certificate with its private key.`,
    )
  }
  if (!file.macData)
    throw new CertificateError(
      'not_pkcs12',
      'The file has no checksum (MAC). Export it again with a password.',
    )
  let isRight: boolean
  try {
    // The checksum takes the password as characters of two bytes, which the library makes of one byte each.
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
        ? 'The password is not that of the file, or the file is damaged.'
        : 'The password has characters that are not read here, such as €. Export the file again with another one.',
    )
  return safe
}

/** The bags of a file: keys and certificates. */
async function openBags(bytes: Uint8Array, password: string) {
  const safe = await openSafe(bytes, password)
  const secret = buffer(Buffer.from(password, 'utf8'))
  const keys: PrivateKeyInfo[] = []
  const certificates: ReadCertificate[] = []
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
    throw OLD.test(messageOf(error))
      ? new CertificateError(
          'encryption',
          'The file is encrypted with an algorithm of former times (RC2 or Triple DES). Write it anew: openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem; openssl pkcs12 -export -in all.pem -out new.p12; rm all.pem',
        )
      : new CertificateError(
          'not_pkcs12',
          `The content of the file cannot be read: ${messageOf(error)}. Export it again.`,
        )
  }
  return { keys, certificates }
}

async function usableKey(info: PrivateKeyInfo): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(info.toSchema().toBER(false)).toString('base64')
  try {
    return await privateKeyOf(`-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----`)
  } catch (error) {
    if (error instanceof SignatureError) throw new CertificateError('key', error.message)
    throw error
  }
}

/** Key, certificate and chain of a PKCS#12 file. Throws a `CertificateError` for everything that cannot be signed with. */
export async function readPkcs12(bytes: Uint8Array, password: string): Promise<Pkcs12> {
  const { keys, certificates } = await openBags(bytes, password)
  const [info] = keys
  if (!info)
    throw new CertificateError(
      'no_key',
      'The file holds no private key. Export the certificate together with its key.',
    )
  const privateKey = await usableKey(info)
  for (const certificate of certificates)
    if (await belongTogether(privateKey, certificate))
      return { privateKey, certificate, chain: certificates.filter((other) => other !== certificate) }
  throw new CertificateError(
    'no_certificate',
    'The file holds no certificate that belongs to its private key. Export both of one and the same certificate.',
  )
}
