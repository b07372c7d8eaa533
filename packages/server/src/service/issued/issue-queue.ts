/** Reserves drafts for a bulk issue and releases them, for the administrator's command line only. */
import { CuadraError } from '#core/errors/index.ts'
import { type InvoiceRow, lockInvoice, updateInvoice } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { type Action, addEvent } from '../invoice/events.ts'
import { lockSeries } from '../invoice/numbering.ts'

async function move(
  tx: Tx,
  who: Action,
  invoiceId: string,
  from: 'draft' | 'queued',
  to: 'draft' | 'queued',
): Promise<InvoiceRow> {
  const row = await lockInvoice(tx, invoiceId)
  if (row?.direction !== 'issued')
    throw new CuadraError(`The company has no issued invoice or draft ${invoiceId}. List its drafts.`)
  if (row.status !== from)
    throw new CuadraError(
      `The invoice ${invoiceId} is ${row.status}. Only a ${from} invoice can become ${to}.`,
    )
  // Locking the series waits for invoices that are being issued. Later requests to issue see the reservation.
  await lockSeries(tx, row.document_series ?? '', who.stamp)
  const after = await updateInvoice(tx, row, { status: to, updated_at: who.stamp })
  await addEvent(tx, who, invoiceId, { code: to === 'queued' ? 'queued' : 'unqueued', from, to })
  return after
}

/**
 * Reserves a draft for issuing. Until it is released, no other invoice of its series can be issued. Throws if it is not
 * a draft.
 */
export const queueInvoice = (tx: Tx, who: Action, invoiceId: string): Promise<InvoiceRow> =>
  move(tx, who, invoiceId, 'draft', 'queued')

/** Releases a reserved draft. Throws if the invoice is not reserved. */
export const unqueueInvoice = (tx: Tx, who: Action, invoiceId: string): Promise<InvoiceRow> =>
  move(tx, who, invoiceId, 'queued', 'draft')
