/** Returns the expected fields of a proposal by JSON Pointer, and finds its wrong fields. */
import { valueAt } from '#core/invoice/index.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import type { Truth } from './corpus/truth.ts'

/** A JSON Pointer and the expected value. */
export type Expected = readonly [pointer: string, value: unknown]

const IBAN = '/invoice/payment_details/0/iban_account_to_be_'

/** Returns the fields that are counted: the mandatory ones, and the others that are printed. */
export function expectedOf(truth: Truth, draft: unknown): Expected[] {
  const tax = toNumber(toMinor(truth.invoice_total) - toMinor(truth.base))
  const expected: Expected[] = [
    ['/invoice/header/invoice_number', truth.number],
    ['/invoice/issue_data/issue_date', truth.issue_date],
    ['/invoice/supplier/tax_id', truth.supplier.tax_id],
    ['/invoice/supplier/name', truth.supplier.name],
    ['/invoice/totals/total_gross_amount_before_taxes', truth.base],
    ['/invoice/totals/total_tax_outputs', tax],
    ['/invoice/totals/invoice_total', truth.invoice_total],
  ]
  if (truth.customer) expected.push(['/invoice/customer/tax_id', truth.customer.tax_id])
  if (truth.due_date) expected.push(['/invoice/payment_details/0/installment_due_date', truth.due_date])
  if (truth.iban) {
    const kind = valueAt(draft, `${IBAN}debited`) === undefined ? 'credited' : 'debited'
    expected.push([`${IBAN}${kind}`, truth.iban])
  }
  if (truth.withheld) {
    expected.push(['/invoice/totals/total_taxes_withheld', truth.withheld.amount])
    expected.push(['/invoice/taxes_withheld/0/tax_rate', truth.withheld.rate])
  }
  const entries = (valueAt(draft, '/invoice/taxes_outputs') ?? []) as readonly { readonly tax_rate: number }[]
  for (const one of truth.taxes) {
    const entry = `/invoice/taxes_outputs/${entries.findIndex(({ tax_rate }) => tax_rate === one.rate)}`
    expected.push([`${entry}/tax_rate`, one.rate], [`${entry}/taxable_base`, one.base])
    expected.push([`${entry}/tax_amount`, one.amount])
    if (one.surcharge !== null) {
      expected.push([`${entry}/equivalence_surcharge`, one.surcharge_rate])
      expected.push([`${entry}/equivalence_surcharge_amount`, one.surcharge])
    }
  }
  return expected
}

/** Returns the line fields that a proposal may also have with a high score. */
function linesOf(truth: Truth, draft: unknown): Expected[] {
  const lines = valueAt(draft, '/invoice/lines')
  if (!Array.isArray(lines) || lines.length !== truth.items.length) return []
  return truth.items.flatMap((item, at): Expected[] => [
    [`/invoice/lines/${at}/item_description`, item.text],
    [`/invoice/lines/${at}/quantity`, item.quantity],
    [`/invoice/lines/${at}/unit_price_without_tax`, item.price],
    [`/invoice/lines/${at}/tax_output_rate`, item.rate ?? 0],
  ])
}

/** Returns the fields that are wrong although they have a high score. */
export function wrongButTrusted(
  truth: Truth,
  draft: unknown,
  scores: Readonly<Record<string, number>>,
): string[] {
  // A proposal with one line per rate does not repeat the printed lines.
  const isGrouped = (description: unknown) =>
    typeof description === 'string' && description.startsWith('Base al ')
  const lines = isGrouped(valueAt(draft, '/invoice/lines/0/item_description')) ? [] : linesOf(truth, draft)
  return [...expectedOf(truth, draft), ...lines].flatMap(([pointer, value]) => {
    const actual = valueAt(draft, pointer)
    return (scores[pointer] ?? 0) >= 0.9 && actual !== value ? [`${pointer} is ${actual}, not ${value}`] : []
  })
}
