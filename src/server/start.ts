/** A server out of a configuration: opened, listening, and closed without losing a request. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CuadraError } from '../errors/index.ts'
import type { Simulator } from '../simulator/index.ts'
import { keepOwnSimulator } from './aeat-simulator.ts'
import type { App } from './app/app.ts'
import { openApp } from './app/open.ts'
import type { Config } from './environment/config.ts'
import { requireNoHalfRestore } from './environment/restoring.ts'
import { createHttpServer, createMetricsServer } from './http/server.ts'
import { startSweeping } from './service/attachments/sweeper.ts'
import { startMailing } from './service/mail/worker.ts'
import { startAccruals } from './service/sii/cash-basis/accruals.ts'
import { siiWireOf, startSiiSending } from './service/sii/sending/sender.ts'
import { startSending, wireOf } from './service/verifactu/sending/sender.ts'
import { startWatching } from './service/verifactu/watch/worker.ts'

export interface Running {
  readonly app: App
  readonly server: Server
  readonly port: number
  /** The simulator of the tax authority that this process runs now. */
  readonly simulator: () => Simulator | undefined
  /** Takes no new connection, finishes what it has, closes the store. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that requests have to finish at a shutdown. */
const GRACE = 10_000
/** At a shutdown a connection is waited for so long, should its client be about to use it. */
const QUIET = 500
/** Milliseconds that clients may be kept waiting for the events of the start. */
const STARTUP_WAIT = 5000
/** From then on one whose last answer went out is closed this soon. */
const IDLE = 50

/** A server to which clients connect without a pause is stopped all the same. */
const ROUNDS = 1000
/** Milliseconds of a round of the loop in which little can have come behind its back. */
const SHORT = 0.5

/**
 * Takes no new connection. Those that the system has accepted and this process has not would be reset: so it is done
 * right after a short round of the loop that brought none.
 */
async function stopListening(server: Server): Promise<void> {
  let came = false
  const note = () => {
    came = true
  }
  server.on('connection', note)
  for (let rounds = 0; rounds < ROUNDS; rounds++) {
    const began = performance.now()
    came = false
    await new Promise((resolve) => setImmediate(resolve))
    if (!came && performance.now() - began < SHORT) break
  }
  server.off('connection', note)
  // Not the one of HTTP, which ends idle connections at once, also those on which a request is on its way.
  NetServer.prototype.close.call(server)
}

/** Runs what was started to its end, the latest first. */
async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  for (const end of ends.toReversed()) await end()
}

/** What is sent to the tax authority by itself. Without a way to it nothing is tried. */
const startSenders = (app: App): (() => Promise<void>)[] => {
  const options = { isReachable: app.reachesAuthority }
  return [
    startSending(app, wireOf(app), options),
    startSiiSending(app, siiWireOf(app), options),
    startAccruals(app),
  ]
}

/**
 * What was put back from a backup does not know what was issued since: nobody is served, and nothing is sent, before
 * somebody has looked. Throws a `CuadraError`.
 */
async function requireAccepted({ store }: App): Promise<void> {
  const row = await store.shared
    .selectFrom('restores')
    .select('made_at')
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  if (row)
    throw new CuadraError(
      `The data was restored from the backup of ${row.made_at.slice(0, 19)} UTC, and what was issued since is not in it. Look what that is (\`cuadra-admin verifactu compare\`, the last invoices of customers), set the counters (\`cuadra-admin series configure\`), then run \`cuadra-admin restore --accept\` with \`--numbers-checked\` or \`--skip-numbers N\`.`,
    )
}

/** Serves the metrics at an address of their own. Resolves to what ends that. */
async function listenForMetrics(app: App, { host, port }: NonNullable<Config['metricsAddress']>) {
  const server = createMetricsServer(app)
  server.listen(port, host)
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

export async function start(config: Config): Promise<Running> {
  requireNoHalfRestore(config)
  const app = await openApp(config)
  const ends: (() => unknown)[] = [
    () => app.store.close(),
    () => app.authority.close(),
    () => app.recogniser.close(),
    () => app.work.close(),
  ]
  try {
    await requireAccepted(app)
    const simulator = await keepOwnSimulator(config, (error) =>
      app.log.error({ err: error }, 'the simulator of the tax authority'),
    )
    const server = createHttpServer(app)
    if (config.workers) ends.push(await startSweeping(app))
    if (simulator) ends.push(simulator.close)
    if (config.workers) ends.push(...startSenders(app))
    ends.push(startMailing(app))
    if (config.metricsAddress) ends.push(await listenForMetrics(app, config.metricsAddress))
    server.listen(config.port, config.host)
    await once(server, 'listening')
    const watching = startWatching(app)
    ends.push(async () => (await watching).stop())
    // Of a thousand companies not everyone is waited for.
    await Promise.race([watching, sleep(STARTUP_WAIT, undefined, { ref: false })])
    return running(
      app,
      server,
      () => simulator?.current(),
      () => endAll(ends),
    )
  } catch (error) {
    await endAll(ends)
    throw error
  }
}

/** A server that listens; `close` ends everything behind it. */
function running(
  app: App,
  server: Server,
  simulator: Running['simulator'],
  close: () => Promise<void>,
): Running {
  const { config } = app
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    await stopListening(server)
    // Clients that keep their connections would hold the server for all of the grace, and then lose a request to it:
    // they are told with the next answer that the connection ends. Not before: they would come back with a new one.
    server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
    await sleep(QUIET)
    const idle = setInterval(() => server.closeIdleConnections(), IDLE)
    const late = setTimeout(() => server.closeAllConnections(), GRACE)
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
