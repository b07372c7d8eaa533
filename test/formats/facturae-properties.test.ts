/** Property tests of Facturae: any invoice is written valid, and comes back the same when read. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { isValidText } from '#core/invoice/characters.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { runs } from '../size.ts'
import { changed, facturae, invoiceOf } from './invoice.ts'
import { facturaeSchema } from './reference.ts'

const schema = facturaeSchema('3_2_2')
const cents = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 100)
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((value) => `A${value}z`)
  .filter((value) => isValidText('line', value))
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const treatment = fc.oneof(
  fc.constantFrom(21, 10, 4, 0).map((tax_output_rate) => ({ tax_output_rate })),
  fc
    .constantFrom('E1', 'E2', 'E3', 'E4', 'E5', 'E6')
    .map((exemption_reason_code) => ({ tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code })),
  fc
    .constantFrom('LOCATION_RULES', 'ARTICLES_7_14_OTHER')
    .map((non_taxable_reason) => ({ tax_treatment_code: 'NON_TAXABLE', non_taxable_reason })),
  fc.constant({ tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }),
)

const line = fc
  .tuple(
    treatment,
    fc.record(
      {
        item_description: text,
        quantity: fc.integer({ min: -9999, max: 9999 }).map((value) => (value || 1) / 100),
        unit_price_without_tax: fc.integer({ min: 0, max: 10_000_000 }).map((value) => value / 10_000),
        discount_amount: cents(1, 999),
        charge_amount: cents(1, 999),
        tax_withheld_rate: fc.constantFrom(15, 7, 19),
        unit_of_measure: fc.constantFrom('01', '02', '36'),
        article_code: fc.constantFrom('A-1', 'B-2'),
        additional_line_item_information: fc.constant('Según presupuesto'),
        transaction_date: fc.constant('2026-03-10'),
      },
      { requiredKeys: ['item_description', 'quantity', 'unit_price_without_tax'] },
    ),
  )
  .map(([taxed, rest]) => ({ ...taxed, ...rest }))

const document = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    discounts: maybe(fc.array(cents(1, 999), { minLength: 1, maxLength: 2 })),
    surcharges: maybe(fc.array(cents(1, 999), { minLength: 1, maxLength: 2 })),
    paid: maybe(cents(1, 999)),
    expenses: maybe(cents(1, 999)),
    literals: maybe(fc.array(text, { maxLength: 3 })),
  })
  .map(({ lines, discounts, surcharges, paid, expenses, literals }) =>
    JSON.parse(
      JSON.stringify(
        invoiceOf({
          lines,
          totals: {
            ...invoiceOf().invoice.totals,
            general_discounts: discounts?.map((discount_amount) => ({ discount_amount })),
            general_surcharges: surcharges?.map((charge_amount) => ({ charge_amount })),
            payments_on_account: paid && [
              { payment_on_account_date: '2026-01-02', payment_on_account_amount: paid },
            ],
            reimbursable_expenses: expenses && [{ reimbursable_expenses_amount: expenses }],
          },
          legal_literals: literals?.map((legal_reference) => ({ legal_reference })),
        }),
      ),
    ),
  )

const LINE_MEMBERS = [
  ...['item_description', 'quantity', 'unit_price_without_tax', 'discount_amount', 'charge_amount'],
  ...['total_cost_without_tax', 'gross_amount_without_tax', 'tax_treatment_code'],
  ...['exemption_reason_code', 'non_taxable_reason', 'tax_output_rate', 'tax_withheld_rate'],
  ...['unit_of_measure', 'article_code', 'transaction_date'],
] as const

/** Returns the members of lines that must come back. */
const kept = ({ invoice }: CanonicalInvoice) =>
  invoice.lines.map((each) =>
    Object.fromEntries(
      LINE_MEMBERS.map((member) => [
        member,
        // Lines without tax come back without rate.
        member === 'tax_output_rate' && each.tax_treatment_code !== 'TAXABLE_NON_EXEMPT'
          ? undefined
          : member === 'item_description'
            ? each.item_description.trim()
            : each[member],
      ]),
    ),
  )

describe('any invoice', () => {
  it('is valid against the official schema, and comes back with its lines and totals', () => {
    fc.assert(
      fc.property(document, (sent) => {
        const data = required(validate(sent, { operation: 'import' }).data)
        const { xml, errors } = writeInvoice(data, 'facturae_3_2_2')
        expect(errors).toEqual([])
        if (schema) expect(schema(required(xml))).toEqual([])
        const read = readInvoice(required(xml), { direction: 'issued' })
        expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
        const back = required(validate(read.document, { operation: 'import', totals: 'check' }).data)
        expect(kept(back)).toEqual(kept(data))
        expect(back.invoice.totals).toMatchObject(
          JSON.parse(
            JSON.stringify({
              ...data.invoice.totals,
              general_discounts: undefined,
              general_surcharges: undefined,
            }),
          ),
        )
      }),
      { ...runs(100, 5_000), endOnFailure: true },
    )
  })
})

describe('any text', () => {
  const whole = facturae()

  it('returns a result and never throws, if cut, duplicated or changed anywhere', () => {
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.nat(40),
        fc.oneof(fc.string(), fc.constantFrom('<', '</', '&x;', '<!DOCTYPE a>', '0', '-', '1e400', 'NaN')),
        (at, length, inserted) => {
          const xml = whole.slice(0, at) + inserted + whole.slice(at + length)
          const { document: made, errors } = readInvoice(xml)
          expect(made === null).toBe(errors.some(({ severity }) => severity === 'error'))
        },
      ),
      { ...runs(400, 20_000), endOnFailure: true },
    )
  })

  it.each(['NaN', 'INF', '-INF', '1E400'])('returns a result for a quantity of %s', (quantity) => {
    const xml = changed(whole, ['<Quantity>3</Quantity>', `<Quantity>${quantity}</Quantity>`])
    expect(readInvoice(xml).document).toBeNull()
  })
})
