/** A server out of a configuration: opened, listening, and closed without losing a request. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnSimulator } from './aeat-simulator.ts'
import type { App } from './app/app.ts'
import { openApp } from './app/open.ts'
import type { Config } from './environment/config.ts'
import { createHttpServer } from './http/server.ts'
import { startSweeping } from './service/attachments/sweeper.ts'
import { startMailing } from './service/mail/worker.ts'
import { startAccruals } from './service/sii/cash-basis/accruals.ts'
import { siiWireOf } from './service/sii/sending/authority-wire.ts'
import { startSiiSending } from './service/sii/sending/worker.ts'
import { wireOf } from './service/verifactu/sending/authority-wire.ts'
import { startSending } from './service/verifactu/sending/worker.ts'
import type { Simulator } from './simulator/index.ts'

export interface Running {
  readonly app: App
  readonly server: Server
  readonly port: number
  /** The simulator of the tax authority that this process runs. */
  readonly simulator: Simulator | undefined
  /** Takes no new connection, finishes what it has, closes the store. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that requests have to finish at a shutdown. */
const GRACE = 10_000
/** At a shutdown a connection is waited for so long, should its client be about to use it. */
const QUIET = 500
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

export async function start(config: Config): Promise<Running> {
  const app = await openApp(config)
  const simulator = await startOwnSimulator(config, (error) =>
    app.log.error({ err: error }, 'the simulator of the tax authority'),
  )
  const server = createHttpServer(app)
  const stopSweeping = config.workers ? await startSweeping(app) : async () => {}
  const stopMailing = startMailing(app)
  // Without a way to the authority nothing is tried: what is to be sent waits for a process that has one.
  const stopSending =
    config.workers && app.reachesAuthority() ? startSending(app, wireOf(app)) : async () => {}
  const stopSiiSending =
    config.workers && app.reachesAuthority() ? startSiiSending(app, siiWireOf(app)) : async () => {}
  const stopAccruals = config.workers ? startAccruals(app) : async () => {}
  const stopWorkers = async () => {
    await Promise.all([stopSending(), stopSiiSending(), stopAccruals()])
    await simulator?.close()
    await stopSweeping()
  }
  server.listen(config.port, config.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    await stopMailing()
    await stopWorkers()
    await app.store.close()
    throw error
  }
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close')
    // Clients that keep their connections would hold the server for all of the grace, and then lose a request to it:
    // they are told with the next answer that the connection ends.
    server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
    await stopListening(server)
    await sleep(QUIET)
    const idle = setInterval(() => server.closeIdleConnections(), IDLE)
    const late = setTimeout(() => server.closeAllConnections(), GRACE)
    await closed
    clearInterval(idle)
    clearTimeout(late)
    await stopMailing()
    await stopWorkers()
    await app.work.close()
    app.recogniser.close()
    await app.store.close()
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
