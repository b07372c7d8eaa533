/** Behaviour shared by both systems: the same faults are refused in the same way. */

import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import {
  issuedRecord,
  readSii,
  receivedRecord,
  XML_CODES as SII_XML_CODES,
  type SiiResult,
  statusOf,
} from '#records/sii/index.ts'
import {
  invoiceQr,
  readVerifactu,
  registrationRecord,
  storedState,
  XML_CODES,
} from '#records/verifactu/index.ts'
import { setAll } from '../../put.ts'
import { BASE, type Change, type Loose, OPTIONS, validated } from '../verifactu/invoice.ts'

type Items = readonly { readonly code: string; readonly path: string }[]

/** Refusals without the beginning that each system gives its codes. */
const bare = (items: Items): string[] =>
  items.map(({ code, path }) => `${code.replace(/^(?:record|sii)\./, '')} ${path}`)

const corrective = (type: 'S' | 'D', change: Change = () => {}) =>
  validated((invoice) => {
    change(invoice)
    Object.assign(invoice.header, {
      invoice_type_code: '03',
      corrective: {
        reason_code: '01',
        correction_type: type,
        invoice_number: ' A-5 ',
        invoice_issue_date: '2027-01-04',
        ...(type === 'S' ? { corrected_taxable_base: 100, corrected_tax_amount: 21 } : {}),
      },
    })
  })

/** Returns the items of the VeriFactu record and of the SII record of one invoice, with options that both have. */
const both = (invoice: unknown, options: object): [string[], string[]] => {
  const verifactu = registrationRecord(invoice as never, { ...OPTIONS, ...options })
  const sii = issuedRecord(invoice as never, options)
  return [bare(verifactu.ok ? [] : verifactu.items), bare(sii.ok ? [] : sii.items)]
}

describe('options', () => {
  it.each([
    ['no number', [{ invoice_number: ' ', issue_date: '2027-01-02' }], ['0/invoice_number']],
    ['a day in another form', [{ invoice_number: 'A-1', issue_date: '02-01-2027' }], ['0/issue_date']],
    ['nothing', [null], ['0/invoice_number', '0/issue_date']],
    [
      'a text, after a right one',
      [{ invoice_number: 'A-1', issue_date: '2027-01-02' }, 'A-2'],
      ['1/invoice_number', '1/issue_date'],
    ],
  ])('a reference that is %s is an item', (_, list, places) => {
    for (const [option, invoice] of [
      ['corrects', corrective('D')],
      ['replaces', validated()],
    ] as const) {
      const expected = places.map((place) => `reference /${option}/${place}`)
      expect(both(invoice, { [option]: list })).toEqual([expected, expected])
    }
  })

  it('a reference to the invoice itself is an item, and so is a replaced invoice of a later day', () => {
    const own = { invoice_number: ' A-1 ', issue_date: '2027-01-15' }
    const later = { invoice_number: 'A-9', issue_date: '2027-01-16' }
    const near = [
      { ...own, issue_date: '2026-01-15' },
      { ...own, invoice_number: 'A-0' },
    ]
    const invoice = (corrects: boolean) =>
      corrects ? corrective('D', named) : validated((block) => named(block))
    const named = setAll({ 'header/invoice_number': 'A-1', 'issue_data/issue_date': '2027-01-15' })
    for (const [option, list, found] of [
      ['corrects', [near[0], own], ['reference_not_earlier /corrects/1']],
      ['corrects', near, []],
      ['replaces', [own, later], ['reference_not_earlier /replaces/0', 'reference_not_earlier /replaces/1']],
      ['replaces', near, []],
    ] as const)
      expect(both(invoice(option === 'corrects'), { [option]: list })).toEqual([found, found])
  })

  it('an invoice that is named several times is in the record once', () => {
    const again = { invoice_number: 'A-5', issue_date: '2027-01-04' }
    const other = { invoice_number: 'A-6', issue_date: '2027-01-04' }
    const [named, replaced] = [
      [corrective('D'), { corrects: [again, other, again] }],
      [validated(), { replaces: [again, other, again] }],
    ].map(([invoice, options]: Loose[]) => {
      const alta = registrationRecord(invoice, { ...OPTIONS, ...options })
      const sii = issuedRecord(invoice, options)
      if (!alta.ok || !sii.ok) throw new Error('refused')
      const { FacturasRectificadas, FacturasSustituidas } = alta.record.RegistroAlta
      const { FacturasRectificadas: corrected, FacturasAgrupadas } = sii.record.FacturaExpedida
      return [
        (FacturasRectificadas?.IDFacturaRectificada ?? FacturasSustituidas?.IDFacturaSustituida)?.map(
          (one) => one.NumSerieFactura,
        ),
        (corrected?.IDFacturaRectificada ?? FacturasAgrupadas?.IDFacturaAgrupada)?.map(
          (one) => one.NumSerieFacturaEmisor,
        ),
      ]
    })
    expect(named).toEqual([
      ['A-5', 'A-6'],
      ['A-5', 'A-6'],
    ])
    expect(replaced).toEqual(named)
  })

  it('an option that would be ignored is an item', () => {
    const list = [{ invoice_number: 'T-1', issue_date: '2027-01-02' }]
    for (const [invoice, options, option] of [
      [validated(), { corrects: list }, 'corrects'],
      [corrective('D'), { replaces: list }, 'replaces'],
      [corrective('D'), { corrected_surcharge_amount: 1 }, 'corrected_surcharge_amount'],
      [validated(), { corrected_surcharge_amount: 1 }, 'corrected_surcharge_amount'],
    ] as const)
      expect(both(invoice, options)).toEqual([[`option /${option}`], [`option /${option}`]])
  })

  it('a programming error throws and names the option', () => {
    const calls = [
      (options: object) => registrationRecord(validated(), { ...OPTIONS, ...options }),
      (options: object) => issuedRecord(validated(), options),
    ]
    for (const call of calls)
      for (const [options, messageText] of [
        [{ corects: [] }, /has no "corects"/],
        [{ corrects: {} }, /"corrects" of .* pass an array/],
        [{ corrects: [{ number: 'A-1' }] }, /corrects\[0\] has no "number"/],
        [
          { corrected_surcharge_amount: Number.NaN },
          /"corrected_surcharge_amount" of .* is NaN; pass a number/,
        ],
        [{ without_recipient: 'yes' }, /"without_recipient" of .* pass true or false/],
        [{ locale: 'fr' }, /"locale" of .* is "fr"; pass one of en, es/],
      ] as const)
        expect(() => call(options)).toThrow(messageText)
    for (const read of [readVerifactu, readSii]) {
      expect(() => read(7 as never)).toThrow(/the XML is 7; pass a string/)
      expect(() => read('<a/>', { locale: 'fr' } as never)).toThrow(/"locale" of options is "fr"/)
      expect(() => read('<a/>', { lang: 'es' } as never)).toThrow(/has no "lang"/)
    }
  })
})

describe('corrections', () => {
  it('identify the same invoices, and state the correction type with the same codes', () => {
    const options = {
      corrects: [{ invoice_number: ' A-6', issue_date: '2027-01-05' }],
      corrected_surcharge_amount: 5.2,
    }
    const verifactu = registrationRecord(corrective('S'), { ...OPTIONS, ...options })
    const sii = issuedRecord(corrective('S'), options)
    if (!verifactu.ok || !sii.ok) throw new Error('refused')
    const { RegistroAlta: alta } = verifactu.record
    const { FacturaExpedida: factura } = sii.record
    expect(alta.FacturasRectificadas?.IDFacturaRectificada).toEqual([
      { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-5', FechaExpedicionFactura: '04-01-2027' },
      { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-6', FechaExpedicionFactura: '05-01-2027' },
    ])
    expect(factura.FacturasRectificadas?.IDFacturaRectificada).toEqual([
      { NumSerieFacturaEmisor: 'A-5', FechaExpedicionFacturaEmisor: '04-01-2027' },
      { NumSerieFacturaEmisor: 'A-6', FechaExpedicionFacturaEmisor: '05-01-2027' },
    ])
    expect(alta.ImporteRectificacion).toEqual({
      BaseRectificada: '100.00',
      CuotaRectificada: '21.00',
      CuotaRecargoRectificado: '5.20',
    })
    expect([factura.TipoRectificativa, factura.ImporteRectificacion]).toEqual([
      alta.TipoRectificativa,
      alta.ImporteRectificacion,
    ])
  })

  it('by substitution with surcharge warn if the surcharge of the corrected invoice is missing', () => {
    const withSurcharge = setAll({
      customer: { person_type_code: 'F', tax_id: '12345678Z', name: 'Ana Pérez' },
      taxes_outputs: [{ tax_rate: 21, taxable_base: 200, tax_amount: 42, equivalence_surcharge: 5.2 }],
      'totals/total_tax_outputs': 52.4,
      'totals/invoice_total': 252.4,
    })
    const surcharged = corrective('S', withSurcharge)
    const warned = (invoice: CanonicalInvoice, options = {}) =>
      [
        registrationRecord(invoice, { ...OPTIONS, ...options }),
        issuedRecord(invoice, options),
        // In the book of the customer.
        receivedRecord({ ...invoice, meta: { ...invoice.meta, direction: 'received' } }, options),
      ].map(({ ok, items }) => [ok, ...(items as Items).map(({ code, path }) => `${code} ${path}`)])
    const path = '/corrected_surcharge_amount'
    expect(warned(surcharged)).toEqual([
      [true, `record.corrected_surcharge ${path}`],
      [true, `sii.corrected_surcharge ${path}`],
      [true, `sii.corrected_surcharge ${path}`],
    ])
    const silent = [[true], [true], [true]]
    for (const corrected_surcharge_amount of [10.4, 0])
      expect(warned(surcharged, { corrected_surcharge_amount })).toEqual(silent)
    expect(warned(corrective('S'))).toEqual(silent)
    expect(warned(corrective('D', withSurcharge))).toEqual(silent)
    const [item] = registrationRecord(surcharged, { ...OPTIONS, locale: 'es' }).items
    expect(item).toMatchObject({
      severity: 'warning',
      message:
        'La factura rectifica por sustitución y lleva recargo de equivalencia, pero falta corrected_surcharge_amount: ImporteRectificacion queda sin CuotaRecargoRectificado. Pase la opción corrected_surcharge_amount con la cuota de recargo de la factura rectificada, o con 0 si no llevaba recargo. (art. 15 RD 1619/2012)',
    })
  })
})

describe('documents', () => {
  const right = validated()
  const wrong: Loose = structuredClone(BASE)
  wrong.invoice.lines[0].tax_output_rate = 22

  it('may be the result of validate or its data', () => {
    const answer = validate(BASE, { operation: 'import' })
    expect(answer.is_valid).toBe(true)
    expect(issuedRecord(answer)).toEqual(issuedRecord(required(answer.data)))
    expect(registrationRecord(answer, OPTIONS)).toEqual(registrationRecord(required(answer.data), OPTIONS))
  })

  it('with errors are refused', () => {
    const answer = validate(wrong, { operation: 'import' })
    expect(answer.is_valid).toBe(false)
    const made: readonly (SiiResult<unknown> | { readonly items: Items })[] = [
      registrationRecord(answer, OPTIONS),
      invoiceQr(answer),
      issuedRecord(answer),
      receivedRecord(answer),
    ]
    for (const { items } of made) expect(bare(items)).toEqual(['invalid_invoice '])
  })

  it('that do not come from the engine are refused, with what they lack', () => {
    const amounts = ['tax_rate', 'taxable_base', 'tax_amount'].map((name) => `taxes_outputs/0/${name}`)
    const totals = ['invoice_total', 'total_tax_outputs', 'total_gross_amount_before_taxes'].map(
      (name) => `totals/${name}`,
    )
    const blocks = ['totals', 'taxes_outputs', 'lines', 'header', 'issue_data', 'supplier']
    for (const part of [...blocks, 'supplier/name', 'customer/name', ...amounts, ...totals]) {
      const half: Loose = structuredClone(right)
      const names = part.split('/')
      const last = required(names.pop())
      delete names.reduce((node, name) => node[name], half.invoice)[last]
      const expected = [`not_normalised /invoice/${part}`]
      expect(both(half, {})).toEqual([expected, expected])
    }
    for (const nothing of [null, undefined, 'x', {}, { invoice: {} }])
      expect(both(nothing, {})).toEqual([
        ['not_normalised /invoice/totals'],
        ['not_normalised /invoice/totals'],
      ])
  })
})

describe('responses', () => {
  it('have the same states in every spelling', () => {
    for (const [literals, state] of [
      [['Correcto', 'Correcta', ' correcto '], 'accepted'],
      [['AceptadoConErrores', 'AceptadaConErrores'], 'accepted_with_errors'],
      [['Incorrecto', 'Incorrecta'], 'rejected'],
      [['', 'otra', 'constructor', 'ParcialmenteCorrecto'], 'unknown'],
    ] as const)
      for (const literal of literals)
        expect([storedState(literal), statusOf(literal)]).toEqual([state, state])
    for (const literal of ['Anulado', 'Anulada'])
      expect([storedState(literal), statusOf(literal)]).toEqual(['cancelled', 'deleted'])
  })

  it.each([
    ['a tag closed by another', '<a></b>', 'xml.malformed'],
    ['a cut document', '<a', 'xml.malformed'],
    ['nothing', '', 'xml.malformed'],
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'xml.doctype'],
    ['another encoding', '<?xml version="1.0" encoding="latin1"?><a/>', 'xml.encoding'],
    ['a page of a proxy', '<html><body>503 Service Unavailable</body></html>', 'xml.no_record'],
    ['500 levels', '<a>'.repeat(500), 'xml.limit'],
  ])('%s has the same code in both', (_, xml, code) => {
    for (const read of [readVerifactu, readSii]) {
      const { ok, items } = read(xml)
      expect(ok).toBe(false)
      expect(items).toMatchObject([{ source: 'schema', code, severity: 'error', extra: { line: 1 } }])
      const [spanish] = read(xml, { locale: 'es' }).items
      expect(required(spanish).message).not.toMatch(/\b(?:the|is|not|of|unexpected|tag|must|element|deep)\b/i)
    }
  })

  it('have the same messages, except for the name of the system', () => {
    for (const [kind, { code, en, es }] of Object.entries(XML_CODES)) {
      const counterpart = SII_XML_CODES[kind as keyof typeof SII_XML_CODES]
      expect(counterpart.code).toBe(code)
      if (kind === 'no_record')
        expect([en.includes('VeriFactu'), counterpart.en.includes('SII')]).toEqual([true, true])
      else expect([counterpart.en, counterpart.es]).toEqual([en, es])
    }
  })
})
