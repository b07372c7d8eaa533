/** From the bytes of one document to its verdict. Nothing that a document holds makes it throw. */
import {
  type CanonicalInvoice,
  type ExplanationRow,
  type ReconciliationRow,
  reconcile,
  type ValidationItem,
  validate,
} from '../../api/index.ts'
import type { FormatCode } from '../../formats/index.ts'
import { faultOf } from '../../json/locations.ts'
import { Lines } from '../../json/position.ts'
import { withoutSchema } from '../../json/without-schema.ts'
import { faultItem } from './faults.ts'
import { utf8Of } from './inputs.ts'
import type { Settings } from './settings.ts'

/** One certain mend of a document (`--fix`). */
export interface Fix {
  /** Code of the item that it answers. */
  readonly code: string
  readonly path: string
  readonly from: unknown
  /** Absent where the member was taken out. */
  readonly to?: string | number | boolean
}

/** The answer to one document, as `--json` prints it. */
export interface Answer {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data?: CanonicalInvoice | null
  /** What a document in XML is; null where it is none of the formats. */
  readonly format?: FormatCode | null
  /** What `--fix` has mended; `errors` are those that remain. */
  readonly fixes?: readonly Fix[]
  readonly explanation?: readonly ExplanationRow[]
  readonly reconciliation?: readonly ReconciliationRow[]
}

/** Where a document comes from. */
export interface Origin {
  /** Name of the file; `<stdin>` for the standard input. */
  readonly file: string
  /** In a batch: number of the document from 0, and of its line from 1. */
  readonly index: number | null
  readonly line: number
}

/** Place in a text, both from 1. */
export interface Mark {
  readonly line: number
  readonly column: number
}

export interface Verdict extends Origin {
  readonly text: string
  readonly answer: Answer
  /** The parsed document. */
  readonly document: unknown
  /** Offset in `text` where it stops being JSON. */
  readonly faultAt: number | null
  /** Of a document in XML: the element that each item is about, in their order. */
  readonly marks?: readonly Mark[]
}

const refused = (item: ValidationItem): Answer => ({ is_valid: false, errors: [item], data: null })

/** What the command asks of a document. */
export function answerOf(document: unknown, settings: Settings): Answer {
  const { command, options, withData } = settings
  const { is_valid, errors, data, explanation } = validate(document, {
    ...options,
    explain: command === 'explain',
  })
  if (command === 'explain') return { is_valid, errors, explanation: explanation ?? [] }
  if (command === 'validate') return withData ? { is_valid, errors, data } : { is_valid, errors }
  const rows = reconcile(document, options)
  return { is_valid: is_valid && rows.every((row) => row.within_tolerance), errors, reconciliation: rows }
}

/** Reads one document and answers what the command asks of it. */
export function checkDocument(bytes: Uint8Array, origin: Origin, settings: Settings): Verdict {
  const { locale } = settings
  const text = utf8Of(bytes)
  const broken = (body: string, code: 'json.syntax' | 'json.encoding', faultAt: number): Verdict => {
    const { line, column } = new Lines(body).positionOf(faultAt)
    const place = { line: line + origin.line - 1, column }
    const reason = code === 'json.syntax' ? (faultOf(body)?.reason ?? 'value') : undefined
    const answer = refused(faultItem(code, place, locale, reason))
    return { ...origin, text: body, answer, document: undefined, faultAt }
  }
  if (text === null) {
    const lenient = new TextDecoder().decode(bytes)
    return broken(lenient, 'json.encoding', Math.max(0, lenient.indexOf('\ufffd')))
  }
  let document: unknown
  try {
    document = withoutSchema(JSON.parse(text))
  } catch {
    return broken(text, 'json.syntax', faultOf(text)?.offset ?? 0)
  }
  try {
    return { ...origin, text, answer: answerOf(document, settings), document, faultAt: null }
  } catch (error) {
    const answer = refused(faultItem('engine.failure', { reason: (error as Error).message }, locale))
    return { ...origin, text, answer, document, faultAt: null }
  }
}

/** The verdict on a line of a batch that is too long to be read. */
export function tooLarge(origin: Origin, maxBytes: number, settings: Settings): Verdict {
  const answer = refused(faultItem('json.too_large', { max_bytes: maxBytes }, settings.locale))
  return { ...origin, text: '', answer, document: undefined, faultAt: 0 }
}
