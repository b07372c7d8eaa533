/**
 * Problems of the connection to the tax authority: their codes, messages and consequences. The values in the messages
 * are never secret: hosts, error codes of Node, HTTP statuses and dates.
 */
import type { Extra, Locale, Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import { CONSEQUENCES, PROBLEMS } from '../generated/texts/problems.ts'

export { PROBLEMS } from '../generated/texts/problems.ts'

/** The consequence of a problem for the message. */
export type ProblemKind =
  /** The certificate was rejected and nothing was stored. Retrying cannot succeed before the configuration changes. */
  | 'refused'
  /** Nothing was sent, so the same message can be sent again. */
  | 'unreachable'
  /** The message, or a part of it, was sent and its result is unknown. A query can determine it. */
  | 'unknown'

interface Declaration extends Text {
  readonly kind: ProblemKind
  /** The consequence to state after the problem. Its text depends on the operation. */
  readonly then?: keyof (typeof CONSEQUENCES)['submission']
}

export type ProblemCode = keyof typeof PROBLEMS

/** A problem of one message, in both languages. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: Text
}

type Operation = 'submission' | 'requirement' | 'query'

/** Returns the message of a problem, followed by its consequence for an operation. */
function messageFor(operation: Operation, code: ProblemCode, locale: Locale): string {
  const { then, [locale]: text }: Declaration = PROBLEMS[code]
  // A query changes nothing and can be repeated.
  if (then === undefined || (operation === 'query' && then === 'queried')) return text
  return `${text} ${CONSEQUENCES[operation === 'query' ? 'submission' : operation][then][locale]}`
}

/** Returns the problem of a code with its messages, for an operation of a service. */
export function problemOf(
  code: ProblemCode,
  values: Extra & { readonly reason?: Text },
  operation: Operation,
): Problem {
  const { reason, ...others } = values
  const messageIn = (locale: Locale): string =>
    fill(messageFor(operation, code, locale), { ...others, reason: reason?.[locale] ?? '' }, locale)
  return { code, message: { en: messageIn('en'), es: messageIn('es') } }
}
