/** Cancels an issued invoice, which keeps its number (API specification, "Cancel notes"). */
import { wrongStatus } from '../../errors/api-error.ts'
import { documentOf, isIssuedKind, updateInvoice } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import { actionOf, addEvent } from '../invoice/events.ts'
import { lockReasonsOf } from '../invoice/filed-returns.ts'
import { singleSummary } from '../invoice/invoice-summary.ts'
import { fullInvoiceReplacing } from '../invoice/replaced-invoice.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { cancelPayments } from '../sii/cash-basis/payments.ts'
import { isInSii, markForSii, siiRecordRow } from '../sii/pending-records.ts'
import { missingRecordOfInvoiceText } from '../verifactu/missing.ts'
import { registerCancellation } from '../verifactu/register.ts'

/** Cancels an invoice. `who` is the actor in the history; by default, the API key of the call. */
export async function cancelInvoice(tx: Tx, call: Call, invoiceId: string, who = actionOf(call)) {
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  if (!isInForce(row.status))
    throw wrongStatus(row.status, 'cancelled', await missingRecordOfInvoiceText(tx, row))
  const { gap, codes } = await registerCancellation(tx, call, row)
  const cancelled = await updateInvoice(tx, row, {
    status: 'cancelled',
    cancellation_gap: gap,
    updated_at: who.stamp,
  })
  const collections_cancelled = await cancelPayments(tx, 'ISSUED', invoiceId, who.stamp)
  const { canonical } = await documentOf(tx, invoiceId)
  const data = fromJson(canonical)
  if (data && (isInSii(call.company.data, data) || (await siiRecordRow(tx, invoiceId, 'ISSUED'))))
    await markForSii(tx, call, cancelled, data, 'A1', who.stamp)
  const summary = await singleSummary(tx, cancelled)
  const exchange = await fullInvoiceReplacing(tx, invoiceId)
  const corrected_by = summary.corrections?.corrected_by ?? []
  const filed = await lockReasonsOf(tx, row)
  await addEvent(tx, who, invoiceId, {
    code: 'cancelled',
    from: row.status,
    to: 'cancelled',
    details: {
      cancellation_record: gap === null || gap === 'not_sent',
      ...(gap !== null && { reason: gap }),
      ...(codes.length > 0 && { codes }),
      collections_cancelled,
      // Corrections or an F3 stay in force, although the invoice that they correct or replace is now cancelled.
      ...(corrected_by.length > 0 && { corrected_by: corrected_by.map(({ number }) => number) }),
      ...(exchange && { replaced_by: exchange.row.number }),
      // The invoice is in a filed return, so a complementary return may be necessary.
      ...(filed.length > 0 && { filed }),
    },
  })
  return summary
}
