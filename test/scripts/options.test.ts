/** The options of the scripts and benchmarks: `--help` and an unknown option, without permission to write a file. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { itInAll } from '../size.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const files = ['scripts', 'bench'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => `${folder}/${file}`),
)
const sourceOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const readsOptions = (file: string) => /readOptions\(\{|from '\.\/report\.mjs'/.test(sourceOf(file))
const PROGRAMS = files.filter(
  (file) => readsOptions(file) && !['scripts/options.mjs', 'bench/all/report.mjs'].includes(file),
)

/** Programs that also read their arguments in another way, or that only other programs start. */
const OTHERS = [
  'bench/all/ndjson.mjs',
  'bench/peers/gobl/wasi.mjs',
  'scripts/options.mjs',
  'scripts/run-folder.mjs',
  'scripts/simulate.mjs',
]

/** Runs a program that may read files, but neither write any nor start another program. */
const run = (file: string, option: string) =>
  new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    const permissions = ['--experimental-permission', '--allow-fs-read=*', '--allow-addons', '--no-warnings']
    const child = spawn(process.execPath, [...permissions, file, option], { cwd: ROOT })
    let [output, errors] = ['', '']
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      errors += piece
    })
    child.once('close', (code) => resolve({ code, output, errors }))
  })

it('every script reads its options in the same strict way', () => {
  const reads = /parseArgs|process\.argv(\.(slice|includes|indexOf|find)|\[2\])/
  for (const file of files.filter((file) => reads.test(sourceOf(file)))) expect(OTHERS).toContain(file)
})

describe.each(PROGRAMS.map((file, at) => [file, at] as const))('%s', (file, at) => {
  /** In the sample, every fifth program is started. The test above has read the sources of all. */
  const itInTurn = at % 5 === 0 ? it : itInAll

  itInAll('prints its options with --help, and writes and starts nothing', async () => {
    const { code, output, errors } = await run(file, '--help')
    expect(errors).toBe('')
    expect(output).toMatch(new RegExp(`^Usage: node ${file} \\[options\\].*\\n\\n[\\s\\S]+\\n\\nOptions:\\n`))
    expect(code).toBe(0)
  })

  itInTurn('refuses an unknown option with the list and exit code 2', async () => {
    const { code, output, errors } = await run(file, '--nonsense')
    expect(errors).toContain("Unknown option '--nonsense'")
    expect(errors).toContain('--help')
    expect(output).toBe('')
    expect(code).toBe(2)
  })
})
