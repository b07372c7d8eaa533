/**
 * What runs inside the WebAssembly module: one function, which `scripts/wasm.mjs` hands to the shim. A request has
 * been looked at there, in compiled code, before its text comes here.
 */
import { answerText } from '../request/answer.ts'
import { LIMITS } from '../request/limits.ts'
import { refusal } from '../request/refusal.ts'

/** Answers that the shim keeps ready, by the numbers that it asks for them with. */
const READY: Readonly<Record<number, () => unknown>> = {
  1: () => refusal('too_large', 'en', { max_bytes: LIMITS.maxBytes }),
  2: () => refusal('too_deep', 'en', { max_depth: LIMITS.maxDepth }),
  3: () => refusal('over_budget', 'en'),
}

const answerOf = (request: string | number): string =>
  typeof request === 'number' ? JSON.stringify(READY[request]!()) : answerText(request)

// The last value of the script is what the shim takes.
;(globalThis as { answerOf?: typeof answerOf }).answerOf = answerOf
