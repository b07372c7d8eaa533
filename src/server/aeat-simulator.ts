/** The simulator beside a server: what `npm start` sends records to, so that everything can be tried on one machine. */
import { rmSync, writeFileSync } from 'node:fs'
import { isCondition } from '../errors/conditions.ts'
import type { Simulator } from '../simulator/index.ts'
import { embeddedDatabase } from '../storage/embedded.ts'
import { PRIVATE } from '../storage/private-files.ts'
import { addressFile, simulatorFolder } from './app/authority.ts'
import type { Config } from './environment/config.ts'
import { newOwner } from './environment/owner.ts'
import { repeat } from './environment/repeat.ts'

/** What a process has of the simulator of its data folder. */
export interface OwnSimulator {
  /** The one that this process runs now; undefined while another process does. */
  readonly current: () => Simulator | undefined
  readonly close: () => Promise<void>
}

/** Milliseconds between two looks whether the process that ran it has ended. */
const EVERY = 2000

/** Starts it, and tells the others where; undefined where another process with the same data folder runs it. */
async function startOne(config: Config, onError: (error: unknown) => void): Promise<Simulator | undefined> {
  const { startSimulator } = await import('../simulator/index.ts')
  try {
    const dataDir = simulatorFolder(config)
    const started = await startSimulator({ dataDir, wait: config.simulatorWait, onError })
    const { url, caFile: ca_file, controlUrl: pages } = started
    const address = JSON.stringify({ url, ca_file, pages, owner: newOwner() })
    writeFileSync(addressFile(config), `${address}\n`, { mode: PRIVATE.file })
    return started
  } catch (error) {
    if (isCondition(error, 'simulator_folder')) return undefined
    throw error
  }
}

/**
 * Runs the simulator where this process is to run one: at once, or when the process ends that has it. Null where records
 * go elsewhere.
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
    // The simulator keeps what it is sent in one; the rest of the server does not need it on PostgreSQL.
    onError(error)
    return null
  }
  let current = await startOne(config, onError)
  const end = repeat(EVERY, async () => {
    current ??= await startOne(config, onError).catch((error: unknown) => void onError(error))
  })
  return {
    current: () => current,
    close: async () => {
      await end()
      // First the address, while nobody else can have written another.
      if (current) rmSync(addressFile(config), { force: true })
      await current?.close()
      current = undefined
    },
  }
}
