/**
 * Links of pages that leave the repository: what is in the package stays a link, a page of `docs/` leads to the site,
 * and a file of the repository keeps its name alone, since no address says where the repository is.
 */
import { posix } from 'node:path'

const LINK = /\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|#)/

/** The address of a page of `docs/` on the site. */
export const siteAddress = (homepage, page) => `${homepage}/${page.replace(/\.md$/, '')}`

/** The text of a page with its links as they are good in a package that has `has(path)`. */
export function withPackedLinks(text, page, { has, homepage }) {
  return text.replace(LINK, (link, words, target) => {
    if (ELSEWHERE.test(target)) return link
    const [file, anchor] = target.split('#')
    const path = posix.join(posix.dirname(page), file).replace(/\/$/, '')
    if (has(path)) return link
    if (!/^docs\/.*\.md$/.test(path)) return words
    return `[${words}](${siteAddress(homepage, path)}${anchor === undefined ? '' : `#${anchor}`})`
  })
}
