/**
 * Received invoices in a foreign currency. They are calculated twice: in their own currency for the `invoice_currency`
 * blocks, and in euros for the books (calculation page, section 9; art. 79.Once Ley 37/1992).
 */
import {
  COMPUTED_TOTALS,
  type InvoiceBlock,
  LINE_AMOUNTS,
  type Line,
  OUTPUT_AMOUNTS,
  WITHHELD_AMOUNTS,
} from '../invoice/index.ts'
import { convertPrice, multiply, toNumber } from '../money/index.ts'

type Members = Record<string, unknown>

/** Returns a copy with the named amounts in euros. */
function inEuros<T extends object>(source: T, names: readonly string[], rate: number): T {
  const copy = { ...source } as Members
  for (const name of names)
    if (typeof copy[name] === 'number') copy[name] = toNumber(multiply(copy[name], rate))
  return copy as T
}

const LINE_INPUTS = ['discount_amount', 'charge_amount', 'purchase_price_incl'] as const
/** A foreign tax that is sent without its rate is not calculated, but stays in the document. */
const KEPT_INPUTS = ['consumption_tax_amount'] as const
/** The specification has no consumption tax in the `invoice_currency` block of an entry. */
const BLOCK_AMOUNTS = OUTPUT_AMOUNTS.filter((name) => name !== 'consumption_tax_amount')
const LINE_PRICES = ['unit_price_without_tax', 'unit_price_with_tax'] as const
const pick = (source: object, names: readonly string[]): Members =>
  Object.fromEntries(
    names
      .filter((name) => (source as Members)[name] !== undefined)
      .map((name) => [name, (source as Members)[name]]),
  )

function lineInEuros(line: Line, rate: number): Line {
  const copy = inEuros(line, [...LINE_INPUTS, ...KEPT_INPUTS], rate)
  for (const name of LINE_PRICES) if (line[name] !== undefined) copy[name] = convertPrice(line[name], rate)
  return copy
}

/** Totals that are inputs of the calculation. The last four are inputs only if they are sent without their list. */
const TOTAL_INPUTS = [
  'rounding_amount',
  'total_general_discounts',
  'total_general_surcharges',
  'total_payments_on_account',
  'total_reimbursable_expenses',
] as const

/** Lists of the totals and of the invoice, with the amounts of their entries. */
const TOTAL_LISTS = {
  general_discounts: ['discount_amount'],
  general_surcharges: ['charge_amount'],
  payments_on_account: ['payment_on_account_amount'],
  reimbursable_expenses: ['reimbursable_expenses_amount'],
}
const LISTS = {
  taxes_outputs: OUTPUT_AMOUNTS,
  taxes_withheld: WITHHELD_AMOUNTS,
  payment_details: ['installment_amount'],
}

/** Returns a copy with the entries of its lists in euros. */
function withLists<T extends object>(
  source: T,
  lists: Readonly<Record<string, readonly string[]>>,
  rate: number,
): T {
  const copy = { ...source } as Members
  for (const [list, names] of Object.entries(lists)) {
    const entries = copy[list]
    if (Array.isArray(entries)) copy[list] = entries.map((entry: object) => inEuros(entry, names, rate))
  }
  return copy as T
}

/** Returns the invoice with every input amount in euros. Computed amounts are calculated again. */
export function convertInputs(invoice: InvoiceBlock, rate: number): InvoiceBlock {
  const converted = withLists(invoice, LISTS, rate)
  converted.lines = invoice.lines.map((line) => lineInEuros(line, rate))
  converted.totals = withLists(inEuros(invoice.totals, TOTAL_INPUTS, rate), TOTAL_LISTS, rate)
  const { corrective } = invoice.header
  if (corrective)
    converted.header = {
      ...invoice.header,
      corrective: inEuros(corrective, ['corrected_taxable_base', 'corrected_tax_amount'], rate),
    }
  return converted
}

/** Writes the amounts in the original currency into the `invoice_currency` blocks of the converted invoice. */
export function writeCurrencyBlocks(converted: InvoiceBlock, original: InvoiceBlock): void {
  converted.lines.forEach((line, index) => {
    line.invoice_currency = pick(original.lines[index]!, [...LINE_PRICES, ...LINE_INPUTS, ...LINE_AMOUNTS])
  })
  converted.taxes_outputs?.forEach((entry, index) => {
    entry.invoice_currency = pick(original.taxes_outputs?.[index] ?? {}, BLOCK_AMOUNTS)
  })
  converted.totals.invoice_currency = pick(original.totals, [...COMPUTED_TOTALS, 'rounding_amount'])
}
