/** A disk that can be filled: a file system of a few megabytes in memory, where this process may mount one. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Takes every byte that is left. */
  readonly fill: () => void
  /** Gives back so many bytes of those that `fill` took; without a number all of them. */
  readonly free: (bytes?: number) => void
  /** Whatever was written to it is gone. */
  readonly remove: () => void
}

const PIECE = Buffer.alloc(64 * 1024, 1)

const mount = (folder: string, megabytes: number): boolean =>
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'cuadra-test', folder]).status === 0

/** Mounts a disk. Undefined where that is not possible: on other systems, in most containers, for most users. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-full-'))
  if (!mount(folder, megabytes)) {
    rmdirSync(folder)
    return undefined
  }
  const filler = join(folder, 'filler')
  const remove = () => {
    process.off('exit', remove)
    // Lazily: a process that still has a file open must not keep the mount.
    spawnSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  }
  process.on('exit', remove)
  return {
    folder,
    fill() {
      const descriptor = openSync(filler, 'a')
      try {
        // What fits of a piece is written; the next one fails.
        for (;;) writeSync(descriptor, PIECE)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(descriptor)
      }
    },
    free(bytes) {
      if (bytes === undefined) return rmSync(filler, { force: true })
      const descriptor = openSync(filler, 'r+')
      ftruncateSync(descriptor, Math.max(0, fstatSync(descriptor).size - bytes))
      closeSync(descriptor)
    },
    remove,
  }
}
