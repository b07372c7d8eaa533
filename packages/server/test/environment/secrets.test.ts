/** Encryption of stored secrets: opens only for the row it was made for, under the same key. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { messageOf } from '#test/narrow.ts'
import { seal, unseal } from '../../src/environment/secrets.ts'

const text = Buffer.from('contraseña: 1234', 'utf8')
const secret = 'ab'.repeat(32)
let dataDir: string

beforeEach(() => {
  dataDir = temporaryFolder()
})

/** The error for sealed data that cannot be opened. */
const SEALED = expect.objectContaining({ condition: 'sealed_with_another_key' })

describe('seal and unseal', () => {
  it('return what was sealed, byte by byte, also if it is empty', () => {
    const where = { secret, dataDir }
    for (const bytes of [text, Buffer.alloc(0), Buffer.alloc(100_000, 7)])
      expect(unseal(where, seal(where, bytes, 'row 1'), 'row 1').equals(bytes)).toBe(true)
  })

  it('never write the same text twice, nor any readable part', () => {
    const where = { secret, dataDir }
    const [first, second] = [seal(where, text, 'row 1'), seal(where, text, 'row 1')]
    expect(first).not.toBe(second)
    expect(Buffer.from(first.slice(3), 'base64url').includes(text.subarray(0, 6))).toBe(false)
  })

  it('refuse another row, another key, another format and every changed byte', () => {
    const where = { secret, dataDir }
    const sealed = seal(where, text, 'row 1')
    expect(() => unseal(where, sealed, 'row 2')).toThrow(SEALED)
    expect(() => unseal({ secret: 'cd'.repeat(32), dataDir }, sealed, 'row 1')).toThrow(/CUADRA_SECRET/)
    for (const other of ['', 'v1:', 'v1:AAAA', `v2:${sealed.slice(3)}`, sealed.slice(0, -4)])
      expect(() => unseal(where, other, 'row 1')).toThrow(SEALED)
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at] = required(changed[at]) ^ 1
      expect(() => unseal(where, `v1:${changed.toString('base64url')}`, 'row 1')).toThrow(SEALED)
    }
  })

  it('do not reveal the content when they refuse', () => {
    const sealed = seal({ secret, dataDir }, text, 'row 1')
    try {
      unseal({ secret: 'cd'.repeat(32), dataDir }, sealed, 'row 1')
    } catch (error) {
      expect(messageOf(error)).not.toMatch(/1234|abab|cdcd/)
    }
  })
})

describe('the key file', () => {
  const where = () => ({ secret: undefined, dataDir })
  const file = () => join(dataDir, 'secret.key')

  it('is created on first use, for its owner only, and kept', () => {
    const sealed = seal(where(), text, 'row 1')
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const key = readFileSync(file(), 'utf8')
    expect(key).toMatch(/^[0-9a-f]{64}\n$/)
    expect(unseal(where(), sealed, 'row 1').equals(text)).toBe(true)
    expect(readFileSync(file(), 'utf8')).toBe(key)
  })

  it('is created in a folder that does not exist yet', () => {
    const deep = { secret: undefined, dataDir: join(dataDir, 'new', 'folder') }
    expect(unseal(deep, seal(deep, text, 'row 1'), 'row 1').equals(text)).toBe(true)
  })

  it('is not created if the configuration has a key', () => {
    seal({ secret, dataDir }, text, 'row 1')
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('is never replaced: a damaged one is refused', () => {
    writeFileSync(file(), 'half a key')
    expect(() => seal(where(), text, 'row 1')).toThrow(/64 hexadecimal digits/)
    expect(readFileSync(file(), 'utf8')).toBe('half a key')
  })

  it('is refused if it cannot be read', () => {
    // A folder in its place cannot be read by any user, root included.
    mkdirSync(file())
    expect(() => seal(where(), text, 'row 1')).toThrow(/cannot be read/)
  })
})
