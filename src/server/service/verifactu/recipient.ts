/** The recipient of a further record, where the customer's data on the invoice are not those of the census. */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import type { FiscalRecord } from '../../../verifactu/index.ts'
import { fromJson, type Json } from '../../store/json.ts'

/** What of the recipient is corrected; what is not given stays. */
export interface CorrectedRecipient {
  readonly name?: string | undefined
  readonly id?: string | undefined
}

/** The first recipient of a registration; undefined where it names none. */
export function recipientOf(record: FiscalRecord) {
  const alta = 'RegistroAlta' in record ? record.RegistroAlta : undefined
  return alta?.Destinatarios?.IDDestinatario[0]
}

/** Returns the recipient that an earlier correction of the invoice has named; the first registration has the invoice's. */
export function correctedBefore(registration: Json<FiscalRecord> | undefined): CorrectedRecipient {
  if (registration === undefined) return {}
  const record = fromJson(registration)
  const recipient = recipientOf(record)
  if (!recipient || !('RegistroAlta' in record) || record.RegistroAlta.Subsanacion !== 'S') return {}
  return { name: recipient.NombreRazon, id: recipient.NIF ?? recipient.IDOtro?.ID }
}

/** The invoice as its record is made of it. What is stored of the invoice stays as it was issued. */
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
