/** In which language an invoice is best read. */
import type { CanonicalInvoice } from '../invoice/index.ts'
import type { ViewLanguage } from './model.ts'

/** Countries whose official language is Spanish. */
const SPANISH_SPEAKING: ReadonlySet<string> = new Set(
  'ES AR BO CL CO CR CU DO EC GQ GT HN MX NI PA PE PR PY SV UY VE'.split(' '),
)

/**
 * Spanish where nobody else is to read it, Spanish and English where the customer is from abroad.
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
