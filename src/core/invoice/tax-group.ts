/**
 * The tax key: lines and breakdown entries with the same key belong to the same tax group (calculation page, section
 * 4).
 */
import type { Line, TaxOutput } from './generated/types.ts'
import { EXEMPT, NON_TAXABLE } from './terms.ts'

/**
 * The fields that all lines and entries of a tax group share: all except their amounts and the equivalence surcharge.
 */
export interface TaxKey {
  readonly treatment: string | undefined
  /** Effective rate: 0 for untaxed lines, whatever rate they state. */
  readonly rate: number
  readonly regimeKey: string | undefined
  /** Exemption or non-taxable reason. */
  readonly reason: string | undefined
  readonly consumptionCountry: string | undefined
  readonly consumptionRate: number | undefined
  readonly consumptionRateType: string | undefined
  readonly supplyType: string | undefined
}

/**
 * Fields of lines and entries that determine their group. The rate is not included, because its name differs between
 * lines and entries.
 */
type Grouped = {
  readonly [Member in
    | 'tax_treatment_code'
    | 'tax_regime_key'
    | 'exemption_reason_code'
    | 'non_taxable_reason'
    | 'consumption_country_code'
    | 'consumption_tax_rate'
    | 'consumption_rate_type'
    | 'supply_type']?: (Line & TaxOutput)[Member] | undefined
}

/** Returns the exemption or non-taxable reason. */
const reasonOf = (one: Grouped): string | undefined =>
  one.tax_treatment_code === EXEMPT
    ? one.exemption_reason_code
    : one.tax_treatment_code === NON_TAXABLE
      ? one.non_taxable_reason
      : undefined

/** Returns the key of a line or an entry, with its effective rates. */
export const taxKeyOf = (
  one: Grouped,
  rate: number,
  consumptionRate: number | undefined = one.consumption_tax_rate,
): TaxKey => ({
  treatment: one.tax_treatment_code,
  rate,
  regimeKey: one.tax_regime_key,
  reason: reasonOf(one),
  consumptionCountry: one.consumption_country_code,
  consumptionRate,
  consumptionRateType: one.consumption_rate_type,
  supplyType: one.supply_type,
})

const MEMBERS = [
  'treatment',
  'rate',
  'regimeKey',
  'reason',
  'consumptionCountry',
  'consumptionRate',
  'consumptionRateType',
  'supplyType',
] as const satisfies readonly (keyof TaxKey)[]

/** Returns a predicate for the groups that do not contradict `named`. Undefined members of `named` match any value. */
export function compatibleWith(named: TaxKey): (group: TaxKey) => boolean {
  const members = MEMBERS.filter((member) => named[member] !== undefined)
  return (group) => members.every((member) => named[member] === group[member])
}

/** Returns the key as a text, for use in maps and to break ties in allocations. */
export const taxKeyText = (key: TaxKey): string => MEMBERS.map((member) => key[member]).join('|')
