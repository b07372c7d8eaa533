/** What is said of a request about formats that cannot be answered. */
import type { Extra, Locale, Text } from '../../invoice/index.ts'
import { fill } from '../../words/index.ts'
import type { Refusal } from '../refusal.ts'

const WORDS = {
  xml: {
    en: 'document is {received}. Send the XML as a text, or its bytes as {"base64": "..."}.',
    es: 'document es {received}. Envíe el XML como texto, o sus bytes como {"base64": "..."}.',
  },
  base64: {
    en: 'base64 stops being base64 at character {position}. Send the bytes of the file in base64 (RFC 4648, section 4).',
    es: 'base64 deja de ser base64 en el carácter {position}. Envíe los bytes del fichero en base64 (RFC 4648, sección 4).',
  },
} as const satisfies Readonly<Record<string, Text>>

/** Values with parts, in words. */
const PARTS: Readonly<Record<string, Text>> = {
  array: { en: 'a list', es: 'una lista' },
  object: { en: 'an object', es: 'un objeto' },
}

export const refuse = (reason: keyof typeof WORDS, locale: Locale, extra: Extra): Refusal => ({
  detail: {
    code: 'request_validation_error',
    message: fill(
      WORDS[reason][locale],
      { ...extra, received: PARTS[String(extra.received)]?.[locale] ?? extra.received },
      locale,
    ),
    ...extra,
  },
})
