/**
 * Runs the blocks of the guides: all `ts` blocks in one process, each as a module of its own with its own port in
 * `PORT`, since a process for each would take a quarter of a second.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { toolFolder } from '../../scripts/tools.mjs'
import { type Block, blocksOf, ROOT } from './markdown.ts'
import { withChecks } from './promises.ts'

/** Every page of the site that is written by hand, English first. */
export const GUIDES: readonly string[] = (readdirSync(`${ROOT}site`, { recursive: true }) as string[])
  .map((file) => `site/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.md'))
  .sort((one, other) => Number(one.startsWith('site/es/')) - Number(other.startsWith('site/es/')))

export interface Story {
  readonly name: string
  readonly page: string
  readonly code: string
  /** What it has to print; null where it promises values alone. */
  readonly shown: string | null
  readonly promises: number
}

const SCRIPT = new Set(['ts', 'ts continued', 'js'])

/** The stories of the guides. One that another page tells word for word, in the other language, is told once. */
export function stories(pages: readonly string[]): Story[] {
  const told = new Map<string, Story>()
  for (const page of pages) {
    let before: Story | null = null
    for (const block of blocksOf(page).filter(({ language }) => SCRIPT.has(language))) {
      const story = storyOf(block, block.language === 'ts continued' ? before : null)
      const key = `${story.code}\n${story.shown}`
      if (!told.has(key)) told.set(key, story)
      before = story
    }
  }
  return [...told.values()]
}

function storyOf({ page, line, text, next }: Block, before: Story | null): Story {
  const { code, count } = withChecks(text)
  const shown = [before?.shown, next?.language === 'text' ? next.text : null].filter((one) => one != null)
  return {
    name: `${page}:${line}`,
    page,
    code: `${before?.code ?? ''}\n${code}`,
    shown: shown.length > 0 ? shown.join('\n') : null,
    promises: (before?.promises ?? 0) + count,
  }
}

const IMPORT = /(?:from|import) '([^'.][^']*)'/g

/** Packages that a story takes from `tools/guides`. */
export const frameworksOf = ({ code }: Story): string[] =>
  [...code.matchAll(IMPORT)]
    .map(([, name]) => name!)
    .filter((name) => !/^(?:node:|cuadra)/.test(name) && !builtinModules.includes(name))

const CHECK = `
import { deepStrictEqual as __equal } from 'node:assert'
const check = (actual, expected, text) => __equal(actual, expected, text)
`

const compiled = (code: string): string =>
  transformSync(code, {
    loader: 'ts',
    format: 'esm',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, target: 'ES2022' } },
  }).code.replace(/from "cuadra(\/[\w/-]+)?"/g, (_all, entry: string | undefined) => {
    const file = entry === undefined ? 'index.js' : `${entry.slice(1)}/index.js`
    return `from ${JSON.stringify(pathToFileURL(`${ROOT}dist/${ENTRIES[file] ?? file}`).href)}`
  })

/** Entries that are no folder. */
const ENTRIES: Readonly<Record<string, string>> = {
  'edge/formats/index.js': 'edge/formats.js',
  'formats/request/index.js': 'formats/request.js',
}

export interface Told {
  readonly printed: string
  readonly error: string | null
}

/** Tells every story in one process and answers what each printed. */
export function tell(list: readonly Story[]): Told[] {
  const folder = `${toolFolder('guides')}/.stories`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  try {
    const files = list.map(({ code }, index) => {
      writeFileSync(`${folder}/${index}.mjs`, compiled(CHECK + code))
      return `${folder}/${index}.mjs`
    })
    const { stdout, stderr } = spawnSync('node', [`${ROOT}test/docs/tell.mjs`], {
      cwd: ROOT,
      input: JSON.stringify(files),
      encoding: 'utf8',
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    })
    const answer = stdout.split('\u0000').at(-1)
    if (!answer?.startsWith('[')) throw new Error(`the stories ended early\n${stdout}\n${stderr}`)
    return JSON.parse(answer)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
