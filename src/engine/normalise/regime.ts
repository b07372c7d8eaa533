/**
 * Determines the regime key of a line: the key of the line itself, otherwise the key of the breakdown if it is
 * unambiguous, otherwise 01.
 */
import type { Line, TaxOutput } from '#core/invoice/index.ts'
import { EXEMPT, GENERAL_REGIME, REVERSE_CHARGE, TAXED, treatmentOf } from '#core/invoice/terms.ts'
import type { NormalisationFacts } from './facts.ts'
import { consumptionState } from './normalise-party.ts'

const agree = <T>(a: T | undefined, b: T | undefined): boolean =>
  a === undefined || b === undefined || a === b

const countryOf = (taxed: Line | TaxOutput): string | undefined =>
  taxed.consumption_country_code === undefined ? undefined : consumptionState(taxed.consumption_country_code)

/**
 * Whether the treatments of an entry and a line agree. A line that states no treatment is taxed or not subject to tax,
 * never exempt or under reverse charge.
 */
const sameTreatment = (entry: string | undefined, line: string | undefined): boolean =>
  line === undefined ? entry !== EXEMPT && entry !== REVERSE_CHARGE : agree(entry, line)

/**
 * Whether a line without a regime key may belong to an entry: rate, treatment and all other fields that both state
 * agree.
 */
const couldBe = (entry: TaxOutput, line: Line): boolean => {
  const treatment = treatmentOf(line)
  const rate = treatment === undefined || treatment === TAXED ? (line.tax_output_rate ?? 0) : 0
  return (
    (entry.tax_rate === rate || entry.tax_rate === line.tax_output_rate) &&
    sameTreatment(treatmentOf(entry), treatment) &&
    agree(entry.exemption_reason_code, line.exemption_reason_code) &&
    agree(entry.non_taxable_reason, line.non_taxable_reason) &&
    agree(countryOf(entry), countryOf(line)) &&
    agree(entry.consumption_tax_rate, line.consumption_tax_rate) &&
    agree(entry.consumption_rate_type, line.consumption_rate_type) &&
    agree(entry.supply_type, line.supply_type)
  )
}

/** Returns the function that determines the key of each line. The entries are examined only once. */
export function regimeKeyResolver(
  entries: readonly TaxOutput[] | undefined,
  facts: NormalisationFacts,
): (line: Line) => string {
  const first = entries?.find((entry) => entry.tax_regime_key !== undefined)?.tax_regime_key
  if (!entries || first === undefined) return (line) => line.tax_regime_key ?? GENERAL_REGIME
  if (entries.every((entry) => entry.tax_regime_key === first)) return (line) => line.tax_regime_key ?? first
  // Lines with the same tax fields share one result, so the time is linear even with many lines and entries.
  const keys = new Map<string, string>()
  return (line) => {
    if (line.tax_regime_key !== undefined) return line.tax_regime_key
    const signature = [
      line.tax_output_rate,
      treatmentOf(line),
      line.exemption_reason_code,
      line.non_taxable_reason,
      line.consumption_country_code,
      line.consumption_tax_rate,
      line.consumption_rate_type,
      line.supply_type,
    ].join('|')
    const known = keys.get(signature)
    if (known !== undefined) return known
    const candidates = new Set<string>()
    const shops: number[] = []
    entries.forEach((entry, index) => {
      if (!couldBe(entry, line)) return
      candidates.add(entry.tax_regime_key ?? GENERAL_REGIME)
      if (entry.tax_regime_key === '17') shops.push(index)
    })
    const [only = GENERAL_REGIME] = candidates
    const key = candidates.size === 1 ? only : GENERAL_REGIME
    if (candidates.size > 1)
      for (const index of shops)
        if (!facts.ambiguousEntries.includes(index)) facts.ambiguousEntries.push(index)
    keys.set(signature, key)
    return key
  }
}
