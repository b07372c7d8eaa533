/**
 * Tests the WebAssembly module in other languages. Builds the programs of `examples/hosts` whose tools are installed,
 * in the user's cache folder. Sends the same requests to each program, and compares the responses with those of
 * `dist/request`, byte for byte. Needs `npm run build -- command module`.
 *
 * Exits 1 if a response differs, a host fails or a required one is missing; 2 on a usage error.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { built, HOSTS, ROOT } from '../test/hosts/hosts.mjs'
import { pipeOf } from '../test/hosts/pipe.mjs'
import { damagedLines, requests } from '../test/hosts/requests.mjs'
import { differenceOf } from '../test/runtimes/run/compare.mjs'
import { aligned, differenceText } from '../test/runtimes/run/table.mjs'
import { hasSet, howToHave, requireFrom } from './dev-packages.mjs'
import { namesIn, readOptions, wrongUsage } from './options.mjs'

const WASM = join(ROOT, 'dist/cuadra.wasm')

const wrong = (message) => wrongUsage(`hosts: ${message}`)

const { only, require, all } = readOptions({
  about: 'Tests the WebAssembly module in other languages, against the engine in JavaScript.',
  options: {
    only: { type: 'string', value: 'HOSTS', about: 'test only these, such as python,go' },
    require: { type: 'string', value: 'HOSTS', about: 'fail if one of these is missing' },
    all: { type: 'boolean', default: false, about: 'send every request instead of a sample' },
  },
}).values
const names = HOSTS.map(({ name }) => name)
const required = namesIn(require, names) ?? []
const wanted = namesIn(only, names) ?? names
const chosen = HOSTS.filter(({ name }) => wanted.includes(name))
for (const file of ['dist/request/index.js', 'dist/cuadra.wasm'])
  if (!existsSync(join(ROOT, file))) wrong(`there is no ${file}; run "npm run build -- command module" first`)

const { answer } = await import('../dist/request/index.js')
const list = await requests(all)
const invoices = readdirSync(join(ROOT, 'examples'))
  .filter((file) => file.endsWith('.json'))
  .concat('wrong/everything-wrong.json')
  .map((file) => `examples/${file}`)
const requestOf = (path) =>
  JSON.stringify({ op: 'validate', document: JSON.parse(readFileSync(join(ROOT, path), 'utf8')) })

const expected = new Map(list.map(({ line }) => [line, answer(line)]))

const NAMES = ['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total']
/** The amounts and codes that each host must print. */
const report = invoices
  .flatMap((path) => {
    const { is_valid: valid, errors, data } = JSON.parse(answer(requestOf(path)))
    const amounts = NAMES.map((name) => data.invoice.totals[name].toFixed(2).padStart(12)).join('')
    return [
      `${path.padEnd(42)}${(valid ? 'valid' : 'not valid').padEnd(10)}${amounts}`,
      ...errors.map((it) => `  ${it.code} ${it.path}\n    ${it.message}`),
    ]
  })
  .join('\n')

if (!hasSet('module')) wrong(howToHave('module'))
const folder = mkdtempSync(join(tmpdir(), 'cuadra-hosts-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
/** A module that traps on demand. */
const TRAP = join(folder, 'trap.wasm')
const assembler = requireFrom('module').resolve('binaryen/bin/wasm-as')
execFileSync(process.execPath, [assembler, join(ROOT, 'test/hosts/trap.wat'), '-o', TRAP])

/** Sends every request, and compares the responses. */
async function compare(pipe, found) {
  for (const { name, line } of list) {
    const difference = differenceOf(expected.get(line), await pipe.answer(line))
    if (difference) found.differences.push({ name, ...difference })
    else found.equal++
  }
  for (const line of damagedLines()) {
    const given = JSON.parse(await pipe.answer(line))
    if (given.detail?.code === 'internal_error') throw new Error(`trap at ${line.toString('hex')}`)
  }
}

async function afterTrap(command) {
  const pipe = pipeOf(command, TRAP)
  const given = []
  for (const line of ['one', 'two', 'trap', 'one']) given.push(JSON.parse(await pipe.answer(line)))
  await pipe.stop()
  const seen = given.map(({ calls: number, detail }) => number ?? detail?.code).join(' ')
  if (seen !== '1 2 internal_error 1') throw new Error(`around a trap it answered ${seen}`)
}

function reported([program, ...args]) {
  const { stdout, stderr } = spawnSync(program, [...args, ...invoices], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, CUADRA_WASM: WASM },
  })
  const difference = differenceOf(report, stdout.replace(/\r\n/g, '\n').trimEnd())
  return difference ? { name: `the report of the examples ${stderr}`.trim(), ...difference } : undefined
}

/** Builds and tests one host. */
async function tried(host) {
  const found = { name: host.name, runtime: '', equal: 0, differences: [], ...built(host) }
  if (!found.command) return found
  found.runtime = host.runtime()
  try {
    const wrongReport = reported(found.command)
    if (wrongReport) found.differences.push(wrongReport)
    const pipe = pipeOf(found.command, WASM)
    await compare(pipe, found)
    if (!(await pipe.stop())) throw new Error('it did not end with its input')
    await afterTrap(found.command)
  } catch (error) {
    found.failed = error.message
  }
  return found
}

const results = []
for (const host of chosen) results.push(await tried(host))

const ran = results.filter(({ missing }) => !missing)
console.log(
  aligned([
    ['host', 'runtime', 'cases', 'equal'],
    ...ran.map(({ name, runtime, equal }) => [name, runtime, String(list.length), String(equal)]),
  ]),
)
console.log()
for (const { name, missing, failed, differences } of results) {
  if (missing) console.log(`${name}: ${missing}${required.includes(name) ? ', and is required' : ''}`)
  if (failed) console.log(`${name}: failed: ${failed}`)
  if (differences.length > 0)
    console.log(`${differenceText(name, differences[0])}\n  of ${differences.length}`)
}
const equal = ran.reduce((sum, it) => sum + it.equal, 0)
console.log(`hosts: ${equal} of ${list.length * ran.length} answers equal in ${ran.length} hosts`)
const bad = results.some(
  ({ name, missing, failed, differences }) =>
    failed || differences.length > 0 || (missing && required.includes(name)),
)
process.exitCode = bad ? 1 : 0
