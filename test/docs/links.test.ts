/** Every relative link leads to a file, and every anchor to a heading. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { anchorsOf, PAGES, prose, ROOT } from './markdown.ts'

const LINK = /\]\(([^)\s]+)\)/g
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

  it('lead from the README and llms.txt to every page of docs/', () => {
    for (const start of ['README.md', 'llms.txt'])
      for (const page of readdirSync(`${ROOT}docs`)) expect(prose(start), start).toContain(`(docs/${page})`)
  })
})
