/** Checks the rules on a semantic model, then maps it to a statement. */
import type { FormatCode, ReadingOptions, ReadingReport, Statement } from '../model/index.ts'
import type { EnInvoice, Locations } from './en16931-model.ts'
import { checkRules } from './en16931-rules.ts'
import { reportUnread } from './reader.ts'
import { toCanonical } from './to-canonical.ts'

/** A syntax: UBL or CII. */
export interface Syntax {
  readonly format: FormatCode
  readonly locations: Locations
}

/** Wraps a report, to detect whether it refused the document. */
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
  { format, locations }: Syntax,
  report: ReadingReport,
  options: ReadingOptions,
): Statement | null {
  const watch = watched(report)
  const invoice = read(watch.report)
  if (watch.state.refused) return null
  checkRules(invoice, locations, watch.report)
  if (watch.state.refused) return null
  const statement = toCanonical(invoice, format, locations, watch.report, options)
  if (watch.state.refused) return null
  reportUnread(invoice, report)
  return statement
}
