/** Tests of Facturae signed with the policy of the format: they verify here and with xmlsec1, and read as before. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readInvoice } from '#formats/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { facturae } from '#test/formats/invoice.ts'
import { facturaeSchema } from '#test/formats/reference.ts'
import {
  FACTURAE_POLICY,
  type SignOptions,
  signFacturae,
  signRecord,
  verifyFacturae,
  verifySignature,
} from '../src/index.ts'
import { readPkcs12 } from '../src/pkcs12.ts'
import { createSelfSignedCertificate } from '../src/self-signed.ts'

const TIMESTAMP = '2026-03-16T10:00:00+01:00'
const schema = facturaeSchema('3_2_2')
let options: SignOptions
let pem: string

beforeAll(async () => {
  const password = 'clave'
  const file = await createSelfSignedCertificate({
    name: 'CALDERAS FICTICIAS SL',
    taxId: 'B12345674',
    from: new Date('2026-01-01T00:00:00Z'),
    until: new Date('2030-01-01T00:00:00Z'),
    password,
  })
  const { privateKey, certificate } = await readPkcs12(file, password)
  const base64 = Buffer.from(certificate.der).toString('base64')
  const lines = base64.replace(/.{64}(?=.)/g, '$&\n')
  pem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  options = { privateKey, certificate: pem, timestamp: TIMESTAMP }
})

const tool = spawnSync('xmlsec1', ['--version']).status === 0

function xmlsec1(xml: string): { ok: boolean; out: string } {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'invoice.xsig'), xml)
  writeFileSync(join(folder, 'certificate.pem'), pem)
  const { status, stdout, stderr } = spawnSync(
    'xmlsec1',
    [
      '--verify',
      ...['--trusted-pem', 'certificate.pem', '--verification-time', '2026-03-16 10:00:00'],
      ...['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties', 'invoice.xsig'],
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  return { ok: status === 0, out: stdout + stderr }
}

describe('a signed Facturae', () => {
  it('names the policy of the format, and is otherwise unchanged', async () => {
    const xml = facturae()
    const signed = await signFacturae(xml, options)
    expect(signed).toBe(await signFacturae(xml, options))
    expect(signed.replace(/<ds:Signature [\s\S]*<\/ds:Signature>/, '')).toBe(xml)
    expect(signed.endsWith('</ds:Signature></fe:Facturae>\n')).toBe(true)
    const { identifier, digest, hash } = FACTURAE_POLICY
    expect(await verifyFacturae(signed)).toMatchObject({
      valid: true,
      profile: 'EPES',
      references: 2,
      verified_references: 2,
      policy: { identifier, digest, hash, uri: null },
      signing_time: TIMESTAMP,
      errors: [],
    })
  })

  it.skipIf(schema === null)('is valid against the official schema', async () => {
    expect(schema?.(await signFacturae(facturae(), options))).toEqual([])
  })

  it.skipIf(!tool)(
    `verifies with xmlsec1, 2 of 2 references${tool ? '' : ' (skipped: xmlsec1 is not installed)'}`,
    async () => {
      const signed = await signFacturae(facturae(), options)
      const { ok, out } = xmlsec1(signed)
      expect(out).toContain('SignedInfo References (ok/all): 2/2')
      expect(ok).toBe(true)
      expect(xmlsec1(signed.replace('>181.50<', '>181.51<')).ok).toBe(false)
    },
  )

  it('is read as before, and its signature is reported', async () => {
    const xml = facturae()
    const { document, signature, errors } = readInvoice(await signFacturae(xml, options))
    expect(document).toEqual(readInvoice(xml).document)
    expect(signature).toMatchObject({ signing_time: TIMESTAMP, issuer: expect.stringContaining('CALDERAS') })
    expect(errors.map(({ code }) => code)).toEqual(['format.signature_not_verified'])
  })

  it('does not verify after a change, and cannot be signed again', async () => {
    const signed = await signFacturae(facturae(), options)
    const check = await verifyFacturae(signed.replace('>181.50<', '>181.51<'))
    expect(check.errors.map(({ code }) => code)).toEqual(['content_changed'])
    const policy = await verifyFacturae(
      signed.replace(FACTURAE_POLICY.digest, 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='),
    )
    expect(policy.errors.map(({ code }) => code)).toContain('policy')
    await expect(signFacturae(signed, options)).rejects.toMatchObject({ code: 'already_signed' })
  })

  it('must be a Facturae, not a record or another document', async () => {
    await expect(signFacturae('<Invoice/>', options)).rejects.toMatchObject({ code: 'root' })
    await expect(signRecord(facturae(), options)).rejects.toMatchObject({ code: 'root' })
    const check = await verifySignature(await signFacturae(facturae(), options))
    expect(check.errors.map(({ code }) => code)).toEqual(['root'])
  })
})
