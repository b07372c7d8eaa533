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

/** A `ts` block with those that continue it. */
export interface Story {
  readonly name: string
  readonly code: string
  /** What it has to print. */
  readonly shown: readonly string[]
  readonly promises: number
}

const begin = ({ page, line, language, text, next }: Block): Story => {
  const { code, count } = withChecks(text)
  // A block that continues another one is added to it; `name` says where it stands if it has none before it.
  return {
    name: language === 'ts continued' ? `${page}:${line} continues nothing` : `${page}:${line}`,
    code,
    shown: next?.language === 'text' ? [next.text] : [],
    promises: count,
  }
}

const joined = (before: Story, after: Story): Story => ({
  name: before.name,
  code: `${before.code}\n${after.code}`,
  shown: [...before.shown, ...after.shown],
  promises: before.promises + after.promises,
})

function storiesOf(page: string): Story[] {
  const list: Story[] = []
  for (const block of blocksOf(page)) {
    if (!['ts', 'ts continued', 'js'].includes(block.language)) continue
    const before = block.language === 'ts continued' ? list.pop() : undefined
    list.push(before ? joined(before, begin(block)) : begin(block))
  }
  return list
}

/** The stories of the guides. One that another page tells word for word, in the other language, is told once. */
export function stories(pages: readonly string[]): Story[] {
  const told = new Map<string, Story>()
  for (const story of pages.flatMap(storiesOf)) {
    const key = `${story.code}\n${story.shown.join('\n')}`
    if (!told.has(key)) told.set(key, story)
  }
  return [...told.values()]
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
