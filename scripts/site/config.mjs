/** Configuration of VitePress. Everything that a page loads comes from the site itself, search included. */
import { existsSync } from 'node:fs'
import { readJson, readText, path } from '../docs/text.mjs'
import { slugify } from './links.mjs'
import { GUIDES, REFERENCE } from './order.mjs'
import { PAGES } from './pages.mjs'
import { titleOf } from './twins.mjs'
import { SEARCH_ES, THEME_ES, WORDS } from './words.mjs'

const item = (route) => ({ text: titleOf(readText(`${PAGES}/${route}.md`)), link: `/${route}` })

/** A menu of the pages that are there. */
const menu = (groups, base, locale) =>
  groups.map((group) => ({
    text: group[locale],
    items: group.pages
      .map((name) => `${base}${name}`)
      .filter((route) => existsSync(path(`${PAGES}/${route}.md`)))
      .map(item),
  }))

const navigation = (locale) => {
  const base = locale === 'es' ? '/es' : ''
  const words = WORDS[locale]
  return [
    { text: words.guides, link: `${base}/guides/start`, activeMatch: `^${base}/guides/` },
    { text: words.reference, link: '/reference/api', activeMatch: '^/reference/' },
    { text: words.codes, link: `${base}/codes/`, activeMatch: `^${base}/codes/` },
    { text: words.playground, link: '/playground/', target: '_self' },
  ]
}

const sidebar = (locale) => {
  const base = locale === 'es' ? 'es/' : ''
  const guides = menu(GUIDES, `${base}guides/`, locale)
  const reference = menu(REFERENCE, '', locale)
  return { [`/${base}guides/`]: guides, ...(locale === 'en' ? { '/reference/': reference, '/project/': reference } : {}) }
}

/** The other language of a page, where it has one. */
const alternates = (page, homepage) => {
  const english = page.replace(/^es\//, '')
  return [english, `es/${english}`].every((one) => existsSync(path(`${PAGES}/${one}`)))
    ? [
        ['en', english],
        ['es', `es/${english}`],
      ].map(([hreflang, to]) => [
        'link',
        { rel: 'alternate', hreflang, href: `${homepage}/${to.replace(/(^|\/)index\.md$|\.md$/, '$1')}` },
      ])
    : []
}

export function configOf({ out }) {
  const { homepage } = readJson('package.json')
  return {
    title: 'cuadra',
    description: WORDS.en.description,
    outDir: out,
    cleanUrls: true,
    lastUpdated: false,
    // These two lie beside the pages; the test of the links asks for them by name.
    ignoreDeadLinks: [/^\/playground\//, /^\/(?:schemas|examples|catalogs)\//],
    sitemap: { hostname: homepage },
    head: [
      ['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }],
      ['meta', { name: 'theme-color', content: '#0f766e' }],
    ],
    transformHead: ({ pageData }) => [
      ['link', { rel: 'alternate', type: 'text/markdown', href: `/${pageData.relativePath}` }],
      ...alternates(pageData.relativePath, homepage),
    ],
    markdown: {
      anchor: { slugify },
      theme: { light: 'github-light', dark: 'github-dark' },
    },
    vite: { build: { chunkSizeWarningLimit: 8000 }, logLevel: 'warn' },
    locales: {
      root: {
        label: 'English',
        lang: 'en',
        themeConfig: { nav: navigation('en'), sidebar: sidebar('en'), footer: { message: WORDS.en.footer } },
      },
      es: {
        label: 'Español',
        lang: 'es',
        description: WORDS.es.description,
        themeConfig: {
          ...THEME_ES,
          nav: navigation('es'),
          sidebar: sidebar('es'),
          footer: { message: WORDS.es.footer },
        },
      },
    },
    themeConfig: {
      outline: [2, 3],
      search: {
        provider: 'local',
        options: {
          locales: { es: { translations: SEARCH_ES } },
          // The codes have a page each: their table would only say it again.
          _render: (text, env, md) => {
            const html = md.render(text, env)
            return env.frontmatter?.search === false ? '' : html
          },
        },
      },
    },
  }
}
