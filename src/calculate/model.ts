/** What a calculation is made of. All amounts are in minor units of the currency (cents for the euro). */
import type {
  COMPUTED_TOTALS,
  InvoiceBlock,
  Line,
  TaxKey,
  TaxOutput,
  TaxWithheld,
  Totals,
} from '../invoice/index.ts'
import type { Minor } from '../money/index.ts'

/** Amounts of one line. */
export interface LineAmounts {
  group: TaxGroup
  /** Quantity x unit price, in the line's own price mode. */
  cost: Minor
  discount: Minor
  charge: Minor
  /** With tax; in price-with-tax mode what the customer was charged. */
  grossWithTax: Minor
  /** Without tax, after the line's discount and charge. */
  gross: Minor
  base: Minor
  tax: Minor
  consumptionTax: Minor
  /** Part of the document discounts and surcharges; computed only where withholding needs it. */
  share: Minor
  withheldBase: Minor
  withheld: Minor
}

/** Lines that are taxed alike: one row of the breakdown, or several where the client split it. */
export interface TaxGroup extends TaxKey {
  readonly treatment: string
  readonly regimeKey: string
  readonly withTax: boolean
  /** First line of the group, for its descriptive texts. */
  readonly first: Line
  readonly lines: number[]
  /** Some line is taxed on its margin (keys 03 and 05). */
  margin: boolean
  charged: Minor
  gross: Minor
  /** Base before document discounts and surcharges. */
  ownBase: Minor
  /** Part of the document discounts (negative) and surcharges. */
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
  /** The entry that the client sent for it, and its place. */
  readonly sent: TaxOutput | undefined
  readonly index: number | undefined
}

/** Lines that bear withholding at one rate: one entry of `taxes_withheld`, or several where the client split it. */
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
  /** The entry that the client sent for it, and its place. */
  readonly sent: TaxWithheld | undefined
  readonly index: number | undefined
}

/** An amount sent that is not the computed one. */
export interface Mismatch {
  readonly code: 'taxes_outputs_mismatch' | 'taxes_withheld_mismatch'
  readonly path: string
  readonly expected: number | null
  readonly received: number | null
  /** Where several entries are one group: what they add up to, and what its lines do. */
  readonly sum?: { readonly entries: number; readonly lines: number }
}

export type TotalAmounts = Record<(typeof COMPUTED_TOTALS)[number], Minor>

/** Entries sent for each group, by the group's place, and the entries that no group answers. */
export interface Matching {
  readonly byGroup: readonly (readonly number[])[]
  readonly orphans: readonly number[]
  /** Groups whose several entries add up to their base: each entry is a row of its own. */
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
  /** Document surcharges less discounts: what is spread over the groups. */
  readonly adjustment: Minor
  readonly totals: TotalAmounts
  /** What the entries that the client sent stand for; absent without any. */
  readonly matching: Matching | undefined
  readonly mismatches: readonly Mismatch[]
}

/** A line whose amounts are computed. */
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

/** An invoice whose amounts are computed. */
export interface CalculatedInvoice extends InvoiceBlock {
  lines: CalculatedLine[]
  taxes_outputs: TaxOutput[]
  totals: Totals & Required<Pick<Totals, keyof TotalAmounts>>
}

/** An invoice, and how its amounts are computed. */
export interface Calculated {
  readonly invoice: CalculatedInvoice
  readonly calculation: Calculation
}

/** A computed amount with more than 12 integer digits: neither VeriFactu nor SII can carry it. */
export interface Overflow {
  readonly overflow: string
}
