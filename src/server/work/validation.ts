/** The engine's verdict on a document as a function of values: a thread beside the event loop answers it too. */
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

/** What `validate` answers; the service adds items of its own. */
export interface Validation extends Pick<ValidationResult, 'explanation'> {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
  /** Why the document is not stored, where something refuses it as a whole. */
  readonly refusal?: Refusal | undefined
  /** `data` as JSON, where a thread has written it. */
  readonly canonical?: string
}

/** A verdict whose document is only handed on: as the bytes of its JSON, which nobody has to read. */
export interface SerializedValidation extends Omit<Validation, 'data' | 'canonical'> {
  readonly data: Uint8Array
}

export interface ValidationRequest {
  readonly document: unknown
  readonly options: Options
  /** What the server has found by itself: told first. */
  readonly known?: readonly Finding[] | undefined
  /** At most so many problems are looked for. */
  readonly mostProblems?: number | undefined
}

const keyOf = ({ code, path }: Finding): string => `${code} ${path}`

/**
 * What `validate` answers, and what refuses the document. Where the list of problems is cut, what decides about the whole
 * document does not hide behind a thousand smaller things.
 */
export function validateDocument({ document, options, known = [], mostProblems = MAX_ITEMS }: ValidationRequest): Validation {
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

/** The same, with the document as JSON. */
export function validateAsJson(request: ValidationRequest): SerializedValidation {
  const { data, ...validation } = validateDocument(request)
  return { ...validation, data: Buffer.from(JSON.stringify(data)) }
}
