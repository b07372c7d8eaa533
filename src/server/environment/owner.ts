/** Names of processes, `host/pid/uuid`, for the rows that they hold. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { codeOf } from '../../storage/faults.ts'

export const newOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

/** Whether a process runs on this machine, possibly as another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether a name is that of this process, or of an earlier one with the same process id. */
export const isOwn = (owner: string): boolean => owner.startsWith(`${hostname()}/${process.pid}/`)

/**
 * Whether another process has ended, as far as this machine can determine. A reused process id counts as still running,
 * except the id of this process, which no other process can have.
 */
export function hasEnded(owner: string): boolean {
  const [host, pid] = owner.split('/')
  return host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}
