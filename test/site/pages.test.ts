/** The pages of the site as Markdown, before VitePress renders them. */
import { existsSync, readFileSync } from 'node:fs'
import { CODES } from 'cuadra-server/errors/error-codes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { rules } from '#engine/index.ts'
import { AUTHORITY_CODES } from '#records/verifactu/index.ts'
import { slug } from '../../scripts/docs/text.mjs'
import { outsideCode } from '../../scripts/site/links.mjs'
import { llmsFullText, llmsText } from '../../scripts/site/markdown.mjs'
import { addressOf, isUntranslated, sitePages } from '../../scripts/site/pages.mjs'
import { asMarkdown, titleOf } from '../../scripts/site/plain-markdown.mjs'
import { ROOT } from '../docs/markdown.ts'

const fieldTexts: Record<string, { en: string; es: string }> = JSON.parse(
  readFileSync(`${ROOT}schemas/texts/fields.json`, 'utf8'),
)

let pages: Map<string, string>
let files: Set<string>
beforeAll(async () => {
  const generated = await sitePages()
  pages = generated.pages
  files = generated.files
}, 60_000)

const prose = (text: string): string => {
  let kept = ''
  outsideCode(text, (part: string) => {
    kept += part
    return part
  })
  return kept
}

const anchorsOf = (text: string): Set<string> => {
  const anchors = new Set<string>()
  for (const [, title = ''] of prose(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const name = slug(title.replaceAll('`', '').replaceAll('\\', ''))
    let anchor = name
    for (let count = 1; anchors.has(anchor); count++) anchor = `${name}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** Addresses of files that are not pages. */
const FILES = /^\/(?:playground\/|schemas\/)/

describe('pages of the site', () => {
  it('have no broken links', () => {
    const byAddress = new Map([...pages].map(([route, text]) => [addressOf(route), { route, text }]))
    const anchors = new Map<string, Set<string>>()
    const broken: string[] = []
    for (const [route, text] of pages)
      for (const [, link] of prose(text).matchAll(/\]\(([^()\s]+)\)/g)) {
        if (/^[a-z]+:/.test(required(link)) || FILES.test(required(link))) continue
        if (existsSync(`${ROOT}site/public${link}`)) continue
        const [to, anchor] = required(link).split('#')
        const target = to === '' ? { route, text } : byAddress.get(required(to))
        if (!target) {
          if (!files.has(required(to).slice(1))) broken.push(`${route}: ${link}`)
        } else if (anchor !== undefined) {
          if (!anchors.has(target.route)) anchors.set(target.route, anchorsOf(target.text))
          if (!required(anchors.get(target.route)).has(anchor)) broken.push(`${route}: ${link}`)
        }
      }
    expect(broken).toEqual([])
  })

  it('exist for every code of the engine, the authority and the server, in both languages', () => {
    const codes = [
      ...rules().map(({ code }) => code),
      ...AUTHORITY_CODES.map(({ code }) => `aeat.${code}`),
      ...Object.keys(CODES),
    ]
    for (const code of codes)
      for (const route of [`codes/${code}`, `es/codes/${code}`]) expect(pages.has(route), route).toBe(true)
  })

  it('show an example of every rule, in the language of the page', () => {
    for (const { code } of rules().filter((rule) => rule.code !== 'too_many_errors')) {
      expect(pages.get(`codes/${code}`), code).toContain('## Example')
      const spanish = required(pages.get(`es/codes/${code}`))
      expect(spanish, code).toContain('## Ejemplo')
      expect(spanish, code).toContain(`"code": "${code}"`)
    }
    expect(pages.get('es/codes/iban_invalid')).toContain('no es un IBAN válido: sus dígitos de control')
  })

  it('exist in Spanish, or state in Spanish that they exist only in English', () => {
    for (const [route, text] of pages) {
      if (!route.startsWith('es/')) expect(pages.has(`es/${route}`), route).toBe(true)
      else if (isUntranslated(text)) {
        expect(text, route).toContain('Esta página solo existe en inglés: [')
        expect(text, route).toContain(`](${addressOf(route.slice(3))})`)
        expect(text, `${route} is not in the Spanish index`).toContain('search: false')
      }
    }
  })

  it('link from Spanish pages to the Spanish page, or mark the link as English', () => {
    const wrong: string[] = []
    for (const [route, text] of pages)
      if (route.startsWith('es/'))
        for (const [link, to, mark] of prose(text).matchAll(
          /\]\((\/(?:guides|reference|codes|project)\/[^)#]*)[^)]*\)(\{hreflang="en"(?: \.english\}|\} \(en inglés\)))?/g,
        ))
          if (mark === undefined || !isUntranslated(required(pages.get(`es${to}`.replace(/\/$/, '/index')))))
            wrong.push(`${route}: ${link}`)
    expect(wrong).toEqual([])
  })

  it('list the codes with the texts of their examples, without placeholders', () => {
    for (const route of ['codes/index', 'es/codes/index'])
      expect(required(pages.get(route)).match(/\{\w+\}/g), route).toBeNull()
    expect(pages.get('codes/index')).toContain('| There is no IVA rate of 20 % on 2026-03-16. |')
    const page = required(pages.get('es/codes/tax_rate_unknown'))
    expect(page).toContain('**El IVA no tiene ningún tipo del 20 % vigente el 16/03/2026.**')
    expect(page).toContain(
      '[Códigos](/es/codes/) › [Facturas](/es/codes/#facturas) › [Impuestos](/es/codes/#impuestos)',
    )
    expect(page).toContain('](/playground/#')
  })

  it('list the fields in the language of the page, in at most four columns', () => {
    const texts = Object.values(fieldTexts)
    for (const [route, own, other] of [
      ['reference/invoice', 'en', 'es'],
      ['es/reference/invoice', 'es', 'en'],
    ] as const) {
      const page = required(pages.get(route))
      const widest = Math.max(
        ...[...page.matchAll(/^\|.*\|$/gm)].map(([row]) => row.split(/(?<!\\)\|/).length - 2),
      )
      expect(widest, route).toBeLessThanOrEqual(4)
      const long = texts.filter((text) => text[own].length > 30 && page.includes(text[own]))
      expect(long.length, route).toBeGreaterThan(100)
      expect(
        texts.filter((text) => text[other].length > 30 && page.includes(text[other])),
        route,
      ).toEqual([])
    }
  })

  it('have a title, and plain Markdown without front matter and layout', () => {
    for (const [route, text] of pages) {
      expect(titleOf(text), route).not.toBe('')
      expect(asMarkdown(text), route).toMatch(/^# /m)
      expect(prose(asMarkdown(text)), route).not.toMatch(/^---\n|<div|^:::|\{(?:target|hreflang)=/m)
    }
  })

  it('are listed for language models, with addresses of the site', () => {
    const list = llmsText('# cuadra', pages, 'https://site.example')
    for (const [route, text] of pages)
      if (!isUntranslated(text) && /^(?:es\/)?guides\/|^reference\//.test(route))
        expect(list).toContain(`(https://site.example/${route}.md)`)
    expect(llmsFullText(pages, 'https://site.example')).toContain('# Calculation')
  })
})
