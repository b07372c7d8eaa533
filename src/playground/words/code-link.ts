/** Where the site explains a code. The site's address is put into the page when it is built. */
import type { Locale } from '../../api/index.ts'

/** Codes of the engine and of the tax agency; those of this page and of single functions say all in their message. */
const hasPage = (code: string): boolean => /^(?:schema\.)?\w+$/.test(code)

function site(): string {
  const address = document.querySelector<HTMLMetaElement>('meta[name="cuadra-site"]')?.content ?? ''
  return address === '' || address.endsWith('/') ? address : `${address}/`
}

/** Address of the page of a code in a language; `undefined` where there is none. */
export const codeAddress = (code: string, locale: Locale): string | undefined =>
  hasPage(code) ? `${site()}${locale === 'es' ? 'es/' : ''}codes/${encodeURIComponent(code)}` : undefined
