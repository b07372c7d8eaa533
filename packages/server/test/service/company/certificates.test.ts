/** Certificates of companies: read from PKCS#12 files, validated, stored encrypted, and opened again. */

import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CertificateError, type CertificateErrorCode } from 'cuadra-authority/errors.ts'
import { readPkcs12 } from 'cuadra-authority/pkcs12.ts'
import { createSelfSignedCertificate, type SelfSignedOptions } from 'cuadra-authority/self-signed.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { tokens } from '#test/tokens.ts'
import type { App } from '../../../src/app/app.ts'
import { createClock } from '../../../src/environment/clock.ts'
import { readConfig } from '../../../src/environment/config.ts'
import {
  addCertificate,
  checkCertificates,
  demonstrationCertificate,
  listCertificates,
  type NewCertificate,
  openCertificate,
  validCertificate,
} from '../../../src/service/company/certificates.ts'
import type { CompanyData } from '../../../src/service/company/company-shape.ts'
import { signingMeansOf } from '../../../src/service/verifactu/signing.ts'
import { openStore, type Store } from '../../../src/store/store.ts'

const dataDir = temporaryFolder()
const config = readConfig({ CUADRA_DATA_DIR: dataDir })
const clock = createClock(() => Date.UTC(2026, 10, 21, 12))
const app = { config, clock }
const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'
const password = 'contraseña 1'

const file = (wish: Partial<SelfSignedOptions> = {}) =>
  createSelfSignedCertificate({
    name: 'Papelería, S.L. "Nube"',
    taxId: 'B23456783',
    from: new Date('2026-01-01T00:00:00Z'),
    until: new Date('2027-12-31T23:59:59Z'),
    password,
    ...wish,
  })

let store: Store
let p12: Uint8Array

beforeAll(async () => {
  store = await openStore({ dataDir })
  p12 = await file()
})
afterAll(() => store.close())

const add = (companyId: string, certificate: Partial<NewCertificate> = {}) =>
  store.transaction((tx) =>
    addCertificate(tx.of(companyId), app, { p12, password, purpose: 'general', ...certificate }),
  )

async function refusal(work: Promise<unknown>): Promise<CertificateErrorCode> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof CertificateError)) throw new Error('it was taken', { cause: error })
  const { code, message } = error
  expect(message.length).toBeGreaterThan(30)
  expect(message).not.toContain(password)
  return code
}

it('a password with characters beyond Latin-1 is rejected with a message before anything is stored', async () => {
  const before = (await listCertificates(store.of(A))).length
  const strange = add(A, { password: 'contraseña 1€' })
  await expect(strange).rejects.toThrow('such as €. Export the file again with another password.')
  expect(await listCertificates(store.of(A))).toHaveLength(before)
})

describe('an added certificate', () => {
  it('has the next id of its company, the name of its subject, its fingerprint and its dates', async () => {
    const first = await add(A)
    expect(first).toMatchObject({
      id: 1,
      name: 'Papelería, S.L. "Nube"',
      purpose: 'general',
      valid_from: '2026-01-01T00:00:00.000000',
      valid_to: '2027-12-31T23:59:59.000000',
    })
    expect(await add(A, { name: ' Sello ', purpose: 'verifactu' })).toMatchObject({ id: 2, name: 'Sello' })
    expect((await add(B)).id).toBe(1)
    expect((await listCertificates(store.of(A))).map(({ id }) => id)).toEqual([1, 2])
    const { certificate } = await openCertificate(store.of(A), app, 1)
    const digest = new X509Certificate(certificate.der).fingerprint256
    expect(first.fingerprint).toBe(digest.replaceAll(':', '').toLowerCase())
  })

  it('opens with its signing key', async () => {
    const { privateKey, certificate, chain } = await openCertificate(store.of(A), app, 1)
    const signature = await webcrypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from('x'))
    const publicKey = new X509Certificate(certificate.der).publicKey
    const { verify } = await import('node:crypto')
    expect(verify('sha256', Buffer.from('x'), publicKey, Buffer.from(signature))).toBe(true)
    expect(chain).toEqual([])
    expect(privateKey.extractable).toBe(false)
  })

  it('cannot be read in the database, nor moved to another company or id', async () => {
    const row = await store
      .of(A)
      .find('certificates', { certificate_id: 1 })
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(password)
    expect(JSON.stringify(row)).not.toContain(Buffer.from(p12).toString('base64').slice(100, 140))
    await store.transaction((tx) => tx.of(B).update('certificates', { sealed: row.sealed }).execute())
    await expect(openCertificate(store.of(B), app, 1)).rejects.toThrow(
      expect.objectContaining({ condition: 'sealed_with_another_key' }),
    )
    expect(await refusal(openCertificate(store.of(A), app, 9))).toBe('unknown_certificate')
  })

  it('is rejected with a wrong password, and if the file is not PKCS#12', async () => {
    for (const wrong of ['', 'contraseña', 'Contraseña 1', '密码'])
      expect(await refusal(add(A, { password: wrong }))).toBe('password')
    for (const bytes of [new Uint8Array(0), Buffer.from('-----BEGIN CERTIFICATE-----'), p12.slice(0, 900)])
      expect(await refusal(add(A, { p12: bytes }))).toBe('not_pkcs12')
    const damaged = Buffer.from(p12)
    damaged[600] = required(damaged[600]) ^ 1
    expect(await refusal(add(A, { p12: damaged }))).toBe('password')
    expect(await listCertificates(store.of(A))).toHaveLength(2)
  })

  it('is rejected if it is not valid now', async () => {
    const expired = await file({ until: new Date('2026-11-20T00:00:00Z') })
    expect(await refusal(add(A, { p12: expired }))).toBe('expired')
    const early = await file({ from: new Date('2026-11-22T00:00:00Z') })
    expect(await refusal(add(A, { p12: early }))).toBe('not_yet_valid')
  })
})

describe('the certificate for VeriFactu', () => {
  const C = '00000000-0000-4000-8000-00000000000c'
  const found = async (day: string, preferred?: number) =>
    (await validCertificate(store.of(C), app, Date.parse(day), preferred))?.id ?? null

  it('is the preferred one while it is valid, then the best of the valid ones', async () => {
    await add(C, { p12: await file({ until: new Date('2028-12-31T00:00:00Z') }) })
    await add(C, { purpose: 'verifactu' })
    await add(C, { purpose: 'verifactu' })
    expect(await found('2026-11-21')).toBe(3)
    expect(await found('2026-11-21', 1)).toBe(1)
    expect(await found('2026-11-21', 7)).toBe(3)
    expect(await found('2028-01-01', 2)).toBe(1)
    expect(await found('2029-01-01')).toBeNull()
    expect(await found('2025-01-01')).toBeNull()
  })

  it('is valid again once a clock that was ahead is set back', async () => {
    let now = Date.parse('2031-01-01')
    const moved = createClock(() => now)
    moved.stamp()
    now = Date.parse('2026-11-21')
    const company = { data: { delegated_signature: null } }
    const { certificate } = await signingMeansOf(store.of(C), {
      app: { ...app, clock: moved },
      company,
    } as never)
    expect(certificate?.id).toBe(3)
  })
})

describe('a demonstration certificate', () => {
  it('is added like any other, and exists for the simulator only', async () => {
    const made = await demonstrationCertificate(app, 'B77777779', 'Comercial Demostración, S.L.')
    expect(await add(B, made)).toMatchObject({ name: 'Comercial Demostración, S.L.' })
    expect((await readPkcs12(made.p12, made.password)).certificate.subject).toContain('VATES-B77777779')
    for (const aeat of ['preproduction', 'production'] as const) {
      const strict = { clock, config: { ...config, aeat } }
      expect(await refusal(demonstrationCertificate(strict, 'B77777779', 'x'))).toBe('simulator_only')
    }
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('files written by OpenSSL', () => {
  const folder = temporaryFolder()
  const path = (name: string) => join(folder, name)
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const read = (name: string) => readPkcs12(readFileSync(path(name)), password)
  const exported = (name: string, ...options: string[]) =>
    openssl('pkcs12', '-export', '-in', 'all.pem', '-out', name, '-passout', 'file:password.txt', ...options)

  beforeAll(() => {
    writeFileSync(path('password.txt'), password)
    writeFileSync(path('made.p12'), p12)
    openssl('pkcs12', '-in', 'made.p12', '-nodes', '-passin', 'file:password.txt', '-out', 'all.pem')
  })

  it('in the current format are read, and OpenSSL reads ours', async () => {
    exported('new.p12')
    expect((await read('new.p12')).certificate.subject).toContain('VATES-B23456783')
  })

  it.each([
    ['Triple DES, as OpenSSL and Java wrote them', 'PBE-SHA1-3DES', 'PBE-SHA1-3DES', 'sha1'],
    ['RC2 of 40 bits, as Windows and browsers wrote them', 'PBE-SHA1-3DES', 'PBE-SHA1-RC2-40', 'sha1'],
    ['RC2 of 128 bits', 'PBE-SHA1-RC2-128', 'PBE-SHA1-RC2-128', 'sha1'],
    ['Triple DES with two keys', 'PBE-SHA1-2DES', 'PBE-SHA1-2DES', 'sha256'],
    ['Triple DES behind a key of today', 'des-ede3-cbc', 'des-ede3-cbc', 'sha256'],
  ])('with legacy encryption are read: %s', async (_, keys, certificates, mac) => {
    exported('old.p12', '-legacy', '-keypbe', keys, '-certpbe', certificates, '-macalg', mac)
    const { certificate, privateKeyPem } = await read('old.p12')
    expect(certificate.owner).toEqual({ kind: 'seal', taxId: 'B23456783', personTaxId: null })
    expect(new X509Certificate(certificate.der).checkPrivateKey(createPrivateKey(privateKeyPem()))).toBe(true)
    expect(await refusal(readPkcs12(readFileSync(path('old.p12')), 'otra'))).toBe('password')
  })

  it('replace a self-signed certificate that ends later, except in the simulator', async () => {
    const D = '00000000-0000-4000-8000-00000000000d'
    const today = { config, clock: createClock(() => Date.now()) }
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    const addToday = (certificate: Uint8Array) =>
      store.transaction((tx) =>
        addCertificate(tx.of(D), today, { p12: certificate, password, purpose: 'verifactu' }),
      )
    await addToday(await file({ from: days(-1), until: days(700) }))
    const production = { ...today, config: { ...config, aeat: 'production' as const } }
    const data = { tax_id: 'B23456783', operated_by_partner: false } as CompanyData
    const notes = async () =>
      (await checkCertificates(store.of(D), production, data)).map(({ findings }) =>
        findings.map(({ message }) => message.en).join(),
      )
    expect(await notes()).toEqual([expect.stringContaining('Add a qualified certificate.')])
    openssl(...tokens`req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=CA`)
    const subject = '/2.5.4.97=VATES-B23456783/CN=Papel'
    openssl(...tokens`req -new -newkey rsa:2048 -nodes -keyout q.key -out q.csr -subj ${subject}`)
    openssl(
      ...['x509', '-req', '-in', 'q.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', '300', '-out', 'q.pem'],
    )
    openssl(
      ...['pkcs12', '-export', '-inkey', 'q.key', '-in', 'q.pem', '-out', 'q.p12'],
      ...['-passout', 'file:password.txt'],
    )
    await addToday(readFileSync(path('q.p12')))
    const used = async (at: Pick<App, 'config' | 'clock'>, preferred?: number) =>
      (await validCertificate(store.of(D), at, at.clock.now(), preferred))?.id
    expect([await used(today), await used(production), await used(production, 1)]).toEqual([1, 2, 2])
    expect((await notes()).join()).not.toContain('qualified')
  })

  it('with an unsupported encryption are rejected with instructions to rewrite them', async () => {
    exported('rc4.p12', '-legacy', '-keypbe', 'PBE-SHA1-RC4-128', '-certpbe', 'PBE-SHA1-RC4-128')
    expect(await refusal(read('rc4.p12'))).toBe('encryption')
    await expect(read('rc4.p12')).rejects.toThrow(/openssl pkcs12 -legacy/)
  })

  it('without a key, without a checksum or without RSA are rejected', async () => {
    exported('nokey.p12', '-nokeys')
    expect(await refusal(read('nokey.p12'))).toBe('no_key')
    exported('nomac.p12', '-nomac')
    expect(await refusal(read('nomac.p12'))).toBe('not_pkcs12')
    openssl('ecparam', '-genkey', '-name', 'prime256v1', '-out', 'ec.key')
    openssl('req', '-new', '-x509', '-key', 'ec.key', '-subj', '/CN=ec', '-out', 'ec.crt')
    openssl(...tokens`pkcs12 -export -inkey ec.key -in ec.crt -out ec.p12 -passout file:password.txt`)
    expect(await refusal(read('ec.p12'))).toBe('key')
  })

  it('with the key of another certificate are rejected; further certificates form the chain', async () => {
    openssl('genrsa', '-out', 'other.key', '2048')
    openssl('req', '-new', '-x509', '-key', 'other.key', '-subj', '/CN=Otra', '-out', 'other.crt')
    exported('chain.p12', '-certfile', 'other.crt')
    const { certificate, chain } = await read('chain.p12')
    expect(certificate.subject).toContain('VATES-B23456783')
    expect(chain.map(({ subject }) => subject)).toEqual(['CN=Otra'])
  })
})
