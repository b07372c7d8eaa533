/**
 * Adapts links in packaged pages. Links to packaged files are kept. Links to pages of `docs/` and to pictures of the
 * site lead to the site, if it has an address. All other links become plain text.
 */
import { posix } from 'node:path'

const LINK = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|#)/

/** Returns the address of a page of `docs/` on the site. */
const siteAddress = (homepage, page) =>
  page === 'docs/reference/codes.md'
    ? `${homepage}/codes/`
    : `${homepage}/${page.replace(/^docs\/(?:reference\/)?/, 'reference/').replace(/\.md$/, '')}`

/** Returns a page with its links adapted to a package whose files satisfy `has(path)`. */
export function withPackedLinks(text, page, { has, homepage }) {
  return text.replace(LINK, (link, mark, label, target) => {
    if (ELSEWHERE.test(target)) return link
    const [file, anchor] = target.split('#')
    const path = posix.join(posix.dirname(page), file).replace(/\/$/, '')
    if (has(path)) return link
    if (homepage === undefined) return mark ? '' : label
    if (mark) return `![${label}](${homepage}/${path.replace(/^site\/public\//, '')})`
    if (!/^docs\/.*\.md$/.test(path)) return label
    return `[${label}](${siteAddress(homepage, path)}${anchor === undefined ? '' : `#${anchor}`})`
  })
}
