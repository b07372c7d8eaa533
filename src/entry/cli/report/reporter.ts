/** Interfaces of the report formats. */
import type { Operation } from '#engine/index.ts'
import type { DocumentResult, Outcome } from '../input/check-document.ts'

/** Totals of a run. */
export interface Tally {
  readonly documents: number
  readonly invalid: number
  /** Number of documents for each operation that was chosen from the document. */
  readonly operations: Readonly<Partial<Record<Operation, number>>>
}

/** What is counted of an outcome. */
export interface Counted extends Pick<Outcome, 'is_valid'> {
  readonly operation?: Outcome['operation'] | undefined
  readonly operation_reason?: Outcome['operation_reason'] | undefined
}

/** Returns the totals of several results. */
export function tallyOf(results: readonly Counted[]): Tally {
  const operations: Partial<Record<Operation, number>> = {}
  for (const { operation, operation_reason: reason } of results)
    if (operation && reason !== 'option') operations[operation] = (operations[operation] ?? 0) + 1
  return { documents: results.length, invalid: results.filter((one) => !one.is_valid).length, operations }
}

/** Returns the number of documents of each operation that was chosen: `draft 14, received 2`. */
export const operationCounts = (operations: Tally['operations']): string =>
  Object.entries(operations)
    .map(([operation, count]) => `${operation} ${count}`)
    .sort()
    .join(', ')

/** The text around and between the parts of a report. */
export interface Frame {
  readonly begin?: string
  readonly separator?: string
  end?(tally: Tally): string
}

export interface Reporter<Subject = DocumentResult> extends Frame {
  /** Returns the report of one result; empty if there is nothing to report. */
  one(subject: Subject): string
}
