/**
 * cuadra/formats/request: the operations of `cuadra/request`, and `read` and `write` for other invoice formats. It is a
 * separate entry point, because the definitions of those formats are as large as the engine.
 */
import type { Text } from '#core/invoice/index.ts'
import { EXPECTED_DOCUMENTS, OPERATIONS, responderFor, responseText } from '../answer.ts'
import { readJson } from '../read-json.ts'
import type { Limits } from '../request-limits.ts'
import { FORMAT_OPERATIONS } from './format-operations.ts'

export type { Detail, Refusal } from '../refusal.ts'
export type { Limits } from '../request-limits.ts'

/** Limits of one request. 16 MiB are enough for a document of 10 MB in base64. */
export const LIMITS: Limits = { maxBytes: 16 * 1024 * 1024, maxDepth: 64 }

const XML: Text = {
  en: 'the XML as a string, or its bytes as {"base64": "..."}',
  es: 'el XML como texto, o sus bytes como {"base64": "..."}',
}

/**
 * Responds to a parsed request.
 *
 * @example
 * const reading = answerValue({ op: 'read', document: '<a/>' }) as { errors: { code: string }[] }
 * reading.errors[0]?.code // => 'format.unknown'
 */
export const answerValue: (request: unknown) => unknown = responderFor(
  { ...OPERATIONS, ...FORMAT_OPERATIONS },
  { ...EXPECTED_DOCUMENTS, read: XML },
)

/**
 * Responds to a JSON request with JSON, and never throws. Works like `answer` of `cuadra/request`, with two more
 * operations.
 *
 * `read` takes the XML as a string, or its bytes as `{ "base64" }`, decoded with the encoding that they declare. Its
 * options are `format`, `direction` and `locale`; its result is the result of `readInvoice`. `write` takes a canonical
 * invoice. Its options are `format`, `profile`, `indent`, `attachments` and `locale`; its result is the result of
 * `writeInvoice`. The document is always recalculated, and the totals sent are compared with the result.
 *
 * @param text At most 16 MiB in UTF-8 and 64 levels deep.
 * @example
 * JSON.parse(answer('{"op":"read","document":{"base64":"PGEvPg=="}}')).errors[0].code // => 'format.unknown'
 * JSON.parse(answer('{"op":"write","document":{}}')).detail.code // => 'request_validation_error'
 */
export function answer(text: string, limits: Limits = LIMITS): string {
  return responseText(readJson(text, limits, 'en'), answerValue)
}
