/**
 * The guides of the site show what their code does. `html` and `tsx` blocks run in test/docs/guides-browser.test.ts.
 *
 * @slow
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { folderOf, hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { guides as MENUS } from '../../scripts/site/menus.json'
import { BASE_PATH, startServer, type TestServer } from '../conformance/harness.ts'
import { temporaryFolder } from '../folders.ts'
import { hasProgram } from '../needs.ts'
import { frameworksOf, GUIDES } from './guides.ts'
import { anchorsOf, type Block, blocksOf, prose, ROOT, read } from './markdown.ts'
import { type Outcome, runStories, type Story, stories } from './stories.ts'

const all = stories(GUIDES)
const installed = hasSet('guides')
const runnable = (story: Story) => installed || frameworksOf(story).length === 0

describe('ts blocks of the guides', () => {
  const list = all.filter(runnable)
  let outcomes: Outcome[]
  beforeAll(() => {
    outcomes = runStories(list, folderOf('guides'))
  })

  it.each(list.map((story, index) => [story.name, index] as const))('%s', (_name, index) => {
    const story = required(list[index])
    const { printed, error } = required(outcomes[index])
    expect(error).toBeNull()
    expect(story.promises + story.shown.length, 'the blocks promise something').toBeGreaterThan(0)
    if (story.shown.length > 0) expect(printed).toBe(story.shown.join('\n'))
  })

  for (const story of all.filter((one) => !runnable(one)))
    it.skip(`${story.name} (${howToHave('guides')})`, () => {})
})

const EXIT = /\s+# exits (\d+)$/
const NOT_RUN = /^npm (?:ci|start|test|run (?:docs|docs:site|build|build -- .*|dev-packages -- \w+))$/

describe('sh blocks of the guides', () => {
  // The pages' /tmp is replaced by a folder of this file.
  const folder = temporaryFolder()
  const tested = new Set<string>()
  for (const { page, line, text, language, next } of GUIDES.flatMap(blocksOf)) {
    if (language !== 'sh' || tested.has(`${text}${next?.text}`)) continue
    tested.add(`${text}${next?.text}`)
    const commands = text
      .split('\n')
      .flatMap((one) => one.split(' && '))
      .filter((one) => !NOT_RUN.test(one.trim()))
    if (commands.length === 0) continue
    it(`${page}:${line}`, () => {
      const wanted = Number(EXIT.exec(required(commands.at(-1)))?.[1] ?? 0)
      const script = commands
        .join('\n')
        .replace(EXIT, '')
        .replaceAll('npx cuadra', 'node dist/cli/main.js')
        .replaceAll('/tmp/', `${folder}/`)
      const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
        cwd: ROOT,
        encoding: 'utf8',
      })
      expect(status, stderr).toBe(wanted)
      expect(stdout).not.toBe('')
      if (next?.language === 'text') expect(stdout.trimEnd().replaceAll(folder, '/tmp')).toBe(next.text)
    })
  }
})

/** Members of a company in the SII. */
const ENROLLED = {
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
}

const isServer = ({ language }: Block) => language === 'sh server' || language === 'sh server sii'

describe('sh server blocks of the guides', () => {
  const pages = GUIDES.filter((page) => blocksOf(page).some(isServer))
  const tested = new Set<string>()
  let server: TestServer
  beforeAll(async () => {
    if (pages.length > 0) server = await startServer({ store: 'sqlite' })
  }, 60_000)
  afterAll(() => server?.stop())
  for (const page of pages) {
    const blocks = blocksOf(page).filter(isServer)
    const key = blocks.map(({ text, next }) => text + next?.text).join('\n')
    if (tested.has(key)) continue
    tested.add(key)
    const programs = ['curl', ...(blocks.some(({ text }) => /^php /m.test(text)) ? ['php'] : [])]
    it.skipIf(!programs.every(hasProgram))(
      `${page}: all of them, in order, for a new company (needs ${programs.join(' and ')})`,
      async () => {
        const folder = temporaryFolder()
        const company = await server.company(required(blocks[0]).language === 'sh server sii' ? ENROLLED : {})
        const printed: string[] = []
        const wanted: string[] = []
        for (const { text, next } of blocks) {
          const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', text], {
            cwd: folder,
            encoding: 'utf8',
            env: { ...process.env, URL: `${server.url}${BASE_PATH}`, KEY: company.key, CUADRA: ROOT },
          })
          expect(status, `${text}\n${stderr}`).toBe(0)
          if (next?.language !== 'text') continue
          printed.push(stdout.trimEnd())
          wanted.push(next.text)
        }
        expect(printed).toEqual(wanted)
      },
    )
  }
})

describe('php blocks of the guides', () => {
  const blocks = GUIDES.flatMap(blocksOf).filter(({ language }) => language === 'php')
  it.skipIf(!hasProgram('php'))('are valid PHP (needs php)', () => {
    expect(blocks.length).toBeGreaterThan(0)
    for (const { page, line, text } of blocks) {
      const isMethod = /^public function/m.test(text)
      const input = `<?php\n${isMethod ? `final class Example\n{\n${text}\n}` : text}`
      const { status, stdout } = spawnSync('php', ['-l'], { input, encoding: 'utf8' })
      expect(status, `${page}:${line}\n${stdout}`).toBe(0)
    }
  })
})

describe('console blocks of the guides', () => {
  it('contain only commands of examples/hosts/README.md and examples/worker/README.md, which other tests run', () => {
    const known = read('examples/hosts/README.md') + read('examples/worker/README.md')
    for (const { page, line, language, text } of GUIDES.flatMap(blocksOf))
      if (language === 'console')
        for (const command of text.split('\n')) expect(known, `${page}:${line}`).toContain(command)
  })
})

describe('guides', () => {
  it('have only blocks of known languages', () => {
    const known =
      /^(?:ts|ts continued|js|sh|sh server(?: sii)?|console|json|jsonc|text|html|tsx|nginx|php|go)$/
    for (const { page, line, language } of GUIDES.flatMap(blocksOf))
      expect(language, `${page}:${line}`).toMatch(known)
  })

  it('are all in a menu', () => {
    const listed = MENUS.flatMap(({ pages }) => pages)
    for (const page of GUIDES.filter((one) => one.includes('/guides/')))
      expect(listed, page).toContain(basename(page, '.md'))
  })

  it('exist in English if they exist in Spanish', () => {
    for (const page of GUIDES.filter((one) => one.startsWith('site/es/')))
      expect(GUIDES).toContain(page.replace('site/es/', 'site/'))
  })

  it.each(GUIDES)('%s has no broken link and no missing included file', (page) => {
    const broken: string[] = []
    for (const [, link = ''] of prose(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:|^\/(?:playground|schemas)\//.test(link)) continue
      const [file, anchor] = link.split('#')
      const target = file === '' ? page : join(dirname(page), required(file))
      if (!existsSync(`${ROOT}${target}`)) broken.push(link)
      else if (anchor !== undefined && !anchorsOf(target).has(anchor)) broken.push(link)
    }
    for (const [, file] of prose(page).matchAll(/^<<< (\S+)$/gm))
      if (!existsSync(`${ROOT}${file}`)) broken.push(required(file))
    expect(broken).toEqual([])
  })

  it('print no English sentences on Spanish pages', () => {
    const english =
      /\b(?:the|of|with|and|is|are|has|cannot|must|same|line by line|in time|errors|warnings|incidents)\b/i
    const printed = GUIDES.filter((page) => page.startsWith('site/es/')).flatMap((page) =>
      blocksOf(page)
        .filter(({ language }) => language === 'text')
        .flatMap(({ line, text }) =>
          text.split('\n').map((row) => ({ at: `${page}:${line}`, row: row.replace(/^\S+\.json/, '') })),
        ),
    )
    const isCode = /^(?:npm|npx|cuadra|curl)\b|^[{[]/
    expect(
      printed
        .filter(({ row }) => english.test(row) && !isCode.test(row))
        .map(({ at, row }) => `${at}: ${row}`),
    ).toEqual([])
  })

  it('use only scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json'))
    for (const page of GUIDES)
      for (const [, name] of read(page).matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(scripts), page).toContain(name)
  })
})
