/**
 * `npm run bench:all`: measures the ten rows of `bench/RESULTS.md` and the goals of `bench/DEVELOPERS.md`. Each part
 * runs in a separate process, so that no part affects another. If a part fails, the pages name it, the other parts
 * continue, and the exit code reports the failure.
 *
 * The reports are stored in `dist/bench-reports.json`, so that parts can also run on their own. The pages are written
 * when every part has a report.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { requireFrom, setOf } from '../scripts/dev-packages.mjs'
import { readOptions, wrongUsage } from '../scripts/options.mjs'
import { developersPageOf, pageOf, problemsOf } from './all/form.mjs'
import { PARTS } from './all/parts.mjs'
import { root, temporaryFolder } from './server/process.mjs'

const names = PARTS.map(({ name }) => name).join(', ')
const { values } = readOptions({
  about: 'Measures the rows of bench/RESULTS.md and the goals of bench/DEVELOPERS.md, and writes both pages.',
  options: {
    only: {
      type: 'string',
      value: 'PARTS',
      about: `measure only these parts, separated by commas: ${names}`,
    },
    quick: { type: 'boolean', default: false, about: 'measure a sample, and only print the pages' },
  },
})
const only = values.only?.split(',')
const unknown = (only ?? []).filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) wrongUsage(`Unknown part "${unknown.join('", "')}". The parts are ${names}.`)
const folder = temporaryFolder()

/** The process of the current part. A signal is passed on to it, and this process waits until it has ended. */
let running
let signal
for (const name of ['SIGINT', 'SIGTERM']) {
  process.removeAllListeners(name)
  process.on(name, () => {
    signal = name
    running?.kill(name)
  })
}

/** Runs a part. Its standard error is also shown in the terminal. */
function run({ name, program }) {
  const file = join(folder, `${name}.json`)
  const args = [join(root, program), `--report=${file}`, ...(values.quick ? ['--quick'] : [])]
  return new Promise((resolve) => {
    running = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 'pipe'] })
    let said = ''
    running.stderr.on('data', (piece) => {
      process.stderr.write(piece)
      said = `${said}${piece}`.slice(-20_000)
    })
    running.once('close', (code) => {
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

/** Returns what a command prints; undefined if it is missing or fails. */
const printed = (command, args) => {
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
const commit = printed('git', ['rev-parse', '--short', 'HEAD'])
const isChanged =
  printed('git', [
    'status',
    '--porcelain',
    '--untracked-files=no',
    '--',
    'src',
    'packages',
    'rules',
    'catalogs',
    'bench/*.mjs',
  ]) !== ''
const version = commit ? `commit ${commit}${isChanged ? ' with changes' : ''}` : 'no commit'
const versions = [
  ['Node', process.version],
  ...['hono', 'libsql', 'pg', 'autocannon'].map((name) => [name, versionOf(name)]),
  ['PostgreSQL', /\d[\d.]*/.exec(printed('psql', ['--version']) ?? '')?.[0]],
  ['Go', /go(\d[\d.]*)/.exec(printed('go', ['version']) ?? '')?.[1]],
].filter(([, version]) => version)
const machine = {
  cores: cpus().length,
  processor: cpus()[0].model.trim(),
  memory: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
}
const now = () => new Date().toISOString().slice(0, 16).replace('T', ' ').concat(' UTC')

const reports = join(root, 'dist/bench-reports.json')
const measured = values.quick || !existsSync(reports) ? {} : JSON.parse(readFileSync(reports, 'utf8'))
let failed = false
for (const part of PARTS.filter(({ name }) => !only || only.includes(name))) {
  const [before] = loadavg()
  const [date, at] = [now(), performance.now()]
  process.stderr.write(`${part.name}: load average ${before.toFixed(1)} before\n`)
  const result = await run(part)
  if (signal) process.exit(signal === 'SIGINT' ? 130 : 143)
  failed ||= result.problem !== undefined
  process.stderr.write(`${part.name}: ${Math.round((performance.now() - at) / 1000)} s\n`)
  measured[part.name] = { ...result, date, commit: version, load: [before, loadavg()[0]] }
  if (!values.quick) {
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(reports, JSON.stringify(measured))
  }
}
const parts = PARTS.flatMap((part) => (measured[part.name] ? [{ ...part, ...measured[part.name] }] : []))
const measurement = { parts, machine, versions, isQuick: values.quick }
for (const [file, page, content] of [
  ['RESULTS.md', pageOf(measurement), 'figures'],
  ['DEVELOPERS.md', developersPageOf(measurement), 'goals'],
]) {
  if (!values.quick && parts.length === PARTS.length) writeFileSync(join(root, 'bench', file), page)
  if (parts.some(({ problem, report }) => problem || report[content])) console.log(page)
}
if (failed) process.exitCode = 1
