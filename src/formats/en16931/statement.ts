/** Checks the rules on a semantic model, then maps it to a statement. */
import type { FormatCode, ReadingOptions, ReadingReport, Statement, Tree } from '../model/index.ts'
import type { EnInvoice, Locations } from './model.ts'
import { type Known, reportUnread, unmappedOf } from './reader.ts'
import { checkRules } from './rules.ts'
import { toCanonical } from './to-canonical.ts'

/** The functions and locations that read a syntax (UBL or CII) into the model. */
export interface Syntax {
  readonly format: FormatCode
  readonly locations: Locations
  readonly known: Known
  readonly lineName: string
  readonly paymentName: string
}

/** Wraps a report to record whether it refused anything. */
function watched(report: ReadingReport) {
  const state = { refused: false }
  const refuse: ReadingReport['refuse'] = (...item) => {
    state.refused = true
    report.refuse(...item)
  }
  return { state, report: { refuse, warn: report.warn } }
}

/**
 * Reads a document of a syntax into a json_1_1 invoice. Returns null if an amount is invalid, a rule fails, or json_1_1
 * cannot hold the invoice.
 */
export function statementOf(
  read: (report: ReadingReport) => EnInvoice,
  tree: Tree,
  { format, locations, known, lineName, paymentName }: Syntax,
  report: ReadingReport,
  options: ReadingOptions,
): Statement | null {
  const watch = watched(report)
  const invoice = read(watch.report)
  if (watch.state.refused) return null
  checkRules(invoice, locations, watch.report)
  if (watch.state.refused) return null
  const unmapped = unmappedOf(tree, known, lineName, paymentName)
  const statement = toCanonical({ ...invoice, unmapped }, format, locations, watch.report, options)
  if (watch.state.refused) return null
  reportUnread(unmapped, report)
  return statement
}
