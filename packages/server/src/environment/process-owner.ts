/** Names of processes, `host/pid/uuid`. They mark the database rows that a process is working on. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { codeOf } from 'cuadra-storage/storage-faults.ts'

export const newOwnerName = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

/** Whether a process with this id runs on this machine, possibly as another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether a name belongs to this process, or to an earlier process with the same process id. */
export const isOwnerThisProcess = (owner: string): boolean =>
  owner.startsWith(`${hostname()}/${process.pid}/`)

/**
 * Whether the process with this name has ended, as far as this machine can determine. It counts as running if a third
 * process now has its id. It has ended if this process has its id, because running processes have different ids.
 */
export function hasEnded(owner: string): boolean {
  const [host, pid] = owner.split('/')
  return host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}
