/** The data of a calculation. All amounts are in minor units of the currency (cents for the euro). */
import type {
  COMPUTED_TOTALS,
  InvoiceBlock,
  Line,
  TaxKey,
  TaxOutput,
  TaxWithheld,
  Totals,
} from '#core/invoice/index.ts'
import type { Minor } from '#core/money/index.ts'

/** Amounts of one line. */
export interface LineAmounts {
  group: TaxGroup
  /** Quantity x unit price. Includes tax if the price of the line does. */
  cost: Minor
  discount: Minor
  charge: Minor
  /** Amount with tax. For prices with tax, it is the amount that the customer was charged. */
  grossWithTax: Minor
  /** Amount without tax, after the line's discount and charge. */
  gross: Minor
  base: Minor
  tax: Minor
  consumptionTax: Minor
  /** The line's part of the document discounts and surcharges, computed only if the invoice has withholding. */
  share: Minor
  /** The line's part of the farmers' compensation, if the base of the withholding includes it. */
  compensation: Minor
  withheldBase: Minor
  withheld: Minor
}

/** Lines with the same taxation: one row of the breakdown, or several rows if the client split the group. */
export interface TaxGroup extends TaxKey {
  readonly treatment: string
  readonly regimeKey: string
  readonly withTax: boolean
  /** First line of the group. Its descriptive texts apply to the breakdown row. */
  readonly first: Line
  readonly lines: number[]
  /** Whether any line is taxed on its margin (keys 03 and 05). */
  margin: boolean
  charged: Minor
  gross: Minor
  /** Base before document discounts and surcharges. */
  ownBase: Minor
  /** The group's part of the document discounts (negative) and surcharges. */
  share: Minor
  base: Minor
  tax: Minor
  consumptionTax: Minor
  rows: BreakdownRow[]
}

/** One entry of `taxes_outputs`. */
export interface BreakdownRow {
  readonly base: Minor
  readonly tax: Minor
  readonly consumptionTax: Minor
  readonly surchargeRate: number | undefined
  readonly surcharge: Minor | undefined
  /** The entry that the client sent for the row, and its index. */
  readonly sent: TaxOutput | undefined
  readonly index: number | undefined
}

/**
 * Lines with withholding at one rate: one entry of `taxes_withheld`, or several entries if the client split the group.
 */
export interface WithheldGroup {
  readonly rate: number
  readonly lines: number[]
  base: Minor
  rows: WithheldRow[]
}

/** One entry of `taxes_withheld`. */
export interface WithheldRow {
  readonly base: Minor
  readonly amount: Minor
  /** The entry that the client sent for the row, and its index. */
  readonly sent: TaxWithheld | undefined
  readonly index: number | undefined
}

/** An amount sent that differs from the computed amount. */
export interface Mismatch {
  readonly code: 'taxes_outputs_mismatch' | 'taxes_withheld_mismatch'
  readonly path: string
  readonly expected: number | null
  readonly received: number | null
  /** The sum of the entries and the sum of the lines, if the group has several entries. */
  readonly sum?: { readonly entries: number; readonly lines: number }
}

export type TotalAmounts = Record<(typeof COMPUTED_TOTALS)[number], Minor>

/** Indexes of the matched entries, by index of their group, and indexes of the entries that match no group. */
export interface Matching {
  readonly byGroup: readonly (readonly number[])[]
  readonly orphans: readonly number[]
  /** For each group, whether several entries split it: they add up to its base, and each is its own row. */
  readonly split: readonly boolean[]
}

export interface Calculation {
  /** Minor units of the currency: 2 for the euro. */
  readonly decimals: number
  readonly lines: readonly LineAmounts[]
  readonly groups: readonly TaxGroup[]
  readonly withheld: readonly WithheldGroup[]
  readonly discounts: readonly Minor[]
  readonly surcharges: readonly Minor[]
  /** Document surcharges minus discounts, which are spread over the groups. */
  readonly adjustment: Minor
  readonly totals: TotalAmounts
  /** The matching of the client's entries; undefined if the client sent no entries. */
  readonly matching: Matching | undefined
  readonly mismatches: readonly Mismatch[]
  /**
   * Sum of the withholding bases with the farmers' compensation, set only if the withholding sent does not include it.
   */
  readonly fullWithheldBase?: Minor
}

/** A line with all computed amounts. */
export type CalculatedLine = Line &
  Required<
    Pick<
      Line,
      | 'total_cost_without_tax'
      | 'gross_amount_without_tax'
      | 'total_cost_with_tax'
      | 'gross_amount_with_tax'
      | 'tax_output_base'
      | 'tax_output_amount'
    >
  >

/** An invoice with all computed amounts. */
export interface CalculatedInvoice extends InvoiceBlock {
  lines: CalculatedLine[]
  taxes_outputs: TaxOutput[]
  totals: Totals & Required<Pick<Totals, keyof TotalAmounts>>
}

/** An invoice with its calculation. */
export interface Calculated {
  readonly invoice: CalculatedInvoice
  readonly calculation: Calculation
}

/** The path of a computed amount with more than 12 integer digits, which neither VeriFactu nor SII accepts. */
export interface Overflow {
  readonly overflow: string
}
