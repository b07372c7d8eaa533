/** Messages for a position at which a text is not valid JSON. */
import type { Text } from '../invoice/index.ts'
import type { FaultReason } from './scan.ts'

/** Each message ends the sentence "the text is not JSON: ...". */
export const FAULTS: Readonly<Record<FaultReason, Text>> = {
  empty: { en: 'it is empty', es: 'está vacío' },
  value: { en: 'a value is missing here', es: 'aquí falta un valor' },
  key: {
    en: 'a key in double quotes is missing',
    es: 'falta una clave entre comillas dobles',
  },
  colon: { en: 'a colon is missing after the key', es: 'faltan los dos puntos tras la clave' },
  comma_object: { en: 'a comma or } is missing before this', es: 'falta una coma o } antes de esto' },
  comma_array: { en: 'a comma or ] is missing before this', es: 'falta una coma o ] antes de esto' },
  trailing_comma: {
    en: 'trailing comma; remove it',
    es: 'coma sobrante; quítela',
  },
  unclosed: { en: 'unexpected end of the text', es: 'final inesperado del texto' },
  unclosed_string: {
    en: 'the closing quote is missing',
    es: 'faltan las comillas de cierre',
  },
  control_character: {
    en: 'control characters must be written as \\u escapes',
    es: 'los caracteres de control deben escribirse como \\u',
  },
  escape: { en: 'invalid escape sequence', es: 'secuencia de escape no válida' },
  number: { en: 'invalid number', es: 'número no válido' },
  single_quotes: {
    en: 'JSON requires double quotes, not single quotes',
    es: 'JSON exige comillas dobles, no simples',
  },
  comment: { en: 'JSON does not allow comments', es: 'JSON no admite comentarios' },
  after_end: {
    en: 'unexpected text after the end',
    es: 'sobra texto tras el final',
  },
}
