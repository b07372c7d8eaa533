/**
 * Amounts that do not match because of one mistake of the sender: following the first advice to the letter leads to the
 * total that the sender stated.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, type ValidationItem, validate } from '#engine/index.ts'
import type { Document } from '../conformance/invoices.ts'
import { runs } from '../size.ts'

const WITH_TAX = 'unit_price_with_tax'
const WITHOUT_TAX = 'unit_price_without_tax'

interface Sale {
  readonly price: number
  readonly quantity: number
  readonly rate: number
}

const sales = fc.array(
  fc.record({
    price: fc.integer({ min: 1000, max: 90_000 }).map((cents) => cents / 100),
    quantity: fc.constantFrom(1, 2, 3, 2.5),
    rate: fc.constantFrom(21, 10, 4),
  }),
  { minLength: 1, maxLength: 4 },
)

const KINDS = ['issued', 'received', 'corrective by differences', 'corrective by substitution'] as const
type Kind = (typeof KINDS)[number]

const corrective = (type: 'D' | 'S') => ({
  reason_code: '01',
  invoice_number: 'F-1',
  invoice_issue_date: '2026-02-02',
  correction_type: type,
  ...(type === 'S' ? { corrected_taxable_base: 100, corrected_tax_amount: 21 } : {}),
})

function invoiceOf(kind: Kind, lines: readonly object[], totals: object, rest: object = {}): Document {
  const received = kind === 'received'
  const isCorrective = kind.startsWith('corrective')
  return {
    schema_version: 'json_1_1',
    meta: { direction: received ? 'received' : 'issued', source_system: 'Golden 1.0', external_ref: 'G-1' },
    invoice: {
      supplier: { person_type_code: 'J', tax_id: 'B12345674', name: 'Calderas Ficticias, S.L.' },
      customer: {
        person_type_code: 'J',
        tax_id: 'A23456783',
        name: 'Construcciones Puente Roble, S.A.',
        company: { address: { address: 'Calle del Ejemplo, 3', post_code: '28020', town: 'Madrid' } },
      },
      header: {
        invoice_type_code: isCorrective ? '03' : '01',
        invoice_series_code: 'G',
        ...(received ? { invoice_number: 'T-1' } : {}),
        ...(isCorrective ? { corrective: corrective(kind.endsWith('differences') ? 'D' : 'S') } : {}),
      },
      issue_data: received ? { issue_date: '2026-03-02' } : {},
      lines,
      ...rest,
      totals,
    },
  }
}

const linesOf = (kind: Kind, list: readonly Sale[], field: string, discounts = false) =>
  list.map(({ price, quantity, rate }) => ({
    item_description: 'Caldera',
    quantity: kind === 'corrective by differences' ? -quantity : quantity,
    [field]: price,
    tax_output_rate: rate,
    ...(discounts ? { discount_rate: 10 } : {}),
  }))

const ZERO = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }

const compute = (document: unknown): CanonicalInvoice['invoice'] => required(validate(document).data).invoice

/** What the sender states: the totals, and perhaps the breakdown, the lines' amounts and the amount to be paid. */
const statedBy = ({ totals, taxes_outputs, lines }: CanonicalInvoice['invoice'], all: boolean) => ({
  totals: {
    total_gross_amount_before_taxes: totals.total_gross_amount_before_taxes,
    total_tax_outputs: totals.total_tax_outputs,
    invoice_total: totals.invoice_total,
  },
  rest: all
    ? {
        taxes_outputs: required(taxes_outputs).map(({ tax_rate, taxable_base, tax_amount }) => ({
          tax_rate,
          taxable_base,
          tax_amount,
        })),
        payment_details: [{ installment_amount: totals.invoice_total }],
      }
    : {},
  amounts: lines.map(({ tax_output_base, gross_amount_with_tax }) =>
    all ? { tax_output_base, gross_amount_with_tax } : {},
  ),
})

const isAboutAmounts = ({ code }: ValidationItem): boolean => code.endsWith('_mismatch')

/** Does what the first item about amounts says. */
function follow(document: Document, { extra, path, message }: ValidationItem): unknown {
  const copy = structuredClone(document)
  const { lines, totals } = copy.invoice
  if (extra?.case === 'price') {
    const field = String(extra.price)
    expect(message).toContain(field)
    for (const line of lines) {
      const other = field === WITH_TAX ? WITHOUT_TAX : WITH_TAX
      line[field] = line[other]
      delete line[other]
    }
  } else if (extra?.case === 'twice') {
    delete totals.general_discounts
    delete totals.total_general_discounts
  } else throw new Error(`${path}: ${message}`)
  return copy
}

/** Checks that the first advice leads to the stated totals, which then match. Returns whether there was advice. */
function leadsToTheTotal(document: Document, right: CanonicalInvoice['invoice'], lines: number): boolean {
  const options = { totals: 'check' } as const
  const [first] = validate(document, options).errors.filter(isAboutAmounts)
  if (!first) return false
  const followed = validate(follow(document, first), options)
  expect(followed.errors.filter(isAboutAmounts)).toEqual([])
  const total = required(followed.data).invoice.totals.invoice_total
  expect(Math.abs(total - right.totals.invoice_total)).toBeLessThan(0.01 * Math.max(1, lines) + 0.001)
  return true
}

describe.each(KINDS)('the first advice about amounts, %s,', (kind) => {
  const check = (
    name: string,
    build: (list: readonly Sale[], all: boolean) => [right: CanonicalInvoice['invoice'], wrong: Document],
  ) =>
    it(`leads to the stated total with ${name}`, () => {
      let advised = 0
      fc.assert(
        fc.property(sales, fc.boolean(), (list, all) => {
          const [right, wrong] = build(list, all)
          if (leadsToTheTotal(wrong, right, list.length)) advised++
        }),
        runs(300, 5000),
      )
      expect(advised).toBeGreaterThan(0)
    })
  const withAmounts = (lines: readonly object[], amounts: readonly object[]) =>
    lines.map((line, index) => ({ ...line, ...amounts[index] }))

  check('prices with tax sent as prices without tax', (list, all) => {
    const right = compute(invoiceOf(kind, linesOf(kind, list, WITH_TAX), ZERO))
    const { totals, rest, amounts } = statedBy(right, all)
    const lines = withAmounts(linesOf(kind, list, WITHOUT_TAX), amounts)
    return [right, invoiceOf(kind, lines, totals, rest)]
  })
  check('prices without tax sent as prices with tax', (list, all) => {
    const right = compute(invoiceOf(kind, linesOf(kind, list, WITHOUT_TAX), ZERO))
    const { totals, rest, amounts } = statedBy(right, all)
    const lines = withAmounts(linesOf(kind, list, WITH_TAX), amounts)
    return [right, invoiceOf(kind, lines, totals, rest)]
  })
  check('line discounts repeated in the document', (list, all) => {
    const lines = linesOf(kind, list, WITHOUT_TAX, true)
    const right = compute(invoiceOf(kind, lines, ZERO))
    const { totals, rest } = statedBy(right, all)
    const discount = right.lines.reduce((sum, line) => sum + (line.discount_amount ?? 0), 0)
    const repeated = Math.round(discount * 100) / 100
    const more = all
      ? { general_discounts: [{ discount_reason: 'Descuento', discount_amount: repeated }] }
      : { total_general_discounts: repeated }
    return [right, invoiceOf(kind, lines, { ...totals, ...more }, rest)]
  })
})
