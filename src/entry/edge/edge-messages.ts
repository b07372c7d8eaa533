/** Messages for requests that are refused before the engine runs. */
import type { Extra, Locale } from '#core/invoice/index.ts'
import { type Refusal, refusalOf } from '../request/refusal.ts'
import { EDGE } from './generated/texts/messages.ts'

/** Returns a refusal with a message in the given language, and with the values of `extra` for programs. */
export const refuse = (reason: keyof typeof EDGE, locale: Locale, extra: Extra = {}): Refusal =>
  refusalOf(EDGE[reason], locale, extra)
