/**
 * Why every cent: one row per computed amount, worked out again in exact decimals from the amounts around it.
 * The rows do not ask the calculation what it did; they show that its result follows.
 */
import { type Examined, examine } from './engine.ts'
import { explainBreakdown, explainWithheld } from './explain/breakdown.ts'
import { explainLine } from './explain/lines.ts'
import { type ExplanationRow, Rows } from './explain/rows.ts'
import { explainTotals } from './explain/totals.ts'
import type { Options } from './invoice/index.ts'

export type { ExplanationInput, ExplanationRow } from './explain/rows.ts'

/** Rows of an examined invoice; none when it did not come through the schema. */
export function explanationOf({ context }: Examined): readonly ExplanationRow[] {
  if (!context) return []
  const rows = new Rows(context.invoice)
  for (let index = 0; index < context.invoice.lines.length; index++) explainLine(rows, context, index)
  explainBreakdown(rows, context)
  explainWithheld(rows, context)
  explainTotals(rows, context)
  return rows.rows
}

/**
 * The reason for every computed amount: formula, inputs with their paths, exact value, rounded value, rule, and
 * what rounding line by line would have given. Amounts are euros. A document with schema errors has no rows:
 * `validate` says what is wrong with it.
 *
 * Source: calculation page, "Explained totals". Throws only what `validate` throws.
 *
 * @example
 * explain({ schema_version: 'json_1_1' }) // => []
 */
export const explain = (document: unknown, options: Options = {}): readonly ExplanationRow[] =>
  explanationOf(examine(document, { ...options, totals: 'recalculate' }))
