/** Runs one operation without throwing. */
import { type Locale, OptionError } from '#core/invoice/index.ts'
import { QrError } from '#records/verifactu/qr/index.ts'
import type { Operation } from './operations.ts'
import { refusal } from './refusal.ts'

/** Replaces option names in a message with their names in requests. */
const inRequest = (message: string): string =>
  message.replace('quietZone', 'quiet_zone').replace('fontSize', 'font_size')

/**
 * Returns the message about an invalid option. Returns undefined for an internal failure, because its text differs
 * between JavaScript engines.
 */
function reasonOf(error: unknown, locale: Locale): string | undefined {
  if (error instanceof QrError) return inRequest(error.messageText[locale])
  return error instanceof OptionError ? error.messageText[locale] : undefined
}

/** Whether the interpreter inside the WebAssembly module ran out of memory. */
const isExhausted = (error: unknown): boolean => (error as Error | undefined)?.name === 'InternalError'

/** Returns the language in the options, or English if the options have no supported language. */
export const localeOf = (options: unknown): Locale =>
  (options as { locale?: unknown } | null | undefined)?.locale === 'es' ? 'es' : 'en'

/** Returns the result of an operation, or a refusal if its options are invalid or it cannot be completed. */
export function perform(operation: Operation, document: unknown, options: unknown): unknown {
  const locale = localeOf(options)
  try {
    return operation(document, options, locale)
  } catch (error) {
    const reason = reasonOf(error, locale)
    return reason === undefined
      ? refusal(isExhausted(error) ? 'over_budget' : 'internal', locale)
      : refusal('option', locale, { reason: reason.replace(/\.$/, '') })
  }
}
