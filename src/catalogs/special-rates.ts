/** Rates that the catalog `tax-rates` does not have: further withholding rates, and the compensation of farmers. */
import { rows as compensationData } from '../../catalogs/farmers-compensation.json'
import { rows as withholdingData } from '../../catalogs/withholding-rates.json'
import { type Dated, inForce } from './dated.ts'
import { keepLast } from './lazy.ts'
import { taxRatesOf } from './tax-rates.ts'

const inForceOn = (
  rows: readonly (Dated & { readonly percent: number })[],
  on: string | undefined,
): readonly number[] => rows.filter((row) => inForce(row, on)).map((row) => row.percent)

/**
 * Returns all income tax withholding percentages in force on a day (`YYYY-MM-DD`), highest first; without a day, those
 * without an end date. They are the rates of the catalog `tax-rates` and those for directors, farmers, non-residents
 * and objective assessment (módulos).
 *
 * Source: articles 80 and 90 to 101 of RD 439/2007; article 25 of RDLeg 5/2004.
 *
 * @example
 * withholdingRatesOf() // => [35, 24, 19, 15, 7, 2, 1]
 * withholdingRatesOf('2013-05-02') // => [21, 9, 7, 2, 1]
 */
export const withholdingRatesOf: (on?: string) => readonly number[] = /* @__PURE__ */ keepLast((on) =>
  Object.freeze(
    [...new Set([...taxRatesOf('IRPF', on), ...inForceOn(withholdingData, on)])].sort((a, b) => b - a),
  ),
)

/**
 * Returns the compensation that buyers pay to farmers under the special scheme, in percent of the price, on a day
 * (`YYYY-MM-DD`); without a day, the current compensation. Source: article 130.Cinco of Ley 37/1992.
 *
 * @example
 * farmersCompensationOf() // => [12, 10.5]
 * farmersCompensationOf('2011-03-01') // => [10, 8.5]
 */
export const farmersCompensationOf = (on?: string): readonly number[] => inForceOn(compensationData, on)
