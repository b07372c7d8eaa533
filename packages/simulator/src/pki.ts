/**
 * The certificate authority of the simulator. It is created at the first start and stored, so that clients continue to
 * trust it. The server's certificates, valid and invalid ones, are created at each start.
 */
import { createHash, createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { BitString, Integer, OctetString, Utf8String } from 'asn1js'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import {
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
} from 'pkijs'
import { ConditionError } from '#core/errors/index.ts'

const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as never })
/** Elliptic curve keys, which are generated much faster than RSA keys. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const DAY = 86_400_000

/** File in the data folder with the certificate that clients must trust. */
export const CA_FILE = 'ca.pem'
const CA_KEY_FILE = 'ca-key.pem'

interface Issuer {
  readonly certificate: Certificate
  readonly key: webcrypto.CryptoKey
}

/** Key and certificate as PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** The certificates that the server can present. */
export interface Identities {
  readonly good: Identity
  readonly expired: Identity
  /** A certificate for another host name. */
  readonly wrongHost: Identity
  /** A certificate of an issuer that clients do not know. */
  readonly unknown: Identity
}

const extension = (id: string, value: { toBER: (sizeOnly?: boolean) => ArrayBuffer }, critical = false) =>
  new Extension({ extnID: id, critical, extnValue: value.toBER(false) })

const keyIdOf = ({ subjectPublicKeyInfo: info }: Certificate): ArrayBuffer =>
  new Uint8Array(createHash('sha1').update(info.subjectPublicKey.valueBlock.valueHexView).digest()).buffer

/** Returns the subject alternative names of the hosts. */
function alternativeNames(hosts: readonly string[]): GeneralNames {
  const names = hosts.map((host) => {
    const version = isIP(host)
    if (version === 0) return new GeneralName({ type: 2, value: host })
    const bytes =
      version === 4
        ? Uint8Array.from(host.split('.').map(Number))
        : // The only IPv6 address supported here is ::1.
          Uint8Array.from({ length: 16 }, (_, at) => (at === 15 ? 1 : 0))
    return new GeneralName({ type: 7, value: new OctetString({ valueHex: bytes.buffer }) })
  })
  return new GeneralNames({ names })
}

/** Returns key usages as a bit string (RFC 5280, section 4.2.1.3). */
const usage = (bits: number, unused: number) =>
  new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: unused })
const SIGNS_CERTIFICATES = usage(0b0000_0110, 1)
const SIGNS = usage(0b1000_0000, 7)

interface CertificateRequest {
  readonly name: string
  readonly from: number
  readonly until: number
  /** Host names for which the certificate is valid; null for the certificate of an issuer. */
  readonly hosts: readonly string[] | null
}

async function certify(
  request: CertificateRequest,
  keys: webcrypto.CryptoKeyPair,
  issuer: Issuer | null,
): Promise<Certificate> {
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = Integer.fromBigInt(BigInt(`0x4${randomBytes(15).toString('hex')}`))
  for (const [type, value] of [
    ['2.5.4.6', 'ES'],
    ['2.5.4.3', request.name],
  ] as const)
    certificate.subject.typesAndValues.push(
      new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }),
    )
  certificate.issuer = issuer ? issuer.certificate.subject : certificate.subject
  certificate.notBefore.value = new Date(request.from)
  certificate.notAfter.value = new Date(request.until)
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as never, engine)
  const parent = issuer?.certificate ?? certificate
  certificate.extensions = [
    extension('2.5.29.14', new OctetString({ valueHex: keyIdOf(certificate) })),
    extension(
      '2.5.29.35',
      new AuthorityKeyIdentifier({
        keyIdentifier: new OctetString({ valueHex: keyIdOf(parent) }),
      }).toSchema(),
    ),
    extension('2.5.29.19', new BasicConstraints({ cA: request.hosts === null }).toSchema(), true),
    extension('2.5.29.15', request.hosts === null ? SIGNS_CERTIFICATES : SIGNS, true),
  ]
  if (request.hosts !== null)
    certificate.extensions.push(
      extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.1'] }).toSchema()),
      extension('2.5.29.17', alternativeNames(request.hosts).toSchema()),
    )
  await certificate.sign((issuer?.key ?? keys.privateKey) as never, 'SHA-256', engine)
  return certificate
}

const newKeys = async (): Promise<webcrypto.CryptoKeyPair> =>
  (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair

const certificatePem = (certificate: Certificate): string =>
  new X509Certificate(Buffer.from(certificate.toSchema(true).toBER(false))).toString()
const keyPem = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString()

async function newIssuer(name: string, now: number): Promise<Issuer> {
  const keys = await newKeys()
  const request = { name, from: now - DAY, until: now + 3650 * DAY, hosts: null }
  return { certificate: await certify(request, keys, null), key: keys.privateKey }
}

async function readIssuer(file: string): Promise<Issuer> {
  const text = readFileSync(file, 'utf8')
  try {
    const der = createPrivateKey(text).export({ type: 'pkcs8', format: 'der' })
    const key = await webcrypto.subtle.importKey('pkcs8', new Uint8Array(der), ALGORITHM, true, ['sign'])
    return { certificate: Certificate.fromBER(new Uint8Array(new X509Certificate(text).raw).buffer), key }
  } catch {
    throw new ConditionError(
      'simulator_keys',
      `${file} is not a valid key with its certificate. Remove it and ${CA_FILE}: new ones are created, which clients must trust again.`,
    )
  }
}

/** Writes a file atomically, so that an interruption leaves no partial file. */
function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, text, { flag: 'wx', mode: PRIVATE_MODES.file, flush: true })
  renameSync(draft, file)
}

/**
 * Returns the issuer of a data folder, and creates it if it does not exist. Key and certificate are in one file, so
 * that neither can be missing.
 */
async function issuerOf(folder: string, now: number): Promise<Issuer> {
  const file = join(folder, CA_KEY_FILE)
  if (existsSync(file)) {
    const issuer = await readIssuer(file)
    if (issuer.certificate.notAfter.value.getTime() > now) return issuer
  }
  const issuer = await newIssuer('cuadra AEAT simulator', now)
  writeAtomically(file, `${keyPem(issuer.key)}${certificatePem(issuer.certificate)}`)
  return issuer
}

async function identityOf(request: Omit<CertificateRequest, 'name'>, issuer: Issuer): Promise<Identity> {
  const keys = await newKeys()
  const certificate = await certify({ ...request, name: request.hosts?.[0] ?? 'localhost' }, keys, issuer)
  return { key: keyPem(keys.privateKey), cert: certificatePem(certificate) }
}

/** Creates the certificates of a server for `hosts`, and the file with the certificate that clients must trust. */
export async function makeIdentities(
  folder: string,
  hosts: readonly string[],
  now: number,
): Promise<{ readonly identities: Identities; readonly caFile: string }> {
  const issuer = await issuerOf(folder, now)
  const caFile = join(folder, CA_FILE)
  writeAtomically(caFile, certificatePem(issuer.certificate))
  const valid = { from: now - DAY, until: now + 365 * DAY }
  return {
    caFile,
    identities: {
      good: await identityOf({ ...valid, hosts }, issuer),
      expired: await identityOf({ from: now - 30 * DAY, until: now - DAY, hosts }, issuer),
      wrongHost: await identityOf({ ...valid, hosts: ['otro.example'] }, issuer),
      unknown: await identityOf({ ...valid, hosts }, await newIssuer('Unknown authority', now)),
    },
  }
}
