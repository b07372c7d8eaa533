/** The simulator as a whole: opened, listening, closed. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Powers } from './caller.ts'
import { type Control, createControl, type Settings } from './control.ts'
import { createControlServer } from './control-server.ts'
import { openDatabase } from './database.ts'
import { Faults } from './faults.ts'
import { Listener } from './listener.ts'
import { makeIdentities } from './pki.ts'
import { createService } from './service.ts'

export interface SimulatorOptions {
  /** Folder of its state, of which nobody else may be using it; made if it is not there. */
  readonly dataDir: string
  /** Port of the service; 0 (default) takes one that is free. */
  readonly port?: number
  /** Address of the service. Default `127.0.0.1`. */
  readonly host?: string
  /** Port of pages and control, which are for this machine alone; 0 (default) takes one that is free. */
  readonly controlPort?: number
  /** Further names under which clients reach the service: its certificate is for them too. */
  readonly names?: readonly string[]
  /** Seconds that answers tell to wait. Default 60, as the authority's do at first. */
  readonly wait?: number
  /** PEM files of issuers; clients of others are refused then. Without them, clients of anybody are taken. */
  readonly clientCaFiles?: readonly string[]
  /** For whom the owners of certificates may act besides themselves. */
  readonly powers?: Powers
  /** NIFs that are registered for the SII; everybody, if it is not said. */
  readonly siiHolders?: readonly string[]
  /** Most rows of an answer to a query. Default 10,000. */
  readonly pageSize?: number
  /** Milliseconds since 1970: the authority's clock. Certificates go by that of the machine, as their clients do. */
  readonly clock?: () => number
  /** Told of what should not have happened. */
  readonly onError?: (error: unknown) => void
}

export interface Simulator {
  readonly port: number
  /** `https://localhost:8443`, without a path. */
  readonly url: string
  /** What clients are to trust (`CUADRA_AEAT_CA_FILE`). */
  readonly caFile: string
  readonly controlPort: number
  /** `http://localhost:8444`: pages and control. */
  readonly controlUrl: string
  readonly control: Control
  readonly close: () => Promise<void>
}

const MOST_ROWS = 10_000
const DEFAULT_WAIT = 60

/** Names that lead to this machine. */
const hostsOf = (host: string, names: readonly string[]): string[] => {
  const own =
    host === '0.0.0.0' || host === '::' ? [hostname()] : host === '::1' || host.includes(':') ? [] : [host]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...own, ...names])]
}

/**
 * Starts a stand-in for the tax authority: VeriFactu and SII by SOAP over mutual TLS, with state on disk, pages and a
 * control by which it is told to fail.
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
        pageSize: options.pageSize ?? MOST_ROWS,
        clock,
        wait: () => settings.wait,
        knowsIssuers: clientCaFiles !== undefined,
        onError,
      }),
    })
    const control = createControl(database, faults, listener, settings, clock)
    const port = await listener.listen(options.port ?? 0, host)
    const url = `https://localhost:${port}`
    const pages = createControlServer({ control, database, clock, serviceUrl: () => url, caFile, onError })
    try {
      pages.listen(options.controlPort ?? 0, '127.0.0.1')
      await once(pages, 'listening')
    } catch (error) {
      listener.close()
      throw error
    }
    const address = pages.address()
    const controlPort = typeof address === 'object' && address ? address.port : 0
    let closed: Promise<void> | undefined
    const close = async (): Promise<void> => {
      listener.close()
      pages.closeAllConnections()
      pages.close()
      await once(pages, 'close')
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
