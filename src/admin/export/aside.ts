/** An export that is there whole or not at all: it is written aside, and gets its name when it is done. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import { isFull } from '../../storage/faults.ts'
import { PRIVATE } from '../../storage/private-files.ts'
import { ioReason } from '../../terminal/io-reason.ts'
import { ExportFolder } from './folder.ts'

async function requireRoom(out: string): Promise<void> {
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CuadraError(`${out} cannot be written: ${ioReason(error)}.`)
  })
  if (entries.length > 0)
    throw new CuadraError(`${out} is not empty. Name a folder that is not there yet, or an empty one.`)
}

/** Runs `work` on a folder beside `out`, which becomes `out` when `work` is done; nothing is left of one that fails. */
export async function exportAside<T>(out: string, work: (folder: ExportFolder) => Promise<T>): Promise<T> {
  await requireRoom(out)
  const aside = `${out}.part-${randomBytes(4).toString('hex')}`
  await mkdir(dirname(out), { recursive: true, mode: PRIVATE.folder }).catch(() => undefined)
  const folder = await ExportFolder.make(aside)
  try {
    const done = await work(folder)
    await rename(aside, out)
    return done
  } catch (error) {
    await folder.abandon()
    await rm(aside, { recursive: true, force: true })
    if (isFull(error))
      throw new CuadraError('The disk is full. Nothing was exported; make room and try again.')
    throw error
  }
}
