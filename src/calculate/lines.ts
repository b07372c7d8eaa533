/** Lines and the groups they are taxed in (calculation page, sections 3 and 4). */
import { EXEMPT, isMarginKey, type Line, NON_TAXABLE, TAXED } from '../invoice/index.ts'
import { type Minor, multiply, percentOf, toMinor } from '../money/index.ts'
import type { LineAmounts, TaxGroup } from './model.ts'

/** True for a line that is taxed on its margin (arts. 135-139 and 141-147 Ley 37/1992). */
export const isMarginLine = (line: Line): boolean =>
  line.purchase_price_incl !== undefined &&
  isMarginKey(line.tax_regime_key) &&
  line.tax_treatment_code === TAXED

/** The reason that sets a line's group apart: of the exemption, or of not being subject. */
const reasonOf = (line: Line): string | undefined =>
  line.tax_treatment_code === EXEMPT
    ? line.exemption_reason_code
    : line.tax_treatment_code === NON_TAXABLE
      ? line.non_taxable_reason
      : undefined

/** A rate of -100 % or less would divide by nothing: a rule refuses it, and the calculation leaves it out. */
const usable = (rate: number): number => (rate > -100 ? rate : 0)

const effectiveRate = (line: Line): number =>
  line.tax_treatment_code === TAXED ? usable(line.tax_output_rate ?? 0) : 0

const consumptionRateOf = (line: Line): number | undefined =>
  line.consumption_tax_rate === undefined ? undefined : usable(line.consumption_tax_rate)

const sameGroup = (group: TaxGroup, line: Line, rate: number, withTax: boolean): boolean =>
  group.rate === rate &&
  group.treatment === line.tax_treatment_code &&
  group.regimeKey === line.tax_regime_key &&
  group.withTax === withTax &&
  group.reason === reasonOf(line) &&
  group.consumptionCountry === line.consumption_country_code &&
  group.consumptionRate === consumptionRateOf(line) &&
  group.consumptionRateType === line.consumption_rate_type &&
  group.supplyType === line.supply_type

function newGroup(line: Line, rate: number, withTax: boolean): TaxGroup {
  return {
    withTax,
    treatment: line.tax_treatment_code!,
    rate,
    regimeKey: line.tax_regime_key!,
    reason: reasonOf(line),
    consumptionCountry: line.consumption_country_code,
    consumptionRate: consumptionRateOf(line),
    consumptionRateType: line.consumption_rate_type,
    supplyType: line.supply_type,
    first: line,
    lines: [],
    margin: false,
    charged: 0,
    gross: 0,
    ownBase: 0,
    share: 0,
    base: 0,
    tax: 0,
    consumptionTax: 0,
    rows: [],
  }
}

/** The fields that make a group, as one text: the last tie-break of an allocation. */
export const keyOf = (group: TaxGroup): string =>
  [
    group.treatment,
    group.rate,
    group.regimeKey,
    group.reason,
    group.consumptionCountry,
    group.consumptionRate,
    group.consumptionRateType,
    group.supplyType,
  ].join('|')

const adjustment = (
  cost: Minor,
  amount: number | undefined,
  rate: number | undefined,
  decimals: number,
): Minor =>
  amount !== undefined ? toMinor(amount, decimals) : rate !== undefined ? percentOf(cost, rate) : 0

const FEW_GROUPS = 8

const placeOf = (group: TaxGroup): string => `${keyOf(group)}|${group.withTax}`

/** Lines with what their own fields say; the group's part is added by `settleGroup`. */
export function readLines(
  lines: readonly Line[],
  decimals: number,
): { lines: LineAmounts[]; groups: TaxGroup[] } {
  const groups: TaxGroup[] = []
  const byKey = new Map<string, TaxGroup>()
  let last: TaxGroup | undefined
  const find = (line: Line, rate: number, withTax: boolean): TaxGroup => {
    if (last && sameGroup(last, line, rate, withTax)) return last
    // Most invoices have a handful of groups: looking at them costs less than writing a key.
    if (groups.length <= FEW_GROUPS && byKey.size === 0)
      for (const group of groups) {
        if (!sameGroup(group, line, rate, withTax)) continue
        last = group
        return group
      }
    const fresh = newGroup(line, rate, withTax)
    if (groups.length >= FEW_GROUPS) {
      if (byKey.size === 0) for (const group of groups) byKey.set(placeOf(group), group)
      const place = placeOf(fresh)
      last = byKey.get(place)
      if (last) return last
      byKey.set(place, fresh)
    }
    last = fresh
    groups.push(fresh)
    return last
  }
  const amounts = new Array<LineAmounts>(lines.length)
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const withTax = line.unit_price_with_tax !== undefined
    const cost = multiply(
      line.quantity,
      withTax ? line.unit_price_with_tax! : line.unit_price_without_tax!,
      decimals,
    )
    // A price with tax takes no adjustment of its own: the rule reports it.
    const discount = withTax ? 0 : adjustment(cost, line.discount_amount, line.discount_rate, decimals)
    const charge = withTax ? 0 : adjustment(cost, line.charge_amount, line.charge_rate, decimals)
    const amount = cost - discount + charge
    const group = find(line, effectiveRate(line), withTax)
    group.lines.push(i)
    if (withTax) group.charged += amount
    if (isMarginLine(line)) group.margin = true
    amounts[i] = {
      group,
      cost,
      discount,
      charge,
      grossWithTax: amount,
      gross: amount,
      base: amount,
      tax: 0,
      consumptionTax: 0,
      share: 0,
      withheldBase: 0,
      withheld: 0,
    }
  }
  return { lines: amounts, groups }
}
