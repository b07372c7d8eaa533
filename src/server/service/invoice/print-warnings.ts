/** Warns about texts of an issued invoice that its PDF cannot print. */
import type { CanonicalInvoice, Locale, ValidationItem } from '../../../invoice/index.ts'
import { messageText, refusalsOf } from '../../../messages/index.ts'
import { unprintableIn } from '../../../pdf/characters.ts'

const CODES = {
  characters_not_printed: messageText(
    'art. 6.1 RD 1619/2012',
    [
      'The PDF prints {received} in {field} as �: its fonts have Latin, Greek and Cyrillic letters only.',
      'Send the text in Latin letters, or with them beside it.',
    ],
    [
      'El PDF imprime {received} de {field} como �: sus tipos de letra solo tienen letras latinas, griegas y cirílicas.',
      'Envíe el texto en letras latinas, o con ellas al lado.',
    ],
  ),
}
const MOST_SHOWN = 10

/** Visits every text of a value with its path. */
function visitTexts(value: unknown, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === 'string') visit(value, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) visitTexts(one, `${path}/${name}`, visit)
}

/** Returns a warning for each field with characters that no font of the PDF has. */
export function printWarnings(locale: Locale, { invoice }: CanonicalInvoice): readonly ValidationItem[] {
  const { warnings, warn } = refusalsOf(CODES, locale)
  visitTexts(invoice, '/invoice', (text, path) => {
    const missing = unprintableIn(text)
    if (missing.length === 0) return
    const received = missing.slice(0, MOST_SHOWN).join(' ') + (missing.length > MOST_SHOWN ? ' …' : '')
    warn('characters_not_printed', path, { received, field: path.slice(path.lastIndexOf('/') + 1) })
  })
  return warnings
}
