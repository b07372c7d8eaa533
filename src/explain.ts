/**
 * Why every cent: one row per computed amount, worked out again in exact decimals from the amounts around it.
 * The rows do not ask the calculation what it did; they show that its result follows.
 */
import { type Examined, examine } from './engine.ts'
import { explainBreakdown, explainWithheld } from './explain/breakdown.ts'
import { explainConversion, inBlocks } from './explain/conversion.ts'
import { explainLine, sumsOf } from './explain/lines.ts'
import { type ExplanationRow, Rows, RULES, type Sheet } from './explain/rows.ts'
import { explainTotals } from './explain/totals.ts'
import type { Options } from './invoice/index.ts'
import { sentAmounts } from './keep-sent.ts'
import { exact } from './money/index.ts'

export type { ExplanationInput, ExplanationRow } from './explain/rows.ts'

function explainSheet(rows: Rows): void {
  const sums = sumsOf(rows)
  for (let index = 0; index < rows.invoice.lines.length; index++) explainLine(rows, sums, index)
  explainBreakdown(rows)
  explainWithheld(rows)
  explainTotals(rows)
}

/** The instalment that is the amount to pay, because none was sent. */
function explainPayment(rows: Rows): void {
  const { invoice, sheet } = rows
  const details = invoice.payment_details ?? []
  const amount = details[0]?.installment_amount
  if (details.length !== 1 || amount === undefined) return
  if (sheet.sent.payment_details?.[0]?.installment_amount !== undefined) return
  const path = '/invoice/totals/total_executable_amount'
  rows.add(
    '/invoice/payment_details/0/installment_amount',
    'total_executable_amount',
    [rows.input(path, invoice.totals.total_executable_amount)],
    exact(invoice.totals.total_executable_amount!),
    amount,
    RULES.payment,
  )
}

/**
 * Rows of an examined invoice; none when it did not come through the schema. An amount that is kept as it was
 * sent says so, and only so; the rows around it show what the lines give.
 */
export function explanationOf(examined: Examined): readonly ExplanationRow[] {
  const { context } = examined
  if (!context) return []
  const { invoice, inEuros, stated, calculation } = context
  const sent = context.sent.invoice
  const foreign = stated !== invoice
  const euros: Sheet = {
    invoice,
    calculation: inEuros,
    sent,
    sentDecimals: calculation.decimals,
    rate: foreign ? invoice.issue_data.invoice_currency?.exchange_rate : undefined,
    place: (path) => path,
  }
  const rows = new Rows(euros)
  explainConversion(rows, stated)
  explainSheet(rows)
  explainPayment(rows)
  const all = [...rows.rows]
  if (foreign) {
    const sheet = { ...euros, invoice: stated, calculation, rate: undefined, place: inBlocks(invoice) }
    const original = new Rows(sheet)
    explainSheet(original)
    all.push(...original.rows)
  }
  const kept = sentAmounts(context)
  if (kept.size === 0) return all
  return all.map((row) => {
    const amount = kept.get(row.path)
    if (amount === undefined) return row
    const { path, value } = amount
    const inputs = [{ path, value }]
    const text = exact(value).toText()
    return { path: row.path, formula: 'amount sent', inputs, exact: text, rounded: value, rule: RULES.kept }
  })
}

/**
 * The reason for every computed amount: formula, inputs with their paths, exact value, rounded value, rule, what
 * rounding line by line would have given, and why a part is a cent off. Amounts are euros, in `invoice_currency`
 * blocks those of the original currency. A document with schema errors has no rows: `validate` says what is wrong
 * with it.
 *
 * Source: calculation page, "Explained totals". Throws only what `validate` throws.
 *
 * @example
 * explain({ schema_version: 'json_1_1' }) // => []
 */
export const explain = (document: unknown, options: Options = {}): readonly ExplanationRow[] =>
  explanationOf(examine(document, { ...options, totals: 'recalculate' }))
