import { type Dated, inForce } from './dated.ts'
import { rows as data } from './generated/eu-vat-rates.ts'
import { deepFreeze, EMPTY_LIST, groupBy, lazy } from './lazy.ts'

/**
 * A VAT rate of a member state. `region` is the part of the country to which the rate applies; `null` for the whole
 * country.
 */
export interface ConsumptionRate extends Dated {
  readonly country: string
  readonly region: string | null
  /** `standard`, `reduced`, `super_reduced`, `parking` or `zero`. */
  readonly type: string
  readonly percent: number
}

/** First day of the one-stop shop. Rates that ended before are only in the published catalog, not in the engine. */
const FROM = '2021-07-01'

const rows = /* @__PURE__ */ lazy((): readonly ConsumptionRate[] =>
  deepFreeze(data.map((row) => ({ region: null, valid_from: FROM, valid_to: null, ...row }))),
)
const byCountry = /* @__PURE__ */ groupBy(rows, (row) => row.country)
const openRates = /* @__PURE__ */ lazy(
  () => new Map([...byCountry()].map(([country, list]) => [country, select(list, undefined)])),
)

/**
 * Returns the VAT rates of another member state in force on a day (`YYYY-MM-DD`, from 2021-07-01 on, when the one-stop
 * shop began); without a day, the rates without an end date. Countries are alpha-2 codes, `GR` for Greece; Monaco has the
 * rates of France; countries outside the Union have no rates.
 *
 * Source: Directive 2006/112/EC, the Commission's tax database and national laws.
 *
 * @example
 * consumptionRatesOf('DE').map((rate) => rate.percent) // => [19, 7, 0]
 * consumptionRatesOf('EE', '2024-06-01')[0]?.percent // => 22
 * consumptionRatesOf('MC')[0]?.percent // => 20
 * consumptionRatesOf('US') // => []
 */
export function consumptionRatesOf(
  country: string,
  on?: string,
): readonly { readonly percent: number; readonly type: string; readonly region: string | null }[] {
  const state = country === 'MC' ? 'FR' : country
  if (on === undefined) return openRates().get(state) ?? EMPTY_LIST
  const list = byCountry().get(state)
  return list === undefined ? EMPTY_LIST : select(list, on)
}

function select(list: readonly ConsumptionRate[], on: string | undefined): readonly ConsumptionRate[] {
  return Object.freeze(list.filter((row) => inForce(row, on)))
}
