/** Starts a server from a configuration, and stops it without losing a request. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Simulator } from 'cuadra-simulator/index.ts'
import { faultOf } from 'cuadra-storage/storage-faults.ts'
import { CuadraError } from '#core/errors/index.ts'
import { keepOwnSimulator } from './aeat-simulator.ts'
import type { App } from './app/app.ts'
import { openApp, type Ports } from './app/open.ts'
import type { Config } from './environment/config.ts'
import { requireNoHalfRestore } from './environment/restoring.ts'
import { createHttpServer, createMetricsServer } from './http/server.ts'
import { startSweeping } from './service/attachments/sweeper.ts'
import { startMailWorker } from './service/mail/mail-worker.ts'
import { startAccrualWorker } from './service/sii/cash-basis/accruals.ts'
import { siiWireOf, startSiiSending } from './service/sii/sending/sii-sender.ts'
import { writeHeartbeat } from './service/verifactu/processes.ts'
import { startSending, wireOf } from './service/verifactu/sending/verifactu-sender.ts'
import { logSystemDifferences } from './service/verifactu/system-change.ts'
import { startWatching } from './service/verifactu/watch/watch-worker.ts'

export interface RunningServer {
  readonly app: App
  readonly server: Server
  readonly port: number
  /** Returns the simulator of the tax authority if this process runs it now. */
  readonly simulator: () => Simulator | undefined
  /** Stops accepting connections, finishes open requests, and closes the store. */
  readonly stop: () => Promise<void>
}

/** Maximum milliseconds that open requests may take to finish during a shutdown. */
const SHUTDOWN_TIMEOUT_MS = 10_000
/** Milliseconds of a shutdown after which idle connections are closed. A client may be about to use one. */
const KEEP_ALIVE_MS = 500
/** Maximum milliseconds that the start waits until the start events are recorded. */
const STARTUP_WAIT_MS = 5000
/** Milliseconds between two closings of idle connections during a shutdown, after `KEEP_ALIVE_MS`. */
const IDLE_MS = 50

/** Maximum number of event loop iterations before the socket is closed, even if clients keep connecting. */
const MAX_ROUNDS = 1000
/** Maximum duration of an iteration of the event loop in which a new connection is unlikely to have arrived. */
const SHORT_ROUND_MS = 0.5

/**
 * Stops accepting connections. Closing the socket resets connections that the operating system has accepted but this
 * process has not. The socket is therefore closed right after a short iteration of the event loop without new
 * connections.
 */
async function stopListening(server: Server): Promise<void> {
  let came = false
  const note = () => {
    came = true
  }
  server.on('connection', note)
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const began = performance.now()
    came = false
    await new Promise((resolve) => setImmediate(resolve))
    if (!came && performance.now() - began < SHORT_ROUND_MS) break
  }
  server.off('connection', note)
  // The `close` of the HTTP server would close idle connections immediately, even if a request is already on its way.
  NetServer.prototype.close.call(server)
}

/** Runs the functions that stop parts of the server, in reverse order. */
async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  for (const end of ends.toReversed()) await end()
}

/** Starts the workers that send to the tax authority. They pause while it cannot be reached. */
const startSenders = (app: App): (() => Promise<void>)[] => {
  const options = { isReachable: app.reachesAuthority }
  return [
    startSending(app, wireOf(app), options),
    startSiiSending(app, siiWireOf(app), options),
    startAccrualWorker(app),
  ]
}

/**
 * Throws a `CuadraError` if the restore of a backup has not been accepted. A backup lacks everything that was issued
 * after it. Until an administrator has checked this, the server handles no requests and sends no records.
 */
async function requireAccepted({ store }: App): Promise<void> {
  const row = await store.shared
    .selectFrom('restores')
    .select('made_at')
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  if (row)
    throw new CuadraError(
      `The data was restored from the backup of ${row.made_at.slice(0, 19)} UTC, which lacks what was issued since. Find out what that is (\`cuadra-admin verifactu compare\`, the latest invoices of your customers), set the counters (\`cuadra-admin series configure\`), then run \`cuadra-admin restore --accept\` with \`--numbers-checked\` or \`--skip-numbers N\`.`,
    )
}

/**
 * Requires that the embedded database accepts changes: a file that was opened read-only stays read-only. PostgreSQL may
 * accept changes later, so it is not required to accept them now.
 */
async function requireWritable(app: App): Promise<void> {
  await writeHeartbeat(app).catch((error: unknown) => {
    if (app.store.kind === 'sqlite' && faultOf(error) !== undefined) throw error
  })
}

/** Serves the metrics at a separate address. Resolves to a function that stops this. */
async function listenForMetrics(app: App, { host, port }: NonNullable<Config['metricsAddress']>) {
  const server = createMetricsServer(app)
  server.listen(port, host)
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

/** A server with its background work, before it listens for requests. */
export interface Assembled {
  readonly app: App
  readonly server: Server
  readonly simulator: RunningServer['simulator']
  /** Starts recording events of companies in non-VERI*FACTU mode. Call it when the server accepts requests. */
  readonly watch: () => Promise<void>
  /** Ends the background work, and closes the store. */
  readonly close: () => Promise<void>
}

/** Opens the application, and starts everything except the network. `ports` replace parts of the application. */
export async function assemble(config: Config, ports?: Ports): Promise<Assembled> {
  requireNoHalfRestore(config)
  const app = await openApp(config, ports)
  const ends: (() => unknown)[] = [
    () => app.store.close(),
    () => app.authority.close(),
    () => app.recogniser.close(),
    () => app.work.close(),
  ]
  try {
    await requireAccepted(app)
    await requireWritable(app)
    const simulator = await keepOwnSimulator(config, (error) =>
      app.log.error({ err: error }, 'the simulator of the tax authority'),
    )
    const server = createHttpServer(app)
    if (config.workers) ends.push(await startSweeping(app))
    if (simulator) ends.push(simulator.close)
    if (config.workers) ends.push(...startSenders(app))
    ends.push(startMailWorker(app))
    if (config.metricsAddress) ends.push(await listenForMetrics(app, config.metricsAddress))
    const watch = async () => {
      const watching = startWatching(app)
      ends.push(async () => (await watching).stop())
      const compared = logSystemDifferences(app).catch((error: unknown) =>
        app.log.warn({ err: error }, 'the systems of the chains cannot be read'),
      )
      ends.push(() => compared)
      // The start does not wait for the events of all companies, because there may be thousands.
      await Promise.race([watching, sleep(STARTUP_WAIT_MS, undefined, { ref: false })])
    }
    return { app, server, simulator: () => simulator?.current(), watch, close: () => endAll(ends) }
  } catch (error) {
    await endAll(ends)
    throw error
  }
}

export async function startServer(config: Config): Promise<RunningServer> {
  const assembled = await assemble(config)
  const { server, watch, close } = assembled
  try {
    server.listen(config.port, config.host)
    await once(server, 'listening')
    await watch()
    return running(assembled)
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the running server. Its `stop` also stops the background work and closes the store. */
function running({ app, server, simulator, close }: Assembled): RunningServer {
  const { config } = app
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    await stopListening(server)
    // Clients that keep connections open would delay the shutdown, and their last request could be lost. From now on,
    // each response announces that its connection closes. If connections were closed at once, the clients would open
    // new ones.
    server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
    await sleep(KEEP_ALIVE_MS)
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
    const late = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
    await closed
    clearInterval(idle)
    clearTimeout(late)
    await close()
  }
  return {
    app,
    server,
    port,
    simulator,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}
