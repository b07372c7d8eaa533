/** Every golden invoice, written as Facturae and read back. */

import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { figure } from '../figures.ts'
import { GOLDEN, issuedGoldens } from './golden.ts'
import { facturaeSchema } from './reference.ts'

const issued = issuedGoldens()
const written = issued.map((golden) => ({ ...golden, ...writeInvoice(golden.data, 'facturae_3_2_2') }))
const documents = written.flatMap(({ xml, ...golden }) => (xml === null ? [] : [{ ...golden, xml }]))
const schema = facturaeSchema('3_2_2')

/** Returns the totals in the currency of the document. */
function statedTotals({ invoice: { totals, issue_data: issue } }: CanonicalInvoice) {
  const foreign = (issue.invoice_currency?.invoice_currency_code ?? 'EUR') !== 'EUR'
  return { foreign, totals: foreign ? { ...totals, ...totals.invoice_currency } : totals }
}

const TOTALS = [
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'total_taxes_withheld',
  'invoice_total',
  'total_payments_on_account',
  'total_reimbursable_expenses',
  'total_executable_amount',
] as const

describe('golden invoices as Facturae 3.2.2', () => {
  it('are written, or refused with reasons; most are written', () => {
    const refused = written.filter(({ xml }) => xml === null)
    const reasons = new Map<string, number>()
    for (const { errors } of refused) {
      expect(errors.length).toBeGreaterThan(0)
      for (const { code, extra, severity } of errors) {
        expect({ code, severity }).toEqual({ code: 'export_not_possible', severity: 'error' })
        const reason = String(extra?.reason)
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
    }
    figure(
      `${GOLDEN.length} golden invoices as Facturae: calculated ${issued.length}, written ${documents.length}, refused ${refused.length} (${[...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ')})`,
    )
    expect(documents.length).toBeGreaterThan(issued.length / 2)
  })

  it.skipIf(schema === null)('are valid against the official schema', () => {
    const refused = documents.flatMap(({ name, xml }) =>
      required(schema)(xml).map((problem) => `${name}: ${problem}`),
    )
    expect(refused).toEqual([])
  })

  it('with a surcharge on a margin sold at a loss are refused, since the format has no purchase price', () => {
    const refused = written.filter(({ errors }) =>
      errors.some(({ extra }) => extra?.reason === 'margin_loss'),
    )
    expect(refused.map(({ name }) => name)).toContain('margin-loss-and-transport')
  })

  it.each(documents)('$name comes back with the same totals', ({ name, data, xml, operation }) => {
    const { foreign, totals } = statedTotals(data)
    const direction = operation === 'received' || foreign ? 'received' : 'issued'
    const { document, errors } = readInvoice(xml, { direction })
    expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
    const back = required(document).invoice.totals
    for (const member of TOTALS) expect([member, back[member] ?? 0]).toEqual([member, totals[member] ?? 0])
    // A price with tax is not written, so rounding it may leave a cent.
    const withTax = data.invoice.lines.some((line) => line.unit_price_with_tax !== undefined)
    if (!withTax) expect([name, back.rounding_amount ?? 0]).toEqual([name, 0])
  })
})

/** Members that Facturae cannot carry, or changes; `docs/formats.md` has a table of them. */
const LOST: readonly RegExp[] = [
  /^\/meta\//,
  /\/(taxable|exempt|tax_category_code|tax_output_code|tax_withheld_code|tax_type_code)$/,
  /\/header\/(is_simplified|is_corrective|invoice_series_code)$/,
  /\/corrective\/(corrected_taxable_base|corrected_tax_amount|invoice_series_code)$/,
  /\/issue_data\/(is_tai|is_dua|receipt_date|tax_country_code)/,
  /\/(party_country_code|electronic_address|identifiers|legal_name)\b/,
  /\/supplier\/name$|\/customer\/name$/,
  /\/(supplier|customer)\/(country_code|company\/address|person\/address)\b/,
  /\/legal_literals\//,
  /\/issue_data\/invoice_currency\b/,
  /\/lines\/\d+\/(item_type|reverse_charge|exemption_reason_text|tax_regime_key|tax_regime_description)$/,
  /\/lines\/\d+\/(unit_price_with_tax|unit_price_without_tax|total_cost_with_tax|gross_amount_with_tax)$/,
  /\/lines\/\d+\/(tax_output_rate|purchase_price_incl|deduction_rate|non_deductible_reason|discount_rate|charge_rate)$/,
  /\/lines\/\d+\/(legal_literals|invoice_currency|tax_output_base|tax_output_amount|tax_withheld_\w+)\b/,
  /\/lines\/\d+\/(total_cost_without_tax|gross_amount_without_tax|consumption_\w+|supply_type)$/,
  /\/taxes_outputs\/|\/taxes_withheld\//,
  /\/totals\//,
  /\/payment_details\/\d+\/(payment_method_label|installment_amount)$/,
  /\/payment_terms$|\/related_invoice\/(series|issue_date)$|\/invoice_additional_information$/,
]

function* leaves(value: unknown, path = ''): Generator<[string, unknown]> {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* leaves(inner, `${path}/${name}`)
  else yield [path, value]
}

const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)

const addressOf = (party: CanonicalInvoice['invoice']['supplier' | 'customer']) =>
  party?.company?.address ?? party?.person?.address

const mentions = ({ invoice }: CanonicalInvoice): string[] =>
  (invoice.legal_literals ?? []).map(({ legal_reference: text }) => text.trim())

describe('content that Facturae can carry', () => {
  const valid = documents.filter(({ data, isValid }) => isValid && !statedTotals(data).foreign)

  it.each(valid)('$name', ({ data, xml, operation }) => {
    const { document } = readInvoice(xml, { direction: operation === 'received' ? 'received' : 'issued' })
    const back = validate(document, { operation }).data
    const changed = [...leaves(data)]
      // An empty correction has no content.
      .filter(([path]) => data.invoice.header.is_corrective || !path.startsWith('/invoice/header/corrective'))
      .filter(([path]) => !LOST.some((lost) => lost.test(path)))
      .flatMap(([path, value]) => {
        const found = valueAt(back, path)
        return Object.is(found, value) ? [] : [{ path, value, found }]
      })
    expect(changed).toEqual([])
    for (const side of ['supplier', 'customer'] as const) {
      const { address, address_2, ...where } = required(addressOf(data.invoice[side]))
      const found = required(addressOf(required(back).invoice[side]))
      expect(found).toMatchObject(where)
      expect(found.address).toBe([address, address_2].filter(Boolean).join(', '))
    }
    expect(mentions(required(back))).toEqual(expect.arrayContaining(mentions(data)))
  })
})
