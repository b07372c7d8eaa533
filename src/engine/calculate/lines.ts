/** Lines and their tax groups (calculation page, sections 3 and 4). */
import { type Line, type TaxKey, taxKeyOf, taxKeyText } from '#core/invoice/index.ts'
import { isMarginKey, TAXED } from '#core/invoice/terms.ts'
import { type Minor, multiply, percentOf, toMinor } from '#core/money/index.ts'
import type { LineAmounts, TaxGroup } from './calculation-model.ts'

/** Whether the line is taxed on its margin (arts. 135-139 and 141-147 Ley 37/1992). */
export const isMarginLine = <L extends Line>(line: L): line is L & { purchase_price_incl: number } =>
  line.purchase_price_incl !== undefined &&
  isMarginKey(line.tax_regime_key) &&
  line.tax_treatment_code === TAXED

/** Replaces a rate of -100 % or less by 0, because it would divide by zero. A rule reports such a rate. */
const usable = (rate: number): number => (rate > -100 ? rate : 0)

const effectiveRate = (line: Line): number =>
  line.tax_treatment_code === TAXED ? usable(line.tax_output_rate ?? 0) : 0

const consumptionRateOf = (line: Line): number | undefined =>
  line.consumption_tax_rate === undefined ? undefined : usable(line.consumption_tax_rate)

/** The fields are listed one by one, because an object spread would make each new group twenty times slower. */
const newGroup = (key: TaxKey, line: Line, withTax: boolean): TaxGroup => ({
  treatment: line.tax_treatment_code!,
  rate: key.rate,
  regimeKey: line.tax_regime_key!,
  reason: key.reason,
  consumptionCountry: key.consumptionCountry,
  consumptionRate: key.consumptionRate,
  consumptionRateType: key.consumptionRateType,
  supplyType: key.supplyType,
  withTax,
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
})

const adjustment = (
  cost: Minor,
  amount: number | undefined,
  rate: number | undefined,
  decimals: number,
): Minor =>
  amount !== undefined ? toMinor(amount, decimals) : rate !== undefined ? percentOf(cost, rate) : 0

/**
 * Returns the lines with the amounts that depend only on the line, and their groups. `computeGroup` adds the amounts
 * that depend on the group.
 */
export function readLines(
  lines: readonly Line[],
  decimals: number,
): { lines: LineAmounts[]; groups: TaxGroup[] } {
  const groups = new Map<string, TaxGroup>()
  const find = (line: Line, rate: number, withTax: boolean): TaxGroup => {
    const key = taxKeyOf(line, rate, consumptionRateOf(line))
    const text = `${taxKeyText(key)}|${withTax}`
    const group = groups.get(text) ?? newGroup(key, line, withTax)
    groups.set(text, group)
    return group
  }
  const amounts = lines.map((line, i): LineAmounts => {
    const withTax = line.unit_price_with_tax !== undefined
    const cost = multiply(line.quantity, line.unit_price_with_tax ?? line.unit_price_without_tax!, decimals)
    // A line with a price with tax cannot have its own discount or charge. A rule reports them.
    const discount = withTax ? 0 : adjustment(cost, line.discount_amount, line.discount_rate, decimals)
    const charge = withTax ? 0 : adjustment(cost, line.charge_amount, line.charge_rate, decimals)
    const amount = cost - discount + charge
    const group = find(line, effectiveRate(line), withTax)
    group.lines.push(i)
    if (withTax) group.charged += amount
    if (isMarginLine(line)) group.margin = true
    return {
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
      compensation: 0,
      withheldBase: 0,
      withheld: 0,
    }
  })
  return { lines: amounts, groups: [...groups.values()] }
}
