/** Items for what never reaches the engine: a text that is not JSON, or not text. */
import type { Extra, Locale, ValidationItem } from '../index.ts'
import { fill, type Text } from '../invoice/item.ts'
import { FAULTS } from '../json/faults.ts'
import type { FaultReason } from '../json/scan.ts'

/** The codes that the command line adds to those of `rules()`. */
export const CLI_RULES: Readonly<Record<string, Text>> = {
  'json.syntax': { en: 'The document is not JSON.', es: 'El documento no es JSON.' },
  'json.encoding': {
    en: 'The document is not UTF-8 text. Save it as UTF-8.',
    es: 'El documento no es texto UTF-8. Guárdelo como UTF-8.',
  },
  'json.too_large': {
    en: 'The line is longer than {max_bytes} bytes; it was skipped.',
    es: 'La línea supera los {max_bytes} bytes; se ha omitido.',
  },
  'engine.failure': {
    en: 'cuadra could not finish this document: {reason}. Please report it.',
    es: 'cuadra no pudo terminar este documento: {reason}. Comuníquelo, por favor.',
  },
}

/** An error item of the command line itself; it belongs to the whole document. */
export function faultItem(code: string, extra: Extra, locale: Locale, reason?: FaultReason): ValidationItem {
  const words = fill(CLI_RULES[code]![locale], extra)
  const message = reason ? `${words.slice(0, -1)}: ${FAULTS[reason][locale]}.` : words
  return { source: 'schema', code, message, path: '', extra, severity: 'error' }
}
