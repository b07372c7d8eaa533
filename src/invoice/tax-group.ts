/** Which lines, and which entries of the breakdown, are taxed alike (calculation page, section 4). */
import type { Line, TaxOutput } from './generated/types.ts'
import { EXEMPT, NON_TAXABLE } from './terms.ts'

/** What lines and entries of one tax group have in common: everything but their amounts and the surcharge. */
export interface TaxKey {
  readonly treatment: string | undefined
  /** Effective rate: 0 for what is not taxed, whatever rate the line names. */
  readonly rate: number
  readonly regimeKey: string | undefined
  /** Exemption or non-taxable reason. */
  readonly reason: string | undefined
  readonly consumptionCountry: string | undefined
  readonly consumptionRate: number | undefined
  readonly consumptionRateType: string | undefined
  readonly supplyType: string | undefined
}

/** What a line or an entry says of its group; the rate has another name in each. */
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

/** The reason that sets a group apart: of the exemption, or of not being subject. */
const reasonOf = (one: Grouped): string | undefined =>
  one.tax_treatment_code === EXEMPT
    ? one.exemption_reason_code
    : one.tax_treatment_code === NON_TAXABLE
      ? one.non_taxable_reason
      : undefined

/** The key of a line or an entry, at the rates that it has in effect. */
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

/** True where that key would be the group's. Every line of every invoice passes here: none is made. */
export const hasTaxKey = (
  one: Grouped,
  rate: number,
  consumptionRate: number | undefined,
  group: TaxKey,
): boolean =>
  group.rate === rate &&
  group.treatment === one.tax_treatment_code &&
  group.regimeKey === one.tax_regime_key &&
  group.reason === reasonOf(one) &&
  group.consumptionCountry === one.consumption_country_code &&
  group.consumptionRate === consumptionRate &&
  group.consumptionRateType === one.consumption_rate_type &&
  group.supplyType === one.supply_type

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

/** Tells groups that `named` does not contradict: what it leaves out may be anything. */
export function compatibleWith(named: TaxKey): (group: TaxKey) => boolean {
  const members = MEMBERS.filter((member) => named[member] !== undefined)
  return (group) => members.every((member) => named[member] === group[member])
}

/** The key as one text: the name of a group in a map, and the last tie-break of an allocation. */
export const taxKeyText = (key: TaxKey): string => MEMBERS.map((member) => key[member]).join('|')
