/** The interface between the formats and the code that reads and writes with them. */
import type { CanonicalInvoice, CanonicalInvoiceInput, Extra } from '#core/invoice/index.ts'
import type { Vocabulary } from '#core/xml/index.ts'
import type { FormatCode } from './format-codes.ts'
import type { Profile } from './profiles.ts'
import type { ReadingCode } from './reading-messages.ts'
import type { ExportReason } from './reading-reasons.ts'

/** An XML element: members are local element names, leaves are texts, repeated elements are arrays (`src/core/xml`). */
export type Tree = Readonly<Record<string, unknown>>

/**
 * Receives the problems that a format finds in a document. Paths are JSON Pointers into its tree
 * (`/Invoices/Invoice/0/InvoiceTotals/InvoiceTotal`), which become element paths with lines.
 */
export interface ReadingReport {
  /** Adds an error: the document is refused. */
  readonly refuse: (code: ReadingCode, path: string, extra?: Extra) => void
  /** Adds a warning: the document is still read. */
  readonly warn: (code: ReadingCode, path: string, extra?: Extra) => void
}

/** Receives the data that a format cannot represent. Paths are JSON Pointers into the canonical document. */
export interface WritingReport {
  readonly refuse: (reason: ExportReason, path: string, extra?: Extra) => void
}

/** A file embedded in an invoice. */
export interface EmbeddedFile {
  readonly file_name: string
  readonly content_type: string
  /** Content of the file in base64. */
  readonly data: string
  readonly description?: string
}

/** Data of a signature that was not verified. */
export interface SignatureNote {
  /** Distinguished name of the issuer of the signer's certificate, as the signature states it. */
  readonly issuer?: string
  readonly serial_number?: string
  /** Signing time, as the signature states it. */
  readonly signing_time?: string
  /** Subject of the signer's certificate, if the signature has it. */
  readonly subject?: string
}

/** The result of reading a tree. */
export interface Statement {
  /**
   * An input document (`schemas/input.json`) with the totals and the breakdown of the original, in its own currency.
   * The caller compares them with the engine's calculation, to the cent.
   */
  readonly document: CanonicalInvoiceInput
  /** Totals in euros that a document in another currency states. */
  readonly inEuros?: {
    /** Total before tax. */
    readonly base?: number | undefined
    readonly tax?: number | undefined
    readonly withheld?: number | undefined
    readonly payable?: number | undefined
  }
  /** Maps a pointer into `document` to a pointer into the tree. */
  readonly locationOf: (pointer: string) => string
  readonly attachments?: readonly EmbeddedFile[]
  readonly signature?: SignatureNote | null
}

/** Options of the caller that a format needs. */
export interface ReadingOptions {
  /** `received` (default), or `issued` if the company itself issued the invoice. */
  readonly direction: 'received' | 'issued'
}

export interface WritingOptions {
  /** The profile to write; null if the format has no profile. */
  readonly profile: Profile | null
  readonly attachments: readonly EmbeddedFile[]
}

/** A format: its vocabulary, and how to read and write it. */
export interface Format {
  readonly code: FormatCode
  /** Root elements that identify the format. */
  readonly roots: readonly { readonly name: string; readonly namespace: string }[]
  /** Builds the vocabulary at first use. */
  readonly vocabulary: () => Vocabulary
  /** Returns the number of invoices in the tree. Absent if the format always has one invoice. */
  readonly count?: (tree: Tree) => number
  /** Returns a tree for each invoice. Amounts and texts do not change; the signature is dropped. */
  readonly split?: (tree: Tree) => readonly Tree[]
  /** Reads a tree that is valid against the official schema. Returns null if `report` refused the document. */
  readonly read: (
    root: string,
    tree: Tree,
    report: ReadingReport,
    options: ReadingOptions,
  ) => Statement | null
  /** Writes a calculated document. Returns null if `report` refused it. Absent if the format can only be read. */
  readonly write?: (
    document: CanonicalInvoice,
    report: WritingReport,
    options: WritingOptions,
  ) => { readonly root: string; readonly tree: Tree } | null
}
