/** A disk that can be filled: a file system of a few megabytes in memory, if this process may mount one. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../folders.ts'

export interface SmallDisk {
  readonly folder: string
  /** Uses every free byte. */
  readonly fill: () => void
  /** Frees a number of the bytes that `fill` used, by default all. */
  readonly free: (bytes?: number) => void
  /** Unmounts the disk with everything on it. */
  readonly remove: () => void
}

const PIECE = Buffer.alloc(64 * 1024, 1)

const mount = (folder: string, megabytes: number): boolean =>
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'cuadra-test', folder]).status === 0

/** Mounts a disk. Returns undefined if that is not possible: on other systems, in most containers, for most users. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = temporaryFolder()
  if (!mount(folder, megabytes)) {
    rmdirSync(folder)
    return undefined
  }
  const filler = join(folder, 'filler')
  const remove = () => {
    process.off('exit', remove)
    // Lazily, so that a process with an open file does not prevent it.
    spawnSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  }
  process.on('exit', remove)
  return {
    folder,
    fill() {
      const descriptor = openSync(filler, 'a')
      try {
        // Writes what fits of a chunk; the next one fails.
        for (;;) writeSync(descriptor, PIECE)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(descriptor)
      }
    },
    free(bytes) {
      if (!existsSync(filler)) return
      // Truncates it also before it is removed: a process that another thread starts may still hold it open.
      const descriptor = openSync(filler, 'r+')
      ftruncateSync(descriptor, Math.max(0, fstatSync(descriptor).size - (bytes ?? Infinity)))
      closeSync(descriptor)
      if (bytes === undefined) rmSync(filler)
    },
    remove,
  }
}
