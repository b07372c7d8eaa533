/** Rows of an explanation, and the exact arithmetic that they are worked out with. */
import type { TaxGroup } from '../calculate/index.ts'
import type { InvoiceBlock, Line } from '../invoice/index.ts'
import { type Exact, exact } from '../money/index.ts'

export interface ExplanationInput {
  readonly path: string
  readonly value: number
}

export interface ExplanationRow {
  /** JSON Pointer of the computed amount in `data`. */
  readonly path: string
  /** How it is computed, in the contract's words. */
  readonly formula: string
  readonly inputs: readonly ExplanationInput[]
  /** Exact value before rounding, as decimal text; `…` marks a value with more than 20 decimals. */
  readonly exact: string
  readonly rounded: number
  /** Rule of the calculation page that was applied. */
  readonly rule: string
  /** What rounding each line by itself would have given, where it matters. */
  readonly line_by_line?: { readonly value: number; readonly difference: number }
}

export const RULES = {
  line: 'line: quantity x price, rounded once',
  adjustment: 'line discount or charge: the amount sent, else the rate on the line cost',
  sum: 'sum of amounts already in cents',
  lineTax: 'line tax: informative, rounded by itself; the breakdown decides',
  group: 'group: once per tax group, never line by line',
  included: 'price with tax: base of the whole group, so that the charge is kept to the cent',
  spread: 'largest remainder: the parts add up to the group',
  margin: 'margin scheme: only the margin carries tax, and never less than zero',
  document: 'document discount or surcharge: the amount sent, else the rate on the sum of the lines',
  entry: 'entry sent by the client, within the tolerance',
  given: 'amount sent without its list',
  conversion: 'foreign currency: original amount x exchange_rate (euros per unit)',
} as const

export const cents = (value: Exact): Exact => value.round(2)
export const ZERO = exact(0)
export const HUNDRED = exact(100)

export class Rows {
  readonly rows: ExplanationRow[] = []
  constructor(readonly invoice: InvoiceBlock) {}

  /** Adds a row; `rounded` is what stands in the document. */
  add(
    path: string,
    formula: string,
    inputs: readonly ExplanationInput[],
    value: Exact,
    rounded: number,
    rule: string,
    lineByLine?: Exact,
  ): void {
    const row = { path, formula, inputs, exact: value.toText(), rounded, rule }
    this.rows.push(
      lineByLine
        ? {
            ...row,
            line_by_line: {
              value: lineByLine.toNumber(),
              difference: lineByLine.minus(exact(rounded)).toNumber(),
            },
          }
        : row,
    )
  }
}

export const input = (path: string, value: number | undefined): ExplanationInput => ({
  path,
  value: value ?? 0,
})

/** Inputs of a line: its own members, at their paths. */
export const of = (index: number, line: Line, ...names: (keyof Line)[]): ExplanationInput[] =>
  names
    .filter((name) => line[name] !== undefined)
    .map((name) => input(`/invoice/lines/${index}/${name}`, line[name] as number))

export const percent = (value: number): Exact => exact(value).div(HUNDRED)
export const rateOf = (group: TaxGroup): number => group.consumptionRate ?? group.rate

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
