/**
 * Round trips from canonical to XML to canonical: everything that UBL and CII can carry comes back; a table lists the
 * rest.
 */

import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { goldenInvoices, taxOf } from '../engine/golden-invoices.ts'
import { figure } from '../figures.ts'
import { sized } from '../size.ts'

/**
 * What EN 16931 has no term for (pointers without indexes), and what happens to it. Anything else comes back unchanged.
 */
const NOT_CARRIED: readonly (readonly [pattern: RegExp, why: string, only?: (invoice: any) => boolean])[] = [
  [/^\/issue_data\/tax_(country|currency)_code$/, 'the tax is that of the supplier’s country'],
  [
    /^\/(issue_data\/tax_group_code|lines\/tax_output_code)$/,
    'category O does not name the tax',
    ({ lines }) =>
      lines.every((line: { tax_treatment_code?: string }) => line.tax_treatment_code === 'NON_TAXABLE'),
  ],
  [/^\/header\/(invoice_series_code|is_)/, 'the number is whole; the series has no term'],
  [/^\/header\/corrective\/(tax_period|corrected_|invoice_series_code)/, 'written in a note'],
  [
    /\/(tax_regime_key|tax_regime_description)$/,
    'keys are of the tax records; only the cash basis has a mention',
  ],
  [/^\/(taxes_withheld\/|lines\/tax_withheld_)/, 'of 0 %; any other is refused'],
  [/^\/header\/corrective\/invoice_(number|issue_date)$/, 'without a correction, in the related invoice'],
  [/^\/additional_data\/related_invoice\//, 'in a note, if there is a corrected invoice'],
  [/^\/lines\/(item_type|deduction_rate|non_deductible_reason)$/, 'only for the books of one party'],
  [/^\/issue_data\/(receipt_date|is_dua|is_tai)$/, 'of the books of one side'],
  [/^\/(supplier|customer)\/person\/(first_name|first_surname|second_surname)$/, 'one name for a party'],
  [
    /^\/(supplier|customer)\/(person_type_code|party_country_code|company\/legal_name)$/,
    'one name, one country',
  ],
  [
    /^\/(supplier|customer)\/(person|company)\/address\//,
    'one address, of person or company; compared below',
  ],
  [
    /^\/(supplier|customer)\/identifiers\//,
    'identifiers keep value and ISO 6523 scheme; roles are those of EN 16931',
  ],
  [
    /^\/customer\/(country_code|administrative_centres)/,
    'the country is that of the address; centres go into a note',
  ],
  [
    /^\/lines\/(unit_price_with_tax|total_cost_with|gross_amount_with_tax|tax_output_amount)/,
    'prices are without tax',
  ],
  [/^\/lines\/unit_price_without_tax$/, 'positive: the quantity carries the sign'],
  [/^\/lines\/quantity$/, 'carries the sign of a negative price'],
  [/^\/lines\/(discount|charge)_(rate|amount)$/, 'one of nothing is not written; a rate needs its base'],
  [
    /^\/lines\/(tax_output_rate|reverse_charge|exemption_reason_text)$/,
    'for untaxed lines, stated once in the breakdown',
  ],
  [
    /^\/lines\/(transaction_date|references\/|legal_literals\/|additional_line_item_information)/,
    'written in the note of the line',
  ],
  [/^\/taxes_outputs\//, 'entries of one category and rate are merged; compared below'],
  [/^\/legal_literals\/(code|legal_reference)$/, 'notes; the code only of the cash basis'],
  [/^\/payment_details\//, 'one date and one means; several instalments go into the terms'],
  [/^\/payment_terms$/, 'with the list of instalments'],
  [/^\/totals\/payments_on_account\//, 'one sum; dates and texts go into a note'],
  [
    /^\/totals\/total_tax_outputs$/,
    'a stated total that contradicts its breakdown by a cent: the sum of the breakdown (BR-CO-14)',
    (invoice) => invoice.totals.total_tax_outputs !== taxOf(invoice),
  ],
  [/^\/totals\/(reimbursable_expenses|general_discounts|general_surcharges)\//, 'compared below'],
  [/^\/issue_data\/invoice_currency\/invoice_currency_code$/, 'EUR is the currency where none is named'],
  [/^\/issue_data\/invoice_currency\//, 'calculated from the tax in both currencies'],
]

const isListed = (path: string, invoice: unknown): boolean =>
  NOT_CARRIED.some(([pattern, , only]) => pattern.test(path) && (only?.(invoice) ?? true))

/** Returns the leaves of a document by pointer without indexes; each pointer has a list. */
function leaves(value: unknown, at = '', found = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      leaves(member, /^\d+$/.test(name) ? at : `${at}/${name}`, found)
  else if (value !== undefined && value !== '') {
    const text = typeof value === 'string' ? value.trim() : value
    found.set(at, [...(found.get(at) ?? []), text])
  }
  return found
}

const groupsOf = (
  taxes: readonly {
    tax_treatment_code?: string
    tax_rate: number
    exemption_reason_code?: string
    taxable_base: number
    tax_amount: number
  }[],
) => {
  const found = new Map<string, number[]>()
  for (const tax of taxes) {
    const key = `${tax.tax_treatment_code} ${tax.tax_rate} ${tax.exemption_reason_code ?? ''}`
    const sums = found.get(key) ?? [0, 0]
    found.set(key, [
      required(sums[0]) + Math.round(tax.taxable_base * 100),
      required(sums[1]) + Math.round(tax.tax_amount * 100),
    ])
  }
  return [...found].filter(([, sums]) => sums.some((sum) => sum !== 0)).sort()
}

/** Adds an exchange rate if the document did not carry one; only the conversion to euros depends on it. */
const withRate = (document: any, issue: any) => {
  const { invoice_currency: currency } = document.invoice.issue_data
  if (!currency) return document
  const { exchange_rate, exchange_rate_date } = issue.invoice_currency
  Object.assign(currency, { exchange_rate, exchange_rate_date })
  return document
}

/** Prices with tax are converted: the base of a line whose group is split may differ by a cent. */
const isWithinCent = (after: readonly unknown[] = [], before: readonly unknown[]): boolean =>
  after.length === before.length &&
  before.every((base, at) => Math.round(Math.abs(Number(base) - Number(after[at])) * 100) <= 1)

/** A VAT number has its prefix in the document (BR-CO-09), also where the invoice has none. */
const isPrefixed = (after: readonly unknown[] = [], before: readonly unknown[]): boolean =>
  before.every((id, at) => new RegExp(`^(?:[A-Z]{2})?${id}$`).test(String(after[at])))

describe('golden invoices through XML and back', () => {
  for (const format of ['ubl_2_1', 'cii_d16b'] as const)
    it(`${format} keeps everything outside of the table`, () => {
      const lost: string[] = []
      let compared = 0
      for (const [index, { name, invoice }] of [...goldenInvoices()].entries()) {
        if (index % sized(6, 1) !== 0) continue
        const { xml } = writeInvoice(invoice, format)
        if (xml === null) continue
        const sent: any = invoice.invoice
        const document = withRate(readInvoice(xml).document, sent.issue_data)
        const back: any = validate(document, { operation: 'received', totals: 'check' }).data?.invoice
        if (!back) {
          lost.push(`${name}: not calculated`)
          continue
        }
        compared++
        if (sent.issue_data.invoice_currency && sent.totals.invoice_currency) {
          // Amounts in euros follow from the rate; the document states its own currency.
          expect(back.totals.invoice_currency, name).toEqual(sent.totals.invoice_currency)
          continue
        }
        const after = leaves(back)
        for (const [path, values] of leaves(sent))
          if (
            !isListed(path, sent) &&
            !(path === '/lines/tax_output_base' && isWithinCent(after.get(path), values)) &&
            !(path === '/customer/tax_id' && isPrefixed(after.get(path), values)) &&
            JSON.stringify(after.get(path)) !== JSON.stringify(values)
          )
            lost.push(`${name} ${path}: ${JSON.stringify(values)} -> ${JSON.stringify(after.get(path))}`)
        expect(back.totals.total_tax_outputs, name).toBe(taxOf(back))
        expect(groupsOf(back.taxes_outputs ?? []), name).toEqual(groupsOf(sent.taxes_outputs ?? []))
        for (const sum of [
          'total_general_discounts',
          'total_general_surcharges',
          'total_payments_on_account',
        ])
          expect(back.totals[sum] ?? 0, `${name} ${sum}`).toBe(sent.totals[sum] ?? 0)
      }
      figure(`${compared} golden invoices as ${format} and back, ${lost.length} values lost`)
      expect(lost).toEqual([])
    })

  it('the table lists only members that some invoice loses', () => {
    const all = new Set(goldenInvoices().flatMap(({ invoice }) => [...leaves(invoice.invoice).keys()]))
    const idle = NOT_CARRIED.filter(([pattern]) => ![...all].some((path) => pattern.test(path)))
    expect(idle.map(([pattern]) => pattern.source)).toEqual([])
  })
})
