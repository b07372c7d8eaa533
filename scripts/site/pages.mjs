/**
 * Collects all pages of the site as Markdown: the reference from `docs/`, other pages of the repository, the guides
 * from `site/` in both languages, and a page for each code.
 */
import { readdirSync } from 'node:fs'
import { path, readJson, readText, slug } from '../docs/text.mjs'
import { codePages } from './code-pages.mjs'
import { outsideCode, withLinks } from './links.mjs'

/** Folder where the pages are assembled. */
export const PAGES = 'dev-packages/site/pages'

/** Pages of the repository outside `docs/`, with their routes. */
const OTHERS = {
  'README.md': 'project/readme',
  'docs/README.md': 'project/pages',
  'CHANGELOG.md': 'project/changelog',
  'CONTRIBUTING.md': 'project/contributing',
  'SECURITY.md': 'project/security',
  'python/README.md': 'project/python',
  'examples/README.md': 'project/examples',
  'examples/hosts/README.md': 'project/hosts',
  'examples/worker/README.md': 'project/worker',
}

const markdownIn = (folder) =>
  readdirSync(path(folder), { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${folder}/${file}`)

/** Returns the files of the repository with their routes. */
function sources() {
  const docs = markdownIn('docs')
    .filter((file) => file !== 'docs/reference/codes.md' && !(file in OTHERS))
    .map((file) => [file, file.replace(/^docs\/(?:reference\/)?/, 'reference/').replace(/\.md$/, '')])
  const site = markdownIn('site').map((file) => [file, file.replace(/^site\//, '').replace(/\.md$/, '')])
  return [...docs, ...Object.entries(OTHERS), ...site]
}

/** Returns the address of a route: `/guides/` for `guides/index`. */
export const addressOf = (route) => `/${route.replace(/(^|\/)index$/, '$1')}`

/** Matches an include such as `<<< examples/hosts/python/validate.py`. */
const INCLUDE = /^<<< (\S+)$/gm
const LANGUAGES = { py: 'python', rs: 'rust', mjs: 'js', yml: 'yaml', jsonc: 'jsonc' }

const withIncludes = (text) =>
  text.replace(INCLUDE, (_line, file) => {
    const ending = file.split('.').at(-1)
    return `\`\`\`${LANGUAGES[ending] ?? ending}\n${readText(file).trimEnd()}\n\`\`\``
  })

/** Removes instructions for tests from code fences: `ts continued` becomes `ts`. */
const withPlainFences = (text) => text.replace(/^```([\w-]+) .*$/gm, '```$1')

/** Escapes double braces, which VitePress would interpret as templates. */
const withEscapedTemplates = (text) =>
  outsideCode(text, (part) => part.replaceAll('{{', '&#123;{').replace(/^<!--.*?-->\n/gm, ''))

/** Returns `{ pages, files }`: a `Map` from route to Markdown, and the files to copy to the site. */
export async function sitePages() {
  const generated = await codePages()
  const list = sources()
  const routes = new Map(list.map(([file, route]) => [file, addressOf(route)]))
  const names = [...generated.keys()]
    .filter((route) => route.startsWith('codes/'))
    .map((route) => route.slice(6))
  const codes = new Map(names.map((code) => [slug(code), code]))
  const { repository } = readJson('package.json')
  const site = { routes, codes, repository: repository?.url?.replace(/^git\+|\.git$/g, '') ?? null }
  const files = new Set()
  const pages = new Map()
  for (const [file, route] of list) {
    const text = withIncludes(readText(file))
    pages.set(
      route,
      withPlainFences(withEscapedTemplates(withLinks(file, text, site, (one) => files.add(one)))),
    )
  }
  for (const [route, text] of generated) pages.set(route, text)
  addSpanishPages(pages)
  return { pages, files }
}

/** Whether a page at a Spanish address is in English, because it has no translation. */
export const isFallback = (text) => /^---\n(?:.*\n)*?fallback: true\n/.test(text)

/**
 * Adds a Spanish address for each page without a translation, with the English text and a note, so that the language menu
 * always leads to the counterpart. Links of Spanish pages lead to Spanish addresses.
 */
function addSpanishPages(pages) {
  for (const [route, text] of [...pages])
    if (!route.startsWith('es/') && !pages.has(`es/${route}`))
      pages.set(
        `es/${route}`,
        `---\nfallback: true\n---\n\n::: info\nEsta página está en inglés.\n:::\n\n<div lang="en">\n\n${text.trim()}\n\n</div>\n`,
      )
  for (const [route, text] of pages)
    if (route.startsWith('es/'))
      pages.set(
        route,
        outsideCode(text, (part) => part.replace(/\]\(\/(guides|reference|codes|project)\//g, '](/es/$1/')),
      )
}
