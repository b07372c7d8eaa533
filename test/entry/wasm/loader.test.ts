/** The loader: sources of modules, and the replacement of an instance that traps. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { engineOf } from '#entry/wasm/engine.ts'
import { loadFrom } from '#entry/wasm/load-module.ts'
import { requireFrom } from '../../../scripts/dev-packages.mjs'
import { temporaryFolder } from '../../folders.ts'
import { portOf } from '../../narrow.ts'
import { setMissing, suite } from '../../needs.ts'

/** A module with our interface that answers `{}`, and traps at a request of one byte. */
const FAKE = `(module
  (import "wasi_snapshot_preview1" "fd_read" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "{}")
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "dealloc") (param i32))
  (func (export "result_len") (result i32) (i32.const 2))
  (func (export "validate") (param i32) (param $n i32) (result i32)
    (if (i32.eq (local.get $n) (i32.const 1)) (then (unreachable)))
    (i32.const 16)))`

function assembled(text: string): Buffer {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'fake.wat'), text)
  const bin = join(dirname(requireFrom('module').resolve('binaryen/package.json')), 'bin/wasm-as')
  execFileSync(process.execPath, [bin, join(folder, 'fake.wat'), '-o', join(folder, 'fake.wasm')])
  return readFileSync(join(folder, 'fake.wasm'))
}

suite('the loader', setMissing('module'), () => {
  let fake: Buffer
  let server: Server
  let address: string

  beforeAll(async () => {
    fake = assembled(FAKE)
    server = createServer(({ url }, response) => {
      if (url === '/missing') response.writeHead(404).end()
      else {
        response.writeHead(200, { 'content-type': url === '/typed' ? 'application/wasm' : 'text/plain' })
        response.end(fake)
      }
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    address = `http://127.0.0.1:${portOf(server)}`
  })
  afterAll(() => server.close())

  it('replaces an instance that trapped, reports it, and responds to the next call', () => {
    const engine = engineOf(new WebAssembly.Module(Uint8Array.from(fake)))
    expect(engine.answer('1')).toContain('"code":"internal_error"')
    expect(engine.answer('{}')).toBe('{}')
    expect(engine.instances()).toBe(2)
    expect(engine.answer('{}')).toBe('{}')
    expect(engine.instances()).toBe(2)
  })

  it('accepts bytes, a view of bytes, a module, a response, a promise of one, an address and its text', async () => {
    const copy = new Uint8Array(fake)
    const sources = [
      copy.buffer,
      copy,
      new WebAssembly.Module(copy),
      await fetch(`${address}/typed`),
      fetch(`${address}/typed`),
      new URL(`${address}/typed`),
      `${address}/typed`,
      `${address}/untyped`,
    ]
    for (const source of sources) expect((await loadFrom(source)).answer('{}')).toBe('{}')
  })

  it('accepts a response if the global Response is not that of fetch', async () => {
    const replaced = globalThis.Response
    globalThis.Response = class extends replaced {}
    try {
      expect((await loadFrom(`${address}/typed`)).answer('{}')).toBe('{}')
    } finally {
      globalThis.Response = replaced
    }
  })

  it('names the address where it found nothing', async () => {
    await expect(loadFrom(`${address}/missing`)).rejects.toThrow(`${address}/missing returned 404`)
  })

  it('refuses a module that is not cuadra’s', async () => {
    const other = assembled('(module (import "env" "f" (func)))')
    await expect(loadFrom(Uint8Array.from(other))).rejects.toThrow()
    const empty = assembled('(module)')
    await expect(loadFrom(Uint8Array.from(empty))).rejects.toThrow('not a cuadra module')
  })
})
