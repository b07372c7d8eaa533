/** The tax authority that this installation works with: its own addresses, others that take their place, or the simulator. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, createAuthority } from '../aeat/wire/index.ts'
import { type Config, ConfigError } from '../environment/config.ts'

/** Where a simulator listens that a process with this data folder runs. */
interface SimulatorAddress {
  readonly url: string
  readonly ca_file: string
}

export const simulatorFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'simulator')
/** What the process that runs the simulator leaves for the others, and for the administrator's command line. */
export const addressFile = (config: Pick<Config, 'dataDir'>): string =>
  join(simulatorFolder(config), 'address.json')

function authoritiesIn(file: string | undefined): string[] {
  if (file === undefined) return []
  try {
    return [readFileSync(file, 'utf8')]
  } catch (error) {
    throw new ConfigError([`CUADRA_AEAT_CA_FILE: ${file} cannot be read (${(error as Error).message}).`])
  }
}

/** Throws a `ConfigError` for a file of issuers that cannot be read. */
export function authorityFor(config: Config): () => Authority | null {
  const { aeat: environment, aeatVerifactuUrl: verifactu, aeatSiiUrl: sii } = config
  if (environment !== 'simulator' || verifactu !== undefined || sii !== undefined) {
    const authorities = authoritiesIn(config.aeatCaFile)
    const authority = createAuthority({ environment, addresses: { verifactu, sii }, authorities })
    return () => authority
  }
  let known: { readonly text: string; readonly authority: Authority } | undefined
  return () => {
    try {
      const text = readFileSync(addressFile(config), 'utf8')
      if (known?.text === text) return known.authority
      const { url, ca_file } = JSON.parse(text) as SimulatorAddress
      const authorities = [readFileSync(ca_file, 'utf8')]
      known?.authority.close()
      known = {
        text,
        authority: createAuthority({ environment, addresses: { verifactu: url, sii: url }, authorities }),
      }
      return known.authority
    } catch {
      // No process with this data folder runs a simulator.
      return null
    }
  }
}
