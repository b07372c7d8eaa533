/**
 * cuadra/formats/request: what `cuadra/request` answers, and `read` and `write` of the formats of other systems. An entry
 * of its own, since the shapes of those formats are as large as the engine.
 */
import type { Text } from '../../invoice/index.ts'
import { answerBy, EXPECTED, OPERATIONS, written } from '../answer.ts'
import type { Limits } from '../limits.ts'
import { readJson } from '../read.ts'
import { FORMAT_OPERATIONS } from './operations.ts'

export type { Limits } from '../limits.ts'
export type { Detail, Refusal } from '../refusal.ts'

/** 16 MiB: a document of 10 MB in base64 and what is around it. */
export const LIMITS: Limits = { maxBytes: 16 * 1024 * 1024, maxDepth: 64 }

const XML: Text = {
  en: 'the XML as a text, or its bytes as {"base64": "..."}',
  es: 'el XML como texto, o sus bytes como {"base64": "..."}',
}

/**
 * The answer to a request that was read.
 *
 * @example
 * const reading = answerValue({ op: 'read', document: '<a/>' }) as { errors: { code: string }[] }
 * reading.errors[0]?.code // => 'format.unknown'
 */
export const answerValue: (request: unknown) => unknown = answerBy(
  { ...OPERATIONS, ...FORMAT_OPERATIONS },
  { ...EXPECTED, read: XML },
)

/**
 * Answers a JSON request with JSON, and never throws: as `answer` of `cuadra/request`, with two operations more.
 *
 * `read` takes the XML as a text, or its bytes as `{ "base64" }`, which are decoded as they declare; its options are
 * `format`, `direction` and `locale`, and its answer is that of `readInvoice`. `write` takes a canonical invoice; its
 * options are `format`, `indent`, `attachments` and `locale`, and its answer is that of `writeInvoice`. A document is
 * always calculated anew, and totals that it states are compared.
 *
 * @param text At most 16 MiB in UTF-8 and 64 levels deep.
 * @example
 * JSON.parse(answer('{"op":"read","document":{"base64":"PGEvPg=="}}')).errors[0].code // => 'format.unknown'
 * JSON.parse(answer('{"op":"write","document":{}}')).detail.code // => 'request_validation_error'
 */
export function answer(text: string, limits: Limits = LIMITS): string {
  return written(readJson(text, limits, 'en'), answerValue)
}
