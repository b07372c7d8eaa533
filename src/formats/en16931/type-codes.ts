/** Maps document types of UNTDID 1001 to and from the invoice types. */
import table from './type-codes.json' with { type: 'json' }

export interface DocumentType {
  readonly code: string
  readonly type: string
  /** Correction type. Absent for a corrected invoice (384), whose type depends on the sign of the total. */
  readonly correction?: string
  /** True if amounts change their sign from the document to json_1_1, as in a credit note. */
  readonly credit?: boolean
}

const ROWS: readonly DocumentType[] = table.rows

/**
 * Returns the document type of a code; undefined if it is not an invoice that can be registered.
 *
 * @example
 * documentTypeOf('381')?.credit // => true
 * documentTypeOf('325') // => undefined
 */
export const documentTypeOf = (code: string): DocumentType | undefined =>
  ROWS.find((row) => row.code === code)
