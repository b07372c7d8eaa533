/** The pipeline never changes the document sent, nor the document that the rules have checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '#core/catalogs/lazy.ts'
import type { CanonicalInvoice, Options } from '#core/invoice/index.ts'
import { examine } from '#engine/examine/examine.ts'
import { explain, reconcile, validate } from '#engine/index.ts'
import { resultOf } from '#engine/validate.ts'
import { checkRules } from '#rules/index.ts'

const ROOT = fileURLToPath(new URL('../cases/', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const cases = readdirSync(ROOT).map((name): [string, unknown, Options] => {
  const options = `${ROOT}${name}/options.json`
  return [name, read(`${ROOT}${name}/input.json`), existsSync(options) ? read(options) : {}]
})

describe.each([{}, { totals: 'check', explain: true }] as const)('with %o', (more) => {
  it.each(cases)('%s', (_name, document, own) => {
    const options = { ...own, ...more }
    const answer = validate(document, options)
    deepFreeze(document)
    const examined = examine(document, options)
    const { outcome } = examined
    if (outcome) {
      deepFreeze(outcome)
      expect(checkRules(outcome.context)).toEqual(examined.findings)
    }
    expect(resultOf(examined, options, answer.errors)).toEqual(answer)
    explain(document, options)
    reconcile(document, options)
  })
})

describe('amounts that are kept as sent', () => {
  const sent = {
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'erp', external_ref: 'R-1' },
    invoice: {
      supplier: { person_type_code: 'J', tax_id: 'A58818501', name: 'Suministros del Norte SA' },
      header: { invoice_type_code: '02', invoice_series_code: 'F', invoice_number: 'F-1' },
      issue_data: { issue_date: '2026-11-20' },
      lines: [
        { item_description: 'Silla', quantity: 1, unit_price_without_tax: 10, tax_output_rate: 21 },
        {
          item_description: 'Mesa',
          quantity: 1,
          unit_price_without_tax: 10,
          tax_output_rate: 21,
          tax_output_amount: 2.11,
        },
      ],
      totals: { total_gross_amount_before_taxes: 20, total_tax_outputs: 4.21, invoice_total: 24.21 },
    },
  }

  it('are in the result, but not in the document that the rules checked', () => {
    const { outcome } = examine(sent, { operation: 'import', totals: 'check' })
    const { data } = validate(sent, { operation: 'import', totals: 'check' })
    const amounts = (invoice: CanonicalInvoice['invoice'] | undefined = data?.invoice) => [
      invoice?.lines.map((line) => line.tax_output_amount),
      invoice?.totals.total_tax_outputs,
      invoice?.totals.invoice_total,
    ]
    expect(amounts()).toEqual([[2.1, 2.11], 4.21, 24.21])
    expect(amounts(outcome?.document.invoice)).toEqual([[2.1, 2.1], 4.2, 24.2])
  })
})
