/**
 * Builds the site into `dist/site`: `npm run docs:site`, after `npm run dev-packages -- site` once.
 *
 * The pages (scripts/site/pages.mjs) are written to `dev-packages/site/pages`, because VitePress turns them into
 * modules that import Vue from the folder above. VitePress builds the HTML and rejects broken links. The site also has
 * the pages as Markdown, the schemas, the linked examples and catalogs, and the playground if it is built.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasSet, howToHave, importFrom } from './dev-packages.mjs'
import { path, readJson, readText } from './docs/text.mjs'
import { readOptions } from './options.mjs'
import { llmsFullText, llmsText } from './site/markdown.mjs'
import { isUntranslated, PAGES, sitePages } from './site/pages.mjs'
import { asMarkdown } from './site/plain-markdown.mjs'

readOptions({ about: 'Builds the site into dist/site.' })

const OUT = 'dist/site'

function write(file, text) {
  mkdirSync(dirname(path(file)), { recursive: true })
  writeFileSync(path(file), text)
}

/** Writes the pages, the configuration and the theme for VitePress. */
function stage(pages) {
  rmSync(path(PAGES), { recursive: true, force: true })
  for (const [route, text] of pages) write(`${PAGES}/${route}.md`, text)
  const config = pathToFileURL(path('scripts/site/config.mjs')).pathname
  write(
    `${PAGES}/.vitepress/config.mjs`,
    `import { configOf } from ${JSON.stringify(config)}\nexport default configOf(${JSON.stringify({ out: path(OUT) })})\n`,
  )
  cpSync(path('site/theme'), path(`${PAGES}/.vitepress/theme`), { recursive: true })
  // Copies the design tokens and the icon, which all pages of the project share.
  cpSync(path('packages/web/parts/tokens.css'), path(`${PAGES}/.vitepress/theme/tokens.css`))
  cpSync(path('site/public'), path(`${PAGES}/public`), { recursive: true })
  cpSync(path('packages/web/playground/public/icon.svg'), path(`${PAGES}/public/icon.svg`))
}

/** Writes the files besides the HTML: Markdown, schemas, `llms.txt` and the playground. */
function writeAssets(pages, files, address) {
  const base = address ?? ''
  for (const [route, text] of pages) write(`${OUT}/${route}.md`, asMarkdown(text))
  for (const file of files) cpSync(path(file), path(`${OUT}/${file}`))
  cpSync(path('schemas'), path(`${OUT}/schemas`), { recursive: true })
  write(`${OUT}/llms.txt`, llmsText(readText('llms.txt').split('\n## ')[0], pages, base))
  write(`${OUT}/llms-full.txt`, llmsFullText(pages, base))
  write(
    `${OUT}/robots.txt`,
    `User-agent: *\nAllow: /\n${address === null ? '' : `Sitemap: ${address}/sitemap.xml\n`}`,
  )
  if (existsSync(path('dist/playground'))) {
    cpSync(path('dist/playground'), path(`${OUT}/playground`), { recursive: true })
    // The playground of the site links to the pages of the codes by relative addresses.
    const page = path(`${OUT}/playground/index.html`)
    const text = readFileSync(page, 'utf8')
    writeFileSync(page, text.replace(/(<meta name="cuadra-site" content=")[^"]*/, '$1../'))
  } else console.warn('site: no playground. Build it with npm run build -- playground')
}

if (!hasSet('site')) {
  console.error(`site: ${howToHave('site')}`)
  process.exit(1)
}
const { address } = readJson('src/core/site/site.json')
const { pages, files } = await sitePages()
stage(pages)
const { build } = await importFrom('site', 'vitepress')
await build(path(PAGES))
writeAssets(pages, files, address)
const count = (start) =>
  [...pages].filter(([route, text]) => route.startsWith(start) && !isUntranslated(text)).length
console.log(
  `site: ${pages.size} pages in ${OUT}: ${count('guides/')} guides, ${count('es/guides/')} of them in Spanish too, ${count('reference/')} of reference, ${count('codes/')} of codes in each language`,
)
