/**
 * Addresses of pages of the site. The base is `homepage` of package.json, read at build time. The engine does not
 * import this file.
 */
import { homepage } from '../../package.json'
import type { Locale } from '../invoice/index.ts'

/** Returns the address of the page of a code of the engine, the tax authority (`aeat.1114`), the server or the CLI. */
export const codeAddress = (code: string, locale: Locale): string =>
  `${homepage}/${locale === 'es' ? 'es/' : ''}codes/${code}`
