/** Pages as plain Markdown, and their titles. */
import { outsideCode } from './links.mjs'

/** Returns a page as plain Markdown, without front matter and layout. */
export const asMarkdown = (text) =>
  outsideCode(text.replace(/^---\n[\s\S]*?\n---\n+/, ''), (part) =>
    part.replace(/^<\/?div.*>\n+/gm, '').replace(/\)\{(?:target|hreflang)=.*?\}/g, ')'),
  )

export const titleOf = (text) =>
  /^# (.+)$/m.exec(asMarkdown(text))?.[1].replaceAll('`', '').replaceAll('\\', '') ?? ''
