/** Adds the issuer's address from the data of the company. */
import type { CanonicalInvoice } from '../../invoice/index.ts'

/** The address of a company, as in `company.json`. */
export interface CompanyAddress {
  readonly line: string | null
  readonly post_code: string | null
  readonly town: string | null
  readonly province_code: string | null
}

/**
 * Returns the invoice with the company's address if the issuer has none. Facturae requires an address, and RD
 * 1619/2012, art. 6.1.e requires it of both parties.
 */
export function withIssuerAddress(document: CanonicalInvoice, address: CompanyAddress): CanonicalInvoice {
  const { invoice } = document
  const { supplier } = invoice
  const kind = supplier.person_type_code === 'F' ? 'person' : 'company'
  if (supplier[kind]?.address || address.line === null || address.province_code === null) return document
  const own = {
    address: address.line,
    ...(address.post_code === null ? {} : { post_code: address.post_code }),
    ...(address.town === null ? {} : { town: address.town }),
    country_code: 'ES',
    country_subdivision: { code: address.province_code },
  }
  return {
    ...document,
    invoice: { ...invoice, supplier: { ...supplier, [kind]: { ...supplier[kind], address: own } } },
  }
}
