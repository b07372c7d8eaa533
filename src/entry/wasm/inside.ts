/**
 * The code inside the WebAssembly module: one function, called by the shim. The shim is compiled code that first checks
 * the size and depth of a request.
 */
import { answerText } from '../request/answer.ts'
import { refusal } from '../request/refusal.ts'
import { LIMITS } from '../request/request-limits.ts'

/** Responses to requests that the shim refuses, by the number that the shim passes in place of the request. */
const READY: Readonly<Record<number, () => unknown>> = {
  1: () => refusal('too_large', 'en', { max_bytes: LIMITS.maxBytes }),
  2: () => refusal('too_deep', 'en', { max_depth: LIMITS.maxDepth }),
  3: () => refusal('over_budget', 'en'),
}

const answerOf = (request: string | number): string =>
  typeof request === 'number' ? JSON.stringify(READY[request]!()) : answerText(request)

// The shim reads this global.
;(globalThis as { answerOf?: typeof answerOf }).answerOf = answerOf
