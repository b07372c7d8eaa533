/** Lines: required fields, price mode, units, and line amounts computed by the client. */
import { unitCodes, unitOf } from '#core/catalogs/index.ts'
import type { Line } from '#core/invoice/index.ts'
import { LINE_AMOUNTS, TAXED } from '#core/invoice/terms.ts'
import { toMinor } from '#core/money/index.ts'
import { COMPARED_TOTALS, MISMATCH_CASES, mistakeOf } from './likely-mistakes.ts'
import { documentRule, linePathsOf, lineRule, WITHHOLDING_LAW } from './rule.ts'

/** The law that requires each field. RD 1619/2012: art. 6 applies to full invoices, art. 7 to simplified invoices. */
const REQUIRED_BY: Readonly<Record<string, string>> = {
  external_ref: 'API specification, "meta"',
  invoice_series_code: 'arts. 6.1.a and 7.1.a RD 1619/2012',
  invoice_number: 'arts. 6.1.a and 7.1.a RD 1619/2012',
  issue_date: 'arts. 6.1.b and 7.1.b RD 1619/2012',
  tax_id: 'arts. 6.1.d and 7.1.d RD 1619/2012',
  tax_output_rate: 'arts. 6.1.g and 7.1.f RD 1619/2012',
}

/**
 * Lists in `totals`, with the amount field and the rate field of their entries. An entry without either counts as 0.
 */
const ENTRIES = [
  ['general_discounts', 'discount_amount', 'discount_rate'],
  ['general_surcharges', 'charge_amount', 'charge_rate'],
  ['reimbursable_expenses', 'reimbursable_expenses_amount', ''],
] as const

const priceMode = (line: Line): string =>
  line.unit_price_with_tax === undefined ? 'unit_price_without_tax' : 'unit_price_with_tax'

const ADJUSTMENTS = ['discount_rate', 'discount_amount', 'charge_rate', 'charge_amount'] as const

export const LINE_RULES = [
  documentRule({
    code: 'missing_required_field',
    law: 'API specification, "Canonical invoice"; arts. 6.1 and 7.1 RD 1619/2012',
    lawOf: ({ missing }) => REQUIRED_BY[String(missing)],
    reads: [
      '/meta/external_ref',
      '/invoice/header/invoice_series_code',
      '/invoice/header/invoice_number',
      '/invoice/issue_data/issue_date',
      '/invoice/supplier/tax_id',
      ...linePathsOf('tax_output_rate', 'tax_treatment_code'),
      ...ENTRIES.map(([list]) => `/invoice/totals/${list}`),
    ],
    en: ['{field} is missing.', 'Send {field}.'],
    es: ['Falta {field}.', 'Envíe {field}.'],
    cases: {
      rate: {
        en: 'A taxable line must state its rate, even if it is 0: {field} is missing.',
        es: 'Una línea sujeta y no exenta debe indicar su tipo, aunque sea 0: falta {field}.',
      },
    },
    caseOf: ({ missing }) => (missing === 'tax_output_rate' ? 'rate' : undefined),
    perBlock: true,
    check({ invoice, issued, sent }, fail) {
      // A received invoice is identified by supplier, number and year.
      if (!issued && invoice.supplier.tax_id === undefined)
        fail('/invoice/supplier/tax_id', { missing: 'tax_id' })
      invoice.lines.forEach((line, index) => {
        if (line.tax_output_rate === undefined && line.tax_treatment_code === TAXED)
          fail(`/invoice/lines/${index}/tax_output_rate`, { missing: 'tax_output_rate' })
      })
      for (const [list, missing, rate] of ENTRIES)
        sent.totals[list]?.forEach((entry: object, index) => {
          const members: Readonly<Record<string, unknown>> = { ...entry }
          if ((members[missing] ?? members[rate]) === undefined)
            fail(`/invoice/totals/${list}/${index}/${missing}`, { missing }, 'warning')
        })
    },
  }),
  documentRule({
    code: 'line_price_mode_mixed',
    law: 'API specification, "lines[]"',
    reads: ['/invoice/lines/*/unit_price_without_tax', '/invoice/lines/*/unit_price_with_tax'],
    en: [
      'This line has {received}, but the first line has {expected}.',
      'Send all prices of the invoice with tax, or all without tax.',
    ],
    es: [
      'Esta línea lleva {received}, pero la primera lleva {expected}.',
      'Envíe todos los precios de la factura con impuesto, o todos sin él.',
    ],
    check({ invoice: { lines }, uses }, fail) {
      if (!uses.withTax || !uses.withoutTax) return
      const expected = priceMode(lines[0]!)
      lines.forEach((line, index) => {
        const received = priceMode(line)
        if (received !== expected) fail(`/invoice/lines/${index}/${received}`, { expected, received })
      })
    },
  }),
  lineRule({
    code: 'invalid_unit_of_measure',
    law: 'API specification, "lines[]"; Facturae 3.2.2 UnitOfMeasureType',
    reads: ['/invoice/lines/*/unit_of_measure'],
    en: [
      'Unit {received} is not in the catalog.',
      'Send a code from the catalog units, 01 to 36 (01 units, 05 other).',
    ],
    es: [
      'La unidad {received} no está en el catálogo.',
      'Envíe un código del catálogo units, de 01 a 36 (01 unidades, 05 otras).',
    ],
    needs: ['units'],
    check(line, _context, fail) {
      const received = line.unit_of_measure
      if (received !== undefined && unitOf(received) === undefined)
        fail('unit_of_measure', { received, allowed: unitCodes() })
    },
  }),
  lineRule({
    code: 'line_adjustment_with_tax_included_price',
    origin: 'cuadra',
    law: 'API specification, "lines[]"',
    reads: linePathsOf(...ADJUSTMENTS, 'unit_price_with_tax'),
    en: [
      '{field} is not allowed on a line whose price includes tax.',
      'Change unit_price_with_tax instead, or send prices without tax.',
    ],
    es: [
      '{field} no se admite en una línea cuyo precio incluye el impuesto.',
      'Ajuste unit_price_with_tax o envíe precios sin impuesto.',
    ],
    applies: ({ uses }) => uses.adjustments && uses.withTax,
    check(line, { sent }, fail, index) {
      if (line.unit_price_with_tax === undefined) return
      for (const name of ADJUSTMENTS) {
        const received = sent.lines[index]?.[name]
        if (received !== undefined) fail(name, { received })
      }
    },
  }),
  lineRule({
    code: 'line_amount_mismatch',
    origin: 'cuadra',
    law: 'art. 6.1.f-h RD 1619/2012',
    lawOf: (_extra, path) => (path.includes('/tax_withheld_') ? WITHHOLDING_LAW : undefined),
    reads: [...LINE_AMOUNTS.map((name) => `/invoice/lines/*/${name}`), ...COMPARED_TOTALS],
    en: [
      '{field} is {received}, but the line gives {expected}.',
      'Correct it, or omit it to have it computed.',
    ],
    es: [
      '{field} es {received}, pero de los datos de la línea resulta {expected}.',
      'Corríjalo, u omítalo para que se calcule.',
    ],
    cases: MISMATCH_CASES,
    needs: ['lineAmounts'],
    check(_line, context, fail, index) {
      const { sent, stated } = context
      const original = sent.lines[index]
      const computed = stated.invoice.lines[index]
      for (const name of LINE_AMOUNTS) {
        const received = original?.[name]
        // `consumption_tax_amount_mismatch` checks this field.
        if (received === undefined || name === 'consumption_tax_amount') continue
        const expected = computed?.[name] ?? 0
        if (received === expected) continue
        const { decimals } = stated.calculation
        if (Math.abs(toMinor(received, decimals) - toMinor(expected, decimals)) > 1)
          fail(name, { expected, received, ...mistakeOf(context) })
      }
    },
  }),
]
