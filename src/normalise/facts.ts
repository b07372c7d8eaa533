/** What normalising notices on its way: facts that the rules read, so that nothing is looked up twice. */
import type { TaxIdCheck } from '../identifiers/index.ts'

const noUses = () => ({
  consumption: false,
  oneStopShop: false,
  cashBasis: false,
  margin: false,
  /** A treatment other than plain taxable, or a companion field of one. */
  treatments: false,
  withholding: false,
  withTax: false,
  withoutTax: false,
  /** A line discount or charge. */
  adjustments: false,
  units: false,
  /** A regime key other than 01. */
  keys: false,
  /** An amount that the engine computes itself. */
  lineAmounts: false,
  /** A member that says what of a received invoice may be deducted. */
  deduction: false,
  purchasePrice: false,
  /** A line with a period of its own. */
  periods: false,
})

/** Which features some line of the invoice uses; rules about a feature are skipped where none does. */
export type Uses = ReturnType<typeof noUses>

/** A number with more decimals than the engine keeps. */
export interface Excess {
  readonly path: string
  readonly received: number
  readonly used: number
}

export interface Facts {
  readonly uses: Uses
  readonly excess: Excess[]
  /** Addresses whose post code lies in another province than the one named. */
  readonly provinceConflicts: {
    readonly path: string
    readonly post_code: string
    readonly province: string
    readonly post_code_province: string
  }[]
  /** Provinces named in a way that nobody knows; `used` is what the post code says instead, if anything. */
  readonly unknownProvinces: {
    readonly path: string
    readonly received: string
    readonly used: string | null
    readonly case?: string
  }[]
  supplierId: TaxIdCheck | null
  customerId: TaxIdCheck | null
  /** Rates, regimes and tax ids are judged on this day (calculation page, section 6). */
  accrualDate: string | undefined
  /** Entries of `taxes_outputs` with key 17 that no line can be given. */
  readonly ambiguousEntries: number[]
}

export const newFacts = (): Facts => ({
  uses: noUses(),
  excess: [],
  provinceConflicts: [],
  unknownProvinces: [],
  supplierId: null,
  customerId: null,
  accrualDate: undefined,
  ambiguousEntries: [],
})
