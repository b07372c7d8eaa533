/** Signatures of imported Facturae over HTTP: warnings, refusals, and what is kept with the file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signFacturae } from 'cuadra-authority/index.ts'
import { beforeAll, expect, it } from 'vitest'
import type { ValidationItem } from '#core/invoice/index.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { nextRef, receivedXml } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import {
  type Identity,
  identity,
  type SigningWish,
  signed,
} from '../../../../authority/test/signed-invoice.ts'

const folder = temporaryFolder()
const roots = join(folder, 'roots.pem')
let server: TestServer
let company: TestCompany
let root: Identity
let supplier: Identity
let third: Identity

beforeAll(async () => {
  root = await identity({ name: 'RAIZ', authority: true, from: '2020-01-01T00:00:00Z' })
  supplier = await identity({ name: 'PROVEEDOR SL', entity: 'VATES-B12345674', issuer: root })
  third = await identity({ name: 'GESTORIA SL', entity: 'VATES-B77777779', issuer: root })
  writeFileSync(roots, root.pem)
  server = await startServer({ store: 'sqlite', env: { CUADRA_SIGNATURE_ROOTS: roots } })
  company = await server.company()
}, 60_000)

const invoice = (invoice: Record<string, unknown> = {}) =>
  receivedXml({ taxId: company.data.tax_id, number: nextRef('S'), invoice }, 'facturae_3_2_2')

const post = (body: string, language = 'en') =>
  server.call('POST', '/received-invoices/import?format=facturae_3_2_2', {
    key: company.key,
    body,
    headers: { 'Content-Type': 'application/xml', 'Accept-Language': language },
  })

const imported = async (by: Identity, wish: SigningWish = {}, language = 'en') =>
  post(await signed(invoice(), by, wish), language)

const messages = (errors: readonly ValidationItem[]) => errors.map(({ message }) => message)

const filesOf = async (id: string) =>
  (await server.call('GET', `/received-invoices/${id}/documents`, { key: company.key })).json

it('a valid signature causes no warning, and its facts are kept with the file', async () => {
  const { status, json } = await imported(supplier)
  expect([status, json.success, json.errors]).toEqual([201, true, []])
  expect(await filesOf(json.id)).toMatchObject([
    {
      doc_type: 'xml_facturae',
      metadata: {
        format: 'facturae_3_2_2',
        signature: {
          state: 'valid',
          failures: [],
          doubts: [],
          signing_time: '2026-03-16T10:00:00+01:00',
          signer: { name: 'PROVEEDOR SL', tax_id: 'B12345674', relation: 'supplier' },
        },
      },
    },
  ])
})

it.each([
  [
    'third_party',
    () => imported(third),
    'Signed by GESTORIA SL (B77777779), not by the supplier (B12345674). Check that the supplier authorised this third party to issue its invoices. (art. 5 RD 1619/2012)',
  ],
  [
    'third_party',
    () => imported(third, {}, 'es'),
    'Firmada por GESTORIA SL (B77777779), no por el proveedor (B12345674). Compruebe que el proveedor autorizó a este tercero a expedir sus facturas. (art. 5 RD 1619/2012)',
  ],
  [
    'not_yet_valid',
    () => imported(supplier, { time: '2025-12-30T10:00:00+01:00' }, 'es'),
    'El certificado de PROVEEDOR SL es válido desde el 01/01/2026; la factura se firmó el 30/12/2025.',
  ],
  [
    'self_signed',
    async () => imported(await identity({ name: 'ELLA MISMA', person: 'VATES-B12345674' })),
    'The certificate of ELLA MISMA is self-signed',
  ],
  [
    'root_unknown',
    async () => {
      const issuer = await identity({ name: 'OTRA AC', authority: true })
      return imported(await identity({ entity: 'VATES-B12345674', issuer }))
    },
    'was issued by CN=OTRA AC,C=ES, which this server does not trust.',
  ],
  [
    'expired',
    async () => {
      const until = '2026-02-01T00:00:00Z'
      return imported(await identity({ entity: 'VATES-B12345674', issuer: root, until }))
    },
    'expired on 2026-02-01; the invoice was signed on 2026-03-16.',
  ],
  [
    'unsupported',
    () => imported(supplier, { digest: 'sha1' }, 'es'),
    'La firma electrónica no puede verificarse: usa un algoritmo que no se admite, como SHA-1 o ECDSA.',
  ],
])('a signature that is %s is imported with a warning', async (doubt, importing, message) => {
  const { status, json } = await importing()
  expect([status, json.success]).toEqual([201, true])
  expect(json.errors).toMatchObject([
    {
      source: 'business',
      code: `format.signature_${doubt}`,
      path: '/Facturae/Signature',
      severity: 'warning',
      extra: { line: expect.any(Number) },
    },
  ])
  expect(messages(json.errors)[0]).toContain(message)
  const [file] = await filesOf(json.id)
  expect(file.metadata.signature.state).toBe(doubt === 'unsupported' ? 'unsupported' : 'untrusted')
})

it('an altered invoice is refused with the reason, and nothing is registered', async () => {
  const list = async () => (await server.call('GET', '/received-invoices', { key: company.key })).json.total
  const before = await list()
  // The description changes no amount, so only the signature reveals the change.
  const altered = (await signed(invoice(), supplier)).replace('Material', 'Mobiliario')
  const { status, json } = await post(altered)
  expect([status, json.detail.code]).toEqual([422, 'invoice_xml_invalid'])
  expect(json.detail.errors).toMatchObject([
    {
      code: 'format.signature_altered',
      path: '/Facturae/Signature',
      severity: 'error',
      extra: { failures: ['content_changed'] },
    },
  ])
  expect(messages(json.detail.errors)).toEqual([
    'The electronic signature does not match the document: the invoice was changed. Ask the supplier for the original file, and send it without opening it in another program. (arts. 8 and 10 RD 1619/2012)',
  ])
  const spanish = await post(altered, 'es')
  expect(messages(spanish.json.detail.errors)[0]).toMatch(
    /^La firma electrónica no corresponde al documento: se ha modificado la factura\. Pida al proveedor/,
  )
  expect(await list()).toBe(before)
})

it('a large invoice is verified in a thread, and an unsigned one has no signature in its metadata', async () => {
  const lines = Array.from({ length: 400 }, () => ({
    item_description: 'Material',
    quantity: 1,
    unit_price_without_tax: 1,
    tax_output_rate: 21,
  }))
  const totals = { total_gross_amount_before_taxes: 400, total_tax_outputs: 84, invoice_total: 484 }
  const xml = invoice({ lines, totals })
  expect(xml.length).toBeGreaterThan(150_000)
  const large = await post(await signed(xml, supplier))
  expect([large.status, large.json.errors]).toEqual([201, []])
  const unsigned = await post(invoice())
  expect((await filesOf(unsigned.json.id))[0].metadata).toEqual({ format: 'facturae_3_2_2' })
})

it('a second import of the same file updates the facts that are kept with it', async () => {
  const xml = await signed(invoice(), supplier)
  const { json } = await post(xml)
  await server.past((db) =>
    db.updateTable('attachments').set({ metadata: '{}' }).where('invoice_id', '=', json.id).execute(),
  )
  expect((await post(xml)).json.id).toBe(json.id)
  expect(await filesOf(json.id)).toMatchObject([{ metadata: { signature: { state: 'valid' } } }])
})

it('an invoice that this project signs is valid with its certificate among the trusted ones', async () => {
  const { privateKey } = supplier.keys
  const options = { privateKey, certificate: supplier.pem, timestamp: '2026-03-16T10:00:00+01:00' }
  const { status, json } = await post(await signFacturae(invoice(), options))
  expect([status, json.errors]).toEqual([201, []])
})

it('a file of roots that cannot be used ends the start with its setting', async () => {
  writeFileSync(join(folder, 'empty.pem'), 'nothing')
  for (const [file, reason] of [
    ['gone.pem', /CUADRA_SIGNATURE_ROOTS: .*gone\.pem cannot be read/],
    ['empty.pem', /CUADRA_SIGNATURE_ROOTS: .*empty\.pem contains no certificate/],
  ] as const)
    await expect(
      startServer({ store: 'sqlite', env: { CUADRA_SIGNATURE_ROOTS: join(folder, file) } }),
    ).rejects.toThrow(reason)
})
