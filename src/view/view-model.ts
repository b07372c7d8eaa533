/**
 * An invoice as a page: all texts, formatted in the language and order of the page. Renderers (the PDF, the mail, the
 * playground) only place these texts.
 */

/** The language of the page. `es-en` has every label in Spanish and, next to it, in English. */
export const VIEW_LANGUAGES = ['es', 'en', 'es-en'] as const
export type ViewLanguage = (typeof VIEW_LANGUAGES)[number]

/** A label in the language of the page, and in the second language of a bilingual page. */
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
  /** Role of the party, issuer or customer. */
  readonly role: Label
  readonly name: string
  /** Tax id, address and contact, one line each. */
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
  /** Alignment; `end` for numbers. */
  readonly align: 'start' | 'end'
}

export interface LineView {
  /** A text for each column of the table; empty if the line has no value. */
  readonly cells: Readonly<Partial<Record<LineColumn, string>>>
  /** Texts below the description: period, delivery note, the reason of a discount. */
  readonly notes: readonly string[]
  /** Running total of the lines, carried over to the next page. */
  readonly running: string
}

export interface TableView<Key extends string = string> {
  /** The columns of the table. Columns without values are omitted. */
  readonly columns: readonly ColumnView<Key>[]
}

export interface SumView extends Fact {
  /** Emphasis of the invoice total and the amount due. */
  readonly weight: 'normal' | 'total' | 'pay'
}

export interface InstalmentView {
  readonly due: string
  readonly method: string
  /** The account number in groups of four. */
  readonly account: string
  readonly amount: string
}

export interface QrView {
  /** Content of the code. */
  readonly content: string
  /** Text above the code. */
  readonly above: string
  /** Text below the code; empty if there is no text. */
  readonly below: string
}

export interface TextsView {
  readonly label: Label
  readonly texts: readonly string[]
}

export interface InvoiceView {
  readonly language: ViewLanguage
  readonly direction: 'issued' | 'received'
  /** Title, such as `Factura`, `Factura simplificada` or `Factura rectificativa`. */
  readonly title: Label
  /** Number, shown with the title and not among the facts. Empty if the invoice has no number yet. */
  readonly number: string
  /** `N.º`, before the number, so that programs that read the page recognise it. Empty without a number. */
  readonly numberLabel: string
  /** Watermark `BORRADOR` or `ANULADA`; null if the invoice is neither a draft nor cancelled. */
  readonly watermark: string | null
  /** Series, dates and orders, next to the title. */
  readonly facts: readonly Fact[]
  readonly supplier: PartyView
  readonly customer: PartyView | null
  /** The corrected invoice, on a corrective invoice. */
  readonly corrected: FactsView | null
  /** Description of the invoice by its issuer; empty if there is none. */
  readonly about: string
  readonly lines: TableView<LineColumn> & {
    readonly rows: readonly LineView[]
    /** `Suma y sigue`, at the foot of a page. */
    readonly carriedForward: Label
    /** `Suma anterior`, at the head of the next page. */
    readonly broughtForward: Label
  }
  readonly breakdown:
    | (TableView & { readonly label: Label; readonly rows: readonly (readonly string[])[] })
    | null
  readonly sums: readonly SumView[]
  /** Items of the sums that need a separate block, and the amounts in the other currency. */
  readonly details: readonly FactsView[]
  /** How the invoice is paid, or what is refunded. */
  readonly payment: {
    readonly label: Label
    readonly terms: string
    /** The columns due date, method, account and amount. */
    readonly columns: readonly [ColumnView, ColumnView, ColumnView, ColumnView]
    readonly instalments: readonly InstalmentView[]
    /** Address where the invoice can be paid online. */
    readonly link: { readonly label: Label; readonly url: string } | null
    /** Credit transfers for banking apps (EPC069-12), by due date. */
    readonly transfers: readonly QrView[]
  } | null
  /** Mentions that the law requires. */
  readonly mentions: TextsView | null
  readonly notes: TextsView | null
  /** The tax QR, with `QR tributario:` above it. */
  readonly qr: QrView | null
  /** Foot of every page: company registration, and how the page was created. */
  readonly foot: readonly string[]
  /** Template of the page number: `Página {page} de {pages}`. */
  readonly pageOf: Label
}
