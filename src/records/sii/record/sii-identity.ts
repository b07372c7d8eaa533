/** `IDFactura`, the identity of a record: issuer, number and date of issue. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { type FiscalParty, fiscalParty, spanishNif, truncate } from '../../fiscal/fiscal-party.ts'
import { toFecha } from '../../fiscal/literals.ts'
import type { Refuse } from '../model/sii-items.ts'

const MAX_NAME = 120

/** Returns number and date of issue; both have been checked before. */
export const numberAndDateOf = ({ header, issue_data: data }: InvoiceBlock) => ({
  NumSerieFacturaEmisor: required(header.invoice_number).trim(),
  FechaExpedicionFacturaEmisor: toFecha(data.issue_date!),
})

/** Returns the NIF of the holder of the book. */
function holderNif(taxId: string | undefined, path: string, refuse: Refuse): string {
  const nif = spanishNif(taxId)
  if (nif === undefined) refuse('sii.holder_nif', path, { received: taxId ?? '' })
  return nif ?? ''
}

/** Returns the issuer of an issued invoice: the holder of the book. */
export const issuerNif = ({ supplier }: InvoiceBlock, refuse: Refuse): string =>
  holderNif(supplier.tax_id, '/invoice/supplier/tax_id', refuse)

/**
 * Returns the holder of the book as counterparty. Records of imports (F5) and customs settlements (LC) name the holder
 * instead of a supplier.
 */
function holderItself({ customer }: InvoiceBlock, refuse: Refuse): FiscalParty {
  const NIF = holderNif(customer?.tax_id, '/invoice/customer/tax_id', refuse)
  return { NombreRazon: truncate(customer?.name ?? '', MAX_NAME), NIF }
}

const UNNAMED: FiscalParty = { NombreRazon: '' }

/** Returns the issuer of a received invoice: its supplier or, for a customs document, the holder of the book. */
export function receivedIssuer(
  block: InvoiceBlock,
  { customs, notInCensus }: { customs: boolean; notInCensus: boolean },
  refuse: Refuse,
): FiscalParty {
  if (customs) return holderItself(block, refuse)
  const party = fiscalParty(block.supplier, { notInCensus })
  if (!party) refuse('sii.counterparty', '/invoice/supplier')
  return party ?? UNNAMED
}

/** Returns the identifier of a party without its name, for the identity of a received invoice. */
export const idOf = ({
  NIF,
  IDOtro,
}: FiscalParty): { NIF: string } | { IDOtro: NonNullable<FiscalParty['IDOtro']> } =>
  IDOtro ? { IDOtro } : { NIF: NIF ?? '' }
