/** Attached files in a folder: `files/<company>/<key>`, written whole and flushed before anyone hears of them. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Files } from './files.ts'

/** Makes the name of a new file survive a power failure. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

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
      await mkdir(dirname(path), { recursive: true })
      const file = createWriteStream(path, { flags: 'wx', flush: true })
      await pipeline(content, file)
      await finished(file).catch(() => undefined)
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
