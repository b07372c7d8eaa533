/**
 * The engine as one function that takes and returns a JSON text, in JavaScript. The WebAssembly module returns the same
 * responses.
 */

import type { Locale, Text } from '#core/invoice/index.ts'
import { isObject } from '#records/fiscal/index.ts'
import { type ChainOptions, verifyChain } from '#records/verifactu/chain/index.ts'
import type { FiscalRecord } from '#records/verifactu/model/index.ts'
import { INVOICE_OPERATIONS, type Operation, shortened } from './operations.ts'
import { localeOf, perform } from './perform.ts'
import { parseJson, type Reading, readJson } from './read-json.ts'
import { refusal } from './refusal.ts'
import { LIMITS, type Limits } from './request-limits.ts'
import { knownOptions } from './request-options.ts'

const CHAIN = {
  after: 'object',
  now: 'text',
  split: 'boolean',
  chain_continues: 'boolean',
  locale: 'text',
} as const

/** Verifies a chain. `document` is the list of its records. */
function verifyChainOperation(document: unknown, options: unknown, locale: Locale): unknown {
  const known = knownOptions(options, CHAIN) as ChainOptions
  if (!Array.isArray(document)) return refusal('records', locale, { received: shortened(document) })
  return verifyChain(document as FiscalRecord[], known)
}

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...INVOICE_OPERATIONS,
  verify_chain: verifyChainOperation,
}

const MEMBERS = ['op', 'document', 'options']

const INVOICE: Text = { en: 'a canonical invoice', es: 'una factura canónica' }
export const EXPECTED_DOCUMENTS: Readonly<Record<string, Text>> = {
  catalog: { en: 'the name of a catalog', es: 'el nombre de un catálogo' },
  verify_chain: { en: 'the list of records', es: 'la lista de registros' },
}

/**
 * Returns the function that responds to a parsed request with one of the operations. `expected` describes the document
 * of each operation, for messages.
 */
export const responderFor =
  (operations: Readonly<Record<string, Operation>>, expected: Readonly<Record<string, Text>>) =>
  (request: unknown): unknown => {
    if (!isObject(request)) return refusal('not_object', 'en', { received: shortened(request) })
    const { op, document, options } = request
    const locale = localeOf(options)
    const unknown = Object.keys(request).find((name) => !MEMBERS.includes(name))
    if (unknown !== undefined)
      return refusal('unknown_member', locale, { received: shortened(unknown), allowed: MEMBERS })
    if (typeof op !== 'string' || !Object.hasOwn(operations, op))
      return refusal('unknown_op', locale, { received: shortened(op), allowed: Object.keys(operations) })
    if (document === undefined)
      return refusal('document', locale, { expected: (expected[op] ?? INVOICE)[locale] })
    if (options !== undefined && options !== null && !isObject(options))
      return refusal('options', locale, { received: shortened(options) })
    return perform(operations[op]!, document, options)
  }

/**
 * Responds to a parsed request.
 *
 * @example
 * const units = answerValue({ op: 'catalog', document: 'units' }) as unknown[]
 * units.length // => 36
 */
export const answerValue: (request: unknown) => unknown = responderFor(OPERATIONS, EXPECTED_DOCUMENTS)

/**
 * Processes a request given as JSON, and returns the response as JSON. Never throws.
 *
 * The request is `{ "op", "document", "options" }`; `op` is `validate`, `explain`, `reconcile`, `qr`, `catalog` or
 * `verify_chain`. The response is the result of the function of that name. If the request is refused, it is `{
 * "detail": { "code", "message", ... } }` with `request_validation_error`, `payload_too_large`, `not_found` (a catalog)
 * or `internal_error`. The WebAssembly module returns the same bytes.
 *
 * @param text At most 4 MiB in UTF-8 and 64 levels deep.
 * @example
 * answer('{"op":"validate","document":{}}').slice(0, 30) // => '{"is_valid":false,"errors":[{"'
 * JSON.parse(answer('{"op":"validate"')).detail.message
 * // => 'The request is not valid JSON: line 1, column 17: unexpected end of the text.'
 */
export function answer(text: string, limits: Limits = LIMITS): string {
  return responseText(readJson(text, limits, 'en'), answerValue)
}

/** Like `answer`, for a text whose size and depth are already checked. */
export const answerText = (text: string): string => responseText(parseJson(text, 'en'), answerValue)

/** Returns, as JSON, the response to a parsed request, or the refusal of a request that could not be parsed. */
export function responseText(reading: Reading, answerTo: (request: unknown) => unknown): string {
  return JSON.stringify('refused' in reading ? reading.refused : answerTo(reading.value))
}
