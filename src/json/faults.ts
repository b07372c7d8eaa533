/** What to say of a place where a text stops being JSON. */
import type { Text } from '../invoice/index.ts'
import type { FaultReason } from './scan.ts'

/** Ends the sentence "the text is not JSON: ...". */
export const FAULTS: Readonly<Record<FaultReason, Text>> = {
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
