/** Items for what never reaches the engine: a text that is not JSON, or not text. */
import type { Extra, Locale, ValidationItem } from '../index.ts'
import { fill, type Text } from '../invoice/item.ts'
import type { FaultReason } from './json-scan.ts'

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

const REASONS: Readonly<Record<FaultReason, Text>> = {
  empty: { en: 'there is nothing in it', es: 'está vacío' },
  value: { en: 'a value was expected here', es: 'aquí se esperaba un valor' },
  key: {
    en: 'a key in double quotes was expected here',
    es: 'aquí se esperaba una clave entre comillas dobles',
  },
  colon: { en: 'a colon is missing after the key', es: 'faltan los dos puntos tras la clave' },
  comma_object: { en: 'a comma or } is missing before this', es: 'falta una coma o } antes de esto' },
  comma_array: { en: 'a comma or ] is missing before this', es: 'falta una coma o ] antes de esto' },
  trailing_comma: {
    en: 'this comma has nothing after it; take it out',
    es: 'tras esta coma no hay nada; quítela',
  },
  unclosed: { en: 'it ends before everything is closed', es: 'termina antes de cerrarlo todo' },
  unclosed_string: {
    en: 'this text has no closing quote on its line',
    es: 'este texto no cierra las comillas en su línea',
  },
  control_character: {
    en: 'a control character must be written as \\u escape',
    es: 'un carácter de control debe escribirse como \\u',
  },
  escape: { en: 'this is not an escape of JSON', es: 'esta secuencia de escape no es de JSON' },
  number: { en: 'this is not a number of JSON', es: 'esto no es un número de JSON' },
  single_quotes: {
    en: 'JSON uses double quotes, not single ones',
    es: 'JSON usa comillas dobles, no simples',
  },
  comment: { en: 'JSON has no comments', es: 'JSON no tiene comentarios' },
  after_end: {
    en: 'the document has ended; this is left over',
    es: 'el documento ya ha terminado; esto sobra',
  },
}

/** An error item of the command line itself; it belongs to the whole document. */
export function faultItem(code: string, extra: Extra, locale: Locale, reason?: FaultReason): ValidationItem {
  const words = fill(CLI_RULES[code]![locale], extra)
  const message = reason ? `${words.slice(0, -1)}: ${REASONS[reason][locale]}.` : words
  return { source: 'schema', code, message, path: '', extra, severity: 'error' }
}
