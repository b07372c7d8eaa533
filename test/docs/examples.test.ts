/**
 * What the pages show is what happens. `ts` and `js` blocks run against `dist/`: each `// => value` is compared,
 * and what is printed with the `text` block that follows. `ts continued` goes on where the block before it on its page
 * ended, and both are run again. `sh` blocks run line by line; a `text` block that follows is what they print.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync, transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { BASE_PATH, startServer } from '../conformance/harness.ts'
import { blocksOf, PAGES, prose, ROOT } from './markdown.ts'
import { withChecks } from './promises.ts'

const blocks = PAGES.flatMap(blocksOf)

const CHECK = `
import { deepStrictEqual as __equal } from 'node:assert'
const check = (actual, expected, text) => __equal(actual, expected, text)
`

const run = (code: string) =>
  spawnSync('node', ['--input-type=module'], {
    cwd: ROOT,
    input: code,
    encoding: 'utf8',
    // Node 20 warns of JSON modules.
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })

/** JavaScript of a block. Sources of the server's workspace, which is not built, are bundled on the fly. */
const compiled = (code: string): string => {
  if (!code.includes("from './src/")) return transformSync(code, { loader: 'ts', format: 'esm' }).code
  const { outputFiles } = buildSync({
    stdin: { contents: code, loader: 'ts', resolveDir: ROOT },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  })
  return outputFiles[0]!.text
}

describe('ts and js blocks', () => {
  /** What ran so far on a page, and what it printed. */
  let story: { readonly page: string; readonly code: string; readonly shown: readonly string[] }
  for (const { page, line, language, text, next } of blocks) {
    const continued = language === 'ts continued'
    if (language !== 'ts' && language !== 'js' && !continued) continue
    const { code, count } = withChecks(text)
    const shown = next?.language === 'text' ? [next.text] : []
    const before = continued ? story! : { page, code: '', shown: [] }
    const whole = { page, code: `${before.code}\n${code}`, shown: [...before.shown, ...shown] }
    story = whole
    it(`${page}:${line}`, () => {
      expect(before.page, 'it continues a block of its own page').toBe(page)
      expect(count > 0 || shown.length > 0, 'the block promises something').toBe(true)
      const { status, stdout, stderr } = run(compiled(CHECK + whole.code))
      expect(stderr).toBe('')
      expect(status).toBe(0)
      if (whole.shown.length > 0) expect(stdout.trimEnd()).toBe(whole.shown.join('\n'))
    })
  }
})

/** Commands of the tool chain, which run this test or what it stands on. */
const NOT_RUN = new Set([
  'npm ci',
  'npm test',
  'npm run build',
  'npm run build:wasm',
  'npm run tools -- module',
  'npm run build:playground',
  'npm start',
])

const COMMENT = /\s+# exits (\d+)$/

describe('sh blocks', () => {
  for (const { page, text, language, next } of blocks) {
    if (language !== 'sh') continue
    const lines = text.split('\n').flatMap((line) => {
      const commands = line
        .replace(COMMENT, '')
        .split(' && ')
        .filter((part) => !NOT_RUN.has(part.trim()))
      return commands.length > 0 ? [{ line, command: commands.join(' && ') }] : []
    })
    let printed = ''
    for (const [at, { line, command }] of lines.entries())
      it(`${page}: ${line}`, () => {
        const wanted = Number(COMMENT.exec(line)?.[1] ?? 0)
        const script = command.replaceAll('npx cuadra', 'node dist/cli/main.js')
        const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', script], {
          cwd: ROOT,
          encoding: 'utf8',
        })
        expect(status, stderr).toBe(wanted)
        expect(stdout).not.toBe('')
        printed += stdout
        if (at === lines.length - 1 && next?.language === 'text') expect(printed.trimEnd()).toBe(next.text)
      })
  }
})

const ADMIN = process.env.CUADRA_ADMIN_PROGRAM ?? `${ROOT}dist/server/admin.js`
/** The command as `npm ci` links it, where it may not be linked. */
const LINKED = `cuadra-admin() { node '${ADMIN}' "$@"; }\n`

describe('sh server blocks', () => {
  const pages = [
    ...new Set(blocks.filter(({ language }) => language === 'sh server').map(({ page }) => page)),
  ]
  for (const page of pages)
    it(`${page}: all of them, in order, against a server that was just started`, async () => {
      const server = await startServer({ store: 'sqlite' })
      const folder = mkdtempSync(join(tmpdir(), 'cuadra-page-'))
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
        rmSync(folder, { recursive: true })
        await server.stop()
      }
    })
})

describe('blocks of other languages', () => {
  it('are of known ones', () => {
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

  it('are JSON where they say so', () => {
    for (const { page, line, language, text } of blocks)
      if (language === 'json') expect(() => JSON.parse(text), `${page}:${line}`).not.toThrow()
  })

  it('are TypeScript where they say so', () => {
    for (const { page, line, language, text } of blocks)
      if (language === 'typescript')
        expect(() => transformSync(`declare ${text}`, { loader: 'ts' }), `${page}:${line}`).not.toThrow()
  })
})

describe('commands in the text', () => {
  it('npm run names scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    for (const page of PAGES)
      for (const [, name] of prose(page).matchAll(/npm run ([\w:]+)/g))
        expect(Object.keys(scripts), page).toContain(name)
  })
})
