/**
 * cuadra/request: the engine with JSON requests and JSON responses, for programs that call it over a pipe, a socket or
 * a queue. The WebAssembly module returns the same bytes.
 */
export { answer, answerValue } from './answer.ts'
export type { Detail, Refusal } from './refusal.ts'
export { LIMITS, type Limits } from './request-limits.ts'
