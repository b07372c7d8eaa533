/** What an invoice's own fields mean in a fiscal record, alike for VeriFactu and SII. */
import { correctionReasonOf } from '../catalogs/index.ts'
import type { CanonicalInvoice, InvoiceBlock, TaxOutput } from '../invoice/index.ts'
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

/** What makes entries of the breakdown parts of one group: everything but their amounts and the surcharge. */
const groupOf = (entry: TaxOutput): string =>
  JSON.stringify([
    entry.tax_treatment_code,
    entry.tax_rate,
    entry.tax_regime_key,
    entry.exemption_reason_code,
    entry.non_taxable_reason,
    entry.consumption_country_code,
    entry.consumption_tax_rate,
    entry.consumption_rate_type,
    entry.supply_type,
  ])

/**
 * Cents that the total may lie away from the sum of the breakdown: none, but where a client sent a group in several
 * entries, whose bases are kept: they may miss the lines by a cent for each (calculation page, section 4).
 */
export function roundingOf({ lines, taxes_outputs: entries = [] }: InvoiceBlock): number {
  const isSplit = entries.length > 1 && new Set(entries.map(groupOf)).size < entries.length
  return isSplit ? Math.max(1, lines.length) : 0
}
