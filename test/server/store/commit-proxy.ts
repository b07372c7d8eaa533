/**
 * Between a server and its PostgreSQL, to cut a connection around COMMIT: the one moment at which a client of a
 * database cannot know what became of what it wrote.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Cut =
  /** PostgreSQL has committed; its answer gets lost. */
  | 'answer'
  /** COMMIT itself gets lost, and PostgreSQL hears of the end of the connection. */
  | 'commit'
  /** The server loses its connection at once, COMMIT arrives a good while later. */
  | 'late'
  /** As `answer`, and nobody can connect until `open`. */
  | 'answer and close'

/** `COMMIT` in the protocol of PostgreSQL: a simple query, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')
const LATE = 1000

export interface CommitProxy {
  readonly port: number
  /** The next COMMIT after so many meets this. */
  readonly cutNext: (cut: Cut, after?: number) => void
  readonly open: () => void
  /** How many were cut so far. */
  readonly cuts: () => number
  readonly stop: () => Promise<void>
}

/** `socketFile` is the one that PostgreSQL listens on. */
export async function commitProxy(socketFile: string): Promise<CommitProxy> {
  let wanted: Cut | undefined
  let before = 0
  let cuts = 0
  let isClosed = false
  const sockets = new Set<Socket>()

  const cut = async (how: Cut, chunk: Buffer, client: Socket, server: Socket): Promise<void> => {
    cuts++
    if (how === 'answer and close') isClosed = true
    client.removeAllListeners('data')
    server.removeAllListeners('data')
    if (how === 'late') {
      client.destroy()
      await sleep(LATE)
    }
    if (how !== 'commit') {
      server.write(chunk)
      // PostgreSQL answers when it has committed.
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
        // Whoever cuts sees to the other side itself.
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
    port: (listener.address() as AddressInfo).port,
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
