/** Names of processes, `host/pid/uuid`. They mark the database rows that a process is working on. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { codeOf } from '../../storage/faults.ts'

export const newOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

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
export const isOwn = (owner: string): boolean => owner.startsWith(`${hostname()}/${process.pid}/`)

/**
 * Whether another process has ended, as far as this machine can determine. If another running process has its process
 * id, it counts as running. If this process has its id, it has ended, because the ids of running processes are unique.
 */
export function hasEnded(owner: string): boolean {
  const [host, pid] = owner.split('/')
  return host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}
