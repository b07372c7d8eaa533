/** Every relative link leads to a file, and every anchor to a heading. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { TEXT_FILES } from '../../scripts/generate/texts.mjs'
import { sourcesWith } from '../sources.ts'
import { GUIDES } from './guides.ts'
import { anchorsOf, DOCS, PAGES, prose, ROOT, read } from './markdown.ts'

const LINK = /\]\(([^)\s]+)\)/g
/** A page that a text of the code names, with the section that may follow in quotes. */
const NAMED = /\b(docs\/(?:reference\/)?[\w-]+\.md)(?:, \\?"([^"\\]+)\\?")?/g
const NAMING = [...sourcesWith('.ts', '.tsx', '.json'), ...TEXT_FILES.map((file) => `texts/${file}`)]
/** The list of all pages. */
const INDEX = 'docs/README.md'
const anchors = new Map<string, Set<string>>()

const hasAnchor = (page: string, anchor: string): boolean => {
  if (!anchors.has(page)) anchors.set(page, anchorsOf(page))
  return required(anchors.get(page)).has(anchor)
}

describe('links', () => {
  it.each(PAGES)('of %s are not broken', (page) => {
    const broken: string[] = []
    for (const [, link = ''] of prose(page).matchAll(LINK)) {
      if (/^[a-z]+:/.test(link)) continue
      const [file, anchor] = link.split('#')
      const target = file === '' ? page : join(dirname(page), required(file))
      if (!existsSync(`${ROOT}${target}`)) broken.push(link)
      else if (anchor !== undefined && !hasAnchor(target, anchor)) broken.push(link)
    }
    expect(broken).toEqual([])
  })

  it('to pages name them by their titles, not by their files', () => {
    const byFile = [...PAGES, ...GUIDES].flatMap((page) =>
      [...prose(page).matchAll(/\[[^\][]*\.md\]\([^)]*\)/g)].map(([link]) => `${page}: ${link}`),
    )
    expect(byFile).toEqual([])
  })

  it('in messages and comments name pages and sections that exist', () => {
    const headings = (page: string) =>
      [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll(/[`\\]/g, ''))
    const named = NAMING.flatMap((file) =>
      [...read(file).matchAll(NAMED)].map(([text, page = '', section]) => ({ file, text, page, section })),
    )
    expect(named.filter(({ section }) => section !== undefined).length).toBeGreaterThan(10)
    const dead = named.filter(
      ({ page, section }) =>
        !existsSync(`${ROOT}${page}`) || (section !== undefined && !headings(page).includes(section)),
    )
    expect(dead.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  it('lead from the index of pages and llms.txt to every page of docs/ and every guide', () => {
    const linkedFrom = (start: string) =>
      new Set([...prose(start).matchAll(LINK)].map(([, link = '']) => join(dirname(start), link)))
    const english = GUIDES.filter((page) => page.startsWith('site/guides/'))
    for (const start of [INDEX, 'llms.txt']) {
      const linked = linkedFrom(start)
      expect(
        [...DOCS, ...english].filter((page) => page !== INDEX && !linked.has(page)),
        start,
      ).toEqual([])
    }
  })
})
