/// <reference types="node" />
/** The programs of `examples/hosts`: short, as their page says, and, in a long run, right (`scripts/hosts.mjs`). */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { LONG } from '../size.ts'
import { HOSTS, ROOT } from './hosts.mjs'

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')
const page = read('examples/hosts/README.md')

describe('the programs', () => {
  for (const { name, source } of HOSTS)
    it(`${name}: under 80 lines, and named on the page`, () => {
      expect(read(source).trimEnd().split('\n').length).toBeLessThan(80)
      expect(page).toContain(`](${source.replace('examples/hosts/', '')})`)
    })

  it('their packages are pinned', () => {
    for (const [, version] of read('examples/hosts/rust/Cargo.toml').matchAll(
      /^(?:\w+ = |.*version = )"(.*?)"/gm,
    ))
      if (!['cuadra-host', '0.1.0', '2024'].includes(required(version))) expect(version).toMatch(/^=\d/)
    for (const [, version] of read('examples/hosts/java/pom.xml').matchAll(/<version>(.*?)</g))
      expect(version).toMatch(/^([\d.]+|\$\{chicory\})$/)
    expect(existsSync(`${ROOT}examples/hosts/go/go.sum`)).toBe(true)
  })
})

describe('the page', () => {
  /** What a command makes, and a later one may name. */
  const made = /\/(\.venv|target)(\/|$)|\/go\/cuadra$/

  it('has commands that name files which exist', () => {
    const commands = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
    expect(commands.length).toBeGreaterThan(8)
    const named = commands.flatMap((command) => command.match(/examples\/[\w./-]*\w/g) ?? [])
    for (const path of named) if (!made.test(path)) expect(existsSync(`${ROOT}${path}`), path).toBe(true)
    // Those that are made are made by a command before.
    for (const folder of ['python', 'go', 'java', 'rust'])
      expect(
        named.some((path) => path.startsWith(`examples/hosts/${folder}`)),
        folder,
      ).toBe(true)
  })

  it('has links that lead somewhere', () => {
    for (const [, target] of page.matchAll(/\]\((?!https:)([^)]+)\)/g))
      expect(existsSync(`${ROOT}examples/hosts/${target}`), target).toBe(true)
  })
})

const WHY = 'needs the network and several toolchains: npm run test:hosts'

describe('every host returns the same as the engine in Node', () => {
  if (!LONG) it.skip(WHY)
  else
    it('scripts/hosts.mjs', { timeout: 3_600_000 }, () => {
      const { status, stdout, stderr } = spawnSync('node', ['scripts/hosts.mjs'], {
        cwd: ROOT,
        encoding: 'utf8',
      })
      console.log(stdout)
      expect(stderr).toBe('')
      expect(stdout).toMatch(/^hosts: (\d+) of \1 answers equal in \d hosts$/m)
      expect(status).toBe(0)
    })
})
