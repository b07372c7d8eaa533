/** Special regimes, taxes other than IVA and currencies: written so that they are read back, or refused by name. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { receivedRecord } from '#records/sii/index.ts'
import { invoiceOf, issued, LINE, type Parts } from './invoice.ts'

const FORMATS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const
type Written = (typeof FORMATS)[number]
const XML_OF_EN16931 = ['ubl_2_1', 'cii_d16b'] as const

const { supplier, customer } = invoiceOf().invoice
const RECEIVED = { issue_date: '2026-03-16', receipt_date: '2026-03-17' }

/** Returns a received invoice as the engine calculates it. */
function received(parts: Parts): CanonicalInvoice {
  const document = invoiceOf({ issue_data: RECEIVED, supplier: customer, customer: supplier, ...parts })
  const sent = { ...document, meta: { ...document.meta, direction: 'received' } }
  return required(validate(sent, { operation: 'received' }).data)
}

const reasonsOf = (document: CanonicalInvoice, format: Written) =>
  writeInvoice(document, format).errors.map(({ extra, path }) => `${extra?.reason} ${path}`)

/** Writes an invoice, reads it as the direction says, and validates what was read. */
function roundTrip(document: CanonicalInvoice, format: Written, direction = document.meta.direction) {
  const { xml, errors } = writeInvoice(document, format)
  if (xml === null) throw new Error(errors.map(({ message }) => message).join('\n'))
  const read = readInvoice(xml, { direction: direction })
  const problems = read.errors.filter(({ severity }) => severity === 'error')
  if (read.document === null) throw new Error(problems.map(({ message }) => message).join('\n'))
  const operation = direction === 'received' ? 'received' : 'import'
  return validate(read.document, { operation, totals: 'check' })
}

const USED = {
  ...LINE,
  quantity: 1,
  unit_price_without_tax: 1000,
  tax_regime_key: '03',
  purchase_price_incl: 600,
}
const TRIP = { ...USED, tax_regime_key: '05', item_type: 'service' }
const TRANSPORT = { ...LINE, quantity: 1, unit_price_without_tax: 500 }
const keysOf = ({ data }: ReturnType<typeof roundTrip>) =>
  required(data).invoice.lines.map(({ tax_regime_key: key }) => key)

describe('used goods in Facturae', () => {
  it('beside an ordinary line leave its tax deductible for the customer', () => {
    const back = roundTrip(issued({ lines: [USED, TRANSPORT] }), 'facturae_3_2_2', 'received')
    expect(keysOf(back)).toEqual(['03', '01'])
    const data = required(back.data)
    Object.assign(data.invoice.issue_data, { receipt_date: '2026-03-17' })
    const result = receivedRecord({ ...back, data }, { pro_rata: 100 })
    expect(result.ok && result.record.FacturaRecibida.CuotaDeducible).toBe('105.00')
  })

  it.each([
    ['beside a withheld line', [USED, { ...TRANSPORT, tax_withheld_rate: 15 }], {}],
    ['beside a trip', [USED, TRIP], {}],
    ['with a discount of the document', [USED, TRANSPORT], { general_discounts: [{ discount_amount: 30 }] }],
    ['sold at a loss', [{ ...USED, purchase_price_incl: 1300 }, USED], {}],
  ])('that a company bought keep price, keys and totals: %s', (_, lines, adjustments) => {
    const sent = received({ lines, totals: { ...invoiceOf().invoice.totals, ...adjustments } })
    const { data, errors } = roundTrip(sent, 'facturae_3_2_2')
    expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(data?.invoice.totals.invoice_total).toBe(sent.invoice.totals.invoice_total)
    expect(
      data?.invoice.taxes_outputs?.map(({ tax_regime_key, tax_amount }) => [tax_regime_key, tax_amount]),
    ).toEqual(
      sent.invoice.taxes_outputs?.map(({ tax_regime_key, tax_amount }) => [tax_regime_key, tax_amount]),
    )
  })

  it('whose base does not show which lines they are, are refused', () => {
    const { purchase_price_incl: _, ...unpriced } = USED
    const refused = ['regime_mixed /invoice/lines/1/tax_regime_key']
    expect(reasonsOf(issued({ lines: [USED, unpriced] }), 'facturae_3_2_2')).toEqual(refused)
    expect(reasonsOf(issued({ lines: [unpriced, TRANSPORT] }), 'facturae_3_2_2')).toEqual(refused)
    const entry = { tax_rate: 21, tax_amount: 42, taxable_base: 200 }
    const divided = [
      { ...entry, tax_regime_key: '03' },
      { ...entry, tax_regime_key: '03' },
      { ...entry, tax_amount: 105, taxable_base: 500 },
    ]
    expect(reasonsOf(issued({ lines: [USED, TRANSPORT], taxes_outputs: divided }), 'facturae_3_2_2')).toEqual(
      ['regime_mixed /invoice/taxes_outputs/0/tax_regime_key'],
    )
  })

  it.each(XML_OF_EN16931)('are refused in %s also without a purchase price', (format) => {
    const { purchase_price_incl: _, ...unpriced } = USED
    expect(reasonsOf(issued({ lines: [unpriced] }), format)).toEqual([
      'margin_scheme /invoice/lines/0/tax_regime_key',
    ])
  })
})

describe('the cash basis', () => {
  const CASH = { ...LINE, tax_regime_key: '07' }

  it.each(FORMATS)('is read on all lines to which it applies: %s', (format) => {
    const exempt = { ...CASH, tax_output_rate: undefined, exemption_reason_code: 'E1' }
    expect(keysOf(roundTrip(issued({ lines: [CASH, exempt] }), format))).toEqual(['07', '07'])
  })

  it.each(FORMATS)('beside a line of another regime is refused: %s', (format) => {
    expect(reasonsOf(issued({ lines: [CASH, { ...LINE, tax_regime_key: '18' }] }), format)).toEqual([
      'regime_mixed /invoice/lines/1/tax_regime_key',
    ])
  })
})

describe('IPSI', () => {
  const issue_data = { ...RECEIVED, tax_group_code: 'IPSI' }
  const free = { ...LINE, tax_output_rate: undefined }

  it.each(
    FORMATS.flatMap((format) => [
      [format, 'under reverse charge', { reverse_charge: true }] as const,
      [format, 'not subject', { non_taxable_reason: 'LOCATION_RULES' }] as const,
      ...['E1', 'E2', 'E3', 'E4', 'E5', 'E6'].map(
        (code) => [format, code, { exemption_reason_code: code }] as const,
      ),
    ]),
  )('comes back as IPSI for the same reason: %s, %s', (format, _, members) => {
    const sent = received({ issue_data, lines: [{ ...free, ...members }] })
    const { invoice } = required(roundTrip(sent, format).data)
    expect(invoice.issue_data.tax_group_code).toBe('IPSI')
    const { tax_treatment_code, exemption_reason_code, non_taxable_reason } = required(invoice.lines[0])
    expect(sent.invoice.lines[0]).toMatchObject(
      JSON.parse(JSON.stringify({ tax_treatment_code, exemption_reason_code, non_taxable_reason })),
    )
    expect(invoice.additional_data).toBeUndefined()
  })
})

describe('a receipt of a farmer', () => {
  it.each(FORMATS.flatMap((format) => [12, 10.5].map((rate) => [format, rate] as const)))(
    'comes back with its key and compensation: %s, %d %%',
    (format, rate) => {
      const line = { ...LINE, tax_output_rate: rate, tax_regime_key: '02' }
      const sent = received({ lines: [line] })
      const { data, errors } = roundTrip(sent, format)
      expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(data?.invoice.taxes_outputs?.[0]).toMatchObject({ tax_regime_key: '02', tax_rate: rate })
    },
  )
})

describe('another currency', () => {
  const currency = (code: string, rate: number) => ({
    issue_date: '2026-03-16',
    invoice_currency: { invoice_currency_code: code, exchange_rate: rate, exchange_rate_date: '2026-03-13' },
  })
  const exempt = { ...LINE, quantity: 1, tax_output_rate: undefined, exemption_reason_code: 'E1' }

  it.each(
    FORMATS.flatMap(
      (format) =>
        [
          [format, 'USD', 0.92, 'received', received],
          [format, 'USD', 0.92, 'issued', issued],
          [format, 'JPY', 0.0061, 'received', received],
          [format, 'JPY', 0.0061, 'issued', issued],
        ] as const,
    ),
  )('keeps its rate and its euros beside little tax: %s, %s at %d, %s', (format, code, rate, _, make) => {
    const lines = [
      { ...exempt, unit_price_without_tax: 10_000 },
      { ...LINE, quantity: 1, unit_price_without_tax: 1 },
    ]
    const sent = make({ issue_data: { ...RECEIVED, ...currency(code, rate) }, lines })
    const back = required(roundTrip(sent, format).data).invoice
    expect(back.issue_data.invoice_currency).toEqual(sent.invoice.issue_data.invoice_currency)
    expect(back.totals).toEqual(sent.invoice.totals)
  })

  it.each(FORMATS)('keeps several discounts and their percentages: %s', (format) => {
    const totals = {
      ...invoiceOf().invoice.totals,
      general_discounts: [{ discount_rate: 2 }, { discount_amount: 1.01 }],
    }
    const lines = [{ ...LINE, unit_price_without_tax: 33.37, discount_rate: 7.5 }]
    const sent = received({ issue_data: { ...RECEIVED, ...currency('USD', 0.92) }, lines, totals })
    const back = required(roundTrip(sent, format).data).invoice
    expect(back.totals.total_executable_amount).toBe(sent.invoice.totals.total_executable_amount)
    expect(back.totals.invoice_currency).toEqual(sent.invoice.totals.invoice_currency)
  })

  it('of three decimals is refused in Facturae where its amounts have two', () => {
    const payment_details = [{ installment_due_date: '2026-04-16', payment_method_code: '04' }]
    const lines = [{ ...LINE, quantity: 1, unit_price_without_tax: 11 }]
    expect(
      reasonsOf(issued({ issue_data: currency('KWD', 2.9876), lines, payment_details }), 'facturae_3_2_2'),
    ).toEqual(['currency_decimals /invoice/payment_details/0/installment_amount'])
  })
})
