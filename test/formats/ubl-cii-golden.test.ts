/** Every golden invoice as UBL and CII: valid against schema and rules of EN 16931, or refused with a reason. */

import { describe, expect, it } from 'vitest'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { goldenInvoices, taxOf } from '../engine/golden-invoices.ts'
import { figure } from '../figures.ts'
import { LONG, sized } from '../size.ts'
import { fatalRules, missingRules, missingXmllint, schemaErrors } from './official.ts'

const FORMATS = ['ubl_2_1', 'cii_d16b'] as const
const golden = goldenInvoices()
const written = new Map<string, string>()
const refused = new Map<string, readonly string[]>()
for (const { name, invoice } of golden)
  for (const format of FORMATS) {
    const { xml, errors } = writeInvoice(invoice, format)
    if (xml !== null) written.set(`${name} as ${format}`, xml)
    else
      refused.set(
        `${name} as ${format}`,
        errors.map(({ extra }) => String(extra?.reason)),
      )
  }

/** Reasons that name a limit of the format; `sums` is for documents with their own stated amounts. */
const REASONS = [
  ...['equivalence_surcharge', 'foreign_amounts', 'margin_scheme', 'missing', 'not_in_form'],
  ...['not_subject_mixed', 'one_stop_shop', 'period_reversed', 'regime_mixed', 'reimbursable_expenses'],
  ...['several_exemption_reasons', 'sums', 'withholding'],
]

describe('golden invoices as UBL and CII', () => {
  it('are written, or refused with a known reason', () => {
    const counts = new Map<string, number>()
    for (const reasons of refused.values())
      for (const reason of new Set(reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    figure(
      `${golden.length} golden invoices x ${FORMATS.length}: ${written.size} written, ${refused.size} refused (${[...counts].map(([reason, count]) => `${reason} ${count}`).join(', ')})`,
    )
    expect([...refused].filter(([, reasons]) => reasons.length === 0)).toEqual([])
    expect([...counts.keys()].sort()).toEqual(REASONS)
    expect(written.size + refused.size).toBe(golden.length * FORMATS.length)
  })

  it.skipIf(missingXmllint)('are valid against the official schemas', () => {
    expect(schemaErrors(written)).toEqual([])
  })

  it.skipIf(missingRules)(
    `break no rule of EN 16931 fatally${missingRules ? ` (${missingRules})` : ''}`,
    { timeout: 300_000 },
    () => {
      // Checking the rules is slow: all documents in `npm run test:long`, every eighth otherwise.
      const checked = [...written].filter((_, index) => LONG || index % 8 === 0)
      const found = checked.flatMap(([name, xml]) => fatalRules(xml).map((rule) => `${name}: ${rule}`))
      figure(
        `${checked.length} of ${written.size} documents checked against the rules of EN 16931, ${found.length} fatal failures`,
      )
      expect(found).toEqual([])
    },
  )

  it('are read back with the same totals', () => {
    const different = golden
      .filter((_, at) => at % sized(3, 1) === 0)
      .flatMap(({ name, invoice }) =>
        FORMATS.flatMap((format) => {
          const xml = written.get(`${name} as ${format}`)
          if (xml === undefined) return []
          const { document, errors } = readInvoice(xml)
          if (document === null) return [`${name} as ${format}: ${errors[0]?.message}`]
          const { totals } = invoice.invoice
          const sent = { ...totals, ...totals.invoice_currency }
          // A document states the sum of its breakdown (BR-CO-14), also where the paper's total is a cent off.
          if (!totals.invoice_currency) sent.total_tax_outputs = taxOf(invoice.invoice)
          const back = document.invoice.totals
          const same =
            back.total_gross_amount_before_taxes === sent.total_gross_amount_before_taxes &&
            back.total_tax_outputs === sent.total_tax_outputs &&
            back.invoice_total === sent.invoice_total &&
            back.total_executable_amount === sent.total_executable_amount
          return same ? [] : [`${name} as ${format}: ${JSON.stringify(back)}`]
        }),
      )
    expect(different).toEqual([])
  })
})
