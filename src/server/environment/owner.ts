/** Names of processes in rows that one of them alone works on: `host/pid/uuid`. */
import { hostname } from 'node:os'

/** Whether a process runs on this machine. One of another user does, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the process that a row names is known to run no more: of this machine one can ask, of others not. */
export function isGone(owner: string, own: string): boolean {
  if (owner === own) return false
  const [host, pid] = owner.split('/')
  return host === hostname() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}
