/** What writing needs everywhere: texts that fit, amounts as texts, the currency. */
import type { CanonicalInvoice, InvoiceBlock } from '../../invoice/index.ts'
import { exact, exactNumber, exactText, roundExact } from '../../money/index.ts'
import type { EmbeddedFile, WritingReport } from '../model/index.ts'

type Texts<Name extends string> = { readonly [N in Name]?: string | undefined }
type WithBlock = { readonly invoice_currency?: object | undefined }

/** An amount with at least two decimals and at most eight, never `-0.00`. */
export const decimal = (value: number): string => {
  const rounded = roundExact(exact(value + 0), 8)
  return rounded.decimalPlaces() > 2 ? exactText(rounded) : rounded.toFixed(2)
}

/** Exactly two decimals, as some elements want. */
export const twoDecimals = (value: number): string => roundExact(exact(value + 0), 2).toFixed(2)

/** A quotient with eight decimals. */
export const quotient = (a: number, b: number): number => exactNumber(roundExact(exact(a).div(b), 8))

export class Writer {
  readonly invoice: InvoiceBlock
  /** The currency that amounts are written in. */
  readonly currency: string
  /** Euros per unit, where that is not the euro. */
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

  get isForeign(): boolean {
    return this.currency !== 'EUR'
  }

  /** A text that Facturae has room for; undefined where there is none. */
  text(value: string | undefined, max: number, path: string): string | undefined {
    const text = value?.trim()
    if (text === undefined || text === '') return undefined
    const length = [...text].length
    if (length > max) this.report.refuse('too_long', path, { received: length, allowed: max })
    return text
  }

  /** A text that Facturae wants. */
  need(value: string | undefined, max: number, path: string): string {
    const text = this.text(value, max, path)
    if (text === undefined) this.report.refuse('missing', path)
    return text ?? ''
  }

  /** A text of a block, whose name ends its path. */
  textOf<N extends string>(
    block: Texts<N> | undefined,
    name: N,
    max: number,
    path: string,
  ): string | undefined {
    return this.text(block?.[name], max, `${path}/${name}`)
  }

  /** The same of a text that Facturae wants. */
  needOf<N extends string>(block: Texts<N> | undefined, name: N, max: number, path: string): string {
    return this.need(block?.[name], max, `${path}/${name}`)
  }

  /** The amount of a member in the currency of the invoice: of its block where that is a foreign one. */
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

  /** An `AmountType`: with its equivalent in euros where the amount is in another currency. */
  block(value: number, euros: number | undefined): Record<string, string> {
    return {
      TotalAmount: decimal(value),
      ...(this.isForeign && euros !== undefined ? { EquivalentInEuros: twoDecimals(euros) } : {}),
    }
  }
}
