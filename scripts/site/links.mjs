/** Converts links in pages of the repository to links of the site. */
import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { path } from '../docs/text.mjs'

/** Files that are copied to the site. */
const COPIED_FILES = /^(?:examples\/(?:wrong\/)?[\w-]+\.json|catalogs\/[\w-]+\.json|schemas\/[\w.-]+\.json)$/

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+(?:\([^()]*\))?)\)/g

/** Returns the address on the site of an image in `site/public`. */
const imageAddress = (file, link) =>
  /^[a-z]+:/.test(link) ? link : posix.join(posix.dirname(file), link).replace(/^site\/public(?=\/)/, '')

/** Applies a change to a text outside of code fences. */
export const outsideCode = (text, change) =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')

/**
 * Returns the text of a page with its links converted for the site.
 *
 * @param {string} file the page in the repository, `docs/reference/api.md`
 * @param {{ routes: Map<string, string>, codes: Map<string, string>, repository: string | null }} site `routes` from
 *   files of the repository to addresses of the site, `codes` from anchors of docs/reference/codes.md to codes
 * @param {(file: string) => void} onFile is called with each file to copy to the site
 */
export function withLinks(file, text, { routes, codes, repository }, onFile) {
  const address = (link) => {
    if (/^[a-z]+:/.test(link) || link.startsWith('#') || link.startsWith('/')) return link
    const [to, anchor] = link.split('#')
    const target = posix.join(posix.dirname(file), to).replace(/\/$/, '')
    if (target === 'docs/reference/codes.md') return `/codes/${codes.get(anchor) ?? ''}`
    const route = routes.get(target) ?? routes.get(`${target}/README.md`)
    if (route) return anchor ? `${route}#${anchor}` : route
    if (!existsSync(path(target))) throw new Error(`site: ${file} links to ${link}, which does not exist`)
    if (COPIED_FILES.test(target)) {
      onFile(target)
      return `/${target}`
    }
    if (!repository) return null
    const kind = statSync(path(target)).isDirectory() ? 'tree' : 'blob'
    return `${repository}/${kind}/HEAD/${target}${anchor ? `#${anchor}` : ''}`
  }
  return outsideCode(text, (part) =>
    part.replace(LINK, (whole, image, label, link) => {
      if (image) return whole.replace(/\]\(.*$/, `](${imageAddress(file, link)})`)
      const to = address(link)
      return to === null ? label : `[${label}](${to})`
    }),
  )
}
