/** The input of the rules. */

import type { Company, InvoiceBlock, Settings } from '#core/invoice/index.ts'
import type { Calculated, CalculatedInvoice } from '#engine/calculate/index.ts'
import type { NormalisationFacts, UsedFeatures } from '#engine/normalise/index.ts'

/** The data of one invoice. Rules may read them, but not change them. */
export interface Context {
  /** The invoice, normalised and calculated; its amounts are in euros. */
  readonly invoice: CalculatedInvoice
  /** The invoice as the client sent it. */
  readonly sent: InvoiceBlock
  /**
   * The invoice and its calculation in the currency of the amounts sent, for comparison with these amounts.
   * `stated.invoice` is the same object as `invoice` unless the invoice was converted to euros.
   */
  readonly stated: Calculated
  /** The calculation of an issued invoice in its original currency, if that is not the euro. */
  readonly original: Calculated | undefined
  /** Facts about the invoice that the normalisation found, such as excess decimals and unknown provinces. */
  readonly facts: NormalisationFacts
  readonly uses: UsedFeatures
  readonly settings: Settings
  readonly company: Company | null
  readonly issued: boolean
  readonly taxGroup: string
  /** The day that determines the applicable rates and regimes, if known. */
  readonly date: string | undefined
  /** Rates of the tax group on that day. */
  readonly rates: readonly number[]
}
