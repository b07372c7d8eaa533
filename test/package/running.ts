/** A server out of a package, as a process. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { portOf } from '../narrow.ts'
import { environment } from './packing.ts'

/** Returns an unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

export interface Service {
  readonly child: ChildProcess
  readonly output: () => string
  /** The address that it printed; rejects with what it said where it ended instead. */
  readonly address: Promise<string>
  /** Its exit code after SIGTERM. */
  readonly stop: () => Promise<number | null>
}

interface Where {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** Of the user that it runs as. */
  readonly id?: number | undefined
}

export function serve([command = '', ...args]: readonly string[], { cwd, env, id }: Where): Service {
  const child = spawn(command, args, {
    cwd,
    env: environment({ PORT: '0', CUADRA_LOG_LEVEL: 'warn', ...env }),
    ...(id === undefined ? {} : { uid: id, gid: id }),
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        output += piece
        const [, found] = /cuadra serves (http:\S+)[\s\S]*health .*\n/.exec(output) ?? []
        if (found) resolve(found)
      })
    void ended.then(() => reject(new Error(`the server ended: ${output}`)))
  })
  // Reported on request; a test that expects the exit does not ask.
  address.catch(() => {})
  return {
    child,
    output: () => output,
    address,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
