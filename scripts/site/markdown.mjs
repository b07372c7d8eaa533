/** Makes the files of the site for machines: each page as Markdown, `llms.txt` and `llms-full.txt`. */
import { outsideCode } from './links.mjs'
import { addressOf, isFallback } from './pages.mjs'

/** Returns a page without markup that only affects its appearance. */
export const markdownOf = (text) =>
  outsideCode(text.replace(/^---\n[\s\S]*?\n---\n+/, ''), (part) =>
    part.replace(/^<\/?div.*>\n+|^::: info\n|^:::\n/gm, '').replace(/\)\{target=.*?\}/g, ')'),
  )

export const titleOf = (text) =>
  /^# (.+)$/m.exec(markdownOf(text))?.[1].replaceAll('`', '').replaceAll('\\', '') ?? ''

const isGuide = (route) => route.startsWith('guides/')
const isReference = (route) => route.startsWith('reference/')

/** Returns the address of a page as Markdown. */
const markdownAddress = (homepage, route) => `${homepage}/${route}.md`

/** Returns a list of pages as Markdown. */
const listed = (pages, homepage, test) =>
  [...pages]
    .filter(([route, text]) => test(route) && !isFallback(text))
    .map(([route, text]) => `- [${titleOf(text)}](${markdownAddress(homepage, route)})`)
    .join('\n')

/** Returns `llms.txt`, the list of pages for language models. */
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

/** Returns `llms-full.txt`: every guide and reference page in English. */
export const llmsFullText = (pages, homepage) =>
  [...pages]
    .filter(([route]) => route === 'index' || isGuide(route) || isReference(route))
    .map(([route, text]) => `<!-- ${homepage}${addressOf(route)} -->\n\n${markdownOf(text).trim()}\n`)
    .join('\n')
