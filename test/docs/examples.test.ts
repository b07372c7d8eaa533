/**
 * What the pages show is what happens. `ts` and `js` blocks run against `dist/`: each `// => value` is compared,
 * and what is printed with the `text` block that follows. `sh` blocks run line by line.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
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

describe('ts and js blocks', () => {
  for (const { page, line, language, text, next } of blocks) {
    if (language !== 'ts' && language !== 'js') continue
    it(`${page}:${line}`, () => {
      const { code, count } = withChecks(text)
      const shown = next?.language === 'text' ? next.text : null
      expect(count > 0 || shown !== null, 'the block promises something').toBe(true)
      const { status, stdout, stderr } = run(
        CHECK + transformSync(code, { loader: 'ts', format: 'esm' }).code,
      )
      expect(stderr).toBe('')
      expect(status).toBe(0)
      if (shown !== null) expect(stdout.trimEnd()).toBe(shown)
    })
  }
})

/** Commands of the tool chain, which run this test or what it stands on. */
const NOT_RUN = new Set(['npm ci', 'npm test', 'npm run build'])

const COMMENT = /\s+# exits (\d+)$/

describe('sh blocks', () => {
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ page, text }) => text.split('\n').map((line) => ({ page, line })))
  for (const { page, line } of lines) {
    const wanted = Number(COMMENT.exec(line)?.[1] ?? 0)
    const parts = line.replace(COMMENT, '').split(' && ')
    const commands = parts.filter((part) => !NOT_RUN.has(part.trim()))
    if (commands.length === 0) continue
    it(`${page}: ${line}`, () => {
      const command = commands.join(' && ').replaceAll('npx cuadra', 'node dist/cli/main.js')
      const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
        cwd: ROOT,
        encoding: 'utf8',
      })
      expect(status, stderr).toBe(wanted)
      expect(stdout).not.toBe('')
    })
  }
})

describe('blocks of other languages', () => {
  it('are of known ones', () => {
    const known = new Set(['ts', 'js', 'typescript', 'sh', 'json', 'jsonc', 'text'])
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
