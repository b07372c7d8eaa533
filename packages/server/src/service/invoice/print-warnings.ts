/** Warns about characters of an issued invoice that its PDF cannot print. */

import { unprintableIn } from 'cuadra-pdf/printable-characters.ts'
import type { CanonicalInvoice, Locale, ValidationItem } from '#core/invoice/index.ts'
import { itemCollectorOf } from '#core/messages/index.ts'
import { PRINT_WARNINGS } from '../../generated/texts/invoices.ts'

const MOST_SHOWN = 10

/** Visits every text of a value with its path. */
function visitTexts(value: unknown, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === 'string') visit(value, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) visitTexts(one, `${path}/${name}`, visit)
}

/** Returns a warning for each field with characters that no font of the PDF has. */
export function printWarnings(locale: Locale, { invoice }: CanonicalInvoice): readonly ValidationItem[] {
  const { warnings, warn } = itemCollectorOf(PRINT_WARNINGS, locale)
  visitTexts(invoice, '/invoice', (text, path) => {
    const missing = unprintableIn(text)
    if (missing.length === 0) return
    const received = missing.slice(0, MOST_SHOWN).join(' ') + (missing.length > MOST_SHOWN ? ' …' : '')
    warn('characters_not_printed', path, { received, field: path.slice(path.lastIndexOf('/') + 1) })
  })
  return warnings
}
