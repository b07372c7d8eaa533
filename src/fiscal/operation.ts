/** What an invoice's own fields mean in a fiscal record, alike for VeriFactu and SII. */
import { correctionReasonOf } from '../catalogs/index.ts'
import type { CanonicalInvoice, InvoiceBlock } from '../invoice/index.ts'
import { cut } from './party.ts'

/** R1 to R5 of a corrective invoice; undefined for every other invoice. */
export function correctiveType({ header }: InvoiceBlock): 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | undefined {
  if (header.invoice_type_code === '04') return 'R5'
  if (header.invoice_type_code !== '03') return undefined
  const type = correctionReasonOf(header.corrective?.reason_code ?? '')?.aeat_type
  return (type as 'R1' | 'R2' | 'R3' | 'R4' | undefined) ?? 'R4'
}

/** The invoice's description, else its first line's, in at most 500 characters. */
export const descriptionOf = ({ issue_data: data, lines }: InvoiceBlock): string =>
  cut(data.invoice_description?.trim() || lines[0]?.item_description || '', 500)

const MAX_REFERENCE = 60

/** `meta.external_ref`, unless it is too long for a record: half a reference would match the wrong invoice. */
export function externalRefOf({ meta }: CanonicalInvoice): string | undefined {
  const reference = meta.external_ref?.trim()
  return reference && [...reference].length <= MAX_REFERENCE ? reference : undefined
}

/**
 * Cents that the total may lie away from the sum of the breakdown: one for each line, as many as the bases that a client
 * sends for the parts of a group may (calculation page, section 4). The authority takes ten euros.
 */
export const roundingOf = ({ lines }: InvoiceBlock): number => Math.max(1, lines.length)
