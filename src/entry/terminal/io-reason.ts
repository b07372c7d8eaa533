import type { Locale, Text } from '#core/invoice/index.ts'
import { REASONS as REASONS_TEXTS, UNKNOWN } from './generated/texts/io-reasons.ts'

const REASONS: Readonly<Record<string, Text>> = REASONS_TEXTS

/** Returns why a file could not be read or written. */
export function ioReason(error: unknown, locale: Locale = 'en'): string {
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : REASONS[code]
  return known?.[locale] ?? (code || message || UNKNOWN[locale])
}
