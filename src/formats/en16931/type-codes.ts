/** Kinds of document: UNTDID 1001 and the invoice types, both ways. */
import table from './type-codes.json' with { type: 'json' }

export interface DocumentType {
  readonly code: string
  readonly type: string
  /** Absent in a corrected invoice (384), whose total decides. */
  readonly correction?: string
  /** Amounts are positive where the document takes them back. */
  readonly credit?: boolean
}

const ROWS: readonly DocumentType[] = table.rows

/**
 * What a document of a code is; undefined for what is no invoice that can be registered.
 *
 * @example
 * documentTypeOf('381')?.credit // => true
 * documentTypeOf('325') // => undefined
 */
export const documentTypeOf = (code: string): DocumentType | undefined =>
  ROWS.find((row) => row.code === code)
