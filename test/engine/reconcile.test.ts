/** Every amount sent, next to the computed one: which rows there are, and which differences matter. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ReconciliationRow, reconcile } from '#engine/index.ts'
import type { Document } from '../conformance/invoices.ts'

const golden = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../cases/${name}/input.json`, import.meta.url), 'utf8'))

/** Rows as `path sent computed difference`, with `!` where that is more than the tolerance. */
const rowsOf = (rows: readonly ReconciliationRow[]): string[] =>
  rows.map(
    ({ path, sent, computed, difference, within_tolerance: within }) =>
      `${path} ${sent} ${computed} ${difference}${within ? '' : ' !'}`,
  )

describe('reconcile', () => {
  it('a document that the schema refuses has no rows', () => {
    expect(reconcile({ schema_version: 'json_1_1' })).toEqual([])
  })

  it('reconciles an invoice of another system that is a cent or two off everywhere', () => {
    const document = golden('check-import-cents-kept')
    expect(rowsOf(reconcile(document, { operation: 'import', totals: 'check' }))).toEqual([
      '/invoice/lines/0/total_cost_without_tax 100 100.01 -0.01',
      '/invoice/lines/0/gross_amount_without_tax 100 100.01 -0.01',
      '/invoice/lines/0/total_cost_with_tax 121.01 121.01 0',
      '/invoice/lines/0/gross_amount_with_tax 121.01 121.01 0',
      '/invoice/lines/0/tax_output_base 100 100.01 -0.01',
      '/invoice/lines/0/tax_output_amount 21.01 21 0.01',
      '/invoice/lines/0/tax_withheld_base 100 100.01 -0.01',
      '/invoice/lines/0/tax_withheld_amount 15.01 15 0.01',
      '/invoice/taxes_outputs/0/taxable_base 149.99 150.01 -0.02',
      '/invoice/taxes_outputs/0/tax_amount 31.51 31.5 0.01',
      '/invoice/taxes_outputs/0/equivalence_surcharge_amount 7.79 7.8 -0.01',
      '/invoice/taxes_withheld/0/taxable_base 100 100.01 -0.01',
      '/invoice/taxes_withheld/0/tax_amount 15.01 15 0.01',
      '/invoice/totals/total_gross_amount 149.99 150.01 -0.02',
      '/invoice/totals/total_gross_amount_before_taxes 149.99 150.01 -0.02',
      '/invoice/totals/total_tax_outputs 39.3 39.3 0',
      '/invoice/totals/invoice_total 189.29 189.31 -0.02',
      '/invoice/totals/total_taxes_withheld 15.01 15 0.01',
      '/invoice/totals/total_executable_amount 174.29 174.31 -0.02',
    ])
  })

  it('tolerates a cent per line, and one cent on a line itself', () => {
    const document = golden('check-import-cents-kept')
    const { lines, taxes_outputs, taxes_withheld, totals } = document.invoice
    lines[0].tax_output_base = 99.99
    taxes_outputs[0].taxable_base = 149.98
    taxes_withheld[0].taxable_base = 99.99
    totals.invoice_total = 189.34
    totals.total_tax_outputs = 39.28
    const outside = rowsOf(reconcile(document, { operation: 'import' })).filter((row) => row.endsWith('!'))
    expect(outside).toEqual([
      '/invoice/lines/0/tax_output_base 99.99 100.01 -0.02 !',
      '/invoice/taxes_outputs/0/taxable_base 149.98 150.01 -0.03 !',
      '/invoice/taxes_withheld/0/taxable_base 99.99 100.01 -0.02 !',
      '/invoice/totals/invoice_total 189.34 189.31 0.03 !',
    ])
  })

  it('matches entries by tax key and amount, and compares unmatched entries with nothing', () => {
    const document = golden('withholding-some-lines')
    const half = { quantity: 1, unit_price_without_tax: 50, tax_output_rate: 10, tax_withheld_rate: 7 }
    const whole = { quantity: 1, unit_price_without_tax: 100, tax_output_rate: 21, tax_withheld_rate: 15 }
    const lines = [whole, half, half]
    document.invoice.lines = lines.map((line, at) => ({ item_description: 'ABC'[at], ...line }))
    document.invoice.taxes_outputs = [
      { tax_rate: 10, taxable_base: 100.02, tax_amount: 10 },
      { tax_rate: 4, taxable_base: 0.02, tax_amount: 0.01 },
      { tax_rate: 21, taxable_base: 100, tax_amount: 21.02 },
    ]
    document.invoice.taxes_withheld = [
      { tax_rate: 7, taxable_base: 100.02, tax_amount: 7.03 },
      { tax_rate: 19, taxable_base: 0.02, tax_amount: 0.01 },
      { tax_rate: 15, taxable_base: 100.01, tax_amount: 15.02 },
    ]
    const sums = { total_gross_amount_before_taxes: 200, total_tax_outputs: 31, invoice_total: 231 }
    document.invoice.totals = sums
    expect(rowsOf(reconcile(document))).toEqual([
      '/invoice/taxes_outputs/0/taxable_base 100.02 100 0.02',
      '/invoice/taxes_outputs/0/tax_amount 10 10 0',
      '/invoice/taxes_outputs/1/taxable_base 0.02 0 0.02 !',
      '/invoice/taxes_outputs/1/tax_amount 0.01 0 0.01',
      '/invoice/taxes_outputs/2/taxable_base 100 100 0',
      '/invoice/taxes_outputs/2/tax_amount 21.02 21 0.02 !',
      '/invoice/taxes_withheld/0/taxable_base 100.02 100 0.02',
      '/invoice/taxes_withheld/0/tax_amount 7.03 7 0.03 !',
      '/invoice/taxes_withheld/1/taxable_base 0.02 0 0.02 !',
      '/invoice/taxes_withheld/1/tax_amount 0.01 0 0.01',
      '/invoice/taxes_withheld/2/taxable_base 100.01 100 0.01',
      '/invoice/taxes_withheld/2/tax_amount 15.02 15 0.02 !',
      '/invoice/totals/total_gross_amount_before_taxes 200 200 0',
      '/invoice/totals/total_tax_outputs 31 31 0',
      '/invoice/totals/invoice_total 231 231 0',
    ])
  })

  it('computes amounts in yen, and their differences, without decimals', () => {
    const document = golden('currency-jpy')
    document.invoice.totals.invoice_total = 1003
    expect(rowsOf(reconcile(document))).toEqual([
      '/invoice/totals/total_gross_amount_before_taxes 1001 1001 0',
      '/invoice/totals/total_tax_outputs 0 0 0',
      '/invoice/totals/invoice_total 1003 1001 2 !',
    ])
  })
})
