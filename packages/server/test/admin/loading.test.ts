/** Tests that `cuadra-admin` loads only the modules that a command needs. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it, vi } from 'vitest'
import { required } from '#core/errors/index.ts'
import { run } from '../../admin/commands/admin-run.ts'
import { shapeOf } from '../../src/shapes/merged.ts'

vi.mock('../../src/shapes/merged.ts', async (original) => {
  const merged = await original<typeof import('../../src/shapes/merged.ts')>()
  return { ...merged, shapeOf: vi.fn(merged.shapeOf) }
})

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Returns the modules whose code an entry point loads statically. */
async function loadedBy(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const { outputs } = metafile
  const chunks = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry))
  for (const path of chunks)
    for (const one of outputs[path]?.imports ?? []) if (one.kind !== 'dynamic-import') chunks.add(one.path)
  return [...chunks].flatMap((path) => {
    const inputs = Object.entries(outputs[path]?.inputs ?? {})
    return inputs.length === 0
      ? [path]
      : inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([name]) => name)
  })
}

async function helpOf(...command: string[]): Promise<string> {
  let text = ''
  const out = (chunk: string) => {
    text += chunk
  }
  const code = await run([...command, '--help'], { env: {}, out, err: out, input: () => process.stdin })
  expect(code).toBe(0)
  return text
}

describe('cuadra-admin', () => {
  it('loads no service, store, schema or catalog to print its version or its help', async () => {
    const loaded = await loadedBy('packages/server/admin/commands/main.ts')
    expect(loaded).toContain('packages/server/admin/commands/admin-program.ts')
    const needless = /\/(?:service|store|shapes|app|http|pdf|catalogs)\/|^rules\/|^(?:kysely|typebox|ajv)/
    expect(loaded.filter((path) => needless.test(path))).toEqual([])
    expect(loaded.length).toBeLessThan(20)
  })

  it('builds no invoice schema for commands that do not need it', async () => {
    for (const command of ['company', 'key', 'series', 'render', 'verify', 'verifactu'])
      expect(await helpOf(command)).toContain(`Usage: cuadra-admin ${command}`)
    expect(vi.mocked(shapeOf)).not.toHaveBeenCalled()
  })

  it('lists every command with its summary, and loads the implementation of a command on demand', async () => {
    const program = await helpOf()
    const names = [...program.matchAll(/^ {2}([a-z]+) .*? {2,}\S/gm)].map(([, name]) => name)
    expect(names).toHaveLength(19)
    for (const name of names) expect((await helpOf(required(name))).length).toBeGreaterThan(100)
  })
})
