/**
 * Tests of the QR of an invoice: the official addresses, every fault, and codes that an independent reader (`jsqr`, on
 * pixels drawn by `resvg`) turns back into the address.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import fc from 'fast-check'
import jsqr from 'jsqr'
import { XmlDocument } from 'libxml2-wasm'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { invoiceQr, registrationRecord } from '#records/verifactu/index.ts'
import {
  legendsOf,
  parseQr,
  QR_LEGENDS,
  QrError,
  type QrFault,
  type QrSvgOptions,
  qrMatrix,
  qrSvg,
  qrUrl,
  qrUrlOf,
} from '#records/verifactu/qr/index.ts'
import { percentEncode } from '#records/verifactu/qr/url.ts'
import { figure } from '../../figures.ts'
import { messageOf } from '../../narrow.ts'
import { setTo } from '../../put.ts'
import { sized } from '../../size.ts'
import { tokens } from '../../tokens.ts'
import { type Change, type Loose, OPTIONS, validated } from './invoice.ts'

/** Functions as callers without types use them. */
const untyped: Loose = { qrUrl, invoiceQr, qrUrlOf }

const PRODUCTION = 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR'
const TEST = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR'
const OFFICIAL = { nif: '89890001K', numSerie: '12345678&G33', fecha: '01-01-2024', importe: '241.4' }
const QUERY = 'nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.4'

/** Returns what `call` throws, as `field code`, after checking that the message has an instruction. */
function refusal(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(QrError)
    const { name, field, code, message } = error as QrError
    expect(name).toBe('QrError')
    expect(message).toMatch(/^\S.+[:,].+\.$/s)
    expect(message.length).toBeLessThan(320)
    return `${field} ${code}`
  }
  return 'nothing'
}

const faultsOf = (url: string): readonly QrFault[] => {
  const read = parseQr(url)
  return read.valid ? [] : read.errors
}

/** Returns the faults of an address as `field code authority_code`. */
const faults = (url: string): string[] =>
  faultsOf(url).map(({ field, code, authority_code }) => `${field} ${code} ${authority_code}`)

describe('qrUrl', () => {
  it('gives exactly the official examples', () => {
    expect(qrUrl(OFFICIAL)).toBe(`${PRODUCTION}?${QUERY}`)
    expect(qrUrl({ ...OFFICIAL, numSerie: '12345678-G33', fecha: '01-09-2024', environment: 'test' })).toBe(
      `${TEST}?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.4`,
    )
  })

  it('has the four addresses of the two services and the two modes', () => {
    const address = (environment: 'production' | 'test', verifiable: boolean): string =>
      required(qrUrl({ ...OFFICIAL, environment, verifiable }).split('?')[0])
    expect(address('production', true)).toBe(PRODUCTION)
    expect(address('production', false)).toBe(`${PRODUCTION}NoVerifactu`)
    expect(address('test', true)).toBe(TEST)
    expect(address('test', false)).toBe(`${TEST}NoVerifactu`)
    expect(qrUrl({ ...OFFICIAL, environment: undefined, verifiable: undefined })).toBe(qrUrl(OFFICIAL))
  })

  it.each(
    [
      ...['+%2B', '&%26', '/%2F', ' %20', '!%21', '(%28', ')%29', '*%2A', '%%25', '#%23', '?%3F', '$%24'],
      ...[',%2C', ':%3A', ';%3B', '@%40', '[%5B', '\\%5C', ']%5D', '^%5E', '`%60', '{%7B', '|%7C', '}%7D'],
    ].map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
  )('escapes %j of a number as %s', (character, escaped) => {
    const url = qrUrl({ ...OFFICIAL, numSerie: `A${character}1` })
    expect(url).toBe(`${PRODUCTION}?nif=89890001K&numserie=A${escaped}1&fecha=01-01-2024&importe=241.4`)
  })

  it('escapes every byte but the unreserved characters of RFC 3986, texts beyond ASCII as UTF-8', () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code)
      const plain = /[A-Za-z0-9._~-]/.test(character)
      const escaped = `%${code.toString(16).toUpperCase().padStart(2, '0')}`
      expect(percentEncode(character)).toBe(plain ? character : escaped)
    }
    expect(percentEncode("ñ'€𝄞")).toBe('%C3%B1%27%E2%82%AC%F0%9D%84%9E')
  })

  it.each(['0', '241', '241.4', '241.40', '-241.40', '0.00', '999999999999.99', '-999999999999.9'])(
    'keeps the amount %s as the record has it',
    (importe) => {
      expect(qrUrl({ ...OFFICIAL, importe })).toMatch(new RegExp(`&importe=${importe.replace('.', '\\.')}$`))
    },
  )

  it('accepts every character allowed in a number, up to 60', () => {
    for (let code = 33; code < 127; code++) {
      const character = String.fromCharCode(code)
      const numSerie = `A${character}`
      if (`"'<>=`.includes(character))
        expect(refusal(() => qrUrl({ ...OFFICIAL, numSerie }))).toBe('numSerie character')
      else expect(parseQr(qrUrl({ ...OFFICIAL, numSerie }))).toMatchObject({ valid: true, numSerie })
    }
    expect(qrUrl({ ...OFFICIAL, numSerie: '&'.repeat(60) })).toContain('%26'.repeat(60))
    expect(qrUrl({ ...OFFICIAL, numSerie: 'A  1' })).toContain('A%20%201')
  })

  it.each(
    (
      [
        ['nif', 'empty', ['']],
        ['nif', 'length', ['89890001', 'ES89890001K']],
        ['nif', 'character', ['89890001k', '8989000 K', '89890001Ñ']],
        ['nif', 'type', [undefined, 898900010]],
        ['numSerie', 'empty', ['']],
        ['numSerie', 'length', ['A'.repeat(61)]],
        [
          'numSerie',
          'character',
          ['FACTURA-Ñ1', 'A\u00A01', 'A\n1', 'A\u007F1', 'A"1', "A'1", 'A<1', 'A>1', 'A=1', 'A\uD8001'],
        ],
        ['numSerie', 'blank_ends', [' A1', 'A1 ', ' ']],
        ['numSerie', 'type', [7]],
        ['fecha', 'empty', ['']],
        ['fecha', 'format', ['2024-01-01', '1-1-2024', '01/01/2024', '01-01-2024\n']],
        ['fecha', 'impossible_date', ['29-02-2023', '31-04-2024', '00-01-2024', '01-13-2024', '01-01-0000']],
        ['fecha', 'type', [new Date(0)]],
        ['importe', 'empty', ['']],
        [
          'importe',
          'format',
          ['241,4', '1.000,00', '241.', '.5', '+241.4', '--1', ' 241.4', '241.4\n', '2e3', '٢٤'],
        ],
        ['importe', 'digits', ['1000000000000', '241.400']],
        ['importe', 'type', [241.4, null]],
        ['environment', 'unknown', ['pre', 'constructor', null]],
        ['verifiable', 'type', ['no', null]],
      ] as const
    ).flatMap(([field, code, values]) => values.map((value) => [field, value, code] as const)),
  )('refuses %s %j: %s', (field, value, code) => {
    expect(refusal(() => qrUrl({ ...OFFICIAL, [field]: value }))).toBe(`${field} ${code}`)
  })

  it('states the problem, the field, the reason and the instruction', () => {
    const message = (part: object): string => {
      try {
        return qrUrl({ ...OFFICIAL, ...part })
      } catch (error) {
        return messageOf(error)
      }
    }
    expect(message({ numSerie: 'FACTURA-Ñ1' })).toBe(
      'numSerie (NumSerieFactura of the record, numserie in the QR) is "FACTURA-Ñ1" and has U+00D1 "Ñ" at ' +
        'position 9: only ASCII 32 to 126 without " \' < > = is allowed. Number the invoice without it.',
    )
    expect(message({ importe: 241.4 })).toBe(
      'importe (ImporteTotal of the record, importe in the QR) is 241.4: it must be the literal text of ' +
        'the record.',
    )
    expect(message({ nif: null })).toContain('is null: it must be the literal text')
    expect(message({ nif: {} })).toContain('is an object: it must be the literal text')
    for (const [importe, why] of [
      ['01,5', /an amount has only digits/],
      ['01.5', /no leading zeros/],
      ['-007', /no leading zeros/],
    ] as const)
      expect(message({ importe })).toMatch(why)
    // A text of at most 70 characters is shown whole.
    const long = (length: number) => `${'9'.repeat(length)}`
    expect(message({ importe: long(70) })).toContain(`is "${long(70)}":`)
    expect(message({ importe: long(71) })).toContain(`is "${long(70)}...":`)
    expect(message({ numSerie: 'A\u202E1\u00A0\n' })).toContain(
      'is "A\\u{202E}1\\u{00A0}\\n" and has U+202E at position 2',
    )
    expect(message({ importe: `1\n${'9'.repeat(1e6)}` }).length).toBeLessThan(320)
  })
})

it('throws for anything but an object with the four values', () => {
  for (const nothing of [undefined, null, 'text', 5])
    expect(() => untyped.qrUrl(nothing)).toThrow(/qrUrl needs an object/)
})

describe('invoiceQr', () => {
  const issued = validated()
  const withData = (change: Change) => {
    const data = structuredClone(issued)
    change(data.invoice)
    return data
  }
  const parameters = 'nif=B12345674&numserie=A-7&fecha=15-01-2027&importe=242.00'

  it('has the address, drawing and legends of the record of the invoice', () => {
    const url = `${PRODUCTION}?${parameters}`
    const { record } = registrationRecord(issued, OPTIONS)
    expect(qrUrlOf(required(record).RegistroAlta)).toBe(url)
    expect(invoiceQr(issued)).toEqual({ qr: { url, svg: qrSvg(url), legends: legendsOf(true) }, items: [] })
  })

  it('follows the options of the address and of the drawing', () => {
    const drawing = { size: 30, quietZone: 8, legend: 'short', fontSize: 10 } as const
    const url = `${TEST}NoVerifactu?${parameters}`
    expect(invoiceQr(issued, { environment: 'test', verifiable: false, ...drawing }).qr).toEqual({
      url,
      svg: qrSvg(url, drawing),
      legends: legendsOf(false),
    })
    expect(invoiceQr(issued, { legend: true }).qr?.svg).toContain('Factura verificable')
  })

  it('throws for wrong options', () => {
    expect(() => untyped.invoiceQr(issued, { environment: 'pre' })).toThrow(/environment/)
    expect(() => untyped.invoiceQr(issued, { verificable: true })).toThrow(/verificable/)
    expect(refusal(() => invoiceQr(issued, { size: 29 }))).toBe('size range')
  })

  it.each([
    [
      'without number',
      setTo('header/invoice_number', undefined),
      'record.required',
      '/invoice/header/invoice_number',
    ],
    [
      'without date',
      setTo('issue_data/issue_date', undefined),
      'record.required',
      '/invoice/issue_data/issue_date',
    ],
    [
      'without a Spanish issuer',
      setTo('supplier/tax_id', undefined),
      'record.issuer_nif',
      '/invoice/supplier/tax_id',
    ],
    [
      'whose number has another letter',
      setTo('header/invoice_number', 'FÑ-1'),
      'qr.invoice_number',
      '/invoice/header/invoice_number',
    ],
    [
      'of a trillion euros',
      setTo('totals/invoice_total', 1_000_000_000_000),
      'qr.amount',
      '/invoice/totals/invoice_total',
    ],
  ])('states why an invoice %s has no code, in both languages', (_, change, code, path) => {
    const messages = (['en', 'es'] as const).map((locale) => {
      const { qr, items } = invoiceQr(withData(change), { locale })
      expect([qr, ...items.map((item) => `${item.code} ${item.path}`)]).toEqual([null, `${code} ${path}`])
      expect(items[0]?.message).not.toContain('—')
      return items[0]?.message
    })
    expect(messages[0]).not.toBe(messages[1])
    expect(invoiceQr(withData(change)).items[0]?.message).toBe(messages[0])
  })

  it('does not exist for an invoice with errors', () => {
    expect(invoiceQr({ is_valid: false, errors: [], data: null })).toMatchObject({
      qr: null,
      items: [{ code: 'record.invalid_invoice' }],
    })
  })
})

describe('qrUrlOf', () => {
  const record = {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFactura: OFFICIAL.nif,
      NumSerieFactura: OFFICIAL.numSerie,
      FechaExpedicionFactura: OFFICIAL.fecha,
    },
    ImporteTotal: OFFICIAL.importe,
  }

  it('uses the four texts of the record', () => {
    expect(qrUrlOf(record)).toBe(qrUrl(OFFICIAL))
    expect(qrUrlOf(record, { environment: 'test', verifiable: false })).toBe(`${TEST}NoVerifactu?${QUERY}`)
  })

  it('refuses a record without them', () => {
    const without = (part: object): string => refusal(() => qrUrlOf({ ...record, ...part }))
    expect(without({ IDFactura: undefined })).toBe('nif type')
    expect(without({ IDFactura: { ...record.IDFactura, NumSerieFactura: '' } })).toBe('numSerie empty')
    expect(without({ IDFactura: { ...record.IDFactura, FechaExpedicionFactura: null } })).toBe('fecha type')
    expect(without({ ImporteTotal: 241.4 })).toBe('importe type')
    expect(refusal(() => untyped.qrUrlOf(undefined))).toBe('nif type')
  })
})

describe('parseQr', () => {
  it('reads the official examples of both services and both modes', () => {
    for (const [service, environment] of [[PRODUCTION, 'production'] as const, [TEST, 'test'] as const]) {
      const common = { valid: true, ...OFFICIAL, environment }
      expect(parseQr(`${service}?${QUERY}`)).toEqual({ ...common, verifiable: true })
      expect(parseQr(`${service}NoVerifactu?${QUERY}`)).toEqual({ ...common, verifiable: false })
    }
  })

  it('reads addresses that other programs escape more or less', () => {
    const read = (numserie: string) => parseQr(`${TEST}?${QUERY.replace('12345678%26G33', numserie)}`)
    expect(read('A/1(*)!:@?,;$')).toMatchObject({ valid: true, numSerie: 'A/1(*)!:@?,;$' })
    expect(read('%41%2f1')).toMatchObject({ valid: true, numSerie: 'A/1' })
    expect(parseQr(`HTTPS://PREWWW2.aeat.es${TEST.slice(23)}?${QUERY}`)).toMatchObject({ valid: true })
  })

  it.each([
    ['', 'url format'],
    ['A1', 'url format'],
    ['//prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR', 'url format'],
    ['javascript:alert(1)', 'url format'],
    [` ${TEST}?${QUERY}`, 'url character'],
    [`${TEST}?${QUERY}\n`, 'url character'],
    [`${TEST}?${QUERY.replace('%26', 'Ñ')}`, 'url character'],
    [`${TEST}?${QUERY.replace('%26', ' ')}`, 'url character'],
    [`${TEST}?${QUERY.replace('%26', '<')}`, 'url character'],
    [`https:\\\\prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'url character'],
    [`http${TEST.slice(5)}?${QUERY}`, 'scheme unknown'],
    [`${TEST}?${QUERY}#`, 'fragment not_allowed'],
    [`${TEST}?${QUERY}#top`, 'fragment not_allowed'],
    [`https://www.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'host unknown'],
    [`https://prewww2.aeat.es.evil.es/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'host unknown'],
    [`https://prewww2.aeat.es./wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'host unknown'],
    [`https:///wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'host unknown'],
    [`https://prewww2.aeat.es:443/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'port not_allowed'],
    [`https://prewww2.aeat.es:/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'port not_allowed'],
    [`https://me@prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'credentials not_allowed'],
    [`https://@prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'credentials not_allowed'],
    [`https://me:word@prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?${QUERY}`, 'credentials not_allowed'],
    [`${TEST}/?${QUERY}`, 'path unknown'],
    [`${TEST.replace('ValidarQR', 'validarqr')}?${QUERY}`, 'path unknown'],
    [`${TEST.replace('ValidarQR', '../TIKE-CONT/ValidarQR')}?${QUERY}`, 'path unknown'],
    [`${TEST.replace('ValidarQR', 'Validar%51R')}?${QUERY}`, 'path unknown'],
    [`https://prewww2.aeat.es?${QUERY}`, 'path unknown'],
    // The parameters of another service are not checked.
    [`${TEST}/otro?nif=1&b=2`, 'path unknown'],
    ['https://example.es/wlpl/TIKE-CONT/ValidarQR?nif=1&b=2', 'host unknown'],
  ])('refuses the address %j: %s', (url, expected) => {
    expect(faults(url)).toEqual([`${expected} null`])
  })

  it('refuses a text far longer than any address before parsing it', () => {
    expect(faults(`${TEST}?${QUERY}${'0'.repeat(2000)}`)).toEqual(['url length null'])
    // The longest text that is parsed: it has another fault.
    const address = `${TEST}?${QUERY}`
    expect(faults(address + '0'.repeat(2048 - address.length))).not.toContain('url length null')
    expect(faults(address + '0'.repeat(2049 - address.length))).toEqual(['url length null'])
    expect(faults('%'.repeat(1e7))).toEqual(['url length null'])
  })

  it('finds the host behind credentials, and reports both', () => {
    expect(faults(`https://prewww2.aeat.es@evil.es:8443/x?${QUERY}`)).toEqual([
      'credentials not_allowed null',
      'port not_allowed null',
      'host unknown null',
      'path unknown null',
    ])
  })

  it.each([
    [
      '',
      [
        'nif missing_parameter 1001',
        'numSerie missing_parameter 1002',
        'fecha missing_parameter 1003',
        'importe missing_parameter 1004',
      ],
    ],
    [
      'nif=&numserie&fecha=&importe=',
      ['nif empty 1001', 'numSerie empty 1002', 'fecha empty 1003', 'importe empty 1004'],
    ],
    [QUERY.replace('nif=89890001K&', ''), ['nif missing_parameter 1001']],
    [
      QUERY.replace('numserie', 'NUMSERIE'),
      ['query unknown_parameter null', 'numSerie missing_parameter 1002'],
    ],
    [QUERY.replace('%26', '&'), ['query unknown_parameter null']],
    [`${QUERY}&huella=0`, ['query unknown_parameter null']],
    [`${QUERY}&formato=json`, ['formato program_parameter null']],
    [`${QUERY}&formato=json&idioma=ca`, ['formato program_parameter null', 'idioma program_parameter null']],
    [`${QUERY}&nif=89890001K`, ['nif repeated_parameter null']],
    [`${QUERY}&importe=1&importe=2`, ['importe repeated_parameter null', 'importe repeated_parameter null']],
    [`${QUERY}&`, ['query empty_parameter null']],
    [QUERY.split('&').reverse().join('&'), ['query order null']],
    ['nif=89890001K&fecha=01-01-2024&numserie=A1&importe=241.4', ['query order null']],
    [QUERY.replace('%26', '%zz'), ['numSerie escape null']],
    [QUERY.replace('%26', '%'), ['numSerie escape null']],
    [QUERY.replace('%26', '%F1'), ['numSerie escape null']],
    [QUERY.replace('%26', '%C0%AF'), ['numSerie escape null']],
    [QUERY.replace('%26', '%ED%A0%80'), ['numSerie escape null']],
    // A + is read as a blank.
    [QUERY.replace('%26G33', '+'), ['numSerie blank_ends null']],
    [QUERY.replace('=241.4', '=+241.4'), ['importe format 2005']],
    [QUERY.replace('=241.4', '=0241.4'), ['importe format 2005']],
    [QUERY.replace('89890001K', '8989001K'), ['nif length 2001']],
    [QUERY.replace('89890001K', '89890001k'), ['nif character 2001']],
    [QUERY.replace('%26', '0'.repeat(60)), ['numSerie length 2002']],
    [QUERY.replace('%26', '%C3%91'), ['numSerie character 2003']],
    [QUERY.replace('%26', '%3D'), ['numSerie character 2003']],
    [QUERY.replace('%26', '='), ['numSerie character 2003']],
    [QUERY.replace('%26', '%00'), ['numSerie character 2003']],
    [QUERY.replace('G33', 'G33%20'), ['numSerie blank_ends null']],
    [QUERY.replace('01-01-2024', '2024-01-01'), ['fecha format 2004']],
    [QUERY.replace('01-01-2024', '31-02-2024'), ['fecha impossible_date 2004']],
    [QUERY.replace('241.4', '241,4'), ['importe format 2005']],
    [QUERY.replace('241.4', '241.400'), ['importe digits 2006']],
    [QUERY.replace('241.4', '1234567890123'), ['importe digits 2006']],
  ])('refuses the query %j', (query, expected) => {
    expect(faults(`${TEST}?${query}`)).toEqual(expected)
  })

  it('reports all faults at once', () => {
    const url = `http${TEST.slice(5)}?idioma=es&fecha=2024-01-01&nif=1&numserie=A+1#x`
    expect(faults(url)).toEqual([
      'scheme unknown null',
      'fragment not_allowed null',
      'idioma program_parameter null',
      'query order null',
      'nif length 2001',
      'fecha format 2004',
      'importe missing_parameter 1004',
    ])
    for (const { message } of faultsOf(url)) expect(message).toMatch(/^\S.+[:,].+\.$/)
  })

  it('never throws, and accepts only addresses that qrUrl can write', () => {
    const pieces = fc.constantFrom(
      ...tokens`https http :// prewww2.aeat.es /wlpl/TIKE-CONT/ValidarQR ? & = # @ : nif= numserie= formato=json`,
      ...[TEST, QUERY, '%', '%2', '+', '%F1', '\u0000', '\uD800', '😀', '\\'],
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
      fc.tuple(pieces, fc.nat(QUERY.length)).map(([piece, at]) => {
        const query = `${QUERY.slice(0, at)}${piece}${QUERY.slice(at)}`
        return `${TEST}?${query}`
      }),
    )
    fc.assert(
      fc.property(text, (url) => {
        const read = parseQr(url)
        if (read.valid) expect(parseQr(qrUrl(read))).toEqual(read)
        else expect(read.errors.length).toBeGreaterThan(0)
      }),
      { seed: 20_260_801, numRuns: sized(1000, 3000) },
    )
    for (const value of [undefined, null, 7, {}, Symbol('x')])
      expect(faults(value as string)).toEqual(['url type null'])
  })
})

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index))

const ALLOWED = range(33, 126).filter((character) => !`"'<>=`.includes(character))
const CAPITALS = [...range(48, 57), ...range(65, 90)]

const text = (characters: readonly string[], minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength, size: 'max' })

const digits = (minLength: number, maxLength: number) => text(range(48, 57), minLength, maxLength)

const numSerie = fc
  .oneof(
    fc.tuple(text([...CAPITALS, '-', '/', '.'], 0, 12), digits(1, 10)).map((parts) => parts.join('')),
    text(ALLOWED, 1, 60),
    fc
      .tuple(text(ALLOWED, 1, 1), text([...ALLOWED, ' '], 0, 58), text(ALLOWED, 1, 1))
      .map((parts) => parts.join('')),
  )
  .filter((value) => value.length <= 60)

const fecha = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10).split('-').reverse().join('-'))

const importe = fc
  .tuple(fc.constantFrom('', '', '-'), digits(1, 12), fc.oneof(fc.constant(''), digits(1, 2)))
  .map(([sign, whole, cents]) => `${sign}${whole.replace(/^0+(?=.)/, '')}${cents && `.${cents}`}`)

const invoice = fc.record({
  nif: text(CAPITALS, 9, 9),
  numSerie,
  fecha,
  importe,
  environment: fc.constantFrom('production' as const, 'test' as const),
  verifiable: fc.boolean(),
})

describe('parseQr after qrUrl', () => {
  it('returns any values unchanged', () => {
    fc.assert(
      fc.property(invoice, (values) => {
        const url = qrUrl(values)
        expect(url).toMatch(/^[\w:/.?=&%~-]+$/)
        expect(parseQr(url)).toEqual({ valid: true, ...values })
      }),
      { seed: 20_260_801, numRuns: sized(1500, 5000) },
    )
  })
})

const URL_1 = qrUrl(OFFICIAL)
const LONGEST = qrUrl({
  ...OFFICIAL,
  numSerie: '&'.repeat(60),
  importe: '-999999999999.99',
  verifiable: false,
})

const attributesOf = (svg: string) => {
  const [, width, height, mmWidth, mmHeight] = required(
    /viewBox="0 0 (\d+) (\d+)" width="([\d.]+)mm" height="([\d.]+)mm"/.exec(svg),
  ).map(Number)
  return {
    width: required(width),
    height: required(height),
    mmWidth: required(mmWidth),
    mmHeight: required(mmHeight),
  }
}

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, line = '']) => line)

describe('qrMatrix', () => {
  it('is square, of a size of ISO/IEC 18004, with its three finders', () => {
    for (const url of [URL_1, LONGEST]) {
      const matrix = qrMatrix(url)
      const size = matrix.length
      expect((size - 17) % 4).toBe(0)
      for (const row of matrix) expect(row).toHaveLength(size)
      const ring = [true, true, true, true, true, true, true]
      expect(matrix[0]?.slice(0, 7)).toEqual(ring)
      expect(matrix[0]?.slice(-7)).toEqual(ring)
      expect(matrix[size - 1]?.slice(0, 7)).toEqual(ring)
    }
  })

  it('has error correction M in its format bits even if a stronger one would fit', () => {
    // Bits 14 and 13 of the format information, masked with 10: M is 00 (ISO/IEC 18004, 7.9.1).
    for (let length = 1; length <= 60; length++) {
      const matrix = qrMatrix(qrUrl({ ...OFFICIAL, numSerie: 'A'.repeat(length) }))
      expect(matrix[8]?.slice(0, 2)).toEqual([true, false])
    }
  })

  it('is a new object each time, so that callers cannot change that of another', () => {
    const first = qrMatrix(URL_1)
    required(first[0])[0] = false
    expect(qrMatrix(URL_1)[0]?.[0]).toBe(true)
  })

  it('refuses texts that must not be printed as the QR of an invoice', () => {
    for (const draw of [qrMatrix, qrSvg]) {
      expect(refusal(() => draw(`${URL_1}&formato=json`))).toBe('formato program_parameter')
      expect(refusal(() => draw('https://example.com/'))).toBe('host unknown')
      expect(refusal(() => draw(undefined as never))).toBe('url type')
    }
  })
})

describe('qrSvg', () => {
  it('is 35 mm wide without its quiet zone of 4 modules', () => {
    const modules = qrMatrix(URL_1).length
    const { width, height, mmWidth, mmHeight } = attributesOf(qrSvg(URL_1))
    expect([width, height]).toEqual([modules + 8, modules + 8])
    expect(mmWidth).toBeCloseTo((35 * width) / modules, 3)
    expect(mmHeight).toBe(mmWidth)
  })

  it('draws exactly the dark modules, each once, in one path on white', () => {
    for (const [url, options] of [
      [URL_1, {}],
      [LONGEST, { legend: true, quietZone: 7 }],
    ] as const) {
      const svg = qrSvg(url, options)
      expect(svg.match(/<path /g)).toHaveLength(1)
      expect(svg).toMatch(/<path d="[^"]+" fill="#000" shape-rendering="crispEdges"\/>/)
      const { width, height } = attributesOf(svg)
      expect(svg).toContain(`<rect width="${width}" height="${height}" fill="#fff"/>`)
      const [, path] = required(/<path d="([^"]+)"/.exec(svg))
      const runs = [...required(path).matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)]
      expect(runs.map(([run]) => run).join('')).toBe(path)
      const matrix = qrMatrix(url)
      const left = (width - matrix.length) / 2
      const top = Math.min(...runs.map(([, , y]) => Number(y)))
      const drawn = matrix.map((row) => row.map(() => false))
      for (const [, x, y, length, back] of runs) {
        expect(back).toBe(length)
        for (let i = 0; i < Number(length); i++) {
          const row = required(drawn[Number(y) - top])
          expect(row[Number(x) - left + i]).toBe(false)
          row[Number(x) - left + i] = true
        }
      }
      expect(drawn).toEqual(matrix)
      // The quiet zone is empty on all four sides.
      const least = 'quietZone' in options ? options.quietZone : 4
      expect(left).toBeGreaterThanOrEqual(least)
      expect(top).toBeGreaterThanOrEqual(least)
      expect(height - top - matrix.length).toBeGreaterThanOrEqual(least)
    }
  })

  it('never has a quiet zone under 2 mm, with any number of modules', () => {
    const modules = qrMatrix(LONGEST).length
    const { width, mmWidth } = attributesOf(qrSvg(LONGEST, { size: 30 }))
    expect((4 * 30) / modules).toBeLessThan(2)
    expect((((width - modules) / 2) * mmWidth) / width).toBeGreaterThanOrEqual(2)
    expect((((width - modules) / 2 - 1) * mmWidth) / width).toBeLessThan(2)
  })

  it('draws no legend by default, and on request those of the mode', () => {
    const not = qrUrl({ ...OFFICIAL, verifiable: false })
    expect(textsOf(qrSvg(URL_1))).toEqual([])
    for (const legend of [true, 'long'] as const) {
      const [above, ...below] = textsOf(qrSvg(URL_1, { legend }))
      expect(above).toBe('QR tributario:')
      expect(below.join(' ')).toBe('Factura verificable en la sede electrónica de la AEAT')
    }
    expect(textsOf(qrSvg(URL_1, { legend: 'short' }))).toEqual(['QR tributario:', 'VERI*FACTU'])
    for (const legend of [true, 'long', 'short'] as const)
      expect(textsOf(qrSvg(not, { legend }))).toEqual(['QR tributario:'])
  })

  it('keeps the legends outside the quiet zone and inside the drawing, in letters of the given size', () => {
    for (const fontSize of [6, 8, 10, 12])
      for (const size of [30, 35, 40])
        for (const url of [URL_1, LONGEST]) {
          const svg = qrSvg(url, { legend: true, fontSize, size })
          const { width, height, mmWidth } = attributesOf(svg)
          const modules = qrMatrix(url).length
          const letters = Number(required(/font-size="([\d.]+)"/.exec(svg))[1])
          expect((letters * mmWidth) / width).toBeCloseTo((fontSize * 25.4) / 72, 2)
          const top = Math.min(...[...svg.matchAll(/M\d+ (\d+)h/g)].map(([, y]) => Number(y)))
          const quiet = (width - modules) / 2
          const baselines = [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y))
          for (const [at, y] of baselines.slice(1).entries())
            expect(y - required(baselines[at]), 'lines do not touch').toBeGreaterThan(letters * 1.05)
          for (const [, x, y, line = ''] of svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)">([^<]+)</g)) {
            expect(Number(x)).toBe(width / 2)
            expect(line.length * letters * 0.6).toBeLessThanOrEqual(width)
            const baseline = Number(y)
            const above = baseline + letters * 0.25 <= top - quiet + 0.001
            const below = baseline - letters >= top + modules + quiet - 0.001
            expect(above || below).toBe(true)
            expect(baseline + letters * 0.25).toBeLessThanOrEqual(height + 0.001)
            expect(baseline - letters).toBeGreaterThanOrEqual(-0.001)
          }
        }
  })

  it('breaks a legend only where the next word would not fit', () => {
    for (let size = 30; size <= 40; size += 0.25)
      for (const fontSize of [6, 7, 8, 9, 10, 11, 12]) {
        const svg = qrSvg(URL_1, { legend: true, fontSize, size })
        const modules = qrMatrix(URL_1).length
        const letters = (fontSize * (25.4 / 72)) / (size / modules)
        const most = Math.floor(attributesOf(svg).width / (letters * 0.6))
        const texts = textsOf(svg)
        const below = texts.findIndex((line) => line.startsWith('Factura'))
        const legends = [texts.slice(0, below), texts.slice(below)]
        for (const lines of legends)
          for (const [at, line] of lines.entries()) {
            expect(line.length).toBeLessThanOrEqual(most)
            const [word = ''] = lines[at + 1]?.split(' ') ?? []
            if (word) expect(`${line} ${word}`.length).toBeGreaterThan(most)
          }
        // The drawing ends with the last line: each line has 1.25 times the height of its letters.
        const { width, height } = attributesOf(svg)
        const [head = 0, foot = 0] = legends.map((lines) => Math.ceil(lines.length * letters * 1.25))
        expect(height).toBe(width + head + foot)
      }
  })

  it('has a group of texts only with legends', () => {
    expect(qrSvg(URL_1)).not.toContain('<g')
    expect(qrSvg(URL_1, { legend: true })).toMatch(/<g font-family="[^"]+" font-size="[\d.]+" [^>]*><text /)
  })

  it('is well-formed XML whose title and description match the code', () => {
    const url = qrUrl({ ...OFFICIAL, numSerie: 'A&1;' })
    const svg = qrSvg(url, { legend: true })
    expect(svg).toContain('&amp;numserie=A%261%3B&amp;fecha=')
    expect(svg).not.toMatch(/&(?!amp;)/)
    const document = XmlDocument.fromString(svg)
    const names = { s: 'http://www.w3.org/2000/svg' }
    expect(document.root.name).toBe('svg')
    expect(document.get('/s:svg/s:title', names)?.content).toBe(
      'QR tributario: Factura verificable en la sede electrónica de la AEAT',
    )
    expect(document.get('/s:svg/s:desc', names)?.content).toBe(url)
    document.dispose()
    expect(qrSvg(qrUrl({ ...OFFICIAL, verifiable: false }))).toContain('<title>QR tributario:</title>')
  })

  it.each([
    [{ size: 29.9 }, 'size range'],
    [{ size: 40.1 }, 'size range'],
    [{ size: Number.NaN }, 'size range'],
    [{ size: '35' }, 'size type'],
    [{ quietZone: 3 }, 'quietZone range'],
    [{ quietZone: 4.5 }, 'quietZone range'],
    [{ quietZone: 101 }, 'quietZone range'],
    [{ quietZone: null }, 'quietZone type'],
    [{ fontSize: 5 }, 'fontSize range'],
    [{ fontSize: 13 }, 'fontSize range'],
    [{ legend: 'QR' }, 'legend type'],
  ])('refuses %j', (options, expected) => {
    expect(refusal(() => qrSvg(URL_1, options as QrSvgOptions))).toBe(expected)
  })

  it('accepts the limits of the law', () => {
    for (const size of [30, 40]) {
      const { width, mmWidth } = attributesOf(qrSvg(URL_1, { size }))
      expect((mmWidth * qrMatrix(URL_1).length) / width).toBeCloseTo(size, 2)
    }
  })
})

describe('legends', () => {
  it('match the law', () => {
    expect(legendsOf(true)).toEqual(QR_LEGENDS)
    expect(legendsOf(false)).toEqual({ above: 'QR tributario:', below: null })
  })
})

const ROUND_TRIPS = sized(10, 500)
const PIXELS_PER_MODULE = 4

describe('an independent reader', () => {
  beforeAll(async () => {
    const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
    // Initialised once for the process.
    await initWasm(readFileSync(wasm)).catch((error) => {
      if (!/Already initialized/.test(String(error))) throw error
    })
  })

  /** Returns the text that `jsqr` finds in the drawn SVG. */
  const readBack = (svg: string): string | undefined => {
    const value = attributesOf(svg).width * PIXELS_PER_MODULE
    const drawing = new Resvg(svg, { fitTo: { mode: 'width', value } })
    const image = drawing.render()
    const pixels = new Uint8ClampedArray(image.pixels)
    const code = jsqr(pixels, image.width, image.height, { inversionAttempts: 'dontInvert' })
    image.free()
    drawing.free()
    return code?.data
  }

  it(`reads ${ROUND_TRIPS} random codes as their address, and the address as its values`, () => {
    const options = fc.record({
      size: fc.constantFrom(30, 35, 40),
      quietZone: fc.integer({ min: 4, max: 8 }),
      legend: fc.constantFrom(false, true, 'short' as const),
    })
    let good = 0
    fc.assert(
      fc.property(invoice, options, (values, how) => {
        const url = qrUrl(values)
        expect(qrMatrix(url)[8]?.slice(0, 2)).toEqual([true, false])
        const read = readBack(qrSvg(url, how))
        expect(read).toBe(url)
        expect(parseQr(required(read))).toEqual({ valid: true, ...values })
        good += 1
      }),
      { seed: 20_260_801, numRuns: ROUND_TRIPS },
    )
    figure(`${good} of ${ROUND_TRIPS} codes read back`)
    expect(good).toBe(ROUND_TRIPS)
  }, 60_000)

  it('reads the longest possible address at every size', () => {
    for (const size of [30, 35, 40]) expect(readBack(qrSvg(LONGEST, { size, legend: true }))).toBe(LONGEST)
  })
})
