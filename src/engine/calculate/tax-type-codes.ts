/** Codes derived from treatment, rate and tax group. */
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE } from '#core/invoice/terms.ts'

/** Facturae tax types (`TaxTypeCode`) of the tax groups and of income tax withheld. */
const TAX_TYPES: Readonly<Record<string, string>> = { IVA: '01', IPSI: '02', IGIC: '03' }
const IRPF = '04'
const IRNR = '28'

export const taxTypeOf = (taxGroup: string): string => TAX_TYPES[taxGroup] ?? '01'

/**
 * Returns the code of the tax withheld: income tax of residents (IRPF), or of non-residents if the supplier is abroad.
 */
export const withheldTypeOf = (supplierCountry: string | undefined): string =>
  supplierCountry === 'ES' ? IRPF : IRNR

/**
 * Returns the tax category of EN 16931 (UNTDID 5305).
 *
 * @example
 * categoryOf('TAXABLE_NON_EXEMPT', 21, undefined, 'IVA') // => 'S'
 * categoryOf('TAXABLE_EXEMPT', 0, 'E5', 'IVA') // => 'K'
 */
export function categoryOf(
  treatment: string,
  rate: number,
  reason: string | undefined,
  taxGroup: string,
): string {
  if (treatment === NON_TAXABLE) return 'O'
  if (treatment === REVERSE_CHARGE) return 'AE'
  if (treatment === EXEMPT) {
    if (reason === 'E5') return 'K'
    return reason === 'E2' || reason === 'E3' || reason === 'E4' ? 'G' : 'E'
  }
  if (taxGroup === 'IGIC') return 'L'
  if (taxGroup === 'IPSI') return 'M'
  return rate === 0 ? 'Z' : 'S'
}
