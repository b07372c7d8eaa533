/**
 * Decrypts certificate files that use legacy encryption, which many programs still export: RC2 and Triple DES with keys
 * derived as PKCS#12 defines (RFC 7292, appendices B and C). It cannot encrypt.
 */
import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import { type AlgorithmIdentifier, CryptoEngine, type EncryptedContentInfo } from 'pkijs'

interface Cipher {
  readonly keyBytes: number
  readonly decrypt: (key: Buffer, iv: Buffer, data: Buffer) => Promise<Uint8Array>
}

const IV_BYTES = 8

/** Loads node-forge, which only files with the legacy encryption need. */
const loadForge = async () => (await import('node-forge')).default

const native =
  (name: string): Cipher['decrypt'] =>
  async (key, iv, data) => {
    const decipher = createDecipheriv(name, key, iv)
    return Buffer.concat([decipher.update(data), decipher.final()])
  }

/** RC2 comes from node-forge: OpenSSL supports it only with the legacy provider, and WebCrypto does not support it. */
const rc2 = (bits: number): Cipher => ({
  keyBytes: bits / 8,
  decrypt: async (key, iv, data) => {
    const forge = await loadForge()
    const decipher = forge.rc2.createDecryptionCipher(key.toString('latin1'), bits)
    decipher.start(iv.toString('latin1'))
    decipher.update(forge.util.createBuffer(new Uint8Array(data)))
    if (!decipher.finish()) throw new Error('its padding is damaged')
    return Buffer.from(decipher.output.getBytes(), 'latin1')
  },
})

const TRIPLE_DES: Cipher = { keyBytes: 24, decrypt: native('des-ede3-cbc') }

/**
 * The algorithms of RFC 7292, appendix C (pkcs-12PbeIds), without the two with RC4, which no program uses by default.
 */
const PKCS12_CIPHERS: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': TRIPLE_DES,
  '1.2.840.113549.1.12.1.4': { keyBytes: 16, decrypt: native('des-ede-cbc') },
  '1.2.840.113549.1.12.1.5': rc2(128),
  '1.2.840.113549.1.12.1.6': rc2(40),
}

const PBES2 = '1.2.840.113549.1.5.13'
const TRIPLE_DES_ID = '1.2.840.113549.3.7'
const HMACS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

/**
 * Maximum number of key derivation rounds, above the numbers that programs use. Without a limit, a malicious file could
 * occupy the machine.
 */
const MAX_ROUNDS = 10_000_000

/** Derives a key (`id` 1) or an initialisation vector (`id` 2) with SHA-1 (RFC 7292, appendix B.2). */
const derived = async (id: 1 | 2, password: string, salt: Buffer, rounds: number, length: number) => {
  const forge = await loadForge()
  const bytes = forge.util.createBuffer(salt.toString('latin1'))
  return Buffer.from(forge.pkcs12.generateKey(password, bytes, id, rounds, length).getBytes(), 'latin1')
}

const bytesOf = (value: unknown): Buffer => {
  if (!(value instanceof OctetString)) throw new Error('its parameters cannot be read')
  return Buffer.from(value.getValue())
}

const numberOf = (value: unknown): number => {
  const number = value instanceof Integer ? Number(value.toBigInt()) : Number.NaN
  if (!(number >= 1 && number <= MAX_ROUNDS)) throw new Error('its number of rounds cannot be used')
  return number
}

const partsOf = (value: unknown): readonly unknown[] => {
  if (!(value instanceof Sequence)) throw new Error('its parameters cannot be read')
  return value.valueBlock.value
}

const nameOf = (value: unknown): string => (value instanceof ObjectIdentifier ? value.getValue() : '')

/** Returns the decryption for a legacy algorithm; undefined for current algorithms, which the library supports. */
function oldCipher({
  algorithmId,
  algorithmParams,
}: AlgorithmIdentifier): ((password: string, data: Buffer) => Promise<Uint8Array>) | undefined {
  const cipher = PKCS12_CIPHERS[algorithmId]
  if (cipher)
    return async (password, data) => {
      const [salt, rounds] = partsOf(algorithmParams)
      const make = (id: 1 | 2, length: number) =>
        derived(id, password, bytesOf(salt), numberOf(rounds), length)
      return cipher.decrypt(await make(1, cipher.keyBytes), await make(2, IV_BYTES), data)
    }
  if (algorithmId !== PBES2) return undefined
  const [derivation, scheme] = partsOf(algorithmParams).map(partsOf)
  if (nameOf(scheme?.[0]) !== TRIPLE_DES_ID) return undefined
  return async (password, data) => {
    const parameters = partsOf(derivation?.[1])
    const [salt, rounds] = [bytesOf(parameters[0]), numberOf(parameters[1])]
    // An optional key length may be between the number of rounds and the hash.
    const hash = parameters.slice(2).find((one) => one instanceof Sequence)
    const name = hash === undefined ? 'sha1' : HMACS[nameOf(partsOf(hash)[0])]
    if (name === undefined) throw new Error('its hash is not known')
    const key = pbkdf2Sync(Buffer.from(password, 'utf8'), salt, rounds, TRIPLE_DES.keyBytes, name)
    return TRIPLE_DES.decrypt(key, bytesOf(scheme?.[1]), data)
  }
}

/** The crypto engine of the library, which supports current encryption, extended with the legacy algorithms. */
export class LegacyCryptoEngine extends CryptoEngine {
  override async decryptEncryptedContentInfo(parameters: {
    encryptedContentInfo: EncryptedContentInfo
    password: ArrayBuffer
  }): Promise<ArrayBuffer> {
    const { encryptedContentInfo: info, password } = parameters
    const decrypt = oldCipher(info.contentEncryptionAlgorithm)
    if (!decrypt) return super.decryptEncryptedContentInfo(parameters)
    const text = Buffer.from(password).toString('utf8')
    return new Uint8Array(await decrypt(text, Buffer.from(info.getEncryptedContent()))).buffer
  }
}
