/** Configuration of VitePress. Pages load no files from other sites, and search runs in the browser. */
import { existsSync } from 'node:fs'
import { path, readJson, readText, slug } from '../docs/text.mjs'
import { isUntranslated, PAGES } from './pages.mjs'
import { titleOf } from './plain-markdown.mjs'
import { SEARCH, searchableHtml } from './search.mjs'

const { site: MESSAGES, search_es: SEARCH_ES, theme_es: THEME_ES } = readJson('scripts/site/texts.json')
/** The order of the menus. Missing pages are skipped; a page without a menu fails a test. */
const { guides: GUIDES, reference: REFERENCE } = readJson('scripts/site/menus.json')

const isTranslated = (route) => !isUntranslated(readText(`${PAGES}/es/${route}.md`))

/** Returns a menu entry. A Spanish menu leads to English pages where there is no translation, and marks them. */
function item(route) {
  const english = route.replace(/^es\//, '')
  const isEnglish = english !== route && !isTranslated(english)
  const title = titleOf(readText(`${PAGES}/${route}.md`))
  return isEnglish ? { text: `${title} (EN)`, link: `/${english}` } : { text: title, link: `/${route}` }
}

/** Returns a menu of the existing pages. */
const menu = (groups, base, locale) =>
  groups.map((group) => ({
    text: group[locale] ?? group.en,
    items: group.pages
      .map((name) => `${base}${name}`)
      .filter((route) => existsSync(path(`${PAGES}/${route}.md`)))
      .map(item),
  }))

const { version, repository } = readJson('package.json')

const navigation = (locale) => {
  const base = locale === 'es' ? '/es' : ''
  const messages = MESSAGES[locale]
  return [
    { text: messages.guides, link: `${base}/guides/start`, activeMatch: `^${base}/guides/` },
    {
      text: messages.reference,
      link: `${base}/reference/${locale === 'es' ? 'invoice' : 'api'}`,
      activeMatch: `^${base}/(?:reference|project)/`,
    },
    { text: messages.codes, link: `${base}/codes/`, activeMatch: `^${base}/codes/` },
    { text: messages.playground, link: '/playground/', target: '_self' },
    { text: `v${version}`, link: '/project/changelog' },
  ]
}

const sidebar = (locale) => {
  const base = locale === 'es' ? 'es/' : ''
  const guides = menu(GUIDES, `${base}guides/`, locale)
  const reference = menu(REFERENCE, base, locale)
  return { [`/${base}guides/`]: guides, [`/${base}reference/`]: reference, [`/${base}project/`]: reference }
}

const addressOfFile = (page, address) => `${address}/${page.replace(/(^|\/)index\.md$|\.md$/, '$1')}`

/** Returns the links in the head of a page: Markdown, canonical address, and counterpart in the other language. */
function headOf({ relativePath: page, frontmatter }, address) {
  if (page === '404.md') return []
  const english = page.replace(/^es\//, '')
  const link = (attributes) => ['link', attributes]
  const markdown = link({ rel: 'alternate', type: 'text/markdown', href: `/${page}` })
  if (frontmatter.untranslated) return [['meta', { name: 'robots', content: 'noindex' }]]
  if (address === null) return [markdown]
  const languages = isTranslated(english.replace(/\.md$/, '')) ? { en: english, es: `es/${english}` } : {}
  return [
    markdown,
    link({ rel: 'canonical', href: addressOfFile(page, address) }),
    ...Object.entries(languages).map(([hreflang, to]) =>
      link({ rel: 'alternate', hreflang, href: addressOfFile(to, address) }),
    ),
  ]
}

/** Removes Spanish addresses of pages that exist only in English from the sitemap. */
const withoutUntranslated = (items) =>
  items.filter(
    ({ url }) => !existsSync(path(`${PAGES}/${url}.md`)) || !isUntranslated(readText(`${PAGES}/${url}.md`)),
  )

/** Turns empty header cells of tables into ordinary cells, because screen readers need a text in header cells. */
function withoutEmptyHeaders({ tokens }) {
  for (const [at, token] of tokens.entries())
    if (token.type === 'th_open' && tokens[at + 1].content === '')
      for (const cell of [token, tokens[at + 2]]) cell.tag = 'td'
}

/** Matches the pages of the fields. */
const FIELDS = /^(?:es\/)?reference\/invoice\.md$/

/** Allows line breaks in names after `_`, `.` and `/`, so that none breaks inside a word. */
const breakable = (html) => html.replace(/(?<=\w)[_./]+(?=\w)/g, '$&<wbr>')

/**
 * Renders inline code with the places where it may break. In the headings of fields, the outline shows only the last name:
 * the names before it are those of the headings above.
 */
function renderInlineCode(markdown) {
  const { code_inline: render } = markdown.renderer.rules
  const { escapeHtml } = markdown.utils
  markdown.renderer.rules.code_inline = (tokens, at, options, env, self) => {
    const { content } = tokens[at]
    const end = content.lastIndexOf('.') + 1
    if (at > 0 || end === 0 || !FIELDS.test(env.relativePath))
      return breakable(render(tokens, at, options, env, self))
    const [above, name] = [content.slice(0, end), content.slice(end)].map((part) =>
      breakable(escapeHtml(part)),
    )
    return `<code class="above ignore-header">${above}</code><code>${name}</code>`
  }
}

/** Removes the names of languages from code blocks. */
function renderFences(markdown) {
  const { fence: render } = markdown.renderer.rules
  markdown.renderer.rules.fence = (...given) =>
    render(...given).replace(/<span class="lang">[^<]*<\/span>/, '')
}

const WIDE = 5

/** Puts tables with many columns into an element that users can scroll, also with the keyboard. */
function withScrolledTables(state) {
  const html = (content) => Object.assign(new state.Token('html_block', '', 0), { content })
  let isWide = false
  state.tokens = state.tokens.flatMap((token, at, tokens) => {
    if (token.type === 'table_open') {
      const head = tokens.slice(
        at,
        tokens.findIndex(({ type }, index) => index > at && type === 'thead_close'),
      )
      isWide = head.filter(({ type }) => type === 'th_open').length >= WIDE
      if (isWide)
        return [html('<div class="wide-table" tabindex="0" role="group" aria-label="Table">\n'), token]
    }
    return token.type === 'table_close' && isWide ? [token, html('</div>\n')] : [token]
  })
}

export function configOf({ out }) {
  const { address } = readJson('src/core/site/site.json')
  return {
    title: 'cuadra',
    description: MESSAGES.en.description,
    outDir: out,
    cleanUrls: true,
    lastUpdated: false,
    // These addresses are not pages of VitePress. Tests in test/site check the links.
    ignoreDeadLinks: [/^\/playground\//, /^\/(?:schemas|examples|catalogs)\//],
    // Puts the metadata of all pages into one file instead of repeating it in each page.
    metaChunk: true,
    sitemap: address === null ? undefined : { hostname: address, transformItems: withoutUntranslated },
    head: [
      ['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }],
      ['meta', { name: 'theme-color', content: '#0a6a4b' }],
    ],
    transformHead: ({ pageData }) => headOf(pageData, address),
    markdown: {
      anchor: { slugify: slug },
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      config: (markdown) => {
        markdown.core.ruler.push('empty headers', withoutEmptyHeaders)
        markdown.core.ruler.push('wide tables', withScrolledTables)
        renderInlineCode(markdown)
        renderFences(markdown)
      },
    },
    vite: { build: { chunkSizeWarningLimit: 8000 }, logLevel: 'warn' },
    locales: {
      root: {
        label: 'English',
        lang: 'en',
        themeConfig: {
          nav: navigation('en'),
          sidebar: sidebar('en'),
          footer: { message: MESSAGES.en.footer },
        },
      },
      es: {
        label: 'Español',
        lang: 'es',
        description: MESSAGES.es.description,
        themeConfig: {
          ...THEME_ES,
          nav: navigation('es'),
          sidebar: sidebar('es'),
          footer: { message: MESSAGES.es.footer },
        },
      },
    },
    themeConfig: {
      outline: [2, 3],
      socialLinks: repository
        ? [{ icon: 'github', link: repository.url.replace(/^git\+|\.git$/g, '') }]
        : undefined,
      search: {
        provider: 'local',
        options: {
          locales: { es: { translations: SEARCH_ES } },
          detailedView: true,
          miniSearch: SEARCH,
          _render: searchableHtml,
        },
      },
    },
  }
}
