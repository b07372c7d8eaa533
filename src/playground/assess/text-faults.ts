/** Problems of a text that the engine cannot read: it is invalid JSON, binary data, or too long. */
import type { Locale } from '../../api/index.ts'
import { FAULTS } from '../../json/faults.ts'
import { faultOf } from '../../json/locations.ts'
import { Lines } from '../../json/position.ts'
import type { Problem } from './problems.ts'

/** Maximum length of a text that is read. An invoice of 5,000 lines is shorter. */
export const MAX_CHARACTERS = 3_000_000

const MESSAGES = {
  syntax: { en: 'Invalid JSON', es: 'JSON no válido' },
  fix: { en: 'Correct it where it is marked.', es: 'Corríjalo donde está marcado.' },
  empty: {
    en: 'Paste or write an invoice, or choose an example.',
    es: 'Pegue o escriba una factura, o elija un ejemplo.',
  },
  large: {
    en: 'The text has more than 3 million characters.',
    es: 'El texto supera los 3 millones de caracteres.',
  },
  largeFix: {
    en: 'Paste a single invoice. For many or very large ones, use the command line: npx cuadra validate.',
    es: 'Pegue una sola factura. Si tiene muchas o son muy grandes, use la línea de comandos: npx cuadra validate.',
  },
  binary: {
    en: 'This is a binary file, not text.',
    es: 'Es un fichero binario, no texto.',
  },
  binaryFix: {
    en: 'Paste the JSON of the invoice, not a PDF, an image or a ZIP.',
    es: 'Pegue el JSON de la factura, no un PDF, una imagen ni un ZIP.',
  },
} as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters distinguish binary data from text.
const BYTES = /[\u0000-\u0008\u000e-\u001f\ufffd]/

function fault(code: string, message: string, fix: string, text = '', start = 0): Problem {
  const { line, column } = new Lines(text).positionOf(start)
  const place = { start, end: Math.min(start + 1, text.length), line, column, missing: [] }
  return { severity: 'error', code, path: '', extra: null, law: '', message, fix, ...place }
}

/** Returns the problem of a text that is not valid JSON, or `null`. */
export function textFault(text: string, locale: Locale): Problem | null {
  if (text.length > MAX_CHARACTERS)
    return fault('json.too_large', MESSAGES.large[locale], MESSAGES.largeFix[locale])
  const found = faultOf(text)
  if (!found) return null
  if (found.reason === 'empty')
    return fault('json.empty', `${MESSAGES.syntax[locale]}: ${FAULTS.empty[locale]}.`, MESSAGES.empty[locale])
  if (BYTES.test(text.slice(0, 2000)))
    return fault('json.encoding', MESSAGES.binary[locale], MESSAGES.binaryFix[locale])
  const message = `${MESSAGES.syntax[locale]}: ${FAULTS[found.reason][locale]}.`
  return fault('json.syntax', message, MESSAGES.fix[locale], text, Math.min(found.offset, text.length))
}
