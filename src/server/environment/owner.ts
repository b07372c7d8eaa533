/** Names of processes in the rows that they work on: `host/pid/uuid`. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { codeOf } from '../../storage/faults.ts'

export const newOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

/** Whether a process runs on this machine. One of another user does, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether a name is that of this process, or of one that had its number before. */
export const isOwn = (owner: string): boolean => owner.startsWith(`${hostname()}/${process.pid}/`)

/**
 * Whether a process that is not this one has ended, as far as can be told from here: of this machine one can ask. A
 * number that has come round again is taken for the process; that of this process itself is nobody else's.
 */
export function hasEnded(owner: string): boolean {
  const [host, pid] = owner.split('/')
  return host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}
