/** A disk that can be filled: a file system of a few megabytes in memory, if this process may mount one. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { atEnd, temporaryFolder } from '#test/folders.ts'

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
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
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

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })

/** `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: nothing more is written, not even the journal. */
const SHUTDOWN = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))`

/** A disk with a journal, which loses its power or becomes read-only. */
export interface JournaledDisk {
  readonly folder: string
  /** Simulates a disk error, after which Linux makes the file system read-only. */
  readonly turnReadOnly: () => void
  /** Cuts the power: what was not flushed is lost. */
  readonly cutPower: () => void
  /** Mounts the disk again, as after a restart of the machine. */
  readonly mountAgain: (mode: 'ro' | 'rw') => void
}

/** Mounts an ext4 file system in a file until the end of the test file. Returns undefined if that is not possible. */
export function journaledDisk(): JournaledDisk | undefined {
  if (process.platform !== 'linux') return undefined
  const parent = temporaryFolder()
  const folder = join(parent, 'mounted')
  mkdirSync(folder)
  let image = join(parent, 'image-0')
  let mounts = 0
  const mountImage = (options: string) =>
    run('mount', '-o', `loop,errors=remount-ro,${options}`, image, folder).status === 0
  const unmount = () => run('umount', '--lazy', folder)
  run('truncate', '-s', '64M', image)
  if (run('mkfs.ext4', '-q', '-F', image).status !== 0 || !mountImage('rw')) return undefined
  const device = basename(run('findmnt', '-no', 'SOURCE', folder).stdout.trim())
  atEnd(unmount)
  return {
    folder,
    turnReadOnly: () => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1'),
    cutPower() {
      const { status, stderr } = run('python3', '-c', SHUTDOWN, folder)
      if (status !== 0) throw new Error(stderr)
    },
    mountAgain(mode) {
      unmount()
      // A copy, since processes may still have files of the other one open.
      const copy = join(parent, `image-${++mounts}`)
      run('cp', '--sparse=always', image, copy)
      image = copy
      run('fsck.ext4', '-y', image)
      if (!mountImage(mode)) throw new Error('the disk cannot be mounted again')
    },
  }
}
