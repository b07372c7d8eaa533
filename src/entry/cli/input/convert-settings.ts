/** Settings and results of conversions. */
import type { Options, ValidationItem } from '#engine/index.ts'
import type { FormatCode, ProfileCode } from '#formats/index.ts'
import type { SpreadsheetFormat } from '../spreadsheet/sheet.ts'
import type { DocumentResult } from './check-document.ts'
import type { CONVERT_FORMATS, Settings } from './input-settings.ts'

export interface ConvertSettings extends Settings {
  readonly from: 'auto' | FormatCode | 'json_1_1' | 'csv'
  readonly to: (typeof CONVERT_FORMATS)[number]
  /** Profile of the receiver, whose requirements the XML meets in addition to those of the format. */
  readonly profile?: ProfileCode | undefined
  /** Whether the company received or issued an XML document. */
  readonly direction: 'received' | 'issued'
  /** Whether files with several invoices are split. */
  readonly split: boolean
  /** The spreadsheet format of the mapping file; null if neither `from` nor `to` is CSV. */
  readonly sheet: SpreadsheetFormat | null
}

export interface Conversion {
  readonly result: DocumentResult
  /** Format of the document; null if unknown. */
  readonly from: FormatCode | 'json_1_1' | 'csv' | null
  /** For a file with several invoices: number of the invoice in the file, from 1, and total number of invoices. */
  readonly part: { readonly number: number; readonly count: number } | null
  /** XML text, an invoice, or its rows; null if the conversion failed. */
  readonly content: string | object | Rows | null
  /** Whether the result concerns the whole file, whose invoices have their own results. */
  readonly isOfFile?: true
}

export type Rows = readonly (readonly string[])[]

export const isRows = (content: unknown): content is Rows => Array.isArray(content)

export const hasErrors = (items: readonly ValidationItem[]): boolean =>
  items.some(({ severity }) => severity === 'error')

/** Returns options for the engine to check the rules and amounts of an existing invoice without completing it. */
export const optionsFor = ({ options }: ConvertSettings, direction: unknown): Options => ({
  ...options,
  operation: direction === 'received' ? 'received' : 'import',
  totals: 'check',
})
