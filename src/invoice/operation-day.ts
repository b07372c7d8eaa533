/** The day of an invoice's operation, by which rates are judged and which a fiscal record carries. */
import type { Header, IssueData } from './generated/types.ts'

/** A day, and the field that says it. */
export interface Dated {
  readonly day: string
  readonly path: string
}

const ISSUE = '/invoice/issue_data/issue_date'
const CORRECTIVE = '/invoice/header/corrective'

/**
 * The day that the invoice says: its operation date. A corrective without one takes that of what it corrects: the end
 * of the corrected period, else the corrected invoice's date. `issued` is the day of its own issue: a corrective in
 * the middle of a period corrects what was done until then. Undefined where nothing is said.
 */
export function operationDay(
  { is_corrective, corrective }: Header,
  { operation_date }: IssueData,
  issued: string | undefined,
): Dated | undefined {
  if (operation_date !== undefined) return { day: operation_date, path: '/invoice/issue_data/operation_date' }
  if (!is_corrective) return undefined
  const end = corrective?.tax_period?.end_date
  if (end !== undefined)
    return issued !== undefined && end > issued
      ? { day: issued, path: ISSUE }
      : { day: end, path: `${CORRECTIVE}/tax_period/end_date` }
  const corrected = corrective?.invoice_issue_date
  return corrected === undefined ? undefined : { day: corrected, path: `${CORRECTIVE}/invoice_issue_date` }
}
