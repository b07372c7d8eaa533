/** The connection to the tax authority: `createAuthorityClient` and its outcomes. */
export {
  type AuthorityClient,
  type AuthorityClientOptions,
  createAuthorityClient,
  type SendOptions,
} from './authority.ts'
export { addressOf, type Environment, type Replacements } from './endpoints.ts'
export { LIMITS, type Limits } from './post.ts'
export {
  enveloped,
  type Message,
  type SiiBook,
  type SiiMessage,
  type VerifactuMessage,
} from './wire-message.ts'
export type { Exchange, Outcome } from './wire-outcome.ts'
export { PROBLEMS, type Problem, type ProblemCode, type ProblemKind } from './wire-problems.ts'
