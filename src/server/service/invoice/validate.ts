/** The engine's verdict on a document, for the company of the key as of today. */
import type { CanonicalInvoice, Finding, Operation, Options } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { type ValidationRequest, type SerializedValidation, type Validation, validateDocument } from '../../work/validation.ts'
import type { Call } from '../access/call.ts'
import { trimmedDocument } from './trim.ts'

export type { SerializedValidation, Validation }

/** A document that may be stored. */
export interface Validated extends Validation {
  readonly data: CanonicalInvoice
}

type Context = Pick<Call, 'app' | 'company' | 'locale' | 'mostProblems'>
type Sent = Context & Pick<Call, 'size'>

/** What is judged, as what, and what is known of it. */
type ValidationInput = readonly [
  document: unknown,
  operation: Operation,
  options?: Options | undefined,
  known?: readonly Finding[] | undefined,
]

/** A document with its codes and references trimmed. */
const requestFor = (
  { app, company, locale, mostProblems }: Context,
  [sent, operation, options, known]: ValidationInput,
): ValidationRequest => ({
  document: trimmedDocument(sent),
  options: { operation, company: company.data, today: app.clock.today(), locale, ...options },
  known,
  mostProblems,
})

/** The verdict on a document that is stored already, or was made from one that is. */
export const validateNow = (call: Context, ...input: ValidationInput): Validation => validateDocument(requestFor(call, input))

/** The same for the document that the call brought: a large one is judged while others are served. */
export const validateSent = (call: Sent, ...input: ValidationInput): Promise<Validation> =>
  call.app.work.validate(requestFor(call, input), call.size)

/** The same for an answer: its document is not looked at. */
export const validateSentAsJson = (call: Sent, ...input: ValidationInput): Promise<SerializedValidation> =>
  call.app.work.validateAsJson(requestFor(call, input), call.size)

/** The verdict on a document that is to be stored. Throws what refuses it. */
export function requireStorable(validation: Validation): Validated {
  const { refusal, errors, data } = validation
  if (refusal?.code === 'schema_validation_failed')
    throw new ApiError(refusal.code, { errors: errors.filter(({ source }) => source === 'schema') })
  if (refusal) throw new ApiError(refusal.code, refusal.extra)
  if (!data) throw new ApiError('schema_validation_failed', { errors })
  return { ...validation, data }
}

/** Refuses a version that is not read here, wherever it is sent; everything else stands inside of `errors`. */
export function requireVersion({ refusal }: Pick<Validation, 'refusal'>): void {
  if (refusal?.code === 'unsupported_schema_version') throw new ApiError(refusal.code, refusal.extra)
}

/** `Validate result` of the specification, and the explanation where it was asked for. */
export function validateResult({ is_valid, errors, data, explanation }: SerializedValidation) {
  const start = JSON.stringify({ is_valid, errors }).slice(0, -1)
  const end = explanation ? `,"explanation":${JSON.stringify(explanation)}}` : '}'
  return [`${start},"data":`, data, end]
}
