/** Names of processes, `host/pid/uuid`. A row that a process holds contains its name. */
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
 * Whether another process has ended, as far as this machine can determine. If its process id is in use again, it is
 * treated as running. If its id is that of this process, it has ended, because no two processes have the same id.
 */
export function hasEnded(owner: string): boolean {
  const [host, pid] = owner.split('/')
  return host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}
