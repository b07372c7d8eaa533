/** A server out of a configuration: opened, listening, and closed without losing a request. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { App } from './app.ts'
import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import { filesOnDisk } from './documents/disk.ts'
import { createMetrics } from './http/metrics.ts'
import { createHttpServer } from './http/server.ts'
import { createLog } from './log.ts'
import { openStore } from './store/store.ts'
import { readSystem } from './system.ts'

export interface Running {
  readonly app: App
  readonly server: Server
  readonly port: number
  /** Takes no new connection, finishes what it has, closes the store. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that requests have to finish at a shutdown. */
const GRACE = 10_000

/** Everything but the listening: the administrator's command line works on the same. */
export async function openApp(config: Config): Promise<App> {
  const system = readSystem(config.declarationFile)
  const log = createLog(config.logLevel)
  const store = await openStore({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    pool: config.databasePool,
    onError: (error) => log.error({ err: error }, 'database connection'),
  })
  return {
    config,
    store,
    clock: createClock(),
    files: filesOnDisk(join(config.dataDir, 'files')),
    log,
    metrics: createMetrics(store),
    system,
    owner: `${hostname()}/${process.pid}/${randomUUID()}`,
  }
}

export async function start(config: Config): Promise<Running> {
  const app = await openApp(config)
  const server = createHttpServer(app)
  server.listen(config.port, config.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    await app.store.close()
    throw error
  }
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeIdleConnections()
    const late = setTimeout(() => server.closeAllConnections(), GRACE)
    await closed
    clearTimeout(late)
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
