/** A build of the WebAssembly module checks that its packages are installed before it builds anything. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../folders.ts'
import { itInAll } from '../size.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A clone in which `npm ci` was run, and `npm run dev-packages` was not. */
const clone = temporaryFolder()
mkdirSync(join(clone, 'dev-packages/module'), { recursive: true })
for (const path of ['package.json', 'scripts', 'dev-packages/module/package.json'])
  cpSync(join(root, path), join(clone, path), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir')

describe('without the packages of the module', () => {
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: clone, encoding: 'utf8', shell: process.platform === 'win32' })

  it('a build of the module says how to install them, and builds nothing', () => {
    const { status, stdout, stderr } = run(process.execPath, 'scripts/build.mjs', 'command', 'module')
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'build: the WebAssembly module needs dev-packages/module: npm run dev-packages -- module\n',
    })
    expect(existsSync(join(clone, 'dist'))).toBe(false)
  })

  itInAll('npm run pack installs them first, and builds nothing if it cannot', () => {
    const { status, stdout } = run('npm', 'run', 'pack')
    expect(status).toBe(1)
    expect(stdout).toContain('== dev-packages/module')
    expect(existsSync(join(clone, 'dist'))).toBe(false)
  })
})
