/** The regime key of a line: its own, else the document's where that is unambiguous, else 01. */
import { GENERAL_REGIME, type Line, type TaxOutput } from '../invoice/index.ts'
import type { Facts } from './facts.ts'

/** Entries that a line without a key could belong to: those of its rate, or not taxed as it is not. */
const couldBe = (entry: TaxOutput, line: Line): boolean => {
  const plain =
    line.exemption_reason_code === undefined && line.non_taxable_reason === undefined && !line.reverse_charge
  const rate = plain ? (line.tax_output_rate ?? 0) : 0
  return (
    (entry.tax_rate === rate || entry.tax_rate === line.tax_output_rate) &&
    (entry.tax_treatment_code === undefined ||
      line.tax_treatment_code === undefined ||
      entry.tax_treatment_code === line.tax_treatment_code) &&
    (entry.exemption_reason_code === undefined ||
      entry.exemption_reason_code === line.exemption_reason_code) &&
    (entry.non_taxable_reason === undefined ||
      line.non_taxable_reason === undefined ||
      entry.non_taxable_reason === line.non_taxable_reason)
  )
}

/** A function that gives each line its key; looks at the entries once. */
export function regimeKeys(entries: readonly TaxOutput[] | undefined, facts: Facts): (line: Line) => string {
  const keyed = entries?.filter((entry) => entry.tax_regime_key !== undefined) ?? []
  if (keyed.length === 0) return (line) => line.tax_regime_key ?? GENERAL_REGIME
  const first = keyed[0]!.tax_regime_key!
  if (keyed.length === entries!.length && keyed.every((entry) => entry.tax_regime_key === first))
    return (line) => line.tax_regime_key ?? first
  // Lines of one rate share their answer: an invoice of many lines and entries stays linear.
  const answers = new Map<string, string>()
  return (line) => {
    if (line.tax_regime_key !== undefined) return line.tax_regime_key
    const kind = [
      line.tax_output_rate,
      line.tax_treatment_code,
      line.exemption_reason_code,
      line.non_taxable_reason,
      line.reverse_charge,
    ].join('|')
    const known = answers.get(kind)
    if (known !== undefined) return known
    const candidates = new Set<string>()
    const shops: number[] = []
    entries!.forEach((entry, index) => {
      if (!couldBe(entry, line)) return
      candidates.add(entry.tax_regime_key ?? GENERAL_REGIME)
      if (entry.tax_regime_key === '17') shops.push(index)
    })
    const key = candidates.size === 1 ? [...candidates][0]! : GENERAL_REGIME
    if (candidates.size > 1)
      for (const index of shops)
        if (!facts.ambiguousEntries.includes(index)) facts.ambiguousEntries.push(index)
    answers.set(kind, key)
    return key
  }
}
