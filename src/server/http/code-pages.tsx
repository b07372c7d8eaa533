/** Pages of the codes that this server returns, for its playground and for people who read its logs. */
import { RULES, ruleOf } from '../../../rules/index.ts'
import type { Locale, Text } from '../../invoice/index.ts'
import { cite } from '../../messages/index.ts'
import { CODES } from '../errors/codes.ts'

/** Content security policy of the pages: they have no scripts. */
export const CODE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const LABELS: Readonly<Record<Locale, Readonly<Record<'all' | 'law' | 'status' | 'other', string>>>> = {
  en: { all: 'All codes', law: 'Legal basis', status: 'HTTP status', other: 'Español' },
  es: { all: 'Todos los códigos', law: 'Base legal', status: 'Estado HTTP', other: 'English' },
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const prefix = (locale: Locale): string => (locale === 'es' ? '/es' : '')

function page(locale: Locale, title: string, path: string, body: string): string {
  const other = locale === 'es' ? 'en' : 'es'
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · cuadra</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/status/style.css">
</head>
<body>
<main>
<p><a href="${prefix(locale)}/codes">${LABELS[locale].all}</a> · <a href="${prefix(other)}${path}" lang="${other}">${LABELS[locale].other}</a></p>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

/** What the server and its engine say of a code. */
function entryOf(
  code: string,
): { readonly texts: readonly Text[]; law?: string; status?: number } | undefined {
  const rule = ruleOf(code)
  if (rule) return { texts: [rule.message, rule.fix], law: rule.law }
  const own = Object.entries(CODES).find(([name]) => name === code)?.[1]
  return own && { texts: [own], status: own.status }
}

/** Returns the page of a code, or `undefined` if the server does not return it. */
export function codePage(code: string, locale: Locale): string | undefined {
  const entry = entryOf(code)
  if (!entry) return undefined
  const { texts, law, status } = entry
  const { law: lawLabel, status: statusLabel } = LABELS[locale]
  const body = [
    ...texts.map((text) => paragraph(text[locale])),
    ...(law === undefined ? [] : [paragraph(`${lawLabel}: ${cite(law, locale)}`)]),
    ...(status === undefined ? [] : [paragraph(`${statusLabel}: ${status}`)]),
  ]
  return page(locale, code, `/codes/${code}`, body.join('\n'))
}

/** Returns the page that lists all codes. */
export function codeIndex(locale: Locale): string {
  const codes = [...new Set([...RULES.map(({ code }) => code), ...Object.keys(CODES)])].sort()
  const items = codes.map((code) => `<li><a href="${prefix(locale)}/codes/${code}">${code}</a></li>`)
  return page(locale, LABELS[locale].all, '/codes', `<ul>\n${items.join('\n')}\n</ul>`)
}
