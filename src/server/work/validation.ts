/** Validates a document with the engine as a function of plain values, so that a worker thread can run it too. */
import { resultOf, type ValidationResult } from '../../api/validate.ts'
import { examine, inDocumentOrder, toItems } from '../../engine/examine.ts'
import {
  type CanonicalInvoice,
  type Finding,
  MAX_ITEMS,
  type Options,
  type ValidationItem,
} from '../../invoice/index.ts'
import { isDecisive, type Refusal, refusalBy } from './decisive.ts'

/** The result of `validate`, with the engine's errors; the service may add its own. */
export interface Validation extends Pick<ValidationResult, 'explanation'> {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
  /** Why the document is not stored, if anything refuses it as a whole. */
  readonly refusal?: Refusal | undefined
  /** `data` as JSON, if a worker thread has serialised it. */
  readonly canonical?: string
}

/** A validation with its document as bytes of JSON, for responses that pass it on unread. */
export interface SerializedValidation extends Omit<Validation, 'data' | 'canonical'> {
  readonly data: Uint8Array
}

export interface ValidationRequest {
  readonly document: unknown
  readonly options: Options
  /** Findings of the server itself, which come first. */
  readonly known?: readonly Finding[] | undefined
  /** Maximum number of problems to look for. */
  readonly mostProblems?: number | undefined
}

const keyOf = ({ code, path }: Finding): string => `${code} ${path}`

/**
 * Returns the result of `validate`, and what refuses the document. If the list of problems is cut, findings that decide
 * about the whole document stay in it.
 */
export function validateDocument({
  document,
  options,
  known = [],
  mostProblems = MAX_ITEMS,
}: ValidationRequest): Validation {
  const examined = examine(document, options, mostProblems)
  const isKnown = new Set(known.map(keyOf))
  const findings = inDocumentOrder(
    examined.findings.filter((finding) => !isKnown.has(keyOf(finding))),
    document,
  )
  const listed = findings.slice(0, mostProblems)
  const keys = new Set(listed.map(keyOf))
  const hidden = findings
    .slice(mostProblems)
    .filter((finding) => isDecisive(finding) && !keys.has(keyOf(finding)))
  const refusal = refusalBy([...known, ...hidden.slice(0, mostProblems), ...listed], options)
  const errors = [known, hidden, findings].flatMap((found) =>
    toItems(found, document, examined.settings.locale, mostProblems),
  )
  return { ...resultOf(examined, options, errors), refusal }
}

/** Validates a document and serialises it as JSON. */
export function validateAsJson(request: ValidationRequest): SerializedValidation {
  const { data, ...validation } = validateDocument(request)
  return { ...validation, data: Buffer.from(JSON.stringify(data)) }
}
