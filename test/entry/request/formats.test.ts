/** Documents of other formats as JSON in, JSON out. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64 } from '#entry/request/formats/base64.ts'
import { answer, LIMITS } from '#entry/request/formats/index.ts'
import { answer as plainAnswer } from '#entry/request/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import type { Document } from '../../conformance/invoices.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { itInAll, sized } from '../../size.ts'

const ask = (request: unknown): any => JSON.parse(answer(JSON.stringify(request)))
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** An example with number and date. */
function numbered(name: string): Document {
  const path = new URL(`../../../examples/${name}.json`, import.meta.url)
  const document = JSON.parse(readFileSync(path, 'utf8'))
  document.invoice.header.invoice_number = 'WEB-000041'
  document.invoice.issue_data.issue_date = '2026-03-05'
  return document
}

const shop = numbered('02-shop-prices-with-tax')
shop.invoice.lines[0].item_description = 'Cuaderno de señas'

const FORMATS = ['ubl_2_1', 'cii_d16b', 'facturae_3_2_2'] as const
const written = (format: string, options: object = {}) =>
  ask({ op: 'write', document: shop, options: { format, ...options } })
const UBL: string = written('ubl_2_1').xml

describe('read', () => {
  it('is what `readInvoice` gives, of a text and of its bytes', () => {
    const request = (document: unknown, options?: object) =>
      answer(JSON.stringify({ op: 'read', document, ...(options ? { options } : {}) }))
    expect(request(UBL)).toBe(JSON.stringify(readInvoice(UBL)))
    expect(request({ base64: base64(Buffer.from(UBL)) })).toBe(JSON.stringify(readInvoice(UBL)))
    const options = { direction: 'issued', locale: 'es', format: 'ubl_2_1' } as const
    expect(request(UBL, options)).toBe(JSON.stringify(readInvoice(UBL, options)))
    expect(JSON.parse(request(UBL)).document.invoice.header.invoice_number).toBe('WEB-000041')
  })

  it('takes bytes in the encoding that they declare', () => {
    const text = UBL.replace('UTF-8', 'ISO-8859-1')
    expect(text).toContain('ISO-8859-1')
    const { document } = ask({ op: 'read', document: { base64: base64(Buffer.from(text, 'latin1')) } })
    expect(document.invoice.lines[0].item_description).toBe('Cuaderno de señas')
    // The same bytes without the declaration are not UTF-8.
    const wrong = ask({ op: 'read', document: { base64: base64(Buffer.from(UBL, 'latin1')) } })
    expect(wrong).toMatchObject({ document: null, errors: [{ code: 'xml.encoding' }] })
  })

  it('refuses a document that is neither a string nor bytes, and reports invalid base64', () => {
    for (const document of [3, [], {}, null, { base64: 3 }, { base64: '', more: 1 }])
      expect(ask({ op: 'read', document }).detail).toMatchObject({ code: 'request_validation_error' })
    expect(ask({ op: 'read', document: { base64: 'PGE+é' } }).detail).toMatchObject({ position: 5 })
    expect(ask({ op: 'read', document: ['a'], options: { locale: 'es' } }).detail.message).toBe(
      'document es una lista. Envíe el XML como texto, o sus bytes como {"base64": "..."}.',
    )
    expect(ask({ op: 'read' }).detail.message).toContain('Send the XML as a string')
  })

  it('refuses invalid options by name', () => {
    for (const options of [{ format: 'pdf' }, { direction: 'up' }, { company: {} }, { locale: 'fr' }])
      expect(ask({ op: 'read', document: UBL, options }).detail.code, JSON.stringify(options)).toBe(
        'request_validation_error',
      )
  })

  itInAll('accepts a document of 10 MB in base64, and refuses larger ones', () => {
    const large = new Uint8Array(10 * 1024 * 1024 + 1).fill(32)
    expect(ask({ op: 'read', document: { base64: base64(large) } }).errors[0].code).toBe('format.too_large')
    expect(ask({ op: 'read', document: ' '.repeat(LIMITS.maxBytes) }).detail.code).toBe('payload_too_large')
  })
})

describe('write', () => {
  it('is what `writeInvoice` gives, of every invoice', () => {
    for (const { name, invoice } of goldenInvoices().slice(0, sized(15, 40)))
      for (const format of FORMATS)
        expect(answer(JSON.stringify({ op: 'write', document: invoice, options: { format } })), name).toBe(
          JSON.stringify(writeInvoice(invoice, format)),
        )
  })

  it('reads back what it wrote', () => {
    for (const format of ['ubl_2_1', 'cii_d16b']) {
      const { xml, errors } = written(format, { indent: 2 })
      expect(errors).toEqual([])
      expect(xml).toContain('\n  ')
      expect(ask({ op: 'read', document: xml }).document.invoice.totals.invoice_total).toBe(48.87)
    }
  })

  it('reports why a format cannot hold an invoice', () => {
    const { xml, errors } = ask({
      op: 'write',
      document: numbered('01-services-irpf'),
      options: { format: 'ubl_2_1', locale: 'es' },
    })
    expect(xml).toBeNull()
    expect(new Set(errors.map((item: { code: string }) => item.code))).toEqual(
      new Set(['export_not_possible']),
    )
    expect(errors.map((item: { extra: { reason: string } }) => item.extra.reason)).toContain('withholding')
  })

  it('recalculates a document that claims to be calculated', () => {
    const said = { schema_version: 'json_1_1', invoice: { header: { is_simplified: true } } }
    for (const format of FORMATS)
      expect(ask({ op: 'write', document: said, options: { format } }).errors[0].extra.reason).toBe(
        'not_calculated',
      )
    const { data } = ask({ op: 'validate', document: shop, options: { operation: 'import' } })
    const again = (document: unknown) => ask({ op: 'write', document, options: { format: 'ubl_2_1' } })
    expect(again(data).xml).toBe(UBL)
    data.invoice.totals.invoice_total = 1
    expect(again(data).errors[0].extra.reason).toBe('sums')
  })

  it('refuses invalid options by name', () => {
    const reasons = (options: object) => ask({ op: 'write', document: shop, options }).detail.reason
    expect(reasons({})).toContain('the format is null')
    expect(reasons({ format: 'pdf' })).toContain('"pdf"')
    expect(reasons({ format: 'ubl_2_1', indent: 9 })).toContain('"indent" is 9')
    expect(reasons({ format: 'ubl_2_1', attachments: [{ file_name: 'a' }] })).toContain('"attachments"')
    expect(reasons({ format: 'ubl_2_1', today: '2026-01-01' })).toContain('today')
  })
})

describe('answer of the formats', () => {
  it('equals that of the engine for every other operation', () => {
    for (const request of [
      { op: 'validate', document: shop },
      { op: 'catalog', document: 'units' },
      { op: 'verify_chain', document: 3 },
      { op: 'validate' },
      [],
    ])
      expect(answer(JSON.stringify(request))).toBe(plainAnswer(JSON.stringify(request)))
    expect(ask({ op: 'melt', document: 1 }).detail.allowed).toEqual(expect.arrayContaining(['read', 'write']))
    expect(JSON.parse(plainAnswer('{"op":"read","document":"<a/>"}')).detail.allowed).not.toContain('read')
  })

  it('exists for any request', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('read', 'write'),
        fc.oneof(fc.jsonValue(), fc.string(), fc.record({ base64: fc.string() })),
        fc.oneof(
          fc.constant(undefined),
          fc.jsonValue(),
          fc.record({ format: fc.constantFrom(...FORMATS, 'facturae_3_2') }),
        ),
        (op, document, options) => {
          const { detail, errors } = ask({ op, document, options })
          expect(detail ? detail.code !== 'internal_error' : Array.isArray(errors)).toBe(true)
        },
      ),
    )
  })
})

describe('base64', () => {
  it('gives back any bytes, padded or not, on one line or several', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), fc.boolean(), (bytes, padded, lines) => {
        const plain = base64(bytes)
        const cut = padded ? plain : plain.replace(/=+$/, '')
        expect(decodeBase64(lines ? cut.replace(/(.{8})/g, '$1\r\n') : cut).bytes).toEqual(bytes)
      }),
    )
  })

  it.each(['A', 'AAAAA', 'A=', 'AAA==', 'AA=A', '=', 'AA-_'])('refuses %j', (text) => {
    expect(decodeBase64(text).bytes).toBeNull()
  })
})
