/**
 * The code inside the WebAssembly module: one function, which `scripts/wasm.mjs` passes to the shim. The shim, in
 * compiled code, checks size and depth of a request before passing it on.
 */
import { answerText } from '../request/answer.ts'
import { LIMITS } from '../request/limits.ts'
import { refusal } from '../request/refusal.ts'

/** Responses that the shim prepares, by the number it requests them with. */
const READY: Readonly<Record<number, () => unknown>> = {
  1: () => refusal('too_large', 'en', { max_bytes: LIMITS.maxBytes }),
  2: () => refusal('too_deep', 'en', { max_depth: LIMITS.maxDepth }),
  3: () => refusal('over_budget', 'en'),
}

const answerOf = (request: string | number): string =>
  typeof request === 'number' ? JSON.stringify(READY[request]!()) : answerText(request)

// The shim reads this global.
;(globalThis as { answerOf?: typeof answerOf }).answerOf = answerOf
