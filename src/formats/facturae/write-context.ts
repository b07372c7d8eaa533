/** Helpers for writing: texts within the length limits, amounts as text, and the currency. */
import { minorUnitsOf } from '#core/catalogs/index.ts'
import type { CanonicalInvoice, InvoiceBlock } from '#core/invoice/index.ts'
import { exact, exactText, percentOf, roundExact, toMinor, toNumber } from '#core/money/index.ts'
import {
  amountsInDocumentCurrency,
  type EmbeddedFile,
  type ListEntry,
  type WritingReport,
} from '../model/index.ts'

type Texts<Name extends string> = { readonly [N in Name]?: string | undefined }
type WithBlock = { readonly invoice_currency?: object | undefined }

/** Formats an amount with two to eight decimals, never as `-0.00`. */
export const decimal = (value: number): string => {
  const rounded = roundExact(exact(value + 0), 8)
  return rounded.decimalPlaces() > 2 ? exactText(rounded) : rounded.toFixed(2)
}

/** Formats an amount with exactly two decimals, which some elements require. */
export const twoDecimals = (value: number): string => roundExact(exact(value + 0), 2).toFixed(2)

export class Writer {
  readonly invoice: InvoiceBlock
  /** Currency of the written amounts. */
  readonly currency: string
  /** Euros per unit; null if the currency is the euro or the rate is missing. */
  readonly rate: number | null

  constructor(
    document: CanonicalInvoice,
    readonly report: WritingReport,
    readonly attachments: readonly EmbeddedFile[],
  ) {
    this.invoice = document.invoice
    const foreign = this.invoice.issue_data.invoice_currency
    const code = foreign?.invoice_currency_code ?? 'EUR'
    this.currency = code
    this.rate = code === 'EUR' ? null : (foreign?.exchange_rate ?? null)
  }

  get decimals(): number {
    return minorUnitsOf(this.currency) ?? 2
  }

  get isForeign(): boolean {
    return this.currency !== 'EUR'
  }

  /** Returns the trimmed text, undefined if empty. Refuses a text over the limit of Facturae. */
  text(value: string | undefined, max: number, path: string): string | undefined {
    const text = value?.trim()
    if (text === undefined || text === '') return undefined
    const length = [...text].length
    if (length > max) this.report.refuse('too_long', path, { received: length, allowed: max })
    return text
  }

  /** Returns a text that Facturae requires. Refuses an empty text. */
  need(value: string | undefined, max: number, path: string): string {
    const text = this.text(value, max, path)
    if (text === undefined) this.report.refuse('missing', path)
    return text ?? ''
  }

  /** Same as `text`, for a member of a block. */
  textOf<N extends string>(
    block: Texts<N> | undefined,
    name: N,
    max: number,
    path: string,
  ): string | undefined {
    return this.text(block?.[name], max, `${path}/${name}`)
  }

  /** Same as `need`, for a member of a block. */
  needOf<N extends string>(block: Texts<N> | undefined, name: N, max: number, path: string): string {
    return this.need(block?.[name], max, `${path}/${name}`)
  }

  /**
   * Returns an amount in the currency of the invoice: from the `invoice_currency` block unless that currency is the
   * euro.
   */
  amount<T extends WithBlock>(holder: T, member: string, path: string): number {
    const source = this.isForeign ? holder.invoice_currency : holder
    const value = (source as Record<string, unknown> | undefined)?.[member]
    if (typeof value === 'number') return value
    this.missingAmount(`${path}/${this.isForeign ? 'invoice_currency/' : ''}${member}`)
    return 0
  }

  missingAmount(path: string): void {
    if (this.isForeign) this.report.refuse('currency_amounts', path, { received: this.currency })
    else this.report.refuse('missing', path)
  }

  /**
   * Returns the amounts of a list in the currency of the invoice. The invoice states only their total in this currency.
   */
  amountsOf(entries: readonly ListEntry[], total: number, gross = 0): readonly number[] {
    const euros = this.invoice.totals.total_gross_amount ?? 0
    if (!this.isForeign)
      return entries.map(({ amount, rate = 0 }) => amount ?? toNumber(percentOf(toMinor(euros), rate)))
    return amountsInDocumentCurrency(entries, total, {
      rate: this.rate ?? 1,
      decimals: this.decimals,
      euros,
      gross,
    })
  }

  /** Returns an `AmountType`, with its equivalent in euros if the currency is foreign. */
  block(value: number, euros: number | undefined): Record<string, string> {
    return {
      TotalAmount: decimal(value),
      ...(this.isForeign && euros !== undefined ? { EquivalentInEuros: twoDecimals(euros) } : {}),
    }
  }
}
