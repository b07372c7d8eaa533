/** What a filed return and the SII forbid to change in received invoices. */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { lockedFieldsChanged, returnsCovering } from '../invoice/filed-returns.ts'
import { receivedColumns } from './rows.ts'
import { isAcceptedBySii } from './sii.ts'

/** Returns that an invoice is in. What is still pending review was not declared, so it may be finished or dropped. */
const returnsOf = async (tx: Tx, { status, fiscal_date }: InvoiceRow) =>
  status === 'received' ? returnsCovering(tx, fiscal_date) : []

/** Whether an invoice was declared. */
export const isInReturn = async (tx: Tx, row: InvoiceRow): Promise<boolean> =>
  (await returnsOf(tx, row)).length > 0

/** Throws where fiscal data of an invoice would change that is in a filed return, or would move into one. */
export async function requireUnlocked(
  tx: Tx,
  row: InvoiceRow,
  before: CanonicalInvoice,
  after: CanonicalInvoice,
): Promise<void> {
  const { fiscal_date } = receivedColumns(after)
  const reasons = new Set([...(await returnsOf(tx, row)), ...(await returnsOf(tx, { ...row, fiscal_date }))])
  if (reasons.size === 0) return
  const locked_fields_changed = lockedFieldsChanged(before, after)
  if (locked_fields_changed.length > 0)
    throw new ApiError('received_invoice_fiscally_locked', { reasons: [...reasons], locked_fields_changed })
}

/** Why an invoice is not deleted: it is in a filed return, or the tax agency has it. */
export async function reasonsToKeep(tx: Tx, row: InvoiceRow): Promise<readonly string[]> {
  const filed = await returnsOf(tx, row)
  const accepted = await isAcceptedBySii(tx, row.invoice_id)
  return accepted ? [...filed, 'accepted_by_sii'] : filed
}
