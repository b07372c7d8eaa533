/** Adds the issuer's address to an invoice that does not state it. */
import type { Address, CanonicalInvoice } from '#core/invoice/index.ts'

/** Returns the canonical invoice. If its issuer has no address, adds the given address. */
export function withIssuerAddress(
  document: CanonicalInvoice,
  address: Address | undefined,
): CanonicalInvoice {
  const { invoice } = document
  const { supplier } = invoice
  if (supplier.company?.address || supplier.person?.address || !address) return document
  const block = supplier.person_type_code === 'F' ? 'person' : 'company'
  return {
    ...document,
    invoice: { ...invoice, supplier: { ...supplier, [block]: { ...supplier[block], address } } },
  }
}
