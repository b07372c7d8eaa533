/** Items for what never reaches the engine: a text that is not JSON, or not text. */
import type { Extra, Locale, ValidationItem } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'
import { FAULTS } from '../../json/faults.ts'
import type { FaultReason } from '../../json/scan.ts'
import { fill, itemOf } from '../../messages/index.ts'

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
  'convert.file_exists': {
    en: '{file} is there already, and was left as it is. Use --force to replace it, or another folder.',
    es: '{file} ya existe y se ha dejado como está. Use --force para sustituirlo, u otra carpeta.',
  },
  'convert.file_taken': {
    en: '{file} is another document of this conversion. Convert it into a folder of its own.',
    es: '{file} es otro documento de esta conversión. Conviértalo en una carpeta aparte.',
  },
  'convert.attachments': {
    en: 'The {count} files inside the document are not part of json_1_1: keep the original.',
    es: 'Los {count} ficheros incluidos en el documento no forman parte de json_1_1: conserve el original.',
  },
  'engine.failure': {
    en: 'cuadra could not finish this document: {reason}. Please report it.',
    es: 'cuadra no pudo terminar este documento: {reason}. Comuníquelo, por favor.',
  },
}

/** What is wrong; `reason` says why a text is no JSON. */
export function faultText(code: string, values: Extra, locale: Locale, reason?: FaultReason): string {
  const text = fill(required(CLI_RULES[code])[locale], values, locale)
  return reason ? `${text.slice(0, -1)}: ${FAULTS[reason][locale]}.` : text
}

/** The same, of what does not keep a document from being converted. */
export const warningItem = (code: string, extra: Extra, locale: Locale): ValidationItem => ({
  ...faultItem(code, extra, locale),
  severity: 'warning',
})

/** An item of the command line itself; it belongs to the whole document. */
export const itemOfFault = (code: string, extra: Extra, message: string, fix = ''): ValidationItem =>
  itemOf({ source: 'schema', code, path: '', extra, severity: 'error' }, { message, fix, law: '' })

export const faultItem = (code: string, extra: Extra, locale: Locale, reason?: FaultReason): ValidationItem =>
  itemOfFault(code, extra, faultText(code, extra, locale, reason))
