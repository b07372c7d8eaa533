/**
 * Disagreements of the engine and the second implementation that are known, with the largest share of random invoices
 * that may have the property. docs/calculation.md describes them. An invoice without one of these properties must agree
 * in every amount.
 */
export const KNOWN = {
  'split group with other taxes than its price contains': 0.005,
  'split group that does not add up, with different surcharges': 0.003,
  'split group whose bases add up to another margin': 0.002,
  'cost with tax that is out of range': 0.001,
  'mismatch of the breakdown at another entry': 0.0005,
} as const
