/** Checks the bytes of one document. Never throws, whatever the document contains. */

import { likelyOperation, type OperationReason } from '#core/invoice/index.ts'
import { faultOf, LineIndex, type Position, withoutSchema } from '#core/json/index.ts'
import {
  type CanonicalInvoice,
  type ExplanationRow,
  type Operation,
  type ReconciliationRow,
  reconcile,
  type ValidationItem,
  validate,
} from '#engine/index.ts'
import type { FormatCode } from '#formats/index.ts'
import { isObject } from '#records/fiscal/index.ts'
import { COMMENT_FIX } from '../generated/texts/faults.ts'
import { errorItem, errorItemWith, faultText } from './input-faults.ts'
import type { Settings } from './input-settings.ts'
import { jsonIn, utf8Of } from './inputs.ts'

/** One fix of a document (`--fix`). */
export interface Fix {
  /** Code of the item that the fix removes. */
  readonly code: string
  readonly path: string
  readonly from: unknown
  /** Absent if the member was removed. */
  readonly to?: string | number | boolean
}

/** The outcome of one document, as `--json` prints it. */
export interface Outcome {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  /** The operation of the check; absent if the document could not be read. */
  readonly operation?: Operation
  /** Why this operation: `option` with `--operation`, otherwise a property of the document. */
  readonly operation_reason?: OperationReason | 'option'
  readonly data?: CanonicalInvoice | null
  /** Format of an XML document; null if unknown. */
  readonly format?: FormatCode | null
  /** Fixes made by `--fix`; `errors` has the remaining items. */
  readonly fixes?: readonly Fix[]
  readonly explanation?: readonly ExplanationRow[]
  readonly reconciliation?: readonly ReconciliationRow[]
}

/** Returns the JSON of a document, whose offsets are those of its text. The lines of a batch have no comments. */
export const jsonOf = ({ file, index }: Origin, text: string): string =>
  index === null ? jsonIn(file, text) : text

/** The origin of a document. */
export interface Origin {
  /** File name; `<stdin>` for the standard input. */
  readonly file: string
  /** Index of the document in a batch, from 0; `line` counts from 1. */
  readonly index: number | null
  readonly line: number
}

export interface DocumentResult extends Origin {
  readonly text: string
  readonly outcome: Outcome
  /** The parsed document. */
  readonly document: unknown
  /** Offset in `text` of the first JSON syntax error. */
  readonly faultAt: number | null
  /** For XML and CSV: the position of each item's element or cell, in the order of the items. Cells have a `length`. */
  readonly positions?: readonly (Position & { readonly length?: number })[]
}

const refused = (item: ValidationItem): Outcome => ({ is_valid: false, errors: [item], data: null })

/** Returns the operation of `--operation`, or else the likely operation of a document that is an object. */
export function operationFor(
  document: unknown,
  { operation }: Settings['options'],
): Pick<Outcome, 'operation' | 'operation_reason'> {
  if (operation !== undefined) return { operation, operation_reason: 'option' }
  if (!isObject(document)) return {}
  const likely = likelyOperation(document)
  return { operation: likely.operation, operation_reason: likely.reason }
}

/** Runs the command on a parsed document. */
export function outcomeOf(document: unknown, settings: Settings): Outcome {
  const { command, withData } = settings
  const chosen = operationFor(document, settings.options)
  const options = { ...settings.options, operation: chosen.operation }
  const { is_valid, errors, data, explanation } = validate(document, {
    ...options,
    explain: command === 'explain',
  })
  if (command === 'explain') return { is_valid, errors, ...chosen, explanation: explanation ?? [] }
  if (command === 'validate') return { is_valid, errors, ...chosen, ...(withData && { data }) }
  const rows = reconcile(document, options)
  const isReconciled = is_valid && rows.every((row) => row.within_tolerance)
  return { is_valid: isReconciled, errors, ...chosen, reconciliation: rows }
}

/** Reads one document and runs the command on it. */
export function checkDocument(bytes: Uint8Array, origin: Origin, settings: Settings): DocumentResult {
  const { locale } = settings
  const text = utf8Of(bytes)
  const broken = (body: string, code: 'json.syntax' | 'json.encoding', faultAt: number): DocumentResult => {
    const { line, column } = new LineIndex(body).positionOf(faultAt)
    const position = { line: line + origin.line - 1, column }
    const reason = code === 'json.syntax' ? (faultOf(jsonOf(origin, body))?.reason ?? 'value') : undefined
    const fix = reason === 'comment' && origin.index === null ? COMMENT_FIX[locale] : ''
    const outcome = refused(errorItemWith(code, position, faultText(code, position, locale, reason), fix))
    return { ...origin, text: body, outcome, document: undefined, faultAt }
  }
  if (text === null) {
    const lenient = new TextDecoder().decode(bytes)
    return broken(lenient, 'json.encoding', Math.max(0, lenient.indexOf('\ufffd')))
  }
  const json = jsonOf(origin, text)
  let document: unknown
  try {
    document = withoutSchema(JSON.parse(json))
  } catch {
    return broken(text, 'json.syntax', faultOf(json)?.offset ?? 0)
  }
  try {
    return { ...origin, text, outcome: outcomeOf(document, settings), document, faultAt: null }
  } catch (error) {
    const outcome = refused(errorItem('engine.failure', { reason: (error as Error).message }, locale))
    return { ...origin, text, outcome, document, faultAt: null }
  }
}

/** Returns the result for a document of a batch that is too long to read. */
export function tooLargeResult(origin: Origin, maxBytes: number, settings: Settings): DocumentResult {
  const outcome = refused(errorItem('json.too_large', { max_bytes: maxBytes }, settings.locale))
  return { ...origin, text: '', outcome, document: undefined, faultAt: 0 }
}
