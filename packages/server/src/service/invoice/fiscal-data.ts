/**
 * The fields of an invoice on which a tax return is based: parties, dates, type, amounts and tax rules. These fields
 * may not change after the return was filed; texts, contact data, references and payments may.
 */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { without } from '../../work/without-computed.ts'

type Members = Readonly<Record<string, unknown>>

function picked(source: object | undefined, names: readonly string[]): Members {
  const members: Members = { ...source }
  return Object.fromEntries(names.map((name) => [name, members[name]]))
}

const PARTY = ['tax_id', 'country_code', 'party_country_code']

const HEADER = ['invoice_type_code', 'invoice_series_code', 'invoice_number']

/** Members that determine the taxation of a line, or of an entry of the tax breakdown. */
const TAXATION = [
  'tax_treatment_code',
  'reverse_charge',
  'exemption_reason_code',
  'non_taxable_reason',
  'tax_regime_key',
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_tax_amount',
  'consumption_rate_type',
  'supply_type',
  'invoice_currency',
]

const LINE = [
  ...TAXATION,
  // Investment goods and services are declared in separate boxes of the return.
  'item_type',
  'quantity',
  'unit_price_without_tax',
  'unit_price_with_tax',
  'discount_rate',
  'discount_amount',
  'charge_rate',
  'charge_amount',
  'tax_output_rate',
  'tax_withheld_rate',
  'purchase_price_incl',
  'deduction_rate',
  'non_deductible_reason',
  ...LINE_AMOUNTS,
]

const WITHHELD = ['tax_rate', 'taxable_base', 'tax_amount']
const OUTPUT = [...TAXATION, ...WITHHELD, 'equivalence_surcharge', 'equivalence_surcharge_amount']

/** Text members of the discounts, charges and other entries in the totals. They have no effect on the return. */
const REASONS = ['discount_reason', 'charge_reason', 'description']
const withoutTexts = (entries: readonly object[] | undefined) =>
  entries?.map((entry) => without(entry, REASONS))

/** Returns the fiscal fields of an invoice. */
export function fiscalDataOf({ invoice }: CanonicalInvoice): Members {
  const { supplier, customer, header, issue_data, lines, taxes_outputs, taxes_withheld, totals } = invoice
  return {
    invoice: {
      supplier: picked(supplier, PARTY),
      customer: picked(customer, PARTY),
      header: {
        ...picked(header, HEADER),
        corrective: header.corrective && without(header.corrective, ['reason_description']),
      },
      issue_data: without(issue_data, ['invoice_description']),
      lines: lines.map((line) => picked(line, LINE)),
      taxes_outputs: taxes_outputs?.map((entry) => picked(entry, OUTPUT)),
      taxes_withheld: taxes_withheld?.map((entry) => picked(entry, WITHHELD)),
      totals: {
        ...totals,
        general_discounts: withoutTexts(totals.general_discounts),
        general_surcharges: withoutTexts(totals.general_surcharges),
        payments_on_account: withoutTexts(totals.payments_on_account),
        reimbursable_expenses: withoutTexts(totals.reimbursable_expenses),
      },
    },
  }
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Returns JSON pointers to the values that differ. A value that only one version has gets a single pointer. */
export function differences(before: unknown, after: unknown, path = ''): readonly string[] {
  if (before === after) return []
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) return [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => differences(before[name], after[name], `${path}/${name}`))
}

/** Maximum number of pointers to report. */
const MAX_POINTERS = 200

/** Shortens pointers if there are too many: first to whole lines, then to the list `lines`. */
export function shortenPointers(pointers: readonly string[]): readonly string[] {
  let shown = pointers
  for (let depth = 3; shown.length > MAX_POINTERS && depth > 1; depth--)
    shown = [...new Set(pointers.map((pointer) => pointer.split('/', depth + 1).join('/')))]
  return shown
}
