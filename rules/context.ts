/** What the rules are given of an invoice. */
import type { Calculated, CalculatedInvoice } from '../src/calculate/index.ts'
import type { Company, InvoiceBlock, Settings } from '../src/invoice/index.ts'
import type { Facts, Uses } from '../src/normalise/index.ts'

/** What a rule may look at, and only look at: one invoice, and what is known of it. */
export interface Context {
  /** The invoice, normalised and calculated; its amounts are in euros. */
  readonly invoice: CalculatedInvoice
  /** The same as the client sent it. */
  readonly sent: InvoiceBlock
  /**
   * The same in the currency of the amounts sent, which they are compared with, and how it was computed. It is
   * `invoice` itself unless that was converted.
   */
  readonly stated: Calculated
  /** What normalising noticed. */
  readonly facts: Facts
  readonly uses: Uses
  readonly settings: Settings
  readonly company: Company | null
  readonly issued: boolean
  readonly taxGroup: string
  /** Day on which rates and regimes are judged, if any is known. */
  readonly date: string | undefined
  /** The rates of the tax group on that day. */
  readonly rates: readonly number[]
}
