/**
 * Where the site explains a code. The address of the site is `homepage` of package.json, taken when a face is built:
 * nothing is looked up at run time, and nothing of the engine imports this.
 */
import { homepage } from '../../package.json'
import type { Locale } from '../invoice/index.ts'

/** The page of a code: of the engine, of the tax authority (`aeat.1114`), of the server or of the command line. */
export const codeAddress = (code: string, locale: Locale): string =>
  `${homepage}/${locale === 'es' ? 'es/' : ''}codes/${code}`
