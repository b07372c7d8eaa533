/**
 * Collects all pages of the site as Markdown: the reference from `docs/`, other pages of the repository, the guides
 * from `site/` in both languages, and a page for each code.
 */
import { readdirSync } from 'node:fs'
import { invoicePage } from '../docs/invoice.mjs'
import { path, plain, readJson, readText, slug } from '../docs/text.mjs'
import { codePages } from './code-pages.mjs'
import { outsideCode, withLinks } from './links.mjs'
import { titleOf } from './plain-markdown.mjs'

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

/** Matches blocks of commands that tests do not run. */
const COMMANDS =
  /^```text\n(?=(?:npm|npx|node|docker|curl|git|mvn|pip|printf|systemd-run|useradd|cuadra(?:-\w+)?) )/gm

/** Removes instructions for tests from code fences: `ts continued` becomes `ts`. */
const withPlainFences = (text) => text.replace(/^```([\w-]+) .*$/gm, '```$1').replace(COMMANDS, '```sh\n')

/** The pages of the fields. Their table of contents has all levels. */
const FIELDS = /^(?:es\/)?reference\/invoice$/

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
  const add = (file, route, text) =>
    pages.set(
      route,
      (FIELDS.test(route) ? '---\noutline: deep\npageClass: fields\n---\n\n' : '') +
        withPlainFences(
          withEscapedTemplates(withLinks(file, withIncludes(text), site, (one) => files.add(one))),
        ),
    )
  for (const [file, route] of list) add(file, route, readText(file))
  // Some pages of the reference are generated in Spanish too.
  add('docs/reference/invoice.md', 'es/reference/invoice', invoicePage('es'))
  for (const [route, text] of generated) pages.set(route, text)
  addSpanishPages(pages)
  return { pages, files }
}

/** Whether a page at a Spanish address only links to the English page, because it has no translation. */
export const isUntranslated = (text) => /^---\n(?:.*\n)*?untranslated: true\n/.test(text)

/** Matches links in Markdown to pages that may have a translation, and the text that marks an English page. */
const PAGE_LINK =
  /\]\((\/(?:guides|reference|codes|project)\/[^)#\s]*)((?:#[^)\s]*)?)\)(\{[^}]*\})?( \(en inglés\))?/g

/**
 * Adds a Spanish address for each page without a translation, which links to the English page, so that the language menu
 * always leads somewhere. Links of Spanish pages lead to Spanish pages where there are any; the others are marked as
 * English.
 */
function addSpanishPages(pages) {
  const translated = new Set([...pages.keys()].filter((route) => route.startsWith('es/')).map(addressOf))
  for (const route of [...pages.keys()].filter((one) => translated.has(addressOf(one))))
    pages.set(
      route,
      outsideCode(pages.get(route), (part) =>
        part.replace(PAGE_LINK, (_link, to, anchor, attributes = '', note = '') => {
          if (translated.has(`/es${to}`)) return `](/es${to}${anchor})${attributes}`
          return `](${to}${anchor}){hreflang="en"${note === '' ? ' .english' : ''}}${note}`
        }),
      ),
    )
  for (const [route, text] of [...pages]) {
    if (route.startsWith('es/') || pages.has(`es/${route}`)) continue
    const title = plain(titleOf(text))
    pages.set(
      `es/${route}`,
      `---\nuntranslated: true\nsearch: false\nprev: false\nnext: false\n---\n\n# ${title}\n\nEsta página solo existe en inglés: [${title}](${addressOf(route)}){hreflang="en" .english}\n`,
    )
  }
}
