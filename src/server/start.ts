/** A server out of a configuration: opened, listening, and closed without losing a request. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { App } from './app.ts'
import type { Config } from './config.ts'
import { startSweeping } from './documents/sweeper.ts'
import { createHttpServer } from './http/server.ts'
import { openApp } from './open.ts'

export interface Running {
  readonly app: App
  readonly server: Server
  readonly port: number
  /** Takes no new connection, finishes what it has, closes the store. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that requests have to finish at a shutdown. */
const GRACE = 10_000
/** A connection whose last answer went out is closed this soon, at a shutdown. */
const IDLE = 50

export async function start(config: Config): Promise<Running> {
  const app = await openApp(config)
  const server = createHttpServer(app)
  const stopSweeping = config.workers ? await startSweeping(app) : async () => {}
  server.listen(config.port, config.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    await stopSweeping()
    await app.store.close()
    throw error
  }
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    // Clients that keep their connections would hold the server for all of the grace, and then lose a request to it:
    // they are told with the next answer that the connection ends.
    server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
    const idle = setInterval(() => server.closeIdleConnections(), IDLE)
    const late = setTimeout(() => server.closeAllConnections(), GRACE)
    await closed
    clearInterval(idle)
    clearTimeout(late)
    await stopSweeping()
    await app.work.close()
    await app.store.close()
  }
  return {
    app,
    server,
    port,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}
