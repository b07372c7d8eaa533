import { rows as surchargeData } from '#catalogs/equivalence-surcharges.json'
import { type Dated, inForce } from './dated.ts'
import { rows as data } from './generated/tax-rates.ts'
import { deepFreeze, EMPTY_LIST, groupBy, keepLast, lazy } from './lazy.ts'

/** A tax or withholding rate, and the days on which it is in force. */
export interface TaxRate extends Dated {
  /**
   * `IVA_21`. If a rate was in force in several periods, the codes of the earlier periods end in their first year:
   * `IRPF_19_2010`.
   */
  readonly code: string
  readonly name: string
  readonly name_en: string
  readonly tax_group_code: 'IVA' | 'IGIC' | 'IPSI' | 'IRPF'
  readonly percent: number
}

interface Surcharge extends Dated {
  readonly percent: number
  readonly surcharge: number
}

const rates = /* @__PURE__ */ lazy(() => deepFreeze(data) as readonly TaxRate[])
const byGroup = /* @__PURE__ */ groupBy(rates, (row) => row.tax_group_code)
const byRate = /* @__PURE__ */ groupBy(rates, (row) => `${row.tax_group_code} ${row.percent}`)
/** Rates by tax group and day. The last day is cached, because most invoices of a batch have the same day. */
const ratesOnDay = /* @__PURE__ */ lazy(
  () => new Map([...byGroup()].map(([group, rows]) => [group, keepLast((on) => percents(rows, on))])),
)

const surcharges = /* @__PURE__ */ lazy(() => {
  const index = new Map<number, Surcharge[]>()
  for (const row of surchargeData) index.set(row.percent, [...(index.get(row.percent) ?? []), row])
  return index
})

const NO_SURCHARGE: readonly number[] = /* @__PURE__ */ Object.freeze([0])

/**
 * Returns the row of a tax group (`IVA`, `IGIC`, `IPSI`; `IRPF` for withholding) and percentage in force on a day
 * (`YYYY-MM-DD`); without a day, the row without an end date.
 *
 * Source: articles 90 and 91 of Ley 37/1992 and the decrees named in each row.
 *
 * @example
 * taxRateOf('IVA', 21)?.code // => 'IVA_21'
 * taxRateOf('IVA', 5) // => undefined
 * taxRateOf('IVA', 5, '2023-05-02')?.valid_to // => '2024-09-30'
 * taxRateOf('IRPF', 15)?.name_en // => 'Professional activities'
 */
export function taxRateOf(group: string, percent: number, on?: string): TaxRate | undefined {
  return byRate()
    .get(`${group} ${percent}`)
    ?.find((row) => inForce(row, on))
}

/**
 * Returns the percentages of a tax group in force on a day (`YYYY-MM-DD`), highest first; without a day, the
 * percentages without an end date. An unknown group has no percentages.
 *
 * @example
 * taxRatesOf('IVA', '2025-01-01') // => [21, 10, 4, 0]
 * taxRatesOf('IVA', '2024-11-01') // => [21, 10, 7.5, 4, 2, 0]
 * taxRatesOf('IRPF', '2025-01-01') // => [19, 15, 7]
 */
export function taxRatesOf(group: string, on?: string): readonly number[] {
  return ratesOnDay().get(group)?.(on) ?? EMPTY_LIST
}

/**
 * Whether an equivalence surcharge belongs to a VAT rate on a day (`YYYY-MM-DD`); without a day, considers only pairs
 * without an end date. The surcharge of a rate of 0 is always 0.
 *
 * Source: article 161 of Ley 37/1992 and the temporary decrees of 2022 to 2024.
 *
 * @example
 * isSurchargePair(21, 5.2) // => true
 * isSurchargePair(21, 1.4) // => false
 * isSurchargePair(5, 0.62, '2023-05-02') // => true
 * isSurchargePair(5, 0.62, '2022-08-01') // => false
 * isSurchargePair(0, 0) // => true
 */
export function isSurchargePair(percent: number, surcharge: number, on?: string): boolean {
  if (percent === 0 && surcharge === 0) return true
  const rows = surcharges().get(percent)
  return rows?.some((row) => row.surcharge === surcharge && inForce(row, on)) ?? false
}

/**
 * Returns the equivalence surcharges of a VAT rate on a day (`YYYY-MM-DD`); without a day, the surcharges without an
 * end date. The general surcharge comes first (21 % has a second surcharge, for tobacco).
 *
 * @example
 * surchargesOf(21) // => [5.2, 1.75]
 * surchargesOf(10) // => [1.4]
 * surchargesOf(5) // => []
 * surchargesOf(5, '2022-08-01') // => [0.5]
 * surchargesOf(0) // => [0]
 */
export function surchargesOf(percent: number, on?: string): readonly number[] {
  if (percent === 0) return NO_SURCHARGE
  const rows = surcharges().get(percent)
  return rows === undefined ? EMPTY_LIST : rows.filter((row) => inForce(row, on)).map((row) => row.surcharge)
}

/** Returns the percentages in force. The catalog is sorted from the highest rate down. */
function percents(rows: readonly TaxRate[], on: string | undefined): readonly number[] {
  return Object.freeze(rows.filter((row) => inForce(row, on)).map((row) => row.percent))
}
