/** Facts about the invoice that the normalisation found. The rules read them instead of computing them again. */
import type { TaxIdCheck } from '#core/identifiers/index.ts'

const noUses = () => ({
  consumption: false,
  oneStopShop: false,
  cashBasis: false,
  margin: false,
  /** A treatment other than `TAXABLE_NON_EXEMPT`, or a field that implies another treatment. */
  treatments: false,
  withholding: false,
  withTax: false,
  withoutTax: false,
  /** A line discount or charge. */
  adjustments: false,
  units: false,
  /** A regime key other than 01. */
  keys: false,
  /** An amount of a line that the engine computes and the client also sent. */
  lineAmounts: false,
  /** A field about the deduction of a received invoice. */
  deduction: false,
  purchasePrice: false,
  /** A line with its own period. */
  periods: false,
})

/** The features that at least one line of the invoice uses. Rules about other features are skipped. */
export type UsedFeatures = ReturnType<typeof noUses>

/** A number with more decimals than the engine keeps. */
export interface ExcessDecimals {
  readonly path: string
  readonly received: number
  readonly used: number
}

export interface NormalisationFacts {
  readonly uses: UsedFeatures
  readonly excess: ExcessDecimals[]
  /** Addresses whose post code belongs to another province than the stated province. */
  readonly provinceConflicts: {
    readonly path: string
    readonly post_code: string
    readonly province: string
    readonly post_code_province: string
  }[]
  /** Unknown provinces. `used` is the province of the post code, if the address has a valid post code. */
  readonly unknownProvinces: {
    readonly path: string
    readonly received: string
    readonly used: string | null
    readonly case?: string
  }[]
  supplierId: TaxIdCheck | null
  customerId: TaxIdCheck | null
  /** Countries other than Spain in which the ids of parties with country ES are valid: by prefix or by address. */
  readonly otherCountries: { supplier?: string | undefined; customer?: string | undefined }
  /** The day whose rates, regimes and tax id rules apply (calculation page, section 6). */
  accrualDate: string | undefined
  /** Indexes of the entries of `taxes_outputs` with regime key 17 whose lines cannot be determined. */
  readonly ambiguousEntries: number[]
  /** Whether `invoice_currency` blocks already state amounts in the original currency. */
  converted: boolean
}

export const newFacts = (): NormalisationFacts => ({
  uses: noUses(),
  excess: [],
  provinceConflicts: [],
  unknownProvinces: [],
  supplierId: null,
  customerId: null,
  otherCountries: {},
  accrualDate: undefined,
  ambiguousEntries: [],
  converted: false,
})
