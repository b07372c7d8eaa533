/** Rates that are not in the catalog `tax-rates`: further withholding rates, and the compensation of farmers. */
import { type Dated, inForce } from './dated.ts'
import { rows as COMPENSATION } from './generated/farmers-compensation.ts'
import { rows as WITHHOLDING } from './generated/withholding-rates.ts'
import { keepLast } from './lazy.ts'
import { taxRatesOf } from './tax-rates.ts'

type Rate = Dated & { readonly percent: number }

const inForceOn = (rows: readonly Rate[], on: string | undefined): readonly number[] =>
  rows.filter((row) => inForce(row, on)).map((row) => row.percent)

const ratesOf = (isReduced: boolean): ((on?: string) => readonly number[]) =>
  keepLast((on) => {
    const rows = WITHHOLDING.filter(({ ceuta_melilla }) => isReduced || !ceuta_melilla)
    const rates = [...taxRatesOf('IRPF', on), ...inForceOn(rows, on)]
    return Object.freeze([...new Set(rates)].sort((a, b) => b - a))
  })
const ordinaryRates = /* @__PURE__ */ ratesOf(false)
const withReducedRates = /* @__PURE__ */ ratesOf(true)

/**
 * Returns all income tax withholding percentages in force on a day (`YYYY-MM-DD`), highest first; without a day, the
 * rates without an end date. They are the rates of the catalog `tax-rates` and those for directors, farmers,
 * non-residents and objective assessment (módulos); with `isReduced`, also those of Ceuta and Melilla, which are 60 %
 * lower.
 *
 * Source: articles 80 and 90 to 101 of RD 439/2007; article 25 of RDLeg 5/2004.
 *
 * @example
 * withholdingRatesOf() // => [35, 24, 19, 15, 7, 2, 1]
 * withholdingRatesOf('2013-05-02') // => [21, 9, 7, 2, 1]
 * withholdingRatesOf('2026-05-02', true) // => [35, 24, 19, 15, 14, 7.6, 7, 6, 2.8, 2, 1]
 */
export const withholdingRatesOf = (on?: string, isReduced = false): readonly number[] =>
  (isReduced ? withReducedRates : ordinaryRates)(on)

/**
 * Returns the compensation that buyers pay to farmers under the special scheme, in percent of the price, on a day
 * (`YYYY-MM-DD`); without a day, the current compensation. Source: article 130.Cinco of Ley 37/1992.
 *
 * @example
 * farmersCompensationOf() // => [12, 10.5]
 * farmersCompensationOf('2011-03-01') // => [10, 8.5]
 */
export const farmersCompensationOf = (on?: string): readonly number[] => inForceOn(COMPENSATION, on)
