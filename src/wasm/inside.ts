/**
 * The code inside the WebAssembly module: one function, which the shim calls. The shim is compiled code that checks the
 * size and depth of a request first.
 */
import { answerText } from '../request/answer.ts'
import { LIMITS } from '../request/limits.ts'
import { refusal } from '../request/refusal.ts'

/** Responses for requests that the shim refuses, by the number with which the shim asks for them. */
const READY: Readonly<Record<number, () => unknown>> = {
  1: () => refusal('too_large', 'en', { max_bytes: LIMITS.maxBytes }),
  2: () => refusal('too_deep', 'en', { max_depth: LIMITS.maxDepth }),
  3: () => refusal('over_budget', 'en'),
}

const answerOf = (request: string | number): string =>
  typeof request === 'number' ? JSON.stringify(READY[request]!()) : answerText(request)

// The shim reads this global.
;(globalThis as { answerOf?: typeof answerOf }).answerOf = answerOf
