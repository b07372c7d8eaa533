/** Saves a validated document with an event, as a new invoice or as a change of an existing one. */
import { isDeepStrictEqual } from 'node:util'
import {
  differingColumns,
  type InvoiceRow,
  insertInvoice,
  invoiceWithChanges,
  type StoredDocument,
  updateInvoice,
} from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { fromJson, toJson } from '../../store/stored-json.ts'
import { type Action, addEvent, type EventCode, type NewEvent } from './events.ts'
import type { numberedColumns } from './invoice-columns.ts'
import type { Validated, Validation } from './validate-sent.ts'

/** The data to save. `details` are added to the event. */
export interface Written<V extends Validation> {
  readonly validation: V
  /** The document as the client sent it. If it is missing, the stored one is kept. */
  readonly sent?: unknown
  readonly details?: NonNullable<NewEvent['details']>
}

/** Inserts an invoice with its document, and adds its event. */
export async function insertValidated(
  tx: Tx,
  who: Action,
  code: EventCode,
  placed: Pick<InvoiceRow, 'invoice_id' | 'direction' | 'status' | 'imported'> &
    ReturnType<typeof numberedColumns>,
  { validation, sent, details = {} }: Written<Validated>,
): Promise<InvoiceRow> {
  const { data, errors, is_valid, canonical = toJson(data) } = validation
  const { stamp } = who
  const row = {
    ...placed,
    has_errors: is_valid ? 0 : 1,
    cancellation_gap: null,
    created_at: stamp,
    updated_at: stamp,
  }
  await insertInvoice(tx, row, { sent: toJson(sent), canonical, errors: toJson(errors) })
  await addEvent(tx, who, row.invoice_id, { code, from: null, to: row.status, details })
  return row
}

/** Updates an invoice, and adds its event. If the validation has no document, the stored calculated one is kept. */
export async function updateValidated(
  tx: Tx,
  who: Action,
  code: EventCode,
  row: InvoiceRow,
  changes: Partial<InvoiceRow>,
  { validation, sent, details = {} }: Written<Validation>,
): Promise<InvoiceRow> {
  const { data, errors, is_valid, canonical = data && toJson(data) } = validation
  const after = await updateInvoice(
    tx,
    row,
    { ...changes, has_errors: is_valid ? 0 : 1, updated_at: who.stamp },
    {
      ...(sent !== undefined && { sent: toJson(sent) }),
      ...(canonical && { canonical }),
      errors: toJson(errors),
    },
  )
  await addEvent(tx, who, row.invoice_id, { code, from: row.status, to: after.status, details })
  return after
}

/** Returns validation items without their messages, because the language of a message depends on the request. */
const withoutMessages = (errors: StoredDocument['errors']) =>
  fromJson(errors).map(({ message: _, ...item }) => item)

/**
 * Stores the result of validating a saved invoice again, with the event `validated`. Writes nothing if the result has
 * not changed, because validating requires only the read scope.
 */
export async function updateValidationResult(
  tx: Tx,
  who: Action,
  row: InvoiceRow,
  stored: StoredDocument,
  changes: Partial<InvoiceRow>,
  validation: Validation,
): Promise<InvoiceRow> {
  const { data, errors, is_valid } = validation
  const after = invoiceWithChanges(row, { ...changes, has_errors: is_valid ? 0 : 1 })
  const isStored =
    differingColumns(row, after).length === 0 &&
    (data === null || isDeepStrictEqual(fromJson(stored.canonical), fromJson(toJson(data)))) &&
    isDeepStrictEqual(withoutMessages(stored.errors), withoutMessages(toJson(errors)))
  if (isStored) return row
  return updateValidated(tx, who, 'validated', row, changes, { validation, details: { is_valid } })
}
