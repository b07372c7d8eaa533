/** Prepares a recognised proposal for registration by removing what the specification says, and nothing else. */
import type { Document } from './invoices.ts'

const ADDRESSES = ['supplier', 'customer'].flatMap((party) =>
  ['company', 'person'].map((kind) => [party, kind, 'address'] as const),
)

const without = (value: Record<string, unknown> | undefined, ...names: readonly string[]): void => {
  for (const name of names) if (value) delete value[name]
}

/** Specification, section "Received invoices", "Recognition". */
export function removed(proposal: object): Document {
  const document: Document = structuredClone(proposal)
  const { invoice } = document
  without(invoice.header, 'is_simplified', 'is_corrective')
  for (const line of invoice.lines ?? [])
    without(line, 'taxable', 'exempt', 'tax_category_code', 'tax_output_code', 'tax_withheld_code')
  for (const entry of [...(invoice.taxes_outputs ?? []), ...(invoice.taxes_withheld ?? [])])
    without(entry, 'taxable', 'exempt', 'tax_category_code', 'tax_type_code')
  for (const [party, kind, address] of ADDRESSES)
    without(invoice[party]?.[kind]?.[address]?.country_subdivision, 'subdivision_type')
  return document
}
