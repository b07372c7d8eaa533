/** Items for input that never reaches the engine, such as invalid JSON or invalid UTF-8. */

import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { FAULTS, type FaultReason } from '#core/json/index.ts'
import { fill, itemOf } from '#core/messages/index.ts'
import type { Extra, Locale, ValidationItem } from '#engine/index.ts'
import { CLI_RULES as CLI_RULES_TEXTS } from '../generated/texts/faults.ts'

/** A message, and its variant for an item that suggests similar names. */
interface CliRule extends Text {
  readonly withSimilar?: Text
}

/** The codes that the command line adds to those of `rules()`, with their messages. */
export const CLI_RULES: Readonly<Record<string, CliRule>> = CLI_RULES_TEXTS

/** Returns the message of a code; `reason` states why a text is not valid JSON. */
export function faultText(code: string, values: Extra, locale: Locale, reason?: FaultReason): string {
  const rule = required(CLI_RULES[code])
  const message = values?.similar === undefined ? rule : (rule.withSimilar ?? rule)
  const text = fill(message[locale], values, locale)
  return reason ? `${text.slice(0, -1)}: ${FAULTS[reason][locale]}.` : text
}

/** Returns a warning: an item that does not prevent the conversion. */
export const warningItem = (code: string, extra: Extra, locale: Locale): ValidationItem => ({
  ...errorItem(code, extra, locale),
  severity: 'warning',
})

/** Returns an error item about the whole document. */
export const errorItemWith = (code: string, extra: Extra, message: string, fix = ''): ValidationItem =>
  itemOf({ source: 'schema', code, path: '', extra, severity: 'error' }, { message, fix, law: '' })

export const errorItem = (code: string, extra: Extra, locale: Locale): ValidationItem =>
  errorItemWith(code, extra, faultText(code, extra, locale))
