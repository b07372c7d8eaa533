/** Reads the Markdown pages of the project, their code blocks and headings. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { required } from '#core/errors/index.ts'
import { tokens } from '../tokens.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The pages of `docs/`, with those that a command writes. */
export const DOCS: readonly string[] = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file.replaceAll('\\', '/')}`)
  .sort()

/** The pages that open the groups of sources. */
export const GROUP_PAGES: readonly string[] = [
  ...['catalogs', 'rules', ...tokens`core engine records formats view entry`.map((name) => `src/${name}`)],
  ...tokens`web storage pdf recognition authority simulator server`.map((name) => `packages/${name}`),
].map((folder) => `${folder}/README.md`)

/** The pages that the tests of this folder check. */
export const PAGES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'llms.txt',
  'test/README.md',
  'scripts/site/README.md',
  ...GROUP_PAGES,
  ...DOCS,
]

export const read = (page: string): string => readFileSync(`${ROOT}${page}`, 'utf8')

export interface Block {
  readonly page: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** The next block, if there is no heading in between. */
  readonly next: Block | null
}

/** Returns the code blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const blocks: (Block & { next: Block | null })[] = []
  let open: { line: number; language: string; lines: string[] } | null = null
  let heading = true
  read(page)
    .split('\n')
    .forEach((line, index) => {
      if (open && line === '```') {
        const { line: at, language, lines } = open
        const block = { page, line: at, language, text: lines.join('\n'), next: null }
        if (!heading) required(blocks.at(-1)).next = block
        blocks.push(block)
        open = null
        heading = false
      } else if (open) open.lines.push(line)
      else if (line.startsWith('```')) open = { line: index + 1, language: line.slice(3), lines: [] }
      else if (line.startsWith('#')) heading = true
    })
  return blocks
}

/** Returns the text outside code blocks. */
export const prose = (page: string): string => read(page).replace(/^```.*?^```$/gms, '')

/** Returns the anchors of a page, as GitHub generates them. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of prose(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
    const anchor = plain.replaceAll(' ', '-')
    let name = anchor
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`
    anchors.add(name)
  }
  return anchors
}
