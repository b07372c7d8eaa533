/** The simulator beside a server: what `npm start` sends records to, so that everything can be tried on one machine. */
import { rmSync, writeFileSync } from 'node:fs'
import { addressFile, simulatorFolder } from './app/authority.ts'
import type { Config } from './environment/config.ts'
import { PRIVATE } from './environment/private-files.ts'
import type { Simulator } from './simulator/index.ts'

/**
 * Starts the simulator where this process is to run one. Undefined where records go elsewhere, or where another process
 * with the same data folder runs it already.
 */
export async function startOwnSimulator(
  config: Config,
  onError: (error: unknown) => void,
): Promise<Simulator | undefined> {
  const { aeat, aeatVerifactuUrl, aeatSiiUrl, simulator, workers } = config
  const isOwn = aeat === 'simulator' && aeatVerifactuUrl === undefined && aeatSiiUrl === undefined
  if (!isOwn || !simulator || !workers) return undefined
  const { SimulatorError, startSimulator } = await import('./simulator/index.ts')
  try {
    const started = await startSimulator({ dataDir: simulatorFolder(config), onError })
    const address = JSON.stringify({ url: started.url, ca_file: started.caFile, pages: started.controlUrl })
    writeFileSync(addressFile(config), `${address}\n`, { mode: PRIVATE.file })
    return {
      ...started,
      close: async () => {
        rmSync(addressFile(config), { force: true })
        await started.close()
      },
    }
  } catch (error) {
    if (error instanceof SimulatorError) return undefined
    throw error
  }
}
