/** Validates a document with the engine. Arguments and results are plain values, so a worker thread can run it too. */

import {
  type Address,
  type CanonicalInvoice,
  type Finding,
  MAX_ITEMS,
  type Options,
  type ValidationItem,
} from '#core/invoice/index.ts'
import { examine, inDocumentOrder, resultOf, toItems } from '#engine/examine/index.ts'
import type { ValidationResult } from '#engine/index.ts'
import { isDecisive, type Refusal, refusalBy } from './decisive.ts'
import { withIssuerAddress } from './issuer-address.ts'

/** The result of `validate`, with the engine's errors. The service may add more errors. */
export interface Validation extends Pick<ValidationResult, 'explanation'> {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
  /** The reason why the document cannot be stored, if a finding refuses it as a whole. */
  readonly refusal?: Refusal | undefined
  /** `data` as JSON, if a worker thread has already serialised it. */
  readonly canonical?: string
}

/** A validation with its document as JSON bytes, for responses that include the document unparsed. */
export interface SerializedValidation extends Omit<Validation, 'data' | 'canonical'> {
  readonly data: Uint8Array
}

export interface ValidationRequest {
  readonly document: unknown
  readonly options: Options
  /** The server's own findings. They come before those of the engine. */
  readonly known?: readonly Finding[] | undefined
  /** The address to add to a document whose issuer has none. */
  readonly issuerAddress?: Address | undefined
  /** Maximum number of problems to report. */
  readonly mostProblems?: number | undefined
}

const keyOf = ({ code, path }: Finding): string => `${code} ${path}`

/**
 * Returns the result of `validate`, with the refusal of the document if there is one. If the list of problems is
 * truncated, it still contains the findings that refuse the whole document.
 */
export function validateDocument({
  document,
  options,
  known = [],
  issuerAddress,
  mostProblems = MAX_ITEMS,
}: ValidationRequest): Validation {
  const examined = examine(document, options, mostProblems)
  const isKnown = new Set(known.map(keyOf))
  const unknown = (found: readonly Finding[]) => found.filter((finding) => !isKnown.has(keyOf(finding)))
  const findings = inDocumentOrder(unknown(examined.findings), document)
  const listed = findings.slice(0, mostProblems)
  const keys = new Set(listed.map(keyOf))
  const hidden = findings
    .slice(mostProblems)
    .filter((finding) => isDecisive(finding) && !keys.has(keyOf(finding)))
  const refusal = refusalBy([...known, ...hidden.slice(0, mostProblems), ...listed], options)
  const errors = [known, hidden, [...findings, ...unknown(examined.further)]].flatMap((found) =>
    toItems(found, document, examined.settings.locale, mostProblems),
  )
  const { data, ...result } = resultOf(examined, options, errors)
  return { ...result, data: data && withIssuerAddress(data, issuerAddress), refusal }
}

/** Validates a document and serialises it as JSON. */
export function validateAsJson(request: ValidationRequest): SerializedValidation {
  const { data, ...validation } = validateDocument(request)
  return { ...validation, data: Buffer.from(JSON.stringify(data)) }
}
