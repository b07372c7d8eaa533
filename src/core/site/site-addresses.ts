/**
 * Addresses of pages of the site. The base is `address` of site.json, read at build time. Without an address, there are
 * no links to the site. The engine does not import this file.
 */
import type { Locale } from '../invoice/index.ts'
import settings from './site.json'

const { address, repository } = settings as {
  readonly address: string | null
  readonly repository: string | null
}

/** Where problems are reported; `undefined` if the repository has no address. */
export const problemsAddress: string | undefined = repository === null ? undefined : `${repository}/issues`

const pageAddress = (page: string, locale: Locale): string | undefined =>
  address === null ? undefined : `${address}/${locale === 'es' ? 'es/' : ''}${page}`

/** Returns the address of the page about the command line; `undefined` if the site has no address. */
export const commandLineAddress = (locale: Locale): string | undefined =>
  pageAddress('reference/command-line', locale)

/**
 * Returns the address of the page of a code of the engine, the tax authority (`aeat.1114`), the server or the CLI;
 * `undefined` if the site has no address.
 */
export const codeAddress = (code: string, locale: Locale): string | undefined =>
  pageAddress(`codes/${code}`, locale)
