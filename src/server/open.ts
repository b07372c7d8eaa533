/** An application out of a configuration: everything but the listening. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { App } from './app.ts'
import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import { filesOnDisk } from './documents/disk.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { openStore } from './store/store.ts'
import { readSystem } from './system.ts'
import { createWork } from './work.ts'

/** What the server listens with, and the administrator's command line works on. */
export async function openApp(config: Config): Promise<App> {
  const system = readSystem(config.declarationFile, config.installation)
  const log = createLog(config.logLevel)
  // Invoices are nobody else's business: what is in the folder is closed with it.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
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
    work: createWork(new URL('./worker.js', import.meta.url)),
    system,
    owner: `${hostname()}/${process.pid}/${randomUUID()}`,
  }
}
