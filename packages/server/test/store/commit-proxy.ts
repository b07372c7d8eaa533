/**
 * A proxy between a server and its PostgreSQL that cuts connections around COMMIT, when a client cannot know whether
 * its transaction was written.
 */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf } from '#test/narrow.ts'

export type Cut =
  /** PostgreSQL has committed, but its answer is lost. */
  | 'answer'
  /** COMMIT is lost, and PostgreSQL sees the end of the connection. */
  | 'commit'
  /** The server loses its connection at once, and COMMIT arrives much later. */
  | 'late'
  /** Like `answer`; all other connections are lost too, and nothing can connect until `open`. */
  | 'answer and close'

/** `COMMIT` in the protocol of PostgreSQL: a simple query, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')
const LATE = 1000

export interface CommitProxy {
  readonly port: number
  /** Cuts the COMMIT that follows after this many. */
  readonly cutNext: (cut: Cut, after?: number) => void
  readonly open: () => void
  /** Number of cuts so far. */
  readonly cuts: () => number
  readonly stop: () => Promise<void>
}

/** `socketFile` is the socket of PostgreSQL. */
export async function commitProxy(socketFile: string): Promise<CommitProxy> {
  let wanted: Cut | undefined
  let before = 0
  let cuts = 0
  let isClosed = false
  const sockets = new Set<Socket>()

  const cut = async (how: Cut, chunk: Buffer, client: Socket, server: Socket): Promise<void> => {
    cuts++
    if (how === 'answer and close') {
      isClosed = true
      for (const socket of sockets) if (socket !== client && socket !== server) socket.destroy()
    }
    client.removeAllListeners('data')
    server.removeAllListeners('data')
    if (how === 'late') {
      client.destroy()
      await sleep(LATE)
    }
    if (how !== 'commit') {
      server.write(chunk)
      // PostgreSQL answers once it has committed.
      await once(server, 'data')
    }
    client.destroy()
    server.destroy()
  }

  const listener = createServer((client) => {
    if (isClosed) {
      client.destroy()
      return
    }
    const server = connect(socketFile)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        // The cut itself closes the other side.
        if (client.listenerCount('data') > 0) (socket === client ? server : client).destroy()
      })
    }
    client.on('data', (chunk) => {
      const isCommit = chunk.includes(COMMIT)
      if (isCommit && wanted && before-- === 0) {
        const how = wanted
        wanted = undefined
        cut(how, chunk, client, server).catch(() => undefined)
      } else server.write(chunk)
    })
    server.on('data', (chunk) => client.write(chunk))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: portOf(listener),
    cutNext(how, after = 0) {
      wanted = how
      before = after
    },
    open() {
      isClosed = false
    },
    cuts: () => cuts,
    async stop() {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
