/** `reconcile`: compares every amount sent with the computed amount. */

import type { Options } from '#core/invoice/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS, OUTPUT_AMOUNTS, WITHHELD_AMOUNTS } from '#core/invoice/terms.ts'
import { toleranceOf, toMinor, toNumber } from '#core/money/index.ts'
import { examine } from './examine/examine.ts'

export interface ReconciliationRow {
  /** JSON Pointer of the amount in the document as sent. */
  readonly path: string
  readonly sent: number
  readonly computed: number
  /** `sent - computed`, exact to the cent. */
  readonly difference: number
  /**
   * Whether the difference is within the tolerance: one cent per line, at least one cent; for amounts of a line, one
   * cent.
   */
  readonly within_tolerance: boolean
}

interface Match {
  /** Index of the computed entry. */
  readonly at: number
  readonly tolerance: number
}

/** The match of an entry sent that has no computed entry. */
const NO_MATCH: Match = { at: -1, tolerance: 1 }

/** Returns the computed entry that matches each entry sent, by the index of the entry sent. */
function matchesOf(
  groups: readonly {
    readonly lines: readonly number[]
    readonly rows: readonly { readonly index: number | undefined }[]
  }[],
): Map<number, Match> {
  const matches = new Map<number, Match>()
  let at = 0
  for (const { lines, rows } of groups)
    for (const { index } of rows) {
      if (index !== undefined) matches.set(index, { at, tolerance: toleranceOf({ lines }) })
      at += 1
    }
  return matches
}

/**
 * Returns a row for every amount sent, with the computed amount, in the currency of the document. A document with
 * schema errors has no rows; `validate` reports its problems.
 *
 * Source: calculation page, "Explained totals". Throws only the errors that `validate` throws.
 *
 * @example
 * reconcile({ schema_version: 'json_1_1' }) // => []
 */
export function reconcile(document: unknown, options: Options = {}): readonly ReconciliationRow[] {
  const { outcome } = examine(document, { ...options, totals: 'recalculate' })
  if (!outcome) return []
  const { sent, stated } = outcome.context
  const { invoice, calculation } = stated
  const { decimals } = calculation
  const rows: ReconciliationRow[] = []
  const add = (path: string, amount: number | undefined, computed: number | undefined, tolerance: number) => {
    if (amount === undefined) return
    const difference = toMinor(amount, decimals) - toMinor(computed ?? 0, decimals)
    rows.push({
      path,
      sent: amount,
      computed: computed ?? 0,
      difference: toNumber(difference, decimals),
      within_tolerance: Math.abs(difference) <= tolerance,
    })
  }
  sent.lines.forEach((line, index) => {
    for (const name of LINE_AMOUNTS)
      add(`/invoice/lines/${index}/${name}`, line[name], invoice.lines[index]?.[name], 1)
  })
  // Entries are matched by tax key and amount, not by index.
  const outputs = matchesOf(calculation.groups)
  sent.taxes_outputs?.forEach((entry, index) => {
    const { at, tolerance } = outputs.get(index) ?? NO_MATCH
    for (const name of OUTPUT_AMOUNTS)
      add(
        `/invoice/taxes_outputs/${index}/${name}`,
        entry[name],
        invoice.taxes_outputs[at]?.[name],
        tolerance,
      )
  })
  const withheld = matchesOf(calculation.withheld)
  sent.taxes_withheld?.forEach((entry, index) => {
    const { at, tolerance } = withheld.get(index) ?? NO_MATCH
    for (const name of WITHHELD_AMOUNTS)
      add(
        `/invoice/taxes_withheld/${index}/${name}`,
        entry[name],
        invoice.taxes_withheld?.[at]?.[name],
        tolerance,
      )
  })
  const tolerance = toleranceOf(sent)
  for (const name of COMPUTED_TOTALS)
    add(`/invoice/totals/${name}`, sent.totals[name], invoice.totals[name], tolerance)
  return rows
}
