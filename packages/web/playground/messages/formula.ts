/** Writes the formulas of explanations with the labels of the fields. */
import type { Locale } from '#engine/index.ts'
import { hasLabel, labelOf } from './field-labels.ts'

/** `formula` is in the language of `locale`, as `explain` returns it. */
export const labelledFormula = (formula: string, locale: Locale): string =>
  formula
    .replace(
      /invoice_currency\.(\w+)/g,
      (_, name: string) => `${name} (${labelOf('invoice_currency', locale)})`,
    )
    .replace(/(?<![a-z])[a-z]+(?:_[a-z]+)+|\bquantity\b/g, (name) =>
      hasLabel(name) ? labelOf(name, locale) : name,
    )
    .replace(/ x /g, ' × ')
    .replace(/ - /g, ' − ')
