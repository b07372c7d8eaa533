/** What builds the WebAssembly module checks that its packages are installed before it builds anything. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { itInAll } from '../size.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A clone in which `npm ci` was run, and `npm run dev-packages` was not. */
const clone = mkdtempSync(join(tmpdir(), 'cuadra-clone-'))
afterAll(() => rmSync(clone, { recursive: true, force: true }))
mkdirSync(join(clone, 'dev-packages/module'), { recursive: true })
for (const path of ['package.json', 'scripts', 'dev-packages/module/package.json'])
  cpSync(join(root, path), join(clone, path), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir')

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

describe('without the packages of the module', () => {
  itInAll('npm run pack says how to install them, and builds nothing', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', 'pack'], {
      cwd: clone,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    expect(status).toBe(2)
    expect(stderr).toContain(
      'wasm: the WebAssembly module needs dev-packages/module: npm run dev-packages -- module',
    )
    expect(stdout).not.toContain('generate')
  })

  it('every command that builds the module begins with that check', () => {
    const building = Object.keys(scripts).filter((name) =>
      required(scripts[name]).includes('npm run build:wasm'),
    )
    expect(building).toEqual([
      'bench',
      'test:runtimes',
      'test:hosts',
      'prepack',
      'pack',
      'bench:all',
      'pack:python',
    ])
    for (const name of building) expect(scripts[name], name).toMatch(/^npm run check:wasm --silent && /)
  })
})
