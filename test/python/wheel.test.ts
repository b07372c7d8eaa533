/** The Python package: what its wheel contains, and, where Python and its packages can be had, that it works. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { packWheel } from '../../scripts/pack/wheel.mjs'
import { temporaryFolder } from '../folders.ts'
import { built, HOSTS, ROOT } from '../hosts/hosts.mjs'
import { ALL } from '../size.ts'

const isBuilt = existsSync(`${ROOT}dist/cuadra.wasm`)

describe.skipIf(!isBuilt)('the wheel (needs npm run build -- module)', () => {
  const folder = temporaryFolder()

  it('lists each of its files with its hash, and is reproducible', () => {
    const [one, other] = ['one', 'other'].map((name) => readFileSync(packWheel(ROOT, join(folder, name))))
    expect(other?.equals(required(one))).toBe(true)
    const files = unzipSync(new Uint8Array(required(one)))
    const text = (name: string) => new TextDecoder().decode(files[name])
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    const record = text(`cuadra-${version}.dist-info/RECORD`)
    for (const [name, bytes] of Object.entries(files)) {
      const hash = createHash('sha256').update(bytes).digest('base64url')
      expect(record).toContain(
        name.endsWith('RECORD') ? `${name},,` : `${name},sha256=${hash},${bytes.length}`,
      )
    }
    expect(text('cuadra/__init__.py')).toContain(`__version__ = "${version}"`)
    expect(text(`cuadra-${version}.dist-info/METADATA`)).toContain('Requires-Dist: wasmtime')
    expect(Object.keys(files)).toContain('cuadra/py.typed')
  })
})

/** Builds the virtual environment only where the test may run. */
const python = ALL && isBuilt ? built(required(HOSTS[0])) : { missing: 'only in npm run test:all' }
const why = 'missing' in python ? python.missing : ''

describe('the installed package', () => {
  it.skipIf(!('command' in python))(`passes its tests, documentation and type checks ${why}`.trim(), () => {
    const [program = ''] = 'command' in python ? python.command : []
    const { status, stderr } = spawnSync(program, ['test/python/check.py'], { cwd: ROOT, encoding: 'utf8' })
    expect(stderr).toContain('OK')
    expect(status).toBe(0)
  })

  it.skipIf(!('command' in python))(
    `returns the same as the engine in Node for all golden cases ${why}`.trim(),
    { timeout: 300_000 },
    () => {
      const { stdout, status } = spawnSync('node', ['scripts/hosts.mjs', '--only', 'python'], {
        cwd: ROOT,
        encoding: 'utf8',
      })
      expect(stdout).toMatch(/^hosts: (\d+) of \1 answers equal in 1 hosts$/m)
      expect(status).toBe(0)
    },
  )
})
