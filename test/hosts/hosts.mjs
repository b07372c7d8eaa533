/**
 * The programs of `examples/hosts`: how each is built, outside the work tree, and what runs it.
 *
 * @typedef {object} Host
 * @property {string} name
 * @property {string} source Path in the repository.
 * @property {() => string} runtime Name and version of what runs the module, and of the language.
 * @property {string[][]} tools Commands that must succeed: without one of them the host is missing.
 * @property {(folder: string) => Step[]} steps From nothing to a program, in a folder that stays.
 * @property {(folder: string) => string[]} command The program.
 *
 * @typedef {object} Step
 * @property {string[]} command
 * @property {string} [cwd]
 * @property {boolean} [downloads] That it fails says that the packages are out of reach, and not that they do not fit.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packWheel } from '../../scripts/pack/wheel.mjs'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'cuadra-hosts')
/** The versions that the Python package was tested with. */
const WASMTIME = 'wasmtime==50.0.1'
const MYPY = 'mypy==1.18.2'

const BUILD_LIMIT = 30 * 60_000
const windows = process.platform === 'win32'

const at = (name, file = '') => join(ROOT, 'examples/hosts', name, file)
const found = (name, file, pattern) => pattern.exec(readFileSync(at(name, file), 'utf8'))?.[1] ?? '?'
const run = (command, options) =>
  spawnSync(command[0], command.slice(1), { encoding: 'utf8', timeout: BUILD_LIMIT, ...options })
const says = (command, pattern) => {
  const { stdout, stderr } = run(command)
  return pattern.exec(`${stdout}${stderr}`)?.[1] ?? '?'
}

const python = (folder) => join(folder, windows ? 'Scripts/python.exe' : 'bin/python')

/** @type {Host[]} */
export const HOSTS = [
  {
    name: 'python',
    source: 'examples/hosts/python/invoices.py',
    runtime: () =>
      `wasmtime ${says([python(join(CACHE, 'python')), '-m', 'pip', 'show', 'wasmtime'], /^Version: (\S+)/m)}, Python ${says(['python3', '--version'], /([\d.]+)/)}`,
    tools: [
      ['python3', '--version'],
      ['python3', '-m', 'venv', '--help'],
    ],
    steps: (folder) => {
      const pip = [python(folder), '-m', 'pip', 'install', '-q', '--disable-pip-version-check']
      const wheel = packWheel(ROOT, folder)
      return [
        { command: ['python3', '-m', 'venv', folder] },
        { command: [...pip, WASMTIME, MYPY], downloads: true },
        { command: [...pip, '--no-deps', '--force-reinstall', wheel] },
      ]
    },
    command: (folder) => [python(folder), at('python', 'invoices.py')],
  },
  {
    name: 'go',
    source: 'examples/hosts/go/main.go',
    runtime: () =>
      `wazero ${found('go', 'go.mod', /wazero v(\S+)/)}, Go ${says(['go', 'version'], /go([\d.]+)/)}`,
    tools: [['go', 'version']],
    steps: (folder) => [
      { command: ['go', 'mod', 'download'], cwd: at('go'), downloads: true },
      { command: ['go', 'build', '-mod=readonly', '-o', join(folder, 'cuadra'), '.'], cwd: at('go') },
    ],
    command: (folder) => [join(folder, 'cuadra')],
  },
  {
    name: 'java',
    source: 'examples/hosts/java/src/main/java/Cuadra.java',
    runtime: () =>
      `Chicory ${found('java', 'pom.xml', /<chicory>(\S+)</)}, Java ${says(['java', '-version'], /version "([^"]+)"/)}`,
    tools: [
      ['java', '-version'],
      ['javac', '-version'],
      ['mvn', '-version'],
    ],
    // Maven builds beside its pom.xml, so it gets a copy.
    steps: (folder) => {
      for (const part of ['pom.xml', 'src']) cpSync(at('java', part), join(folder, part), { recursive: true })
      return [
        { command: ['mvn', '-B', '-q', 'dependency:copy-dependencies'], cwd: folder, downloads: true },
        { command: ['mvn', '-B', '-q', 'package'], cwd: folder },
      ]
    },
    command: (folder) => ['java', '-jar', join(folder, 'target/cuadra.jar')],
  },
  {
    name: 'rust',
    source: 'examples/hosts/rust/src/main.rs',
    runtime: () =>
      `wasmi ${found('rust', 'Cargo.toml', /wasmi = .*?"=([\d.]+)"/)}, Rust ${says(['rustc', '--version'], /rustc ([\d.]+)/)}`,
    tools: [
      ['cargo', '--version'],
      ['rustc', '--version'],
    ],
    steps: (folder) => [
      { command: ['cargo', 'fetch'], cwd: at('rust'), downloads: true },
      {
        command: ['cargo', 'build', '-q', '--release', '--offline', '--target-dir', folder],
        cwd: at('rust'),
      },
    ],
    command: (folder) => [join(folder, 'release/cuadra-host')],
  },
]

const last = ({ error, stderr, stdout }) =>
  (error?.message ?? `${stdout}\n${stderr}`.trim().split('\n').filter(Boolean).at(-1) ?? '').slice(0, 300)

/**
 * Builds a host.
 *
 * @returns {{ command: string[] } | { missing: string } | { failed: string }}
 */
export function built(host) {
  const without = host.tools.find((tool) => run(tool).status !== 0)
  if (without) return { missing: `not found: ${without.join(' ')}` }
  const folder = join(CACHE, host.name)
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
  for (const { command, cwd = ROOT, downloads } of host.steps(folder)) {
    const result = run(command, { cwd })
    if (result.status === 0) continue
    const reason = `${command.slice(0, 4).join(' ')}: ${last(result)}`
    return downloads ? { missing: `packages out of reach: ${reason}` } : { failed: reason }
  }
  return { command: host.command(folder) }
}
