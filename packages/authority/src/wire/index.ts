/** The connection to the tax authority: `createAuthorityClient` and its outcomes. */
export {
  type AuthorityClient,
  type AuthorityClientOptions,
  createAuthorityClient,
  type SendOptions,
} from './authority.ts'
export { addressOf, type Environment, type Replacements } from './endpoints.ts'
export { enveloped, type Message, type SiiBook, type SiiMessage, type VerifactuMessage } from './message.ts'
export type { Exchange, Outcome } from './outcome.ts'
export { LIMITS, type Limits } from './post.ts'
export { PROBLEMS, type Problem, type ProblemCode, type ProblemKind } from './problems.ts'
