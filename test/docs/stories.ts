/** Runs the `ts` and `js` blocks of pages. A block and the blocks that continue it are a story. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { buildSync, transformSync } from 'esbuild'
import { required } from '#core/errors/index.ts'
import { folderWithPackages } from '../folders.ts'
import { type Block, blocksOf, ROOT } from './markdown.ts'
import { withChecks } from './promises.ts'

/** A `ts` or `js` block and the blocks that continue it. */
export interface Story {
  readonly name: string
  readonly code: string
  /** The output that the page shows. */
  readonly shown: readonly string[]
  readonly promises: number
}

const begin = ({ page, line, language, text, next }: Block): Story => {
  const { code, count } = withChecks(text)
  // A continued block is appended to the one before it; `name` locates one without a block before it.
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

/** Returns the stories of the pages. Identical stories, as in translated pages, are returned once. */
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

/** Returns a story as JavaScript. Sources of the server's workspace, which is not built as a package, are bundled. */
const compiled = (code: string): string => {
  const bundles = code.includes("from './packages/")
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

/** Entry points whose file is not the index of their folder. */
const ENTRIES: Readonly<Record<string, string>> = {
  'edge/formats/index.js': 'edge/formats.js',
  'formats/request/index.js': 'formats/request.js',
  // The variant for Node; the other one uses fetch.
  'wasm/index.js': 'wasm/node.js',
}

export interface Outcome {
  /** Standard output. */
  readonly printed: string
  /** Standard error. */
  readonly complained: string
  /** The exception that ended the story, or null. */
  readonly error: string | null
}

/** Creates a folder in which modules find `cuadra`, the packages of `folder`, and those of the repository. */
function folderOfStories(folder: string): string {
  const outer = `${folderWithPackages()}/outer`
  const own = `${outer}/stories`
  mkdirSync(`${own}/node_modules`, { recursive: true })
  symlinkSync(ROOT, `${own}/node_modules/cuadra`, 'junction')
  if (existsSync(`${folder}/node_modules`))
    symlinkSync(`${folder}/node_modules`, `${outer}/node_modules`, 'junction')
  return own
}

/**
 * Runs stories in one process, each as its own module with a free port in `PORT`, and returns the output of each.
 * Starting a process for each would take a quarter of a second. Packages are resolved from `folder`.
 */
export function runStories(list: readonly Story[], folder: string): Outcome[] {
  if (list.length === 0) return []
  const own = folderOfStories(folder)
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
}
