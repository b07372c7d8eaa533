/** Validates documents for the company of the API key, as of today. */
import type { CanonicalInvoice, Finding, Operation, Options } from '#core/invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import {
  type SerializedValidation,
  type Validation,
  type ValidationRequest,
  validateDocument,
} from '../../work/validation.ts'
import { type Call, clientOf } from '../access/call.ts'

export type { SerializedValidation, Validation }

/** The validation of a document that may be stored. */
export interface Validated extends Validation {
  readonly data: CanonicalInvoice
}

type Context = Pick<Call, 'app' | 'company' | 'locale' | 'mostProblems'>
type Sent = Context & Pick<Call, 'size' | 'hasLeft'>

/** The document, the operation, options that differ from the defaults, and the server's own findings. */
type ValidationInput = readonly [
  document: unknown,
  operation: Operation,
  options?: (Options & Pick<ValidationRequest, 'issuerAddress'>) | undefined,
  known?: readonly Finding[] | undefined,
]

/** Builds the request to the engine. */
const requestFor = (
  { app, company, locale, mostProblems }: Context,
  [document, operation, { issuerAddress, ...options } = {}, known]: ValidationInput,
): ValidationRequest => ({
  document,
  options: { operation, company: company.data, today: app.clock.today(), locale, ...options },
  known,
  issuerAddress,
  mostProblems,
})

/** Validates a stored document, or a document built from it, on the event loop. */
export const validateOnEventLoop = (call: Context, ...input: ValidationInput): Validation =>
  validateDocument(requestFor(call, input))

/** Validates the document of the request. Large documents are validated in a worker thread. */
export const validateSent = (call: Sent, ...input: ValidationInput): Promise<Validation> =>
  call.app.work.validate(requestFor(call, input), clientOf(call), call.size)

/** Validates the document of the request. Returns the document as JSON text, which a response includes unparsed. */
export const validateSentAsJson = (call: Sent, ...input: ValidationInput): Promise<SerializedValidation> =>
  call.app.work.validateAsJson(requestFor(call, input), clientOf(call), call.size)

/** Returns the validation if its document may be stored. Throws the error otherwise. */
export function requireStorable(validation: Validation): Validated {
  const { refusal, errors, data } = validation
  if (refusal?.code === 'schema_validation_failed')
    throw new ApiError(refusal.code, { errors: errors.filter(({ source }) => source === 'schema') })
  if (refusal) throw new ApiError(refusal.code, refusal.extra)
  if (!data) throw new ApiError('schema_validation_failed', { errors })
  return { ...validation, data }
}

/** Throws if the schema version is not supported, for any operation. All other problems are listed in `errors`. */
export function requireSchemaVersion({ refusal }: Pick<Validation, 'refusal'>): void {
  if (refusal?.code === 'unsupported_schema_version') throw new ApiError(refusal.code, refusal.extra)
}

/** Returns the JSON of a `Validate result` (API specification) in parts, with the explanation if requested. */
export function validateResult({ is_valid, errors, data, explanation }: SerializedValidation) {
  const start = JSON.stringify({ is_valid, errors }).slice(0, -1)
  const end = explanation ? `,"explanation":${JSON.stringify(explanation)}}` : '}'
  return [`${start},"data":`, data, end]
}
