/** Cancels an issued invoice, which keeps its number (API specification, "Cancel notes"). */
import { wrongStatus } from '../../errors/api-error.ts'
import { documentOf, isIssuedKind, updateInvoice } from '../../store/invoices.ts'
import { fromJson } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { actionOf, addEvent } from '../invoice/events.ts'
import { exchangeOf } from '../invoice/replaced.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { singleSummary } from '../invoice/summary.ts'
import { cancelPayments } from '../sii/cash-basis/payments.ts'
import { markForSii } from '../sii/pending.ts'
import { registerCancellation } from '../verifactu/register.ts'

export async function cancelInvoice(tx: Tx, call: Call, invoiceId: string) {
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  if (!isInForce(row.status)) throw wrongStatus(row.status, 'cancelled')
  // No cancellation record for a sent invoice: the customer already has it, so both parties must agree first.
  const cancellation_record = row.status === 'issued' && (await registerCancellation(tx, call, invoiceId))
  const who = actionOf(call)
  const cancelled = await updateInvoice(tx, row, { status: 'cancelled', updated_at: who.stamp })
  const collections_cancelled = await cancelPayments(tx, 'ISSUED', invoiceId, who.stamp)
  const { canonical } = await documentOf(tx, invoiceId)
  if (canonical !== null) await markForSii(tx, call, cancelled, fromJson(canonical), 'A1', who.stamp)
  const summary = await singleSummary(tx, cancelled)
  const exchange = await exchangeOf(tx, invoiceId)
  const corrected_by = summary.corrections?.corrected_by ?? []
  await addEvent(tx, who, invoiceId, {
    code: 'cancelled',
    from: row.status,
    to: 'cancelled',
    details: {
      cancellation_record,
      collections_cancelled,
      // A correction or an F3 in force stays, but what it takes back or replaces is no longer there.
      ...(corrected_by.length > 0 && { corrected_by: corrected_by.map(({ number }) => number) }),
      ...(exchange && { replaced_by: exchange.row.number }),
    },
  })
  return summary
}
