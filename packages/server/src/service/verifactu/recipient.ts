/** Corrections of the recipient in a further record, for invoices whose customer data differs from the census. */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { FiscalRecord } from '#records/verifactu/index.ts'
import { fromJson, type Json } from '../../store/stored-json.ts'

/** Corrected data of the recipient; omitted members stay unchanged. */
export interface CorrectedRecipient {
  readonly name?: string | undefined
  readonly id?: string | undefined
}

/** Returns the first recipient of a registration; undefined if it has none. */
export function recipientOf(record: FiscalRecord) {
  const alta = 'RegistroAlta' in record ? record.RegistroAlta : undefined
  return alta?.Destinatarios?.IDDestinatario[0]
}

/**
 * Returns the corrected recipient of an earlier record. Empty if there is none; the record then has the recipient of
 * the invoice.
 */
export function earlierRecipientCorrection(registration: Json<FiscalRecord> | undefined): CorrectedRecipient {
  if (registration === undefined) return {}
  const record = fromJson(registration)
  const recipient = recipientOf(record)
  if (!recipient || !('RegistroAlta' in record) || record.RegistroAlta.Subsanacion !== 'S') return {}
  return { name: recipient.NombreRazon, id: recipient.NIF ?? recipient.IDOtro?.ID }
}

/** Returns the document from which the record is built. The stored invoice does not change. */
export function withRecipient(
  document: CanonicalInvoice,
  { name, id }: CorrectedRecipient,
): CanonicalInvoice {
  const { invoice } = document
  const { customer } = invoice
  if (!customer || (name === undefined && id === undefined)) return document
  const [identifier, ...others] = customer.identifiers ?? []
  const hasTaxId = (customer.tax_id ?? '').trim() !== '' || !identifier
  const corrected = {
    ...customer,
    ...(name === undefined ? {} : { name }),
    ...(id === undefined
      ? {}
      : hasTaxId
        ? { tax_id: id }
        : { identifiers: [{ ...identifier, value: id }, ...others] }),
  }
  return { ...document, invoice: { ...invoice, customer: corrected } }
}
