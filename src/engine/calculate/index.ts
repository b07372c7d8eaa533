/**
 * Calculates lines, tax breakdown and totals, including margin scheme and one-stop shop. The functions are exact and
 * pure.
 */
export { type CalculateOptions, calculate } from './calculate.ts'
export type {
  BreakdownRow,
  Calculated,
  CalculatedInvoice,
  CalculatedLine,
  Calculation,
  LineAmounts,
  Mismatch,
  Overflow,
  TaxGroup,
  TotalAmounts,
  WithheldGroup,
} from './calculation-model.ts'
export {
  conversionToEuros,
  convertInputs,
  LINE_INPUTS,
  originalInputs,
  writeCurrencyBlocks,
} from './euro-amounts.ts'
export { isMarginLine } from './lines.ts'
export { isSentWithholdingCorrect } from './withheld.ts'
export { writeAmounts } from './write-amounts.ts'
