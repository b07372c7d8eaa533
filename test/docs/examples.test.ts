/**
 * The examples of the pages run. `ts` and `js` blocks run against `dist/`, those of a page in one process: each
 * `// => value` is compared, and the output with the `text` block that follows. `ts continued` continues the block
 * before it. `sh` blocks run line by line, and their output is compared with a `text` block that follows.
 *
 * @slow
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { BASE_PATH, startServer } from '../conformance/harness.ts'
import { temporaryFolder } from '../folders.ts'
import { hasProgram, setMissing } from '../needs.ts'
import { ALL } from '../size.ts'
import { blocksOf, PAGES, prose, ROOT } from './markdown.ts'
import { type Outcome, runStories, type Story, stories } from './stories.ts'

const blocks = PAGES.flatMap(blocksOf)

/** Returns what a story needs and is missing, or undefined. */
const missingFor = ({ code }: Story): string | undefined =>
  /cuadra[./]wasm/.test(code) && !existsSync(`${ROOT}dist/cuadra.wasm`)
    ? (setMissing('module') ?? 'not built: npm run build -- module')
    : undefined

const pagesWithStories = PAGES.map((page) => [page, stories([page])] as const).filter(
  ([, list]) => list.length > 0,
)

describe.each(pagesWithStories)('ts and js blocks of %s', (_page, all) => {
  const list = all.filter((story) => missingFor(story) === undefined)
  for (const story of all)
    if (!list.includes(story)) it.skip(`${story.name} (${missingFor(story)})`, () => {})
  let outcomes: Outcome[]
  beforeAll(() => {
    outcomes = runStories(list, ROOT)
  })

  it.each(list.map((story, index) => [story.name, index] as const))('%s', (_name, index) => {
    const story = required(list[index])
    const { printed, complained, error } = required(outcomes[index])
    expect(error).toBeNull()
    expect(complained).toBe('')
    expect(story.promises + story.shown.length, 'the block has an expected value or output').toBeGreaterThan(
      0,
    )
    if (story.shown.length > 0) expect(printed).toBe(story.shown.join('\n'))
  })
})

/** Commands of the tool chain, which include this test or its preparation. */
const NOT_RUN = /^npm (?:ci|test|start|run (?:build|dev-packages)\b.*)$/

const COMMENT = /\s+# exits (\d+)$/

describe('sh blocks', () => {
  // The pages' /tmp is replaced by a folder of the run, since /tmp may have files of another user.
  const folder = temporaryFolder()
  for (const { page, text, language, next } of blocks) {
    if (language !== 'sh') continue
    const lines = text.split('\n').flatMap((line) => {
      const commands = line
        .replace(COMMENT, '')
        .split(' && ')
        .filter((part) => !NOT_RUN.test(part.trim()))
      return commands.length > 0 ? [{ line, command: commands.join(' && ') }] : []
    })
    let printed = ''
    for (const [at, { line, command }] of lines.entries())
      it(`${page}: ${line}`, () => {
        const wanted = Number(COMMENT.exec(line)?.[1] ?? 0)
        const script = command
          .replaceAll('npx cuadra', 'node dist/cli/main.js')
          .replaceAll('/tmp/', `${folder}/`)
        const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', script], {
          cwd: ROOT,
          encoding: 'utf8',
        })
        expect(status, stderr).toBe(wanted)
        expect(stdout).not.toBe('')
        printed += stdout.replaceAll(folder, '/tmp')
        if (at === lines.length - 1 && next?.language === 'text') expect(printed.trimEnd()).toBe(next.text)
      })
  }
})

const ADMIN = process.env.CUADRA_ADMIN_PROGRAM ?? `${ROOT}dist/server/admin.js`
/** Defines the command that `npm ci` links, in case it is not linked. */
const LINKED = `cuadra-admin() { node '${ADMIN}' "$@"; }\n`

describe('sh server blocks', () => {
  const pages = [
    ...new Set(blocks.filter(({ language }) => language === 'sh server').map(({ page }) => page)),
  ]
  for (const page of pages)
    it.skipIf(!ALL || !hasProgram('curl'))(
      `${page}: all of them, in order, against a newly started server (needs curl, and npm run test:all)`,
      async () => {
        const server = await startServer({ store: 'sqlite' })
        const folder = temporaryFolder()
        try {
          for (const { text, next } of blocks.filter(
            (one) => one.page === page && one.language === 'sh server',
          )) {
            const { status, stdout, stderr } = spawnSync(
              'bash',
              ['-e', '-o', 'pipefail', '-c', LINKED + text],
              {
                cwd: folder,
                encoding: 'utf8',
                env: {
                  ...process.env,
                  URL: `${server.url}${BASE_PATH}`,
                  KEY: server.demo?.key,
                  CUADRA_DATA_DIR: server.dataDir,
                  CUADRA: ROOT,
                },
              },
            )
            expect(status, `${text}\n${stderr}`).toBe(0)
            if (next?.language === 'text') expect(stdout.trimEnd()).toBe(next.text)
          }
        } finally {
          await server.stop()
        }
      },
    )
})

describe('blocks of all languages', () => {
  it('have a known language', () => {
    const known = new Set([
      'ts',
      'ts continued',
      'js',
      'typescript',
      'sh',
      'sh server',
      // Run by test/package/server.ts.
      'sh install',
      'yaml',
      'json',
      'jsonc',
      'text',
      'sql',
    ])
    expect(
      blocks.filter(({ language }) => !known.has(language)).map(({ page, line }) => `${page}:${line}`),
    ).toEqual([])
  })

  it('are valid JSON if marked as JSON', () => {
    for (const { page, line, language, text } of blocks)
      if (language === 'json') expect(() => JSON.parse(text), `${page}:${line}`).not.toThrow()
  })

  it('are valid TypeScript if marked as TypeScript', () => {
    for (const { page, line, language, text } of blocks)
      if (language === 'typescript')
        expect(() => transformSync(`declare ${text}`, { loader: 'ts' }), `${page}:${line}`).not.toThrow()
  })
})

describe('commands in the text', () => {
  it('use only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    for (const page of PAGES)
      for (const [, name] of prose(page).matchAll(/npm run (?:--silent )?(\w[\w:-]*)/g))
        expect(Object.keys(scripts), page).toContain(name)
  })
})
