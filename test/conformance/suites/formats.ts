/** Invoices as XML over HTTP: import from suppliers, and export of issued invoices. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { verifyFacturae } from 'cuadra-authority/index.ts'
import { fileReturn } from 'cuadra-server/service/invoice/filed-returns.ts'
import { describe, expect } from 'vitest'
import type { ValidationItem } from '#core/invoice/index.ts'
import { checkTaxId } from '#engine/index.ts'
import { type FormatCode, readInvoice } from '#formats/index.ts'
import { shared } from '../../shared.ts'
import { transition } from '../answers.ts'
import { certify } from '../certificates.ts'
import type { TestCompany, TestServer } from '../harness.ts'
import { draft, nextRef, received, receivedXml } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const SAMPLES = fileURLToPath(shared('reference/formats/samples/'))
const XML = { 'Content-Type': 'application/xml' }
const FORMATS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const
const STAMP = '2026-11-20T10:00:00.000000'

/** The XML of an invoice from a supplier to this company. */
const xmlOf = (
  { data }: Pick<TestCompany, 'data'>,
  format: FormatCode,
  change: Partial<Parameters<typeof received>[0]> = {},
): string => receivedXml({ taxId: data.tax_id, number: nextRef('X'), ...change }, format)

export function formatsSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, issued, saved, cancel, get: issuedInvoice } = stepsOf(server)
  const post = (
    { key }: Pick<TestCompany, 'key'>,
    body: string | Uint8Array,
    format: string = 'facturae_3_2_2',
    headers: Record<string, string> = XML,
  ) => call('POST', `/received-invoices/import?format=${format}`, { key, body, headers })
  const get = async (company: TestCompany, path: string) =>
    (await call('GET', `/received-invoices${path}`, { key: company.key })).json
  const codesIn = (errors: readonly ValidationItem[]) => errors.map(({ code }) => code)

  describe('import', () => {
    it.each(FORMATS)(
      '%s is registered as received, and its original is kept byte for byte',
      async (format) => {
        const company = await server().company()
        const xml = xmlOf(company, format, { number: `A/${format}` })
        const answer = await post(company, xml, format)
        expect(answer.status).toBe(201)
        expect(answer.json).toMatchObject({ success: true, errors: [] })
        const { id } = answer.json
        expect(await get(company, `/${id}`)).toMatchObject({
          direction: 'received',
          status: 'received',
          number: `A/${format}`,
          supplier_tax_id: 'B12345674',
          issue_date: '2026-03-02',
          total: 121,
        })
        const canonical = await get(company, `/${id}/canonical`)
        // Without a date of receipt in the XML, the date of issue determines the period.
        expect(canonical.invoice.issue_data.receipt_date).toBe('2026-03-02')
        const documents = await get(company, `/${id}/documents`)
        expect(documents).toMatchObject([
          {
            doc_type: 'xml_facturae',
            file_name: `A-${format}.xml`,
            content_type: 'application/xml',
            metadata: { format },
          },
        ])
        const file = await call('GET', `/received-invoices/${id}/documents/${documents[0].public_id}`, {
          key: company.key,
        })
        expect(file.text).toBe(xml)
        const events = await get(company, `/${id}/events`)
        expect(events.map(({ event_code }: { event_code: string }) => event_code)).toEqual([
          'received',
          'document_added',
        ])
        transition('none -> XML import -> received')
      },
    )

    it('a second import updates the invoice, keeps its date of receipt, and keeps one copy of the same file', async () => {
      const company = await server().company()
      const number = nextRef('X')
      const known = received({ taxId: company.data.tax_id, number })
      known.invoice.issue_data = { ...known.invoice.issue_data, receipt_date: '2026-03-20' }
      const first = await call('PUT', '/received-invoices', { key: company.key, body: known })
      const xml = xmlOf(company, 'ubl_2_1', { number })
      for (let time = 0; time < 2; time++) {
        const again = await post(company, xml, 'ubl_2_1')
        expect([again.status, again.json.id]).toEqual([201, first.json.id])
      }
      const canonical = await get(company, `/${first.json.id}/canonical`)
      expect(canonical.invoice.issue_data.receipt_date).toBe('2026-03-20')
      expect(await get(company, `/${first.json.id}/documents`)).toHaveLength(1)
      await post(company, xml.replace('Compra de prueba', 'Compra'), 'ubl_2_1')
      expect(await get(company, `/${first.json.id}/documents`)).toHaveLength(2)
      expect((await get(company, '')).total).toBe(1)
    })

    it('a repeated key returns the first response, and nothing is done twice', async ({ company }) => {
      const headers = { ...XML, 'Idempotency-Key': randomBytes(8).toString('hex') }
      const xml = xmlOf(company, 'facturae_3_2_2')
      const first = await post(company, xml, 'facturae_3_2_2', headers)
      const again = await post(company, xml, 'facturae_3_2_2', headers)
      expect(again.text).toBe(first.text)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(statusAndCode(await post(company, `${xml}\n`, 'facturae_3_2_2', headers))).toBe(
        '409 idempotency_key_reused',
      )
      expect(await get(company, `/${first.json.id}/events`)).toHaveLength(2)
    })

    it('problems of the request are reported in the order of the checks', async ({ company }) => {
      const xml = xmlOf(company, 'facturae_3_2_2')
      const json = { 'Content-Type': 'application/json' }
      const missing = await call('POST', '/received-invoices/import', {
        key: company.key,
        body: xml,
        headers: XML,
      })
      expect(statusAndCode(missing)).toBe('422 request_validation_error')
      const other = await post(company, xml, 'edifact')
      expect(statusAndCode(other)).toBe('422 unsupported_invoice_source_transform')
      expect(other.json.detail.allowed).toContain('cii_d16b')
      const wrong = await post(company, xml, 'facturae_3_2_2', json)
      expect(statusAndCode(wrong)).toBe('415 unsupported_media_type')
      expect(wrong.json.detail.expected).toBe('application/xml, text/xml')
      const huge = await post(company, new Uint8Array(10 * 1024 * 1024 + 1).fill(32))
      expect(statusAndCode(huge)).toBe('413 payload_too_large')
      expect(huge.json.detail.max_bytes).toBe(10 * 1024 * 1024)
      expect(statusAndCode(await post(company, new Uint8Array()))).toBe('400 empty_body')
      expect(
        (await post(company, xml, 'facturae_3_2_2', { 'Content-Type': 'text/xml; charset=utf-8' })).status,
      ).toBe(201)
      expect((await get(company, '')).total).toBe(1)
    })

    it('a document of another format than declared is refused', async ({ company }) => {
      const answer = await post(company, xmlOf(company, 'ubl_2_1'), 'facturae_3_2_2')
      expect(statusAndCode(answer)).toBe('422 unsupported_invoice_source_transform')
      expect(codesIn(answer.json.detail.errors)).toEqual(['format.different'])
    })

    it('unreadable XML is refused with the position of the error, and nothing is registered', async () => {
      const company = await server().company()
      const xml = xmlOf(company, 'facturae_3_2_2')
      const total = /<InvoiceTotal>[^<]*<\/InvoiceTotal>/
      const cases: readonly (readonly [string | Uint8Array, string])[] = [
        [xml.slice(0, xml.length / 2), 'xml.malformed'],
        [xml.replace(total, ''), 'xml.missing'],
        [`<!DOCTYPE a [<!ENTITY b "${'c'.repeat(100)}">]>${xml.replace(/^<\?xml[^>]*>/, '')}`, 'xml.doctype'],
        ['nonsense', 'xml.malformed'],
        [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml)]), 'xml.encoding'],
      ]
      for (const [body, code] of cases) {
        const answer = await post(company, body)
        expect(statusAndCode(answer), code).toBe('422 invoice_xml_invalid')
        expect(codesIn(answer.json.detail.errors)[0], answer.text.slice(0, 500)).toMatch(
          new RegExp(`^${code.replace('.', '\\.')}`),
        )
      }
      expect((await get(company, '')).total).toBe(0)
    })

    it('if there are more faults than are listed, the response has the first 100 and their number', async () => {
      const company = await server().company()
      const lines = new Array(500).fill({
        item_description: 'Cable',
        quantity: 1,
        unit_price_without_tax: 0.2,
        tax_output_rate: 21,
      })
      // Facturae 3.2 has six decimals in the cost of a line.
      const old = xmlOf(company, 'facturae_3_2_2', { invoice: { lines } })
        .replace(/(?<=xmlns:?\w*=")[^"]*Facturae[^"]*/, 'http://www.facturae.es/Facturae/2009/v3.2/Facturae')
        .replace('<SchemaVersion>3.2.2', '<SchemaVersion>3.2')
        .replace(/<(UnitPriceWithoutTax|TotalCost|GrossAmount)>(\d+\.\d\d)\d*</g, '<$1>$2<')
      const ubl = (count: number) =>
        `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">${'<cbc:ID>1</cbc:ID>'.repeat(count)}</Invoice>`
      for (const [xml, format] of [
        [ubl(120), 'ubl_2_1'],
        [ubl(1001), 'ubl_2_1'],
        [old, 'facturae_3_2'],
      ] as const) {
        const { status, json } = await post(company, xml, format)
        expect([status, json.detail.code]).toEqual([422, 'invoice_xml_invalid'])
        expect(json.detail.errors).toHaveLength(101)
        expect(json.detail.errors.every(Boolean)).toBe(true)
        const { code, extra } = json.detail.errors.at(-1)
        expect([code, extra.shown]).toEqual(['too_many_errors', 100])
        expect(extra.at_least).toBeGreaterThan(100)
      }
    })

    it('the import is strict: wrong totals, an unknown rate or a future date are refused', async () => {
      const company = await server().company()
      const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
      const wrongTotal = xmlOf(company, 'ubl_2_1').replace(/(<[\w:]*PayableAmount[^>]*>)121\.00/, '$1120.00')
      const answer = await post(company, wrongTotal, 'ubl_2_1')
      expect(statusAndCode(answer)).toBe('422 invoice_xml_invalid')
      expect(JSON.stringify(answer.json.detail.errors)).toMatch(/12[01]/)
      const late = xmlOf(company, 'ubl_2_1').replaceAll('2026-03-02', tomorrow)
      expect(statusAndCode(await post(company, late, 'ubl_2_1'))).toBe('422 future_issue_date')
      expect((await get(company, '')).total).toBe(0)
    })

    it('the buyer must be the company, except on simplified invoices', async () => {
      const [company, other] = [await server().company(), await server().company()]
      const foreign = await post(company, xmlOf(other, 'facturae_3_2_2'))
      expect(statusAndCode(foreign)).toBe('422 recipient_tax_id_mismatch')
      const simplified = { header: { invoice_type_code: '02', invoice_number: nextRef('S') } }
      const own = await post(company, xmlOf(other, 'facturae_3_2_2', { invoice: simplified }))
      expect([own.status, own.json.success]).toEqual([201, true])
      const mismatch = { code: 'recipient_tax_id_mismatch', severity: 'warning' }
      expect(own.json.errors).toContainEqual(expect.objectContaining(mismatch))
      // The second import is validated again, because it keeps the date of receipt.
      const again = await post(company, xmlOf(other, 'facturae_3_2_2', { invoice: simplified }))
      expect([again.status, again.json.id]).toEqual([201, own.json.id])
      expect(again.json.errors).toContainEqual(expect.objectContaining(mismatch))
    })

    it('a filed return keeps what it declared', async ({ company }) => {
      const number = nextRef('X')
      const { json } = await post(company, xmlOf(company, 'cii_d16b', { number }), 'cii_d16b')
      await server().transaction((tx) => fileReturn(tx.of(company.id), '2026-Q1', STAMP))
      const lines = [
        { item_description: 'Material', quantity: 2, unit_price_without_tax: 100, tax_output_rate: 21 },
      ]
      const totals = { total_gross_amount_before_taxes: 200, total_tax_outputs: 42, invoice_total: 242 }
      const changed = xmlOf(company, 'cii_d16b', { number, invoice: { lines, totals } })
      expect(statusAndCode(await post(company, changed, 'cii_d16b'))).toBe(
        '409 received_invoice_fiscally_locked',
      )
      expect((await get(company, `/${json.id}`)).total).toBe(121)
      expect(await get(company, `/${json.id}/documents`)).toHaveLength(1)
    })

    it('an invoice in ISO-8859-15 is read in its encoding', async ({ company }) => {
      const xml = xmlOf(company, 'ubl_2_1')
        .replace('Compra de prueba', 'Año de la cigüeña')
        .replace(/^<\?xml[^>]*\?>/, '')
      const bytes = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-15"?>${xml}`, 'latin1')
      const { status, json } = await post(company, bytes, 'ubl_2_1')
      expect(status).toBe(201)
      const { invoice } = await get(company, `/${json.id}/canonical`)
      expect(JSON.stringify(invoice)).toContain('Año de la cigüeña')
    })

    it.skipIf(!existsSync(SAMPLES))('every sample is imported or refused with its reasons', async () => {
      const results: Record<string, number> = {}
      for (const folder of ['facturae', 'ubl', 'cii', 'invalid'])
        for (const name of readdirSync(`${SAMPLES}${folder}`)) {
          const bytes = readFileSync(`${SAMPLES}${folder}/${name}`)
          const reading = readInvoice(bytes)
          const buyer = reading.document?.invoice.customer?.tax_id ?? 'B98765431'
          const person_type_code = /^[A-W]/.test(buyer) ? 'J' : 'F'
          // The buyer of a foreign sample is not this company.
          const { valid, country } = checkTaxId(buyer)
          if (!valid || country !== 'ES') continue
          const company = await server().company({ tax_id: buyer, person_type_code })
          const answer = await post(company, bytes, reading.format ?? 'facturae_3_2_2')
          const code = answer.status === 201 ? 'imported' : String(answer.json.detail.code)
          results[code] = (results[code] ?? 0) + 1
          if (answer.status !== 201) expect(answer.json.detail.errors?.length ?? 1, name).toBeGreaterThan(0)
        }
      console.log(`samples over HTTP: ${JSON.stringify(results)}`)
      expect(results.imported).toBeGreaterThan(15)
    })
  })

  describe('export', () => {
    it.each(FORMATS)('%s is a file that is read back as the same invoice', async (format) => {
      const company = await server().company()
      const { id } = await issued(company.key)
      const answer = await call('GET', `/issued-invoices/${id}/export?format=${format}`, { key: company.key })
      expect(answer.status, answer.text.slice(0, 800)).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
      const { number, total } = await issuedInvoice(company.key, id)
      expect(answer.headers.get('content-disposition')).toContain(`${number}.xml`)
      const reading = readInvoice(answer.text, { format, direction: 'issued' })
      expect(reading.errors.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(reading.document?.invoice.header.invoice_number).toBe(number)
      expect(reading.document?.invoice.totals.invoice_total).toBe(total)
      const again = await call('GET', `/issued-invoices/${id}/export?format=${format}`, { key: company.key })
      const hash = (text: string) => createHash('sha256').update(text).digest('hex')
      expect(hash(again.text)).toBe(hash(answer.text))
    })

    it('a profile is written, or refused with the field that it requires', async ({ company }) => {
      const exported = (id: string, query: string) =>
        call('GET', `/issued-invoices/${id}/export?${query}`, { key: company.key })
      const { id } = await issued(company.key)
      const refused = await exported(id, 'format=ubl_2_1&profile=peppol')
      expect(statusAndCode(refused)).toBe('422 export_not_possible')
      expect(refused.json.detail.errors.map(({ path }: { path: string }) => path)).toEqual([
        '/invoice/header/references/file_reference',
      ])
      const ordered = await issued(
        company.key,
        draft({
          invoice: {
            header: {
              invoice_type_code: '01',
              invoice_series_code: 'F',
              references: { file_reference: 'PO-7' },
            },
          },
        }),
      )
      const written = await exported(ordered.id, 'format=ubl_2_1&profile=peppol')
      expect(written.status, written.text.slice(0, 800)).toBe(200)
      expect(written.text).toContain('urn:fdc:peppol.eu:2017:poacc:billing:01:1.0')
      const other = await exported(id, 'format=ubl_2_1&profile=face')
      expect([statusAndCode(other), other.json.detail.reason]).toEqual(['422 export_not_possible', 'profile'])
      expect(statusAndCode(await exported(id, 'format=ubl_2_1&profile=xrechnung'))).toBe(
        '422 request_validation_error',
      )
    })

    it('Facturae is signed with the certificate of the company on request', async ({ company }) => {
      const { id } = await issued(company.key)
      const signing = (format: string) =>
        call('GET', `/issued-invoices/${id}/export?format=${format}&sign=true`, { key: company.key })
      const early = await signing('facturae_3_2_2')
      expect([statusAndCode(early), early.json.detail.reason]).toEqual([
        '422 export_not_possible',
        'no_certificate',
      ])
      await certify(server(), company.id, { purpose: 'general' })
      const { status, text, headers } = await signing('facturae_3_2_2')
      expect(status, text.slice(0, 800)).toBe(200)
      expect(headers.get('content-disposition')).toContain('.xsig')
      expect((await verifyFacturae(text)).valid).toBe(true)
      expect(readInvoice(text, { direction: 'issued' }).signature).not.toBeNull()
      const other = await signing('ubl_2_1')
      expect([statusAndCode(other), other.json.detail.reason]).toEqual([
        '422 export_not_possible',
        'not_signed',
      ])
    })

    it('only an issued or sent invoice is exported', async ({ company }) => {
      const drafted = await saved(company.key)
      const path = (id: string) => `/issued-invoices/${id}/export?format=ubl_2_1`
      const early = await call('GET', path(drafted), { key: company.key })
      expect(statusAndCode(early)).toBe('409 invalid_status_transition')
      const { id } = await issued(company.key)
      await cancel(company.key, id)
      const late = await call('GET', path(id), { key: company.key })
      expect(statusAndCode(late)).toBe('409 invalid_status_transition')
      expect(late.json.detail.from).toBe('cancelled')
    })

    it('withholding cannot be exported to UBL and CII, but to Facturae', async ({ company }) => {
      const lines = [
        {
          item_description: 'Servicio',
          quantity: 1,
          unit_price_without_tax: 100,
          tax_output_rate: 21,
          tax_withheld_rate: 15,
        },
      ]
      const totals = {
        total_gross_amount_before_taxes: 100,
        total_tax_outputs: 21,
        total_taxes_withheld: 15,
        invoice_total: 121,
      }
      const { id } = await issued(company.key, draft({ invoice: { lines, totals } }))
      const exportTo = (format: string) =>
        call('GET', `/issued-invoices/${id}/export?format=${format}`, { key: company.key })
      for (const format of ['ubl_2_1', 'cii_d16b']) {
        const answer = await exportTo(format)
        expect(statusAndCode(answer)).toBe('422 export_not_possible')
        expect(answer.json.detail.reason).toBe('withholding')
        expect(answer.json.detail.errors[0].message).toContain('withholding')
      }
      expect((await exportTo('facturae_3_2_2')).status).toBe(200)
      expect(statusAndCode(await exportTo('facturae_3_2'))).toBe('422 request_validation_error')
    })
  })
}
