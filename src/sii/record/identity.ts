/** `IDFactura`: what makes a record the same record. Issuer, number and day of issue. */
import { required } from '../../errors/index.ts'
import { toFecha } from '../../fiscal/literals.ts'
import { cut, type FiscalParty, fiscalParty, spanishNif } from '../../fiscal/party.ts'
import type { InvoiceBlock } from '../../invoice/index.ts'
import type { Refuse } from '../model/items.ts'

const MAX_NAME = 120

/** Number and day of issue; the document has been checked to have both. */
export const numberOf = ({ header, issue_data: data }: InvoiceBlock) => ({
  NumSerieFacturaEmisor: required(header.invoice_number).trim(),
  FechaExpedicionFacturaEmisor: toFecha(data.issue_date!),
})

/** NIF of the company whose book it is. */
function holderNif(taxId: string | undefined, path: string, refuse: Refuse): string {
  const nif = spanishNif(taxId)
  if (nif === undefined) refuse('sii.holder_nif', path, { received: taxId ?? '' })
  return nif ?? ''
}

/** Issuer of an issued invoice: the holder of the book. */
export const issuerNif = ({ supplier }: InvoiceBlock, refuse: Refuse): string =>
  holderNif(supplier.tax_id, '/invoice/supplier/tax_id', refuse)

/** The holder as its own counterparty: imports (F5) and customs settlements (LC) have no supplier in the record. */
function holderItself({ customer }: InvoiceBlock, refuse: Refuse): FiscalParty {
  const NIF = holderNif(customer?.tax_id, '/invoice/customer/tax_id', refuse)
  return { NombreRazon: cut(customer?.name ?? '', MAX_NAME), NIF }
}

const NOBODY: FiscalParty = { NombreRazon: '' }

/** Who stands as the issuer of a received invoice: its supplier, or of a customs document the holder. */
export function receivedIssuer(
  block: InvoiceBlock,
  { customs, notInCensus }: { customs: boolean; notInCensus: boolean },
  refuse: Refuse,
): FiscalParty {
  if (customs) return holderItself(block, refuse)
  const party = fiscalParty(block.supplier, { notInCensus })
  if (!party) refuse('sii.counterparty', '/invoice/supplier')
  return party ?? NOBODY
}

/** The identifier alone, as the identity of a received invoice carries it. */
export const idOf = ({
  NIF,
  IDOtro,
}: FiscalParty): { NIF: string } | { IDOtro: NonNullable<FiscalParty['IDOtro']> } =>
  IDOtro ? { IDOtro } : { NIF: NIF ?? '' }
