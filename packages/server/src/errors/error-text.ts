/** Replaces codes in messages with readable text. The response also contains the code itself, for programs. */

import type { Extra, Locale, Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import { partsFor } from '#engine/examine/index.ts'
import { ruleOf } from '#rules/index.ts'
import {
  DELETE_IT,
  HAS_NUMBER,
  ISSUE_FIRST,
  MAKE_ANOTHER,
  REASONS as REASON_TEXTS,
  STATES as STATE_TEXTS,
} from '../generated/texts/errors.ts'
import { CODES, type Code } from './error-codes.ts'

const STATES: Readonly<Record<string, Text>> = STATE_TEXTS
const REASONS: Readonly<Record<string, Text>> = REASON_TEXTS

const NOTHING_TO_DO: Text = { en: 'There is nothing left to do.', es: 'No hay que hacer nada más.' }

/** Returns an instruction for a status change that is not allowed: what to do instead. */
export function alternativeInstruction(from: string, to: string): Text | undefined {
  if (from === 'draft') return to === 'cancelled' ? DELETE_IT : ISSUE_FIRST
  if (from === 'cancelled') return to === 'cancelled' ? NOTHING_TO_DO : MAKE_ANOTHER
  if (from === 'issued' || from === 'sent') return to === 'issued' ? HAS_NUMBER : undefined
  return undefined
}

/** Returns a status as text that follows "it is" or "está". An unknown status is returned as it is. */
export const statusText = (status: string): Text => STATES[status] ?? { en: status, es: `en ${status}` }

/** Text for the content coding `identity` (RFC 9110, section 8.4.1), placed after "Send" in a message. */
const UNCOMPRESSED: Text = { en: 'it uncompressed', es: 'un cuerpo sin comprimir' }

const FILED = /^filed_return:(.+)$/

const reasonMessages = (reason: string, locale: Locale): string => {
  const period = FILED.exec(reason)?.[1]
  if (period !== undefined)
    return locale === 'es' ? `está en la declaración de ${period}` : `it is in the return of ${period}`
  return REASONS[reason]?.[locale] ?? reason
}

/** Returns a sentence with a lower-case first letter and without its full stop, so that it can end another sentence. */
const asEnd = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')

const isCode = (word: unknown): word is Code => typeof word === 'string' && Object.hasOwn(CODES, word)

/** Returns the message of a code: that of the engine's rule with this code, otherwise that of the table. */
export function sentenceOf(code: Code, extra: Extra, locale: Locale): string {
  const rule = ruleOf(code)
  if (!rule) return fill(CODES[code][locale], extra, locale)
  const [field = ''] = Array.isArray(extra.fields) ? extra.fields : []
  const { message, fix } = partsFor(rule, { path: String(extra.path ?? field), extra }, locale)
  return `${message} ${fix}`
}

/** Returns the members of `detail` with readable text instead of codes for statuses and reasons. */
export function withReadableValues(extra: Readonly<Record<string, unknown>>, locale: Locale): Extra {
  const { from, to, reason, reasons, hint, expected } = extra
  const shown: Record<string, unknown> = { ...extra }
  if (typeof from === 'string') shown.from = STATES[from]?.[locale] ?? from
  if (typeof to === 'string') shown.to = STATES[to]?.[locale] ?? to
  if (expected === 'identity') shown.expected = UNCOMPRESSED[locale]
  if (Array.isArray(reasons))
    shown.reasons = reasons.map((one) => reasonMessages(String(one), locale)).join('; ')
  if (typeof hint === 'string') shown.reason = asEnd(hint)
  else if (isCode(reason)) shown.reason = asEnd(sentenceOf(reason, extra, locale))
  return shown as Extra
}
