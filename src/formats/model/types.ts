/** What every format is to the frame, and what the frame gives to a format. */
import type { CanonicalInvoice, CanonicalInvoiceInput, Extra } from '../../invoice/index.ts'
import type { Vocabulary } from '../../xml/index.ts'
import type { ReadingCode } from './messages.ts'
import type { ExportReason } from './reasons.ts'

/** The formats, by the codes of the specification (`POST /received-invoices/import`). */
export const FORMAT_CODES = [
  'facturae_3_2_2',
  'facturae_3_2_1',
  'facturae_3_2',
  'ubl_2_1',
  'cii_d16b',
] as const
export type FormatCode = (typeof FORMAT_CODES)[number]

/** A value of XML: members are local element names, leaves are texts, repeated elements are arrays (`src/xml`). */
export type Tree = Readonly<Record<string, unknown>>

/**
 * Where a format tells what it finds in a document. Paths are JSON Pointers into the tree that it was given
 * (`/Invoices/Invoice/0/InvoiceTotals/InvoiceTotal`); the frame makes element paths with their lines of them.
 */
export interface ReadingReport {
  /** The document is refused: there will be no invoice. */
  readonly refuse: (code: ReadingCode, path: string, extra?: Extra) => void
  /** The invoice is made, and this should be known of it. */
  readonly warn: (code: ReadingCode, path: string, extra?: Extra) => void
}

/** Where a format tells what it cannot carry. Paths are JSON Pointers into the canonical document. */
export interface WritingReport {
  readonly refuse: (reason: ExportReason, path: string, extra?: Extra) => void
}

/** A file inside of an invoice, as it is there: base64. */
export interface EmbeddedFile {
  readonly file_name: string
  readonly content_type: string
  /** Base64. */
  readonly data: string
  readonly description?: string
}

/** What a signature says of itself. Nobody has verified it. */
export interface SignatureNote {
  /** Distinguished name of whoever issued the signer's certificate, as the signature states it. */
  readonly issuer?: string
  readonly serial_number?: string
  /** The moment that the signature states. */
  readonly signing_time?: string
  /** Name of the signer's certificate where the signature carries it. */
  readonly subject?: string
}

/** What a format makes of a tree. */
export interface Statement {
  /**
   * A document that can be sent (`schemas/input.json`) with the totals and the breakdown that the original states, in
   * its own currency. The frame has the engine calculate it and compares both to the cent.
   */
  readonly document: CanonicalInvoiceInput
  /** Where a part of it comes from: a pointer into `document` gives one into the tree. */
  readonly placeOf: (pointer: string) => string
  readonly attachments?: readonly EmbeddedFile[]
  readonly signature?: SignatureNote | null
}

/** What a format needs to know of the caller's wishes. */
export interface ReadingOptions {
  /** Seen from the company: `received` (default) or `issued`, for what it has sent itself. */
  readonly direction: 'received' | 'issued'
}

export interface WritingOptions {
  readonly attachments: readonly EmbeddedFile[]
}

/** One format: its vocabulary, and both ways between tree and canonical invoice. */
export interface Format {
  readonly code: FormatCode
  /** Root elements by which it is recognised. */
  readonly roots: readonly { readonly name: string; readonly namespace: string }[]
  /** Made at first use. */
  readonly vocabulary: () => Vocabulary
  /** How many invoices the tree holds, where that can be more than one. */
  readonly count?: (tree: Tree) => number
  /** A document with each of these invoices alone. Amounts and texts stay as they are; a signature does not. */
  readonly split?: (tree: Tree) => readonly Tree[]
  /** Null where `report` has refused the document. The tree fits the official schema. */
  readonly read: (
    root: string,
    tree: Tree,
    report: ReadingReport,
    options: ReadingOptions,
  ) => Statement | null
  /** From a calculated document. Null where `report` has refused it. Absent: the format is only read. */
  readonly write?: (
    document: CanonicalInvoice,
    report: WritingReport,
    options: WritingOptions,
  ) => { readonly root: string; readonly tree: Tree } | null
}
