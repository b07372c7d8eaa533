/** Creates self-signed certificates for testing. The simulator accepts them, the tax authority does not. */
import { randomBytes, webcrypto } from 'node:crypto'
import { Integer, OctetString, Utf8String } from 'asn1js'
import {
  AttributeTypeAndValue,
  AuthenticatedSafe,
  CertBag,
  Certificate,
  CryptoEngine,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
} from 'pkijs'

const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as never })
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
/** OpenSSL's default number of iterations. */
const ITERATIONS = 2048
const ENCRYPTED = {
  // The library generates a new initialisation vector each time and ignores this one, which its types require.
  contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256, iv: new Uint8Array(16) },
  hmacHashAlgorithm: 'SHA-256',
  iterationCount: ITERATIONS,
} as const
const KEY_BAG = '1.2.840.113549.1.12.10.1.2'
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3'
const X509 = '1.2.840.113549.1.9.22.1'

export interface SelfSignedOptions {
  /** `CN` of the subject. */
  readonly name: string
  /** NIF of the holder. It becomes the `organizationIdentifier`, as in Spanish certificates of entities. */
  readonly taxId: string
  readonly from: Date
  readonly until: Date
  readonly password: string
}

async function certificateFor(
  { name, taxId, from, until }: SelfSignedOptions,
  keys: webcrypto.CryptoKeyPair,
): Promise<Certificate> {
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = Integer.fromBigInt(BigInt(`0x4${randomBytes(15).toString('hex')}`))
  const parts = [
    ['2.5.4.6', 'ES'],
    ['2.5.4.97', `VATES-${taxId}`],
    ['2.5.4.3', name],
  ] as const
  for (const [type, value] of parts)
    for (const party of [certificate.subject, certificate.issuer])
      party.typesAndValues.push(new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }))
  certificate.notBefore.value = from
  certificate.notAfter.value = until
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as never, engine)
  await certificate.sign(keys.privateKey as never, 'SHA-256', engine)
  return certificate
}

/** Creates a key and its certificate as a PKCS#12 file. */
export async function createSelfSignedCertificate(options: SelfSignedOptions): Promise<Uint8Array> {
  const keys = (await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await certificateFor(options, keys)
  const password = new Uint8Array(Buffer.from(options.password, 'utf8')).buffer
  const key = new PKCS8ShroudedKeyBag({
    parsedValue: PrivateKeyInfo.fromBER(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)),
  })
  await key.makeInternalValues({ password, ...ENCRYPTED }, engine)
  const held = new CertBag({
    certId: X509,
    certValue: new OctetString({ valueHex: certificate.toSchema().toBER(false) }),
  })
  const safe = new AuthenticatedSafe({
    parsedValue: {
      safeContents: [
        {
          privacyMode: 0,
          value: new SafeContents({ safeBags: [new SafeBag({ bagId: KEY_BAG, bagValue: key })] }),
        },
        {
          privacyMode: 1,
          value: new SafeContents({ safeBags: [new SafeBag({ bagId: CERTIFICATE_BAG, bagValue: held })] }),
        },
      ],
    },
  })
  await safe.makeInternalValues({ safeContents: [{}, { password, ...ENCRYPTED }] }, engine)
  const file = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe: safe } })
  const mac = new Uint8Array(Buffer.from(options.password, 'latin1')).buffer
  await file.makeInternalValues(
    {
      password: mac,
      iterations: ITERATIONS,
      pbkdf2HashAlgorithm: { name: 'SHA-256' },
      hmacHashAlgorithm: 'SHA-256',
    },
    engine,
  )
  return new Uint8Array(file.toSchema().toBER(false))
}
