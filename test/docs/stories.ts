/** Runs the `ts` and `js` blocks of pages: a block with those that continue it is a story. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { buildSync, transformSync } from 'esbuild'
import { required } from '../../src/errors/index.ts'
import { type Block, blocksOf, ROOT } from './markdown.ts'
import { withChecks } from './promises.ts'

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

/** The stories of the pages. One that another page has letter for letter, in the other language, is listed once. */
export function stories(pages: readonly string[]): Story[] {
  const found = new Map<string, Story>()
  for (const story of pages.flatMap(storiesOf)) {
    const key = `${story.code}\n${story.shown.join('\n')}`
    if (!found.has(key)) found.set(key, story)
  }
  return [...found.values()]
}

const CHECK = `
import { deepStrictEqual as __equal } from 'node:assert'
const check = (actual, expected, text) => __equal(actual, expected, text)
`

const OPTIONS = { experimentalDecorators: true, target: 'ES2022' }

/** JavaScript of a story. Sources of the server's workspace, which is not built as a package, are bundled. */
const compiled = (code: string): string => {
  const bundles = code.includes("from './src/")
  const javascript = bundles
    ? required(
        buildSync({
          stdin: { contents: code, loader: 'ts', resolveDir: ROOT },
          bundle: true,
          packages: 'external',
          platform: 'node',
          format: 'esm',
          write: false,
        }).outputFiles[0],
      ).text
    : transformSync(code, { loader: 'ts', format: 'esm', tsconfigRaw: { compilerOptions: OPTIONS } }).code
  return javascript.replace(/from "cuadra(\/[\w/-]+)?"/g, (_all, entry: string | undefined) => {
    const file = entry === undefined ? 'index.js' : `${entry.slice(1)}/index.js`
    return `from ${JSON.stringify(pathToFileURL(`${ROOT}dist/${ENTRIES[file] ?? file}`).href)}`
  })
}

/** Entries whose file is not the index of their folder. */
const ENTRIES: Readonly<Record<string, string>> = {
  'edge/formats/index.js': 'edge/formats.js',
  'formats/request/index.js': 'formats/request.js',
  // In Node; the other one fetches.
  'wasm/index.js': 'wasm/node.js',
}

export interface Outcome {
  /** What went to standard output. */
  readonly printed: string
  /** What went to standard error. */
  readonly complained: string
  /** Why the story stopped; null where it did not. */
  readonly error: string | null
}

/**
 * Runs stories in one process, each as a module of its own with a free port in `PORT`, and returns what each printed.
 * A process for each would take a quarter of a second. `folder` is where their packages are found from.
 */
export function runStories(list: readonly Story[], folder: string): Outcome[] {
  if (list.length === 0) return []
  const own = mkdtempSync(`${folder}/.stories-`)
  try {
    const files = list.map(({ code }, index) => {
      writeFileSync(`${own}/${index}.mjs`, compiled(CHECK + code))
      return `${own}/${index}.mjs`
    })
    const { stdout, stderr } = spawnSync('node', [`${ROOT}test/docs/run-stories.mjs`], {
      cwd: ROOT,
      input: JSON.stringify(files),
      encoding: 'utf8',
      // Node 20 warns of JSON modules.
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    })
    const result = stdout.split('\u0000').at(-1)
    if (!result?.startsWith('['))
      throw new Error(`the process of the stories ended early\n${stdout}\n${stderr}`)
    return JSON.parse(result)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
