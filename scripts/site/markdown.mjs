/** The site for programs: each page as Markdown, `llms.txt` and `llms-full.txt`. */
import { addressOf, isUntranslated } from './pages.mjs'
import { asMarkdown, titleOf } from './plain-markdown.mjs'

const isGuide = (route) => route.startsWith('guides/')
const isReference = (route) => route.startsWith('reference/')

/** Returns the address of the Markdown of a page. */
const markdownAddress = (base, route) => `${base}/${route}.md`

/** Returns a list of the pages that pass a test. */
const listed = (pages, base, test) =>
  [...pages]
    .filter(([route, text]) => test(route) && !isUntranslated(text))
    .map(([route, text]) => `- [${titleOf(text)}](${markdownAddress(base, route)})`)
    .join('\n')

/** Returns `llms.txt`, the list of pages for language models. */
export const llmsText = (intro, pages, base) =>
  `${intro.trim()}

Every page of this site is also available as Markdown: \`${base}/guides/start.md\` for \`${base}/guides/start\`. All guides and reference pages in one file: ${base}/llms-full.txt

## Guides

${listed(pages, base, isGuide)}

## Guides in Spanish

${listed(pages, base, (route) => route.startsWith('es/guides/'))}

## Reference

${listed(pages, base, isReference)}

## Codes

- [All codes](${base}/codes/index.md): each at ${base}/codes/<code>.md, in Spanish at ${base}/es/codes/<code>.md

## Data

- [JSON Schema of the invoice](${base}/schemas/json_1_1.schema.json)
`

/** Returns all guides and reference pages in English, in one text. */
export const llmsFullText = (pages, base) =>
  [...pages]
    .filter(([route]) => route === 'index' || isGuide(route) || isReference(route))
    .map(([route, text]) => `<!-- ${base}${addressOf(route)} -->\n\n${asMarkdown(text).trim()}\n`)
    .join('\n')
