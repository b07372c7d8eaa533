/** What the one read of issuing has found, taken apart. */
import type { InvoiceRow } from '../../store/invoices.ts'
import { INVOICE_COLUMNS, type IssueRow } from '../../store/issue-statements.ts'
import type { Series } from '../invoice/numbering.ts'
import { type ChainEnd, chainEnd } from '../verifactu/chain.ts'
import { periodOf, type VerifactuPeriod } from '../verifactu/period.ts'

export const invoiceIn = (row: IssueRow): InvoiceRow =>
  Object.fromEntries(INVOICE_COLUMNS.map((name) => [name, row[name]])) as unknown as InvoiceRow

/** The series; null where its last date has to be looked for. */
export const seriesIn = ({ series_code, template, next_number, last_date }: IssueRow): Series => ({
  series_code,
  template,
  next_number,
  last_date,
})

/** The period that is open; null where VeriFactu is not active. */
export const periodIn = (row: IssueRow): VerifactuPeriod | null =>
  row.period_id === null
    ? null
    : periodOf({
        period_id: row.period_id,
        mode: row.mode,
        sandbox: row.sandbox,
        certificate_id: row.certificate_id,
        start_date: row.start_date,
        updated_at: row.period_updated_at,
      })

/** The end of the chain of that period; undefined where it is not locked. */
export const endIn = ({ chain_sequence, last_record }: IssueRow): ChainEnd<'records'> | undefined =>
  chain_sequence === null ? undefined : chainEnd(chain_sequence, last_record)
