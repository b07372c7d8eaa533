/** What is wrong with a text before the engine can see it: not JSON, not text, too long. */
import type { Locale } from '../../api/index.ts'
import { FAULTS } from '../../json/faults.ts'
import { faultOf } from '../../json/locations.ts'
import { Lines } from '../../json/position.ts'
import type { Problem } from './problems.ts'

/** Longer texts are not read: an invoice of 5,000 lines is shorter. */
export const MAX_CHARACTERS = 3_000_000

const MESSAGES = {
  syntax: { en: 'The text is not JSON', es: 'El texto no es JSON' },
  fix: { en: 'Mend it at the marked place.', es: 'Corríjalo en el lugar marcado.' },
  empty: {
    en: 'Paste or write an invoice, or choose an example.',
    es: 'Pegue o escriba una factura, o elija un ejemplo.',
  },
  large: {
    en: 'The text is longer than 3 million characters and was not read.',
    es: 'El texto pasa de 3 millones de caracteres y no se ha leído.',
  },
  largeFix: {
    en: 'Paste a single invoice. For many or huge ones use the command line: npx cuadra validate.',
    es: 'Pegue una sola factura. Para muchas o enormes use la línea de comandos: npx cuadra validate.',
  },
  binary: {
    en: 'This is not text but the bytes of some file.',
    es: 'Esto no es texto, sino los bytes de algún archivo.',
  },
  binaryFix: {
    en: 'Paste the JSON of the invoice, not a PDF, an image or a ZIP.',
    es: 'Pegue el JSON de la factura, no un PDF, una imagen ni un ZIP.',
  },
} as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells bytes from text.
const BYTES = /[\u0000-\u0008\u000e-\u001f\ufffd]/

function fault(code: string, what: string, fix: string, text = '', start = 0): Problem {
  const { line, column } = new Lines(text).positionOf(start)
  const place = { start, end: Math.min(start + 1, text.length), line, column, missing: [] }
  return { severity: 'error', code, path: '', extra: null, law: '', what, fix, ...place }
}

/** The one problem of a text that cannot be read as JSON; `null` when it can. */
export function textFault(text: string, locale: Locale): Problem | null {
  if (text.length > MAX_CHARACTERS)
    return fault('json.too_large', MESSAGES.large[locale], MESSAGES.largeFix[locale])
  const found = faultOf(text)
  if (!found) return null
  if (found.reason === 'empty')
    return fault('json.empty', `${MESSAGES.syntax[locale]}: ${FAULTS.empty[locale]}.`, MESSAGES.empty[locale])
  if (BYTES.test(text.slice(0, 2000)))
    return fault('json.encoding', MESSAGES.binary[locale], MESSAGES.binaryFix[locale])
  const what = `${MESSAGES.syntax[locale]}: ${FAULTS[found.reason][locale]}.`
  return fault('json.syntax', what, MESSAGES.fix[locale], text, Math.min(found.offset, text.length))
}
