/** The domicile of a company: its address for invoices, and its VAT territory. */
import { subdivisionOf } from '#core/catalogs/index.ts'
import type { Address } from '#core/invoice/index.ts'
import type { CompanyData } from './company-shape.ts'

type Domicile = Pick<CompanyData, 'address'>

const provinceOf = ({ address }: Domicile) => subdivisionOf(address.province_code ?? '')

/** Whether the domicile is in the territory of Spanish VAT (art. 3 Ley 37/1992); undefined if unknown. */
export const isInVatTerritory = (company: Domicile): boolean | undefined => provinceOf(company)?.is_tai

/**
 * Returns the address in the form of a canonical invoice; undefined without street or province, which Facturae and art.
 * 6.1.e RD 1619/2012 require.
 */
export function invoiceAddress(company: Domicile): Address | undefined {
  const { line, post_code, town } = company.address
  const province = provinceOf(company)
  if (line === null || !province) return undefined
  const { code, name, subdivision_type } = province
  return {
    country_code: 'ES',
    country_subdivision: { code, name, subdivision_type },
    address: line,
    ...(post_code !== null && { post_code }),
    ...(town !== null && { town }),
  }
}
