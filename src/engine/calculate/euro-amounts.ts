/**
 * Invoices in a foreign currency. They are calculated twice: in their own currency for the `invoice_currency` blocks,
 * and in euros for the books and records (calculation page, section 9; art. 79.Once Ley 37/1992, art. 12 RD 1619/2012).
 * The amounts of a received invoice are converted to euros; those of an issued invoice are euros already.
 */
import type { InvoiceBlock, Line } from '#core/invoice/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS, OUTPUT_AMOUNTS, WITHHELD_AMOUNTS } from '#core/invoice/terms.ts'
import { convertPrice, fromEuros, multiply, toNumber } from '#core/money/index.ts'

type Members = Record<string, unknown>

/** Converts amounts and unit prices to another currency. */
export interface Conversion {
  readonly amount: (amount: number) => number
  readonly price: (price: number) => number
}

/** The conversion to euros of amounts in a currency of which one unit is `rate` euros. */
export const conversionToEuros = (rate: number): Conversion => ({
  amount: (amount) => toNumber(multiply(amount, rate)),
  price: (price) => convertPrice(price, rate),
})

/** The conversion of euros to a currency of which one unit is `rate` euros. */
const toOriginal = (rate: number, decimals: number): Conversion => ({
  amount: (amount) => fromEuros(amount, rate, decimals),
  price: (price) => fromEuros(price, rate),
})

/** Returns a copy with the named amounts converted. */
function withAmounts<T extends object>(source: T, names: readonly string[], { amount }: Conversion): T {
  const copy = { ...source } as Members
  for (const name of names) if (typeof copy[name] === 'number') copy[name] = amount(copy[name])
  return copy as T
}

const LINE_PRICES = ['unit_price_without_tax', 'unit_price_with_tax'] as const
const ADJUSTMENTS = ['discount_amount', 'charge_amount', 'purchase_price_incl'] as const
/** Amounts of a line that are inputs of the calculation. */
export const LINE_INPUTS = [...LINE_PRICES, ...ADJUSTMENTS] as const
/** Amounts that are converted although they are not inputs: a foreign tax sent without its rate is kept as sent. */
const KEPT_INPUTS = ['consumption_tax_amount'] as const
/** Amounts in the `invoice_currency` block of a breakdown entry. The API specification has no foreign tax there. */
const BLOCK_AMOUNTS = OUTPUT_AMOUNTS.filter((name) => name !== 'consumption_tax_amount')
const pick = (source: object, names: readonly string[]): Members =>
  Object.fromEntries(
    names
      .filter((name) => (source as Members)[name] !== undefined)
      .map((name) => [name, (source as Members)[name]]),
  )

function convertLine(line: Line, conversion: Conversion): Line {
  const copy = withAmounts(line, [...ADJUSTMENTS, ...KEPT_INPUTS], conversion)
  for (const name of LINE_PRICES) if (line[name] !== undefined) copy[name] = conversion.price(line[name])
  return copy
}

/** Totals that are inputs of the calculation. The last four are inputs only if the client does not send their list. */
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

/** Returns a copy with the entries of its lists converted. */
function withLists<T extends object>(
  source: T,
  lists: Readonly<Record<string, readonly string[]>>,
  conversion: Conversion,
): T {
  const copy = { ...source } as Members
  for (const [list, names] of Object.entries(lists)) {
    const entries = copy[list]
    if (Array.isArray(entries))
      copy[list] = entries.map((entry: object) => withAmounts(entry, names, conversion))
  }
  return copy as T
}

/**
 * Returns the invoice with every input amount converted. Computed amounts are calculated again. The amounts of a
 * corrected invoice are always in euros.
 */
export function convertInputs(invoice: InvoiceBlock, conversion: Conversion): InvoiceBlock {
  const converted = withLists(invoice, LISTS, conversion)
  converted.lines = invoice.lines.map((line) => convertLine(line, conversion))
  converted.totals = withLists(withAmounts(invoice.totals, TOTAL_INPUTS, conversion), TOTAL_LISTS, conversion)
  return converted
}

/** Whether a price in the other currency is the converted price of the line, and not the price of another unit. */
const isSamePrice = (stated: number | undefined, euros: number | undefined, rate: number): boolean => {
  if (stated === undefined || euros === undefined) return false
  const difference = Math.abs(stated * rate - euros)
  return difference < 0.01 && difference <= Math.abs(euros) / 20
}

/**
 * Returns the input amounts of an invoice in euros in its original currency: as its `invoice_currency` blocks state
 * them or, without a block, converted.
 */
export function originalInputs(invoice: InvoiceBlock, rate: number, decimals: number): InvoiceBlock {
  const converted = convertInputs(invoice, toOriginal(rate, decimals))
  converted.lines.forEach((line, index) => {
    const { invoice_currency: block = {} } = line
    const own = invoice.lines[index]!
    const prices = LINE_PRICES.filter((name) => isSamePrice(block[name], own[name], rate))
    const others = ADJUSTMENTS.filter(
      (name) =>
        own[name] !== undefined || own[name.replace('amount', 'rate') as 'discount_rate'] !== undefined,
    )
    Object.assign(line, pick(block, [...prices, ...others]))
  })
  const { invoice_currency: block = {} } = converted.totals
  for (const list of Object.keys(TOTAL_LISTS) as (keyof typeof TOTAL_LISTS)[])
    if (block[`total_${list}`] !== undefined) delete converted.totals[list]
  Object.assign(converted.totals, pick(block, TOTAL_INPUTS))
  return converted
}

/**
 * Writes the amounts in the original currency into the `invoice_currency` blocks of the invoice in euros. Amounts that
 * are already in a block are kept.
 */
export function writeCurrencyBlocks(euros: InvoiceBlock, original: InvoiceBlock): void {
  const write = (
    target: { invoice_currency?: object } | undefined,
    amounts: object | undefined,
    names: readonly string[],
  ): void => {
    if (target) target.invoice_currency = { ...pick(amounts ?? {}, names), ...target.invoice_currency }
  }
  euros.lines.forEach((line, index) => {
    write(line, original.lines[index], [...LINE_INPUTS, ...LINE_AMOUNTS])
  })
  euros.taxes_outputs?.forEach((entry, index) => {
    write(entry, original.taxes_outputs?.[index], BLOCK_AMOUNTS)
  })
  write(euros.totals, original.totals, [...COMPUTED_TOTALS, 'rounding_amount'])
}
