/** Copies of files: what they report, and what they do with a source that cannot be read. */
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { copyInto } from '../../src/documents/measuring-stream.ts'

/** Files that are created some turns of the event loop after the call, as on a disk. */
const files = {
  async write(_key: string, content: Readable) {
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    await pipeline(content, new Writable({ write: (_chunk, _encoding, done) => done() }))
  },
}

it('a copy has the size and SHA-256 of its source', async () => {
  expect(await copyInto(files, 'a', Readable.from([Buffer.from('abc')]))).toEqual({
    size: 3,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })
})

it('a source that fails before its copy is created makes the copy fail, and not the process', async () => {
  const source = new Readable({ read: () => {} })
  const copied = copyInto(files, 'a', source)
  source.destroy(new Error('EIO: i/o error, read'))
  await expect(copied).rejects.toThrow()
})
