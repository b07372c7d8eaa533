/** Attached files in a folder: `files/<company>/<key>`, written whole and flushed before anyone hears of them. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { flushFolder, makeLastingFolder, PRIVATE } from '../../storage/private-files.ts'
import type { Files } from './files.ts'

/** Keys are ours: `<company>/<uuid>`. Anything else is a mistake of ours. */
const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/

export function filesOnDisk(root: string): Files {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error('no key of a file')
    return join(root, key)
  }
  return {
    async write(key, content: Readable) {
      const path = pathOf(key)
      await makeLastingFolder(dirname(path))
      const file = createWriteStream(path, { flags: 'wx', mode: PRIVATE.file, flush: true })
      try {
        await pipeline(content, file)
      } finally {
        // Whoever removes the file after a failure must not be overtaken by its making.
        if (!file.closed) await once(file, 'close')
      }
      await flushFolder(dirname(path))
    },
    async read(key) {
      const stream = createReadStream(pathOf(key))
      await new Promise<void>((resolve, reject) => {
        stream.once('open', () => resolve())
        stream.once('error', reject)
      })
      return stream
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    async *list(companyId) {
      const names = await readdir(join(root, companyId)).catch(() => [] as string[])
      for (const name of names) yield `${companyId}/${basename(name)}`
    },
  }
}
