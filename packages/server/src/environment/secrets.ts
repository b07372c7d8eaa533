/**
 * Encrypts private keys and their passwords with AES-256-GCM, so that a stolen copy of the database does not reveal
 * them. The encryption key comes from `CUADRA_SECRET`, or from a file in the data folder that is created on first use.
 * Every encrypted text is bound to its row, so that it cannot be moved to another company's row.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { codeOf, messageOf } from 'cuadra-storage/storage-faults.ts'
import { ConditionError } from '#core/errors/index.ts'
import type { Config } from './config.ts'

type KeyLocation = Pick<Config, 'secret' | 'dataDir'>

/**
 * Returns the error for encrypted data that cannot be decrypted, or for an invalid key, with instructions to fix it.
 */
const unusable = (message: string) => new ConditionError('sealed_with_another_key', message)

const KEY_FILE = 'secret.key'
/** Returns the path of the key file. It is used if the environment has no key. */
export const keyFileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, KEY_FILE)
const HEX_KEY = /^[0-9a-f]{64}$/i
const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Prefix of every encrypted text: the version of the format. */
const FORM = 'v1:'

function readKeyFile(file: string): Buffer | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (HEX_KEY.test(text)) return Buffer.from(text, 'hex')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw unusable(`The key file ${file} cannot be read: ${messageOf(error)}.`)
  }
  throw unusable(
    `The key file ${file} has no key of 64 hexadecimal digits. Restore it from a backup, or set CUADRA_SECRET.`,
  )
}

/**
 * Creates the key file atomically and never overwrites an existing one, since two processes may start at the same time.
 */
function makeKeyFile(dataDir: string, file: string): void {
  makePrivateFolder(dataDir)
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const descriptor = openSync(draft, 'wx', PRIVATE_MODES.file)
  try {
    writeSync(descriptor, `${randomBytes(32).toString('hex')}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
}

function keyOf({ secret, dataDir }: KeyLocation): Buffer {
  if (secret !== undefined) return Buffer.from(secret, 'hex')
  const file = keyFileOf({ dataDir })
  const known = readKeyFile(file)
  if (known) return known
  makeKeyFile(dataDir, file)
  const made = readKeyFile(file)
  if (made) return made
  throw unusable(`The key file ${file} disappeared after it was created. No other program may remove it.`)
}

/** Encrypts bytes to a text that only this installation can decrypt. `context` names the row that stores the text. */
export function seal(where: KeyLocation, bytes: Uint8Array, context: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyOf(where), iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return FORM + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a text. Throws if the text was changed, or was encrypted with another key or for another context. */
export function unseal(where: KeyLocation, sealed: string, context: string): Buffer {
  const all = Buffer.from(sealed.slice(FORM.length), 'base64url')
  if (!sealed.startsWith(FORM) || all.length < IV_BYTES + TAG_BYTES)
    throw unusable(`The data stored for ${context} is not in a known sealed format.`)
  const key = keyOf(where)
  try {
    const decipher = createDecipheriv(ALGORITHM, key, all.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(context, 'utf8'))
    decipher.setAuthTag(all.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(all.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    throw unusable(
      `The data stored for ${context} was sealed with another key, or changed. Use the same CUADRA_SECRET (or the same ${KEY_FILE} of the data folder) in every process, or add it again.`,
    )
  }
}

/**
 * Returns a fingerprint that identifies the key without revealing it; null if there is no key yet. A backup contains
 * this fingerprint instead of the key.
 */
export function fingerprintOfKey({ secret, dataDir }: KeyLocation): string | null {
  const key = secret === undefined ? readKeyFile(keyFileOf({ dataDir })) : Buffer.from(secret, 'hex')
  return key ? createHmac('sha256', key).update('cuadra: which key').digest('hex').slice(0, 16) : null
}
