/**
 * An invoice as people read it: every text formatted, in their language, in the order of the page. Whoever prints it
 * (the PDF, the mail, the playground) places these texts and decides nothing about them.
 */

/** The language of the page; `es-en` has every label in Spanish and, beside it, in English. */
export const VIEW_LANGUAGES = ['es', 'en', 'es-en'] as const
export type ViewLanguage = (typeof VIEW_LANGUAGES)[number]

/** A label in the language of the page, and in the second one where the page has two. */
export interface Label {
  readonly text: string
  readonly second?: string
}

export interface Fact {
  readonly label: Label
  readonly value: string
}

/** Facts that belong together, under a title. */
export interface FactsView {
  readonly label: Label
  readonly facts: readonly Fact[]
}

export interface PartyView {
  /** What the party is: issuer, customer. */
  readonly role: Label
  readonly name: string
  /** Tax id, address, contact: a line each. */
  readonly lines: readonly string[]
}

export const LINE_COLUMNS = [
  'reference',
  'description',
  'quantity',
  'price',
  'discount',
  'tax',
  'amount',
] as const
export type LineColumn = (typeof LINE_COLUMNS)[number]

export interface ColumnView<Key extends string = string> {
  readonly key: Key
  readonly label: Label
  /** `end` for figures. */
  readonly align: 'start' | 'end'
}

export interface LineView {
  /** A text for each column of the table; empty where the line says nothing. */
  readonly cells: Readonly<Partial<Record<LineColumn, string>>>
  /** Below the description: period, delivery note, the reason of a discount. */
  readonly notes: readonly string[]
  /** What the amounts of the lines come to so far, to be carried over to the next page. */
  readonly running: string
}

export interface TableView<Key extends string = string> {
  /** Only columns in which something stands. */
  readonly columns: readonly ColumnView<Key>[]
}

export interface SumView extends Fact {
  /** The total of the invoice and what is left to pay stand out. */
  readonly weight: 'normal' | 'total' | 'pay'
}

export interface InstalmentView {
  readonly due: string
  readonly method: string
  /** Grouped in fours. */
  readonly account: string
  readonly amount: string
}

export interface QrView {
  /** What the code says. */
  readonly content: string
  /** Stands above it. */
  readonly above: string
  /** Stands below it; empty: nothing. */
  readonly below: string
}

export interface TextsView {
  readonly label: Label
  readonly texts: readonly string[]
}

export interface InvoiceView {
  readonly language: ViewLanguage
  readonly direction: 'issued' | 'received'
  /** `Factura`, `Factura simplificada`, `Factura rectificativa`. */
  readonly title: Label
  /** Stands with the title; facts do not say it again. Empty: the invoice has none yet. */
  readonly number: string
  /** `BORRADOR`, `ANULADA`; null: it is in force. */
  readonly watermark: string | null
  /** Series, dates, orders: beside the title. */
  readonly facts: readonly Fact[]
  readonly supplier: PartyView
  readonly customer: PartyView | null
  /** What a corrective invoice corrects. */
  readonly corrected: FactsView | null
  /** What the invoice is about, in the issuer's words; empty: nothing. */
  readonly about: string
  readonly lines: TableView<LineColumn> & {
    readonly rows: readonly LineView[]
    /** `Suma y sigue`, at the foot of a page. */
    readonly carriedForward: Label
    /** `Suma anterior`, at the head of the next. */
    readonly broughtForward: Label
  }
  readonly breakdown:
    | (TableView & { readonly label: Label; readonly rows: readonly (readonly string[])[] })
    | null
  readonly sums: readonly SumView[]
  /** What a sum consists of, where it is more than one thing; the amounts in euros of an invoice in another currency. */
  readonly details: readonly FactsView[]
  readonly payment: {
    readonly label: Label
    readonly terms: string
    /** Due day, method, account, amount. */
    readonly columns: readonly [ColumnView, ColumnView, ColumnView, ColumnView]
    readonly instalments: readonly InstalmentView[]
    /** A credit transfer for banking apps (EPC069-12), where one is due. */
    readonly transfer: QrView | null
  } | null
  /** Mentions that the law asks for. */
  readonly mentions: TextsView | null
  readonly notes: TextsView | null
  /** The tax QR, with `QR tributario:` above it. */
  readonly qr: QrView | null
  /** At the foot of every page: register of companies, how this page was made. */
  readonly foot: readonly string[]
  /** `Página {page} de {pages}`. */
  readonly pageOf: Label
}
