/** What machines read of the site: each page as Markdown, `llms.txt` and `llms-full.txt`. */
import { outsideCode } from './links.mjs'
import { addressOf, isFallback } from './pages.mjs'

/** A page without what only its drawing needs. */
export const twin = (text) =>
  outsideCode(text.replace(/^---\n[\s\S]*?\n---\n+/, ''), (part) =>
    part.replace(/^<\/?div.*>\n+|^::: info\n|^:::\n/gm, '').replace(/\)\{target=.*?\}/g, ')'),
  )

export const titleOf = (text) =>
  /^# (.+)$/m.exec(twin(text))?.[1].replaceAll('`', '').replaceAll('\\', '') ?? ''

const isGuide = (route) => route.startsWith('guides/')
const isReference = (route) => route.startsWith('reference/')

/** Address of the twin of a page. */
const twinAddress = (homepage, route) => `${homepage}/${route}.md`

/** Pages of one kind as lines of a list. */
const listed = (pages, homepage, test) =>
  [...pages]
    .filter(([route, text]) => test(route) && !isFallback(text))
    .map(([route, text]) => `- [${titleOf(text)}](${twinAddress(homepage, route)})`)
    .join('\n')

/** The list of what there is to read, for language models. */
export const llmsText = (intro, pages, homepage) =>
  `${intro.trim()}

Every page of this site is there as Markdown too: \`${homepage}/guides/start.md\` beside \`${homepage}/guides/start\`. All guides and reference pages in one file: ${homepage}/llms-full.txt

## Guides

${listed(pages, homepage, isGuide)}

## Guides in Spanish

${listed(pages, homepage, (route) => route.startsWith('es/guides/'))}

## Reference

${listed(pages, homepage, isReference)}

## Codes

- [All codes](${homepage}/codes/index.md): each at ${homepage}/codes/<code>.md, in Spanish at ${homepage}/es/codes/<code>.md

## Data

- [JSON Schema of the invoice](${homepage}/schemas/json_1_1.schema.json)
`

/** Every guide and every page of reference, in English, one after the other. */
export const llmsFullText = (pages, homepage) =>
  [...pages]
    .filter(([route]) => route === 'index' || isGuide(route) || isReference(route))
    .map(([route, text]) => `<!-- ${homepage}${addressOf(route)} -->\n\n${twin(text).trim()}\n`)
    .join('\n')
