/**
 * The semantic model of EN 16931-1, shared by UBL and CII, with the numbers of its business terms (BT) and groups (BG).
 * Amounts have the sign of the document: positive in a credit note. Texts are trimmed and never empty.
 */

/** BG-1 */
export interface Note {
  /** BT-21, UNTDID 4451 */
  readonly subject?: string | undefined
  /** BT-22 */
  readonly text: string
  /** JSON Pointer into the source tree. */
  readonly at?: string | undefined
}

/** An identifier with its scheme: ISO 6523 (BT-29, BT-30...) or EAS (BT-34, BT-49). */
export interface Id {
  readonly value: string
  readonly scheme?: string | undefined
}

/** BG-5, BG-8 */
export interface PostalAddress {
  readonly line1?: string | undefined
  readonly line2?: string | undefined
  readonly line3?: string | undefined
  readonly town?: string | undefined
  readonly postCode?: string | undefined
  readonly subdivision?: string | undefined
  readonly country?: string | undefined
}

/** BG-4, BG-7 */
export interface Party {
  /** BT-27, BT-44 */
  readonly name?: string | undefined
  /** BT-28, BT-45 */
  readonly tradeName?: string | undefined
  /** BT-29, BT-46 */
  readonly ids: readonly Id[]
  /** BT-30, BT-47 */
  readonly legalId?: Id | undefined
  /** BT-31, BT-48 */
  readonly vatId?: string | undefined
  /** BT-32 */
  readonly taxId?: string | undefined
  /** BT-34, BT-49 */
  readonly endpoint?: Id | undefined
  readonly address?: PostalAddress | undefined
  /** BT-41, BT-56 */
  readonly contact?: string | undefined
  readonly telephone?: string | undefined
  readonly mail?: string | undefined
}

export interface Period {
  readonly start?: string | undefined
  readonly end?: string | undefined
}

/** BG-3 */
export interface Preceding {
  readonly number: string
  readonly date?: string | undefined
}

/** BG-16 */
export interface Payment {
  /** BT-81, UNTDID 4461 */
  readonly code?: string | undefined
  /** BT-82 */
  readonly text?: string | undefined
  /** BT-83 */
  readonly reference?: string | undefined
  /** BT-84 */
  readonly creditAccounts: readonly string[]
  /** BT-89 */
  readonly mandate?: string | undefined
  /** BT-91 */
  readonly debitAccount?: string | undefined
}

/** Tax category of UNTDID 5305 with its rate. */
export interface Category {
  readonly category: string
  /** Absent in category O. */
  readonly rate?: number | undefined
}

/** BG-20, BG-21, BG-27, BG-28 */
export interface Allowance {
  readonly isCharge: boolean
  readonly amount: number
  readonly base?: number | undefined
  readonly percent?: number | undefined
  readonly reason?: string | undefined
  readonly reasonCode?: string | undefined
}

/** BG-20, BG-21 */
export interface DocumentAllowance extends Allowance, Category {
  /** JSON Pointer into the tree. */
  readonly at: string
}

/** BG-22 */
export interface Totals {
  /** BT-106 */
  readonly lines: number
  /** BT-107 */
  readonly allowances?: number | undefined
  /** BT-108 */
  readonly charges?: number | undefined
  /** BT-109 */
  readonly base: number
  /** BT-110 */
  readonly tax?: number | undefined
  /** BT-111, in the accounting currency */
  readonly accountingTax?: number | undefined
  /** BT-112 */
  readonly total: number
  /** BT-113 */
  readonly prepaid?: number | undefined
  /** BT-114 */
  readonly rounding?: number | undefined
  /** BT-115 */
  readonly payable: number
}

/** BG-23 */
export interface Tax extends Category {
  readonly base: number
  readonly tax: number
  /** BT-121, VATEX */
  readonly reasonCode?: string | undefined
  /** BT-120 */
  readonly reason?: string | undefined
  readonly at: string
}

/** BG-25 */
export interface Line extends Category {
  readonly at: string
  /** BT-126 */
  readonly id?: string | undefined
  /** BT-127 */
  readonly note?: string | undefined
  /** BT-129 */
  readonly quantity: number
  /** BT-130 */
  readonly unit?: string | undefined
  /** BT-131 */
  readonly net: number
  /** BT-132 */
  readonly orderLine?: string | undefined
  readonly period?: Period | undefined
  readonly allowances: readonly Allowance[]
  /** BT-146 */
  readonly price: number
  /** BT-149 */
  readonly priceQuantity?: number | undefined
  /** BT-153 */
  readonly name?: string | undefined
  /** BT-154 */
  readonly description?: string | undefined
  /** BT-155 */
  readonly sellerItemId?: string | undefined
}

/** BT-125 with BT-122 to BT-124 */
export interface Attachment {
  readonly id: string
  readonly description?: string | undefined
  readonly fileName: string
  readonly contentType: string
  /** Content of the file in base64. */
  readonly data: string
}

export interface Exchange {
  readonly rate: number
  readonly date?: string | undefined
}

/**
 * Content without a term in EN 16931: texts to keep, by part of the document, and names of elements that are not kept.
 */
export interface Unmapped {
  readonly document: string[]
  readonly payment: string[]
  readonly lines: Map<number, string[]>
  readonly unread: Map<string, { readonly at: string; count: number }>
}

export interface EnInvoice {
  /** BT-1 */
  readonly number: string
  /** BT-2 */
  readonly issueDate: string
  /** BT-3, UNTDID 1001 */
  readonly typeCode: string
  /** BT-5 */
  readonly currency: string
  /** BT-6 */
  readonly accountingCurrency?: string | undefined
  /** Euros per unit of the currency. EN 16931 has no term for it, but both syntaxes have an element. */
  readonly exchange?: Exchange | undefined
  /** BT-7 */
  readonly taxPointDate?: string | undefined
  /** BT-9 */
  readonly dueDate?: string | undefined
  /** BT-10 */
  readonly buyerReference?: string | undefined
  /** BT-11 */
  readonly project?: string | undefined
  /** BT-12 */
  readonly contract?: string | undefined
  /** BT-13 */
  readonly order?: string | undefined
  /** BT-14 */
  readonly salesOrder?: string | undefined
  /** BT-20 */
  readonly paymentTerms?: string | undefined
  readonly notes: readonly Note[]
  /** BT-23 */
  readonly process?: string | undefined
  /** BT-24 */
  readonly customization: string
  readonly preceding: readonly Preceding[]
  readonly seller: Party
  readonly buyer: Party
  /** BT-72 */
  readonly deliveryDate?: string | undefined
  /** BT-80 */
  readonly deliveryCountry?: string | undefined
  readonly period?: Period | undefined
  readonly payment?: Payment | undefined
  readonly allowances: readonly DocumentAllowance[]
  readonly totals: Totals
  readonly taxes: readonly Tax[]
  readonly attachments: readonly Attachment[]
  /** BT-17, BT-18, and BT-122 without a file, as texts. */
  readonly references: readonly string[]
  /** Content of elements that have no term in this model. */
  readonly unmapped?: Unmapped | undefined
  readonly lines: readonly Line[]
  /** Location of the first element that exists only in profiles beyond EN 16931, such as nested lines. */
  readonly extensionAt?: string | undefined
}

/** Locations of the business terms that the rules check, as JSON Pointers into the tree of a syntax. */
export type Locations = Readonly<Record<LocatedTerm, string>>
export type LocatedTerm =
  | 'number'
  | 'issueDate'
  | 'typeCode'
  | 'currency'
  | 'seller'
  | 'buyer'
  | 'lines'
  | 'taxes'
  | 'payment'
  | 'terms'
  | 'preceding'
  | 'lineTotal'
  | 'allowanceTotal'
  | 'chargeTotal'
  | 'base'
  | 'tax'
  | 'accountingTax'
  | 'total'
  | 'prepaid'
  | 'payable'
  | 'endpoint'
