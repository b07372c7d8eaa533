/**
 * `npm run bench:all`: measures every speed that the documentation promises, with a baseline in the same run and with
 * other libraries. Writes `bench/RESULTS.md`. With `--only=engine,chain` the other parts of the page stay as they were,
 * so that the parts can run in several turns. Options: `--quick` (a sample, which is only printed), `--to=FILE`.
 *
 * Each part runs in a separate process, so that no part affects another. If a part fails, the page names it, the other
 * parts continue, and the exit code reports the failure.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireFrom, setOf } from '../scripts/dev-packages.mjs'
import { pageOf, problemsOf } from './all/form.mjs'
import { PARTS } from './all/parts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const option = (name) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const isQuick = process.argv.includes('--quick')
const only = option('only')?.split(',')
const unknown = (only ?? []).filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no part "${unknown.join('", "')}": choose of ${PARTS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'cuadra-bench-all-'))

/** Runs a part. Its standard error is also shown in the terminal. */
function run({ name, program }) {
  const file = join(folder, `${name}.json`)
  const args = [join(root, program), `--report=${file}`, ...(isQuick ? ['--quick'] : [])]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 'pipe'] })
    let said = ''
    child.stderr.on('data', (piece) => {
      process.stderr.write(piece)
      said = `${said}${piece}`.slice(-20_000)
    })
    child.once('close', (code) => {
      if (code !== 0 || !existsSync(file)) {
        // Report only the line with the error message; the terminal has the stack trace.
        const line = /^\w*Error: (.+)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1)
        return resolve({ problem: `${program} ended with ${code}: ${line}` })
      }
      const report = JSON.parse(readFileSync(file, 'utf8'))
      const problems = problemsOf(report)
      resolve(problems.length > 0 ? { problem: problems.join('; ') } : { report })
    })
  })
}

const said = (command, args) => {
  try {
    return execFileSync(command, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
const require = createRequire(import.meta.url)
const versionOf = (name) => {
  const set = setOf(name)
  const file = (set ? requireFrom(set) : require).resolve
    .paths(name)
    .map((path) => join(path, name, 'package.json'))
    .find(existsSync)
  return file && JSON.parse(readFileSync(file, 'utf8')).version
}
const commit = said('git', ['rev-parse', '--short', 'HEAD'])
const isChanged =
  said('git', [
    'status',
    '--porcelain',
    '--untracked-files=no',
    '--',
    'src',
    'rules',
    'catalogs',
    'bench/*.mjs',
  ]) !== ''
const version = commit ? `commit ${commit}${isChanged ? ' with changes' : ''}` : 'no commit'
const versions = [
  ['Node', process.version],
  ['V8', process.versions.v8],
  ...['hono', '@hono/node-server', 'libsql', 'pg', 'autocannon', '@noble/hashes'].map((name) => [
    name,
    versionOf(name),
  ]),
  ['PostgreSQL', /\d[\d.]*/.exec(said('psql', ['--version']) ?? '')?.[0]],
  ['Go', /go(\d[\d.]*)/.exec(said('go', ['version']) ?? '')?.[1]],
].filter(([, version]) => version)
const machine = {
  cores: cpus().length,
  processor: cpus()[0].model.trim(),
  memory: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
}
const now = () => new Date().toISOString().slice(0, 16).replace('T', ' ').concat(' UTC')

/** The measured parts by name, with those of earlier turns. */
const reports = new URL('all/reports.json', import.meta.url)
const measured = isQuick || !existsSync(reports) ? {} : JSON.parse(readFileSync(reports, 'utf8'))
const failed = []
try {
  for (const part of PARTS.filter(({ name }) => !only || only.includes(name))) {
    process.stderr.write(`${part.name} ...\n`)
    const [before] = loadavg()
    const date = now()
    const result = await run(part)
    if (result.problem) failed.push(part.name)
    measured[part.name] = { ...result, date, commit: version, load: [before, loadavg()[0]] }
    if (!isQuick) writeFileSync(reports, `${JSON.stringify(measured, null, 2)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const parts = PARTS.flatMap((part) => (measured[part.name] ? [{ ...part, ...measured[part.name] }] : []))
const page = pageOf({ parts, machine, versions, isQuick })
const to = option('to') ?? (isQuick ? undefined : join(root, 'bench/RESULTS.md'))
if (to) writeFileSync(to, page)
console.log(page)
if (failed.length > 0) process.exitCode = 1
