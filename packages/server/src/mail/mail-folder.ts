/** Delivers mails to a folder: each mail is a file `mail/<id>.eml` in the data folder, complete or absent. */
import { randomBytes } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flush, makeDurableFolder, PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { codeOf, throwWithPath } from 'cuadra-storage/storage-faults.ts'
import type { Deliver, Outgoing } from './outgoing.ts'

async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', PRIVATE_MODES.file)
  try {
    await handle.writeFile(content).catch(throwWithPath(file))
    await handle.sync().catch(throwWithPath(file))
  } finally {
    await handle.close()
  }
}

/**
 * Writes a mail to a temporary file, which gets its final name when it is complete. The file of an earlier attempt has
 * the same content.
 */
async function write(folder: string, { mailId, content }: Outgoing, handOver: () => Promise<void>) {
  const draft = join(folder, `.${mailId}.${randomBytes(4).toString('hex')}.part`)
  try {
    await makeDurableFolder(folder)
    await writeWhole(draft, content)
    await handOver()
    await link(draft, join(folder, `${mailId}.eml`)).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
  await flush(folder)
}

export function folderDelivery(dataDir: string): Deliver {
  const folder = join(dataDir, 'mail')
  return async (mail, handOver) => {
    await write(folder, mail, handOver)
    return { accepted: mail.to, refused: [] }
  }
}
