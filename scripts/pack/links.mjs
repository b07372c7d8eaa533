/**
 * Links of pages that leave the repository: a file of the package stays a link, a page of `docs/` leads to the site,
 * an image leads to the site as well, and a file of the repository keeps only its name, since it has no address.
 */
import { posix } from 'node:path'

const LINK = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|#)/

/** The address of a page of `docs/` on the site. */
export const siteAddress = (homepage, page) => `${homepage}/${page.replace(/\.md$/, '')}`

/** Returns the text of a page with its links adapted to a package; `has(path)` reports whether the package has a file. */
export function withPackedLinks(text, page, { has, homepage }) {
  return text.replace(LINK, (link, image, words, target) => {
    if (ELSEWHERE.test(target)) return link
    const [file, anchor] = target.split('#')
    const path = posix.join(posix.dirname(page), file).replace(/\/$/, '')
    if (has(path)) return link
    if (image) return `![${words}](${homepage}/${path.replace(/^site\/public\//, '')})`
    if (!/^docs\/.*\.md$/.test(path)) return words
    return `[${words}](${siteAddress(homepage, path)}${anchor === undefined ? '' : `#${anchor}`})`
  })
}
