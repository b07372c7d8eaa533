/** Pages of the codes that this server returns, for its playground and for people who read its logs. */
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Locale, Text } from '#core/invoice/index.ts'
import { cite } from '#core/messages/index.ts'
import { RULES, ruleOf } from '#rules/index.ts'
import { SiteHeader } from '#web/parts/index.ts'
import { CODES } from '../errors/error-codes.ts'

/** Content security policy of the pages: they have no scripts. */
export const CODE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const LABELS: Readonly<Record<Locale, Readonly<Record<'all' | 'law' | 'status' | 'other', string>>>> = {
  en: { all: 'All codes', law: 'Legal basis', status: 'HTTP status', other: 'Español' },
  es: { all: 'Todos los códigos', law: 'Base legal', status: 'Estado HTTP', other: 'English' },
}

const prefix = (locale: Locale): string => (locale === 'es' ? '/es' : '')

function page(locale: Locale, title: string, path: string, content: ComponentChildren): string {
  const other = locale === 'es' ? 'en' : 'es'
  const html = renderToString(
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · cuadra`}</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/pages/document-style.css" />
      </head>
      <body>
        <SiteHeader locale={locale} current="codes" root="/">
          <a href={`${prefix(other)}${path}`} lang={other} hreflang={other}>
            {LABELS[locale].other}
          </a>
        </SiteHeader>
        <main>
          {path !== '/codes' && (
            <p>
              <a href={`${prefix(locale)}/codes`}>{LABELS[locale].all}</a>
            </p>
          )}
          <h1>{title}</h1>
          {content}
        </main>
      </body>
    </html>,
  )
  return `<!doctype html>\n${html}\n`
}

/** Returns the texts, legal basis and HTTP status of a code; `undefined` if the server does not return it. */
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
  return page(
    locale,
    code,
    `/codes/${code}`,
    <>
      {texts.map((text, at) => (
        <p key={at}>{text[locale].replace(/\{\w+\}/g, '…')}</p>
      ))}
      {law !== undefined && <p>{`${lawLabel}: ${cite(law, locale)}`}</p>}
      {status !== undefined && <p>{`${statusLabel}: ${status}`}</p>}
    </>,
  )
}

/** Returns the page that lists all codes. */
export function codeIndex(locale: Locale): string {
  const codes = [...new Set([...RULES.map(({ code }) => code), ...Object.keys(CODES)])].sort()
  return page(
    locale,
    LABELS[locale].all,
    '/codes',
    <ul class="columns">
      {codes.map((code) => (
        <li key={code}>
          <a href={`${prefix(locale)}/codes/${code}`}>{code}</a>
        </li>
      ))}
    </ul>,
  )
}
