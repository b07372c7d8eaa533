/** The wire to the tax authority: `createAuthority`, and what it answers. */
export { type Authority, type AuthorityOptions, createAuthority, type SendOptions } from './authority.ts'
export { addressOf, type Environment, type Replacements } from './endpoints.ts'
export { enveloped } from './envelope.ts'
export { LIMITS, type Limits } from './limits.ts'
export type { AnswerTo, Message, SiiBook, SiiMessage, VerifactuMessage } from './message.ts'
export type { Exchange, Outcome } from './outcome.ts'
export { PROBLEMS, type Problem, type ProblemCode, type ProblemKind, type Retry } from './problems.ts'
