/** The operation date in a record (`FechaOperacion`), derived the same way for both systems. */

import { isDate } from '#core/invoice/date.ts'
import { type CanonicalInvoice, type Dated, type InvoiceBlock, operationDay } from '#core/invoice/index.ts'

export { CORRECTED_LATER } from './generated/texts/correction.ts'

/** A further invoice that a corrective invoice corrects, as given by the caller. */
interface Corrected {
  readonly issue_date?: string
}

/**
 * Returns the operation date and the path that states it. Returns undefined if it is the issue date, and on drafts
 * without an operation date.
 *
 * A corrective invoice of several invoices (`corrects`) has the latest of their dates, unless it states its own date
 * (AEAT, preguntas frecuentes del SII). The end of a corrected period is capped at the issue date of the corrective
 * invoice.
 */
export function fiscalDay(block: InvoiceBlock, corrects: readonly Corrected[] = []): Dated | undefined {
  const { header, issue_data: data } = block
  let dated = operationDay(header, data, data.issue_date)
  if (header.is_corrective && data.operation_date === undefined)
    corrects.forEach((one, i) => {
      const day = one?.issue_date
      if (isDate(day) && (dated === undefined || day > dated.day))
        dated = { day, path: `/corrects/${i}/issue_date` }
    })
  return dated?.day === data.issue_date ? undefined : dated
}

/** Returns `FechaOperacion` as a date, or undefined if it is the issue date. */
export const operationDateOf = (block: InvoiceBlock, corrects?: readonly Corrected[]): string | undefined =>
  fiscalDay(block, corrects)?.day

/**
 * Returns a full invoice with the operation date of the simplified invoice that it replaces, unless it already has one.
 * The forced accrual of unpaid amounts depends on the operation date (art. 163 terdecies Ley 37/1992).
 */
export function withOperationDateOf(document: CanonicalInvoice, ticket: CanonicalInvoice): CanonicalInvoice {
  const { invoice } = document
  const { header, issue_data } = invoice
  const operation_date = operationDateOf(ticket.invoice) ?? ticket.invoice.issue_data.issue_date
  return header.is_corrective || issue_data.operation_date !== undefined || operation_date === undefined
    ? document
    : { ...document, invoice: { ...invoice, issue_data: { ...issue_data, operation_date } } }
}

/** Returns the date (with its path) of a corrected invoice dated after the corrective invoice, which is never valid. */
export function laterCorrectedDate(
  block: InvoiceBlock,
  corrects?: readonly Corrected[],
): { readonly path: string; readonly received: string; readonly expected: string } | undefined {
  const { issue_date: issued, operation_date } = block.issue_data
  const dated = operation_date === undefined ? fiscalDay(block, corrects) : undefined
  if (!dated || issued === undefined || dated.day <= issued) return undefined
  return { path: dated.path, received: dated.day, expected: issued }
}
