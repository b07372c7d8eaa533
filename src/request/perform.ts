/** One operation, with nothing thrown. */
import { type Locale, OptionError } from '../invoice/index.ts'
import { QrError } from '../verifactu/qr/fault.ts'
import type { Operation } from './operations.ts'
import { refusal } from './refusal.ts'

/** Options that are written otherwise in JSON than in the functions. */
const inRequest = (message: string): string =>
  message.replace('quietZone', 'quiet_zone').replace('fontSize', 'font_size')

/** What a wrong option says, or undefined for a failure of ours, whose words would differ between engines. */
function reasonOf(error: unknown, locale: Locale): string | undefined {
  if (error instanceof QrError) return inRequest(error.messageText[locale])
  return error instanceof OptionError ? error.messageText[locale] : undefined
}

/** How the interpreter inside the WebAssembly module says that there is no memory left. */
const isExhausted = (error: unknown): boolean => (error as Error | undefined)?.name === 'InternalError'

/** The language that options ask for; English where they ask for none that there is. */
export const localeOf = (options: unknown): Locale =>
  (options as { locale?: unknown } | null | undefined)?.locale === 'es' ? 'es' : 'en'

/** The answer of an operation, or a refusal: of its options, or because it could not be finished. */
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
