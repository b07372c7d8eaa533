/// <reference types="node" />
/** What `npm pack` would publish. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the package holds the engine with its faces, and nothing of the server, which is a workspace of its own', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  })
  const [{ files }] = JSON.parse(output) as [{ readonly files: readonly { readonly path: string }[] }]
  const paths = files.map(({ path }) => path)
  for (const wanted of [
    ...['dist/index.js', 'dist/index.d.ts', 'dist/verifactu/index.js', 'dist/sii/index.js'],
    ...['dist/formats/index.js', 'dist/formats/index.d.ts'],
    ...['dist/request/index.js', 'dist/edge/index.js', 'dist/wasm/index.js', 'dist/cli/main.js'],
    ...['README.md', 'LICENSE', 'llms.txt', 'docs/api.md'],
  ])
    expect(paths).toContain(wanted)
  expect(paths.filter((path) => /server\/|^src\/|^test\/|\.map$/.test(path))).toEqual([])
})
