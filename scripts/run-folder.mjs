/**
 * Creates a folder for the temporary files of a run of tests or measurements, and cleans up after the run.
 *
 * A second process waits until the process of the run ends, also by SIGINT, SIGTERM or `kill -9`. It then ends the
 * processes that the run has started, stops its PostgreSQL servers, and removes the folder. A process belongs to the
 * run if `TMPDIR` in its environment is in this folder.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const VARIABLE = 'CUADRA_RUN_FOLDER'
const LIMIT_MS = 30_000

/** Returns the folder of the run. Child processes of the process that called `startRun` get the same folder. */
export const runFolder = () => process.env[VARIABLE]

/** Returns a folder of the run in memory for many small files, or the folder itself if the system has no `/dev/shm`. */
export const memoryFolderOf = (folder) =>
  existsSync('/dev/shm') ? join('/dev/shm', basename(folder)) : folder

/**
 * Creates the folder of the run and sets `TMPDIR` to it.
 *
 * @returns a function that ends the run and resolves when its processes have ended and its folder is removed
 */
export function startRun() {
  if (runFolder() !== undefined) return async () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-run-'))
  // PostgreSQL does not run as root, so other users must be able to reach its folder.
  chmodSync(folder, 0o711)
  const cleaner = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  cleaner.unref()
  cleaner.stdin.unref()
  process.env[VARIABLE] = folder
  process.env.TMPDIR = folder
  return async () => {
    const ended = once(cleaner, 'exit')
    cleaner.ref()
    cleaner.stdin.end()
    await ended
    delete process.env[VARIABLE]
    process.env.TMPDIR = dirname(folder)
  }
}

/** Returns the ids of the processes whose `TMPDIR` is in a folder. */
export function processesIn(folder) {
  const isOfRun = (environment) => `${environment} `.replaceAll('\0', ' ').includes(`TMPDIR=${folder}`)
  // On macOS there is no /proc, and `ps` shows the environment after the command.
  const all = existsSync('/proc/self/environ')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => [pid, textOf(`/proc/${pid}/environ`)])
    : execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' })
        .split('\n')
        .map((line) => [Number.parseInt(line, 10), line])
  return all.filter(([, environment]) => isOfRun(environment)).map(([pid]) => Number(pid))
}

/** Returns the ids of the main processes of the PostgreSQL servers with data in a folder. */
const postgresIn = (folder) =>
  readdirSync(folder)
    .map((name) => Number.parseInt(textOf(join(folder, name, 'data', 'postmaster.pid')), 10))
    .filter((pid) => pid > 0 && isRunning(pid))

function textOf(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // The process or the server has ended.
    return ''
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

/** Unmounts the small disks that tests have mounted in a folder. */
function unmountIn(folder) {
  for (const line of textOf('/proc/self/mounts').split('\n')) {
    const [, path = ''] = line.split(' ')
    if (path.startsWith(`${folder}/`)) execFileSync('umount', ['--lazy', path])
  }
}

async function cleanUp(folder) {
  for (const limit = Date.now() + LIMIT_MS; Date.now() < limit; await sleep(20)) {
    const postgres = postgresIn(folder)
    const others = processesIn(folder).filter((pid) => !postgres.includes(pid) && pid !== process.pid)
    if (postgres.length + others.length === 0) break
    for (const pid of others) signal(pid, 'SIGKILL')
    // A killed PostgreSQL would leave its shared memory behind. SIGQUIT makes it stop immediately and remove it.
    for (const pid of postgres) signal(pid, 'SIGQUIT')
  }
  unmountIn(folder)
  for (const path of [folder, memoryFolderOf(folder)])
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdin.resume().once('close', () => cleanUp(process.argv[2]))
