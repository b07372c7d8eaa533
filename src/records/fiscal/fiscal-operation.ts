/** The meaning of an invoice's fields in a fiscal record, shared by VeriFactu and SII. */
import { correctionReasonOf } from '#core/catalogs/index.ts'
import type { CanonicalInvoice, InvoiceBlock, TaxOutput } from '#core/invoice/index.ts'
import { EXEMPT } from '#core/invoice/terms.ts'
import { type Minor, toMinor } from '#core/money/index.ts'
import { truncate } from './fiscal-party.ts'

/** Returns the type R1 to R5 of a corrective invoice; undefined for any other invoice. */
export function correctiveType({ header }: InvoiceBlock): 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | undefined {
  if (header.invoice_type_code === '04') return 'R5'
  if (header.invoice_type_code !== '03') return undefined
  const type = correctionReasonOf(header.corrective?.reason_code ?? '')?.aeat_type
  return (type as 'R1' | 'R2' | 'R3' | 'R4' | undefined) ?? 'R4'
}

/** Returns the invoice total without the tax of other member states under the one-stop shop. */
export const chargedTotal = ({ totals }: InvoiceBlock): Minor =>
  toMinor(totals.invoice_total) - toMinor(totals.total_consumption_taxes ?? 0)

/** Whether the entry is an export (arts. 21 and 22 Ley 37/1992). The authority requires regime key 02 for exports. */
export const isExport = (entry: TaxOutput): boolean =>
  entry.tax_treatment_code === EXEMPT &&
  (entry.exemption_reason_code === 'E2' || entry.exemption_reason_code === 'E3')

export const hasSurcharge = (entry: TaxOutput): boolean =>
  (entry.equivalence_surcharge ?? 0) !== 0 || (entry.equivalence_surcharge_amount ?? 0) !== 0

/** Returns the description of the invoice or, without it, of the first line, cut to 500 characters. */
export const descriptionOf = ({ issue_data: data, lines }: InvoiceBlock): string =>
  truncate(data.invoice_description?.trim() || lines[0]?.item_description || '', 500)

const MAX_REFERENCE = 60

/**
 * Returns `meta.external_ref` unless it is too long for a record: a truncated reference could match another invoice.
 */
export function externalRefOf({ meta }: CanonicalInvoice): string | undefined {
  const reference = meta.external_ref?.trim()
  return reference && [...reference].length <= MAX_REFERENCE ? reference : undefined
}
