/** Runs the simulator of the tax authority together with a server, so that users can try everything on one machine. */
import { rmSync, writeFileSync } from 'node:fs'
import type { Simulator } from 'cuadra-simulator/index.ts'
import { embeddedDatabase } from 'cuadra-storage/embedded-database.ts'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { isCondition } from '#core/errors/index.ts'
import { addressFile, simulatorFolder } from './app/connect-authority.ts'
import type { Config } from './environment/config.ts'
import { newOwnerName } from './environment/process-owner.ts'
import { repeat } from './environment/repeat.ts'

/** Gives a process access to the simulator of its data folder. */
export interface OwnSimulator {
  /** Returns the simulator that this process runs; undefined while another process runs it. */
  readonly current: () => Simulator | undefined
  readonly close: () => Promise<void>
}

/** Interval, in milliseconds, at which to check whether the process that runs the simulator has ended. */
const CHECK_INTERVAL_MS = 2000

/**
 * Starts the simulator and publishes its address. Returns undefined if another process with this data folder already
 * runs it.
 */
async function startOne(config: Config, onError: (error: unknown) => void): Promise<Simulator | undefined> {
  const { startSimulator } = await import('cuadra-simulator/index.ts')
  try {
    const dataDir = simulatorFolder(config)
    const started = await startSimulator({ dataDir, wait: config.simulatorWait, onError })
    const { url, caFile: ca_file, controlUrl: control } = started
    const address = JSON.stringify({ url, ca_file, control, owner: newOwnerName() })
    writeFileSync(addressFile(config), `${address}\n`, { mode: PRIVATE_MODES.file })
    return started
  } catch (error) {
    if (isCondition(error, 'simulator_folder')) return undefined
    throw error
  }
}

/**
 * Runs the simulator if this process is configured to run it. If another process runs it, starts it when that process
 * ends. Returns null if this process never runs it.
 */
export async function keepOwnSimulator(
  config: Config,
  onError: (error: unknown) => void,
): Promise<OwnSimulator | null> {
  const { aeat, aeatVerifactuUrl, aeatSiiUrl, simulator, workers } = config
  const isOwn = aeat === 'simulator' && aeatVerifactuUrl === undefined && aeatSiiUrl === undefined
  if (!isOwn || !simulator || !workers) return null
  try {
    await embeddedDatabase()
  } catch (error) {
    // The simulator needs the package of the embedded database. A server with PostgreSQL works without this package.
    onError(error)
    return null
  }
  let current = await startOne(config, onError)
  const end = repeat(CHECK_INTERVAL_MS, async () => {
    current ??= await startOne(config, onError).catch((error: unknown) => void onError(error))
  })
  return {
    current: () => current,
    close: async () => {
      await end()
      // The address is removed first, before another process can publish the address of its own simulator.
      if (current) rmSync(addressFile(config), { force: true })
      await current?.close()
      current = undefined
    },
  }
}
