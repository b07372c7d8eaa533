/** Items for input that never reaches the engine, such as invalid JSON or invalid UTF-8. */
import type { Extra, Locale, ValidationItem } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'
import { FAULTS } from '../../json/faults.ts'
import type { FaultReason } from '../../json/scan.ts'
import { fill, itemOf } from '../../messages/index.ts'

/** The codes that the command line adds to those of `rules()`, with their messages. */
export const CLI_RULES: Readonly<Record<string, Text>> = {
  'json.syntax': { en: 'The document is not valid JSON.', es: 'El documento no es JSON válido.' },
  'json.encoding': {
    en: 'The document is not UTF-8 text. Save it as UTF-8.',
    es: 'El documento no es texto UTF-8. Guárdelo como UTF-8.',
  },
  'json.too_large': {
    en: 'Line skipped: longer than {max_bytes} bytes.',
    es: 'Línea omitida: supera los {max_bytes} bytes.',
  },
  'convert.file_exists': {
    en: '{file} already exists. Use --force to replace it, or another folder.',
    es: '{file} ya existe. Use --force para sustituirlo, u otra carpeta.',
  },
  'convert.file_taken': {
    en: '{file} was already written for another document of this conversion. Convert this document into a separate folder.',
    es: '{file} corresponde a otro documento de esta conversión. Convierta este en una carpeta aparte.',
  },
  'convert.attachments': {
    en: 'json_1_1 cannot hold the {count} files attached to the document. Keep the original.',
    es: 'json_1_1 no admite los {count} ficheros adjuntos al documento. Conserve el original.',
  },
  'engine.failure': {
    en: 'Internal error in cuadra: {reason}. Report it with this document.',
    es: 'Error interno de cuadra: {reason}. Comuníquelo junto con este documento.',
  },
}

/** Returns the message of a code; `reason` states why a text is not valid JSON. */
export function faultText(code: string, values: Extra, locale: Locale, reason?: FaultReason): string {
  const text = fill(required(CLI_RULES[code])[locale], values, locale)
  return reason ? `${text.slice(0, -1)}: ${FAULTS[reason][locale]}.` : text
}

/** Returns a warning: an item that does not prevent the conversion. */
export const warningItem = (code: string, extra: Extra, locale: Locale): ValidationItem => ({
  ...faultItem(code, extra, locale),
  severity: 'warning',
})

/** Returns an error about the whole document. */
export const itemOfFault = (code: string, extra: Extra, message: string, fix = ''): ValidationItem =>
  itemOf({ source: 'schema', code, path: '', extra, severity: 'error' }, { message, fix, law: '' })

export const faultItem = (code: string, extra: Extra, locale: Locale, reason?: FaultReason): ValidationItem =>
  itemOfFault(code, extra, faultText(code, extra, locale, reason))
