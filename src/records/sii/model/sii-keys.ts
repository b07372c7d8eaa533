/** Regime keys of a record: one main key and up to two additional keys (Orden HFP/417/2017, annex I). */
import { regimeOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock, TaxOutput } from '#core/invoice/index.ts'
import { GENERAL_REGIME } from '#core/invoice/terms.ts'
import { type Minor, toMinor } from '#core/money/index.ts'
import { isExport } from '../../fiscal/fiscal-operation.ts'
import type { Refuse } from './sii-items.ts'
import type { FacturaExpedida, RegimeKey } from './sii-record-types.ts'

const EXPORT = '02'
const TRAVEL = '05'
/** Operations subject to IPSI or IGIC, which the place-of-supply rules exclude from VAT. */
const OTHER_TERRITORY = '08'
const LEASE = '11'
const LEASE_NOT_WITHHELD = '12'
const LEASE_BOTH = '13'

/** Whether the tax of the invoice is VAT. The books of the SII contain only VAT. */
export const isVat = ({ issue_data: data }: InvoiceBlock): boolean => (data.tax_group_code ?? 'IVA') === 'IVA'

/**
 * Returns a regime key as it is in the SII, where the general regime replaces keys that only VeriFactu has; undefined
 * for an unknown key.
 */
const known = (key: string, direction: 'issued' | 'received'): string | undefined => {
  const regime = regimeOf('IVA', key, direction)
  return regime && (regime.sii ? key : GENERAL_REGIME)
}

/**
 * Returns the key of leases. VeriFactu has one; the SII has three, for leases with withholding, without it, and for
 * both.
 */
function leaseKey({ lines }: InvoiceBlock): string {
  const leases = lines.filter((line) => line.tax_regime_key === LEASE)
  const withheld = leases.filter((line) => (line.tax_withheld_rate ?? 0) > 0).length
  return withheld === leases.length ? LEASE : withheld === 0 ? LEASE_NOT_WITHHELD : LEASE_BOTH
}

/** Returns the regime key of a breakdown entry in the book of issued invoices; undefined for an unknown key. */
export function issuedRegimeKey(entry: TaxOutput, invoice: InvoiceBlock): string | undefined {
  if (!isVat(invoice)) return OTHER_TERRITORY
  const key = known(entry.tax_regime_key ?? GENERAL_REGIME, 'issued')
  if (key === GENERAL_REGIME && isExport(entry)) return EXPORT
  return key === LEASE ? leaseKey(invoice) : key
}

/** Returns the key of an entry in the book of received invoices, before considering the supplier. */
export const receivedRegimeKey = (
  entry: Pick<TaxOutput, 'tax_regime_key'>,
  invoice: InvoiceBlock,
): string | undefined =>
  isVat(invoice) ? known(entry.tax_regime_key ?? GENERAL_REGIME, 'received') : OTHER_TERRITORY

type Keys = Pick<
  FacturaExpedida,
  | 'ClaveRegimenEspecialOTrascendencia'
  | 'ClaveRegimenEspecialOTrascendenciaAdicional1'
  | 'ClaveRegimenEspecialOTrascendenciaAdicional2'
>

/**
 * Returns the regime keys of an invoice: key 05 first, then in descending order of their bases; at most three.
 *
 * For equal bases the lower key comes first, so that the order of lines does not matter.
 */
export function regimeKeysOfRecord(
  invoice: InvoiceBlock,
  keyOf: (entry: TaxOutput, invoice: InvoiceBlock) => string | undefined,
  { refuse, warn }: { readonly refuse: Refuse; readonly warn: Refuse },
  direction: 'issued' | 'received',
): Keys {
  const bases = new Map<string, Minor>()
  required(invoice.taxes_outputs).forEach((entry, index) => {
    const key = keyOf(entry, invoice)
    if (key === undefined)
      refuse('sii.regime_key', `/invoice/taxes_outputs/${index}/tax_regime_key`, {
        received: entry.tax_regime_key ?? '',
        direction,
      })
    else bases.set(key, (bases.get(key) ?? 0) + toMinor(entry.taxable_base))
  })
  const first = (key: string): number => (key === TRAVEL ? 0 : 1)
  const sorted = [...bases].sort(
    ([a, baseA], [b, baseB]) =>
      first(a) - first(b) || Math.abs(baseB) - Math.abs(baseA) || Number(a) - Number(b),
  )
  const [main, second, third, ...more] = sorted.map(([key]) => key as RegimeKey)
  if (more.length > 0)
    warn('sii.too_many_regime_keys', '/invoice/taxes_outputs', { received: more, allowed: 3 })
  return {
    ClaveRegimenEspecialOTrascendencia: main ?? GENERAL_REGIME,
    ...(second === undefined ? {} : { ClaveRegimenEspecialOTrascendenciaAdicional1: second }),
    ...(third === undefined ? {} : { ClaveRegimenEspecialOTrascendenciaAdicional2: third }),
  }
}
