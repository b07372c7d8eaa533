/** Starts the simulator. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Powers } from './caller.ts'
import { type Control, createControl, type Settings } from './control.ts'
import { createControlServer } from './control-server.ts'
import { Listener } from './listener.ts'
import { makeIdentities } from './pki.ts'
import { createService } from './service.ts'
import { Faults } from './simulated-faults.ts'
import { openDatabase } from './simulator-database.ts'

export interface SimulatorOptions {
  /** Data folder, for this simulator only. It is created if it does not exist. */
  readonly dataDir: string
  /** Port of the service. Default 0: any free port. */
  readonly port?: number
  /** Address of the service. Default `127.0.0.1`. */
  readonly host?: string
  /** Port of the control API, for this machine only. Default 0: any free port. */
  readonly controlPort?: number
  /** Additional host names for the certificate of the service. */
  readonly names?: readonly string[]
  /** Wait time in seconds that responses state. Default: 60, the authority's initial value. */
  readonly wait?: number
  /** PEM files with the issuers of accepted client certificates. Default: all issuers are accepted. */
  readonly clientCaFiles?: readonly string[]
  /** Taxpayers for which the owners of certificates may act by power of attorney. */
  readonly powers?: Powers
  /** NIFs registered for the SII. Default: all. */
  readonly siiHolders?: readonly string[]
  /** Number of rows in a page of a query. Default 10,000. */
  readonly pageSize?: number
  /** The authority's clock, in milliseconds since 1970. Certificates use the clock of the machine. */
  readonly clock?: () => number
  /** Called for unexpected errors. */
  readonly onError?: (error: unknown) => void
}

export interface Simulator {
  readonly port: number
  /** URL of the service without a path, such as `https://localhost:8443`. */
  readonly url: string
  /** File with the certificate that clients must trust (`CUADRA_AEAT_CA_FILE`). */
  readonly caFile: string
  readonly controlPort: number
  /** URL of the control API, such as `http://localhost:8444`. */
  readonly controlUrl: string
  readonly control: Control
  readonly close: () => Promise<void>
}

const MAX_ROWS = 10_000
const DEFAULT_WAIT = 60

/** Returns the host names of this machine. */
const hostsOf = (host: string, names: readonly string[]): string[] => {
  const own =
    host === '0.0.0.0' || host === '::' ? [hostname()] : host === '::1' || host.includes(':') ? [] : [host]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...own, ...names])]
}

/**
 * Starts a simulator of the tax authority: VeriFactu and SII by SOAP over mutual TLS, with a database and a control API
 * that shows what it received and injects faults.
 *
 * For example:
 * const simulator = await startSimulator({ dataDir: './data/simulator' })
 * await simulator.control.inject({ kind: 'http_status', status: 503, times: 2 })
 * await simulator.close()
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { dataDir, host = '127.0.0.1', clientCaFiles, powers = {}, siiHolders } = options
  const clock = options.clock ?? Date.now
  const onError = options.onError ?? (() => {})
  const settings: Settings = { wait: options.wait ?? DEFAULT_WAIT }
  const database = await openDatabase(dataDir)
  try {
    const { identities, caFile } = await makeIdentities(
      dataDir,
      hostsOf(host, options.names ?? []),
      Date.now(),
    )
    const faults = new Faults()
    const listener = new Listener({
      identities,
      clientAuthorities: clientCaFiles?.map((file) => readFileSync(file, 'utf8')),
      faults,
      handle: createService({
        database,
        faults,
        powers,
        siiHolders,
        pageSize: options.pageSize ?? MAX_ROWS,
        clock,
        wait: () => settings.wait,
        checksIssuers: clientCaFiles !== undefined,
        onError,
      }),
    })
    const control = createControl(database, faults, listener, settings, clock)
    const port = await listener.listen(options.port ?? 0, host)
    const url = `https://localhost:${port}`
    const controlServer = createControlServer({ control, database, serviceUrl: url, caFile, onError })
    try {
      controlServer.listen(options.controlPort ?? 0, '127.0.0.1')
      await once(controlServer, 'listening')
    } catch (error) {
      listener.close()
      throw error
    }
    const address = controlServer.address()
    const controlPort = typeof address === 'object' && address ? address.port : 0
    let closed: Promise<void> | undefined
    const close = async (): Promise<void> => {
      listener.close()
      controlServer.closeAllConnections()
      controlServer.close()
      await once(controlServer, 'close')
      database.close()
    }
    return {
      port,
      url,
      caFile,
      controlPort,
      controlUrl: `http://localhost:${controlPort}`,
      control,
      close: () => {
        closed ??= close()
        return closed
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}
