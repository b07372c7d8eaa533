/**
 * `explain`: one row per computed amount, recomputed with exact decimals from the other amounts of the invoice. The
 * rows do not use intermediate results of the calculation, so they verify its results independently.
 */

import type { Options } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { exact, exactText } from '#core/money/index.ts'
import { examine, type Outcome } from './examine/examine.ts'
import { keptAmounts } from './examine/keep-sent.ts'
import { explainBreakdown, explainWithheld } from './explanation/explain-breakdown.ts'
import { currencyBlockPathOf, explainConversion } from './explanation/explain-conversion.ts'
import { explainLine, sumsOf } from './explanation/explain-lines.ts'
import { explainTotals } from './explanation/explain-totals.ts'
import {
  type ExplainedCalculation,
  type ExplanationRow,
  ExplanationRows,
  RULES,
} from './explanation/explanation-rows.ts'
import { formulaText } from './explanation/formula-text.ts'

export type { ExplanationInput, ExplanationRow } from './explanation/explanation-rows.ts'

function explainSheet(rows: ExplanationRows): void {
  const sums = sumsOf(rows)
  for (let index = 0; index < rows.invoice.lines.length; index++) explainLine(rows, sums, index)
  explainBreakdown(rows)
  explainWithheld(rows)
  explainTotals(rows)
}

/** Adds the row of the only instalment if its amount was not sent; the engine sets it to the amount to pay. */
function explainPayment(rows: ExplanationRows): void {
  const { invoice, sheet } = rows
  const details = invoice.payment_details ?? []
  const amount = details[0]?.installment_amount
  if (details.length !== 1 || amount === undefined) return
  if (sheet.sent.payment_details?.[0]?.installment_amount !== undefined) return
  const path = '/invoice/totals/total_executable_amount'
  rows.add({
    path: '/invoice/payment_details/0/installment_amount',
    formula: 'total_executable_amount',
    inputs: [rows.input(path, invoice.totals.total_executable_amount)],
    value: exact(invoice.totals.total_executable_amount),
    rounded: amount,
    rule: RULES.payment,
  })
}

/**
 * Returns the rows of an examined invoice, or no rows if the document has schema errors. The row of an amount that is
 * kept as sent states only this. All other rows show amounts computed from the lines.
 */
export function explanationOf(outcome: Outcome | null): readonly ExplanationRow[] {
  if (!outcome) return []
  const { context, calculation } = outcome
  const { invoice, sent, stated, original, settings } = context
  const { locale } = settings
  const foreign = stated.invoice !== invoice
  const euros: ExplainedCalculation = {
    invoice,
    calculation,
    sent,
    sentDecimals: stated.calculation.decimals,
    rate: foreign ? invoice.issue_data.invoice_currency?.exchange_rate : undefined,
    pathInData: (path) => path,
  }
  const rows = new ExplanationRows(euros, locale)
  const pathInData = currencyBlockPathOf(invoice)
  if (foreign) explainConversion(rows, stated.invoice, pathInData)
  explainSheet(rows)
  explainPayment(rows)
  const all = [...rows.rows]
  if (foreign) {
    const inOriginal = new ExplanationRows({ ...euros, ...stated, rate: undefined, pathInData }, locale)
    explainSheet(inOriginal)
    all.push(...inOriginal.rows)
  }
  const rate = invoice.issue_data.invoice_currency?.exchange_rate
  if (original && rate !== undefined) {
    // An amount that differs from the one in its `invoice_currency` block is not an input of other rows.
    const unlessStated = (path: string): string | null => {
      const inBlock = pathInData(path)
      const stated = inBlock === null ? undefined : valueAt({ invoice: sent }, inBlock)
      return stated === undefined || stated === valueAt(original, path) ? inBlock : null
    }
    const sheet = { ...euros, ...original, fromEuros: { invoice, rate }, pathInData: unlessStated }
    const inOriginal = new ExplanationRows(sheet, locale)
    explainConversion(inOriginal, invoice, pathInData)
    explainSheet(inOriginal)
    // Amounts stated in an `invoice_currency` block are not computed, so they have no row.
    all.push(...inOriginal.rows.filter(({ path }) => valueAt({ invoice: sent }, path) === undefined))
  }
  const kept = keptAmounts(context)
  if (kept.size === 0) return all
  // Amounts that were not sent were adjusted to the totals sent. Every invoice states at least one total.
  const totals = kept.get('/invoice/totals') ?? kept.get('/invoice/totals/invoice_currency')
  return all.map((row) => {
    const slash = row.path.lastIndexOf('/')
    const name = row.path.slice(slash + 1)
    const { from, amounts, follows } = kept.get(row.path.slice(0, slash)) ?? {}
    const value = amounts?.[name]
    if (value === undefined) return row
    const isMoved = follows?.includes(name)
    const inputs = isMoved
      ? [{ path: '/invoice/totals/invoice_total', value: totals!.amounts.invoice_total! }]
      : [{ path: `${from}/${name}`, value }]
    const formula = formulaText(isMoved ? 'total sent' : 'amount sent', locale)
    const text = exactText(exact(value))
    return { path: row.path, formula, inputs, exact: text, rounded: value, rule: RULES.kept[locale] }
  })
}

/**
 * Explains every computed amount: formula, inputs with their paths, exact value, rounded value, rule, the result of
 * rounding line by line, and the remainder of rounding that is added to a part. Amounts are in euros; those in
 * `invoice_currency` blocks are in the original currency. Formula and rule are in the language of `locale`. A document
 * with schema errors has no rows; `validate` reports its problems.
 *
 * Source: calculation page, "Explained totals". Throws only the errors that `validate` throws.
 *
 * @example
 * explain({ schema_version: 'json_1_1' }) // => []
 */
export const explain = (document: unknown, options: Options = {}): readonly ExplanationRow[] =>
  explanationOf(examine(document, { ...options, totals: 'recalculate' }).outcome)
