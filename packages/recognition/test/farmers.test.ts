/** Reads receipts of the farmers' regime: the compensation is printed where other invoices print the tax. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { writeInvoice } from '#formats/index.ts'
import { calculated, farmLine } from '#test/farmers.ts'
import { proposeInvoice, reviewReasons, statusOf } from '../src/fields/index.ts'
import { printed } from './print.ts'

const COMPANY = {
  tax_id: 'B12345674',
  legal_name: 'Cítricos Ficticios, S.L.',
  person_type_code: 'J',
  default_tax_group: 'IVA',
} as const

const HEAD = [
  '#Recibo',
  'Cítricos Ficticios, S.L.||Agricultor',
  'NIF: B12345674||Amparo Huerta Inventada',
  '||NIF: 12345678Z',
  'Recibo n.º: R-26-14',
  'Fecha: 10/03/2026',
]

/** A price of 1,000 euros with the compensation. */
const THOUSAND = ['Base||1.000,00 €', 'Compensación 12 %||120,00 €', 'Total||1.120,00 €']

/** Returns the proposal of a receipt with these rows, and what `validate` says of it. */
function read(rows: readonly string[], company: typeof COMPANY | object = {}) {
  const today = '2026-11-22'
  const proposal = proposeInvoice(printed([...HEAD, ...rows]), { company: { ...COMPANY, ...company }, today })
  const { document } = proposal
  const result = validate(document, { operation: 'received', today, totals: 'check' })
  const [status, reasons] = [statusOf(proposal, true), reviewReasons(proposal, true)]
  return { status, reasons, invoice: document.invoice, result }
}

const keysOf = ({ invoice: { lines, taxes_outputs } }: ReturnType<typeof read>) =>
  [...(lines ?? []), ...(taxes_outputs ?? [])].map(({ tax_regime_key }) => tax_regime_key)

/** Returns total, base and amount of the withholding, and amount to pay of the validated proposal. */
function figuresOf({ result }: ReturnType<typeof read>) {
  expect(result.errors.filter(({ severity }) => severity === 'error')).toEqual([])
  const { taxes_withheld: [withheld] = [], totals } = required(result.data).invoice
  const { invoice_total, total_taxes_withheld, total_executable_amount } = totals
  return [invoice_total, withheld?.taxable_base, total_taxes_withheld, total_executable_amount]
}

describe('a printed receipt of a farmer', () => {
  it.each([
    [
      'farming, 12 % and 2 %',
      [...THOUSAND, 'Retención 2 %||-22,40 €', 'Líquido a percibir||1.097,60 €'],
      [1120, 1120, 22.4, 1097.6],
    ],
    [
      'the withholding on the price alone',
      [...THOUSAND, 'Retención 2 %||20,00 €', 'Total a pagar||1.100,00 €'],
      [1120, 1000, 20, 1100],
    ],
    [
      'forestry, 12 % and 2 %',
      [
        'Base||15.286,56 €',
        'Compensación 12 %||1.834,39 €',
        'Total||17.120,95 €',
        'I.R.P.F. 2 %||342,42 €',
        'Líquido a percibir||16.778,53 €',
      ],
      [17_120.95, 17_120.95, 342.42, 16_778.53],
    ],
    [
      'pigs, 10.5 % and 1 %',
      [
        'Base imponible||1.000,00 €',
        'Compensación REAGYP 10,5 %||105,00 €',
        'Total recibo||1.105,00 €',
        'Retención IRPF 1 %||11,05 €',
        'Líquido||1.093,95 €',
      ],
      [1105, 1105, 11.05, 1093.95],
    ],
    [
      'fishing, with the base of the withholding',
      [
        'Importe||333,33 €',
        'Compensación (10,50%)||35,00 €',
        'Total||368,33 €',
        'Base retención||368,33 €',
        'Retención (2,00%)||7,37 €',
        'A percibir||360,96 €',
      ],
      [368.33, 368.33, 7.37, 360.96],
    ],
    [
      'tables, and the name of the regime',
      [
        'Base|%|Compensación|Total',
        '1.000,00|12 %|120,00|1.120,00',
        'Régimen especial de la agricultura, ganadería y pesca',
        'Base IRPF|% IRPF|Retención|Líquido',
        '1.120,00|2 %|22,40|1.097,60',
      ],
      [1120, 1120, 22.4, 1097.6],
    ],
    [
      'two compensations',
      [
        'Base 12 %|1.000,00|Compensación|120,00',
        'Base 10,5 %|1.000,00|Compensación|105,00',
        'Total||2.225,00 €',
        'Retención 2 %||44,50 €',
        'Total a pagar||2.180,50 €',
      ],
      [2225, 2225, 44.5, 2180.5],
    ],
    [
      'a rate of the withholding without its amount',
      [...THOUSAND, 'Retención 2 %', 'Total a pagar||1.097,60 €'],
      [1120, 1120, 22.4, 1097.6],
    ],
    [
      'an amount of the withholding without its rate',
      [...THOUSAND, 'Retención||22,40 €', 'Total a pagar||1.097,60 €'],
      [1120, 1120, 22.4, 1097.6],
    ],
    [
      'a return',
      [
        'Base||-1.000,00 €',
        'Compensación 12 %||-120,00 €',
        'Total||-1.120,00 €',
        'Retención 2 %||22,40 €',
        'Total a pagar||-1.097,60 €',
      ],
      [-1120, -1120, -22.4, -1097.6],
    ],
  ])('is ready with key 02 and its amounts: %s', (_, rows, figures) => {
    const receipt = read(rows)
    expect(receipt.status).toBe('recognized_ready')
    expect(receipt.invoice.header.invoice_number).toBe('R-26-14')
    expect(receipt.invoice.supplier.tax_id).toBe('12345678Z')
    expect(new Set(keysOf(receipt))).toEqual(new Set(['02']))
    expect(figuresOf(receipt)).toEqual(figures)
  })

  it('keeps its lines', () => {
    const receipt = read([
      'Concepto|Cantidad|Precio|Importe',
      'Naranjas navel|1000|0,60|600,00',
      'Naranjas lane|500|0,80|400,00',
      'Base imponible||1.000,00 €',
      'Compensación REAGYP 12 %||120,00 €',
      'Total||1.120,00 €',
      'Retención 2 %||22,40 €',
      'Líquido a percibir||1.097,60 €',
    ])
    expect(receipt.invoice.lines.map((line) => [line.item_description, line.quantity])).toEqual([
      ['Naranjas navel', 1000],
      ['Naranjas lane', 500],
    ])
    expect(figuresOf(receipt)).toEqual([1120, 1120, 22.4, 1097.6])
  })

  it('needs a review if the withholding follows the price and the amount to pay does not', () => {
    const receipt = read([...THOUSAND, 'Retención 2 %||20,00 €', 'Total a pagar||1.097,60 €'])
    expect(receipt.status).toBe('recognized_pending_review')
    expect(receipt.reasons).toContain('total_unexplained')
  })
})

describe('a receipt with an XML without lines', () => {
  const { xml } = writeInvoice(calculated([farmLine(1000, 12)]), 'cii_d16b')
  const lines = /<(\w+:)?IncludedSupplyChainTradeLineItem>.*<\/(\w+:)?IncludedSupplyChainTradeLineItem>/s
  const bytes = new TextEncoder().encode(required(xml).replace(lines, ''))
  const read = (customer: string, tax_id: string = COMPANY.tax_id) => {
    const print = [...HEAD.map((row) => row.replace(COMPANY.tax_id, customer)), 'Total||1.120,00 €']
    const material = { ...printed(print), xml: { name: 'factur-x.xml', bytes } }
    return proposeInvoice(material, { company: { ...COMPANY, tax_id }, today: '2026-11-22' })
  }

  it.each([
    ['another customer than the print', 'A12345674', 'customer_is_other'],
    ['the company as supplier', '12345678Z', 'supplier_is_company'],
  ])('is not ready if the XML names %s', (_, tax_id, reason) => {
    const proposal = read(tax_id, tax_id)
    expect(reviewReasons(proposal, true)).toContain(reason)
    expect(statusOf(proposal, true)).toBe('recognized_pending_review')
  })

  it('has key 02 even if the print does not name the compensation', () => {
    const { document } = read(COMPANY.tax_id)
    expect(document.invoice.taxes_outputs).toMatchObject([
      { tax_rate: 12, taxable_base: 1000, tax_amount: 120, tax_regime_key: '02' },
    ])
  })
})

describe('a document that only mentions a compensation', () => {
  const ELECTRICITY = [
    'Energía||120,00 €',
    'Compensación excedentes||-20,00 €',
    'Descuento 12 %||-12,00 €',
    'Base imponible||88,00 €',
    'IVA 21 %||18,48 €',
    'Total||106,48 €',
  ]

  it('has the tax that it prints, and no key', () => {
    const bill = read(ELECTRICITY)
    expect(keysOf(bill)).toEqual([undefined, undefined])
    expect(figuresOf(bill)).toEqual([106.48, undefined, 0, 106.48])
  })

  it('has no compensation where the company has another tax', () => {
    const receipt = read(THOUSAND, { default_tax_group: 'IGIC' })
    expect(keysOf(receipt)).not.toContain('02')
  })
})
