/** The comparison of the engine with the second implementation. */
import { type ValidationResult, validate } from '#engine/index.ts'
import { tokens } from '../tokens.ts'
import { calculate } from './calculate.ts'
import type { SentDocument, SentOptions } from './sent.ts'

type Json = { [field: string]: unknown }

const LINE = tokens`tax_treatment_code tax_regime_key quantity unit_price_without_tax unit_price_with_tax
  discount_amount charge_amount purchase_price_incl total_cost_without_tax gross_amount_without_tax
  total_cost_with_tax gross_amount_with_tax tax_output_base tax_output_amount tax_withheld_base
  tax_withheld_amount consumption_tax_amount`
const ENTRY = tokens`tax_treatment_code tax_rate tax_regime_key exemption_reason_code non_taxable_reason
  consumption_country_code consumption_tax_rate consumption_rate_type supply_type taxable_base tax_amount
  equivalence_surcharge equivalence_surcharge_amount consumption_tax_amount`
/** The lists of the totals, with their amounts. */
const LISTS = {
  general_discounts: 'discount_amount',
  general_surcharges: 'charge_amount',
  payments_on_account: 'payment_on_account_amount',
  reimbursable_expenses: 'reimbursable_expenses_amount',
}
const MISMATCH =
  /^((line_amount|consumption_tax_amount|taxes_outputs|taxes_withheld|totals)_mismatch|withholding_base_net)$/

export interface Comparison {
  isValid: boolean
  hasData: boolean
  codes: string[]
  /** Paths with both values. */
  differences: string[]
  /** Known disagreements that the invoice has the properties of. */
  notes: Set<string>
}

/** Compares the result of the engine with that of the second implementation. */
export function compare(
  { document, options }: { document: SentDocument; options: Partial<SentOptions> },
  engine: (document: SentDocument, options: Partial<SentOptions>) => ValidationResult = validate,
): Comparison {
  const result = engine(document, options)
  const expected = calculate(document, {
    operation: document.meta.direction === 'received' ? 'received' : 'draft',
    totals: 'recalculate',
    ...options,
  })
  const codes = result.errors.filter(({ severity }) => severity === 'error').map(({ code }) => code)
  const mismatches = result.errors
    .filter(({ code }) => MISMATCH.test(code))
    .map(({ code, path }) => `${code} ${path}`)
    .sort()
  const differences: string[] = []
  if (result.data === null) {
    if (!(codes.includes('amount_out_of_range') && expected.isOutOfRange))
      differences.push(`no data: ${codes.join()}`)
    return { isValid: false, hasData: false, codes, differences, notes: expected.notes }
  }
  if (expected.isOutOfRange) differences.push('out of range')
  const { invoice } = result.data as unknown as { invoice: { [list: string]: Json[] } & { totals: Json } }
  const { mismatches: wrong, isOutOfRange: _, notes: __, ...amounts } = expected
  const project = (row: Json, fields: readonly string[]): Json => ({
    ...Object.fromEntries(fields.map((field) => [field, row[field]])),
    ...(row.invoice_currency !== undefined && { invoice_currency: row.invoice_currency }),
  })
  const actual = {
    lines: invoice.lines!.map((line) => project(line, LINE)),
    taxes_outputs: invoice.taxes_outputs!.map((entry) => project(entry, ENTRY)),
    taxes_withheld: (invoice.taxes_withheld ?? []).map((entry) => project(entry, ENTRY)),
    totals: {
      ...project(invoice.totals, Object.keys(expected.totals)),
      ...Object.fromEntries(
        Object.entries(LISTS).map(([list, field]) => [
          list,
          (invoice.totals[list] as Json[] | undefined)?.map((one) => ({ [field]: one[field] })),
        ]),
      ),
    },
    payment_details: invoice.payment_details!.map((one) => project(one, ['installment_amount'])),
  }
  collect('', actual, amounts, differences)
  const amountsAgree = differences.length === 0
  collect('mismatches', mismatches, wrong, differences)
  // Both report a breakdown that does not fit, at different entries.
  const inBreakdown = (list: readonly string[]) =>
    list.some((one) => one.startsWith('taxes_outputs_mismatch'))
  if (amountsAgree && differences.length > 0 && inBreakdown(mismatches) && inBreakdown(wrong))
    expected.notes.add('mismatch of the breakdown at another entry')
  return { isValid: result.is_valid, hasData: true, codes, differences, notes: expected.notes }
}

/** Lists the paths at which two JSON values differ, with both values. */
export function collect(
  path: string,
  actual: unknown,
  expected: unknown,
  differences: string[],
  names: readonly [string, string] = ['engine', 'second'],
): void {
  if (typeof actual === 'object' && typeof expected === 'object' && actual !== null && expected !== null) {
    for (const field of new Set([...Object.keys(actual), ...Object.keys(expected)]))
      collect(`${path}/${field}`, (actual as Json)[field], (expected as Json)[field], differences, names)
  } else if (!Object.is(actual, expected))
    differences.push(
      `${path}: ${names[0]} ${JSON.stringify(actual)}, ${names[1]} ${JSON.stringify(expected)}`,
    )
}
