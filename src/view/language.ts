/** The language of an invoice page. */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { ViewLanguage } from './view-model.ts'

/** Countries whose official language is Spanish. */
const SPANISH_SPEAKING: ReadonlySet<string> = new Set(
  'ES AR BO CL CO CR CU DO EC GQ GT HN MX NI PA PE PR PY SV UY VE'.split(' '),
)

/**
 * Returns Spanish, or Spanish and English if the customer is from a country where Spanish is not spoken.
 *
 * @example
 * languageFor({ customer: { name: 'Ficciones GmbH', country_code: 'DE' } }) // => 'es-en'
 * languageFor({ customer: { name: 'Ficciones, S.L.' } }) // => 'es'
 * languageFor({}) // => 'es'
 */
export function languageFor({ customer }: Pick<CanonicalInvoice['invoice'], 'customer'>): ViewLanguage {
  const address = customer?.company?.address ?? customer?.person?.address
  const country = address?.country_code ?? customer?.country_code ?? 'ES'
  return SPANISH_SPEAKING.has(country) ? 'es' : 'es-en'
}
