/** The operation date of an invoice. It determines the rates that apply, and fiscal records contain it. */
import type { Header, IssueData } from './generated/types.ts'

/** A day, and the path of the field that states it. */
export interface Dated {
  readonly day: string
  readonly path: string
}

const ISSUE = '/invoice/issue_data/issue_date'
const CORRECTIVE = '/invoice/header/corrective'

/**
 * Returns the operation date stated by the invoice, or undefined. For a corrective invoice without an operation date,
 * returns the end of the corrected period or, without a period, the issue date of the corrected invoice. If the
 * corrective invoice was issued (`issued`) before the end of the period, returns `issued`.
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
