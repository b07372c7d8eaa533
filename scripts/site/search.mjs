/**
 * The search of the site: guides rank over pages of reference, these over the codes, and these over tables of fields and
 * values. VitePress copies the functions of the options as text into the page, so each uses nothing outside itself.
 */
import { readJson } from '../docs/text.mjs'

/** Terms by which readers look for a page that does not contain them, by route. */
const TERMS = readJson('scripts/site/search.json')

/**
 * Returns the terms of a text, and whole names such as `=iban_invalid`, so that a code finds its page. The mark keeps
 * names apart from the terms with which they begin.
 */
function tokenize(text) {
  const names = text.match(/\w+(?:[_.]\w+)+/g) ?? []
  return [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...names.map((name) => `=${name}`)]
}

/** Returns a term without case, accents and plural; null for terms that every text has. */
function processTerm(term) {
  const bare = term.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  if (
    /^(?:a|al|an|and|con|de|del|el|en|for|in|la|las|lo|los|of|on|or|para|por|que|the|to|un|una|with|y)$/.test(
      bare,
    )
  )
    return null
  return bare.length > 3 && /[a-z]s$/.test(bare) ? bare.slice(0, -1) : bare
}

/**
 * Returns how much a page counts. Whole names come first where they are explained: a code on its page, a field in the
 * list of fields. The id of a section is its address.
 */
function boostDocument(id, term) {
  const isName = term.startsWith('=')
  const [, kind, page] = /^\/(?:es\/)?(\w*)\/?([^#]*)/.exec(id)
  if (kind === 'guides') return 4
  if (kind === 'codes') return isName && page.startsWith(term.slice(1)) ? 40 : 0.6
  if (page === 'invoice') return isName ? 20 : 0.3
  return kind === 'project' || /^(?:catalogs|mapping|verifactu-codes|api.*|recognition-accuracy)$/.test(page)
    ? 0.3
    : 1
}

/** Returns how many letters of a term may differ: none in numbers and in short terms. */
function fuzzy(term) {
  return term.length > 4 && !/\d/.test(term) ? 0.2 : false
}

/** Options of MiniSearch, for the index and for the page. */
export const SEARCH = {
  options: { tokenize, processTerm },
  searchOptions: { boostDocument, fuzzy, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
}

/** Returns the HTML of a page for the index. Pages with `search: false` are not in it. */
export function searchableHtml(text, env, markdown) {
  const html = markdown.render(text, env)
  if (env.frontmatter?.search === false) return ''
  const terms = TERMS[env.relativePath.replace(/\.md$/, '')]
  return html.replaceAll('<br>', ' ').replace('</h1>', terms === undefined ? '</h1>' : `</h1><p>${terms}</p>`)
}
