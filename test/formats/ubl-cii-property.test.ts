/** Property tests: any written invoice comes back with the same amounts, and the rules of EN 16931 hold. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { sized } from '../size.ts'
import { fatalRules, missingRules } from './official.ts'

const cents = (min: number, max: number) => fc.integer({ min, max }).map((n) => n / 100)

const treatment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(21, 10, 4).map((rate) => ({ tax_output_rate: rate })) },
  { weight: 1, arbitrary: fc.constant({ reverse_charge: true }) },
  { weight: 1, arbitrary: fc.constant({ exemption_reason_code: 'E1' }) },
  {
    weight: 1,
    arbitrary: fc.constant({ exemption_reason_code: 'E2', exemption_reason_text: 'Exportación' }),
  },
)

const line = (withTax: boolean, sign: 1 | -1) =>
  fc
    .record({
      quantity: fc.integer({ min: 1, max: 90_000 }).map((n) => (sign * n) / 1000),
      price: fc.integer({ min: 0, max: 5_000_000 }).map((n) => n / 10_000),
      treatment: withTax ? fc.constantFrom(21, 10).map((rate) => ({ tax_output_rate: rate })) : treatment,
      unit: fc.constantFrom('01', '03', '12', '36', undefined),
      discount: fc.option(fc.constantFrom(5, 7.5, 33), { nil: undefined }),
      charge: fc.option(cents(1, 500), { nil: undefined }),
      text: fc.constantFrom('Cable', 'Silla & «mesa»', 'Año <nuevo>'),
    })
    .map(({ quantity, price, treatment: tax, unit, discount, charge, text }) => ({
      item_description: text,
      quantity,
      ...(unit === undefined ? {} : { unit_of_measure: unit }),
      ...(withTax ? { unit_price_with_tax: price } : { unit_price_without_tax: price }),
      ...(withTax || discount === undefined ? {} : { discount_rate: discount }),
      ...(withTax || charge === undefined ? {} : { charge_amount: sign * charge }),
      ...tax,
    }))

const party = (tax_id: string, name: string) => ({
  person_type_code: 'J',
  tax_id,
  name,
  company: { address: { address: 'Calle Inventada, 7', post_code: '28013', town: 'Madrid' } },
})

const invoice = fc
  .record({ withTax: fc.boolean(), sign: fc.constantFrom<1 | -1>(1, 1, 1, -1), corrective: fc.boolean() })
  .chain(({ withTax, sign, corrective }) =>
    fc.record({
      lines: fc.array(line(withTax, sign), { minLength: 1, maxLength: 8 }),
      discounts: fc.array(
        fc.record({
          discount_amount: cents(1, 300),
          discount_reason: fc.constantFrom('Pronto pago', 'Rappel'),
        }),
        { maxLength: 2 },
      ),
      surcharges: fc.array(
        fc.record({ charge_amount: cents(1, 300), charge_reason: fc.constant('Portes') }),
        { maxLength: 1 },
      ),
      paid: fc.option(cents(1, 10_000), { nil: undefined }),
      rounding: fc.option(cents(-3, 3), { nil: undefined }),
      corrective: fc.constant(corrective || sign < 0),
      sign: fc.constant(sign),
    }),
  )
  .map(({ lines, discounts, surcharges, paid, rounding, corrective, sign }) => ({
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'Test 1.0', external_ref: 'T-1' },
    invoice: {
      supplier: party('B12345674', 'Calderas Ficticias, S.L.'),
      customer: party('B77777779', 'Estudio Imaginado, S.L.'),
      header: {
        invoice_type_code: corrective ? '03' : '01',
        invoice_series_code: 'T',
        ...(corrective
          ? {
              corrective: {
                reason_code: '16',
                invoice_number: 'T-0',
                invoice_issue_date: '2026-01-02',
                correction_type: 'D',
              },
            }
          : {}),
      },
      issue_data: { operation_date: '2026-03-15' },
      lines,
      totals: {
        total_gross_amount_before_taxes: 0,
        total_tax_outputs: 0,
        invoice_total: 0,
        general_discounts: discounts.map((one) => ({ ...one, discount_amount: sign * one.discount_amount })),
        general_surcharges: surcharges.map((one) => ({ ...one, charge_amount: sign * one.charge_amount })),
        ...(paid === undefined
          ? {}
          : {
              payments_on_account: [
                { payment_on_account_date: '2026-03-16', payment_on_account_amount: paid },
              ],
            }),
        ...(rounding === undefined || rounding === 0 ? {} : { rounding_amount: rounding }),
      },
    },
  }))

/** Calculates a document, with the number and date that a service adds. */
const calculated = (document: unknown) => {
  const data = structuredClone(required(validate(document).data))
  data.invoice.header.invoice_number = 'T-1'
  data.invoice.issue_data.issue_date = '2026-03-16'
  return data
}

const FIGURES = [
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'invoice_total',
  'total_executable_amount',
] as const
type Canonical = ReturnType<typeof calculated>
const figuresOf = ({
  invoice: { totals },
}: {
  invoice: { totals: Partial<Canonical['invoice']['totals']> }
}) => FIGURES.map((name) => totals[name])

/** Returns bases and taxes by treatment and rate. */
const breakdownOf = (document: Canonical) =>
  (document.invoice.taxes_outputs ?? [])
    .map((tax) => `${tax.tax_treatment_code} ${tax.tax_rate} ${tax.taxable_base} ${tax.tax_amount}`)
    .filter((text) => !/ 0 0$/.test(text))
    .sort()

describe('any invoice as UBL or CII and back', () => {
  for (const format of ['ubl_2_1', 'cii_d16b'] as const)
    it(`${format} keeps totals and breakdown, and the engine calculates the same ones`, () => {
      fc.assert(
        fc.property(invoice, (document) => {
          const sent = calculated(document)
          const { xml, errors } = writeInvoice(sent, format)
          expect(errors).toEqual([])
          const read = readInvoice(required(xml))
          expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
          expect(figuresOf(read.document as never)).toEqual(figuresOf(sent))
          const again = validate(read.document, { operation: 'received', totals: 'check' })
          expect(figuresOf(required(again.data))).toEqual(figuresOf(sent))
          expect(breakdownOf(required(again.data))).toEqual(breakdownOf(sent))
          expect(again.data?.invoice.lines.map((one) => one.gross_amount_without_tax)).toEqual(
            sent.invoice.lines.map((one) => one.gross_amount_without_tax),
          )
        }),
        { numRuns: sized(50, 150, 2000) },
      )
    })

  it.skipIf(missingRules)(
    `breaks no rule of EN 16931 fatally${missingRules ? ` (${missingRules})` : ''}`,
    () => {
      fc.assert(
        fc.property(invoice, fc.constantFrom('ubl_2_1' as const, 'cii_d16b' as const), (document, format) => {
          expect(fatalRules(required(writeInvoice(calculated(document), format).xml))).toEqual([])
        }),
        { numRuns: sized(15, 40, 400) },
      )
    },
  )
})
