/**
 * Connects to the tax authority of this installation: the official addresses, configured addresses, or the simulator.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AuthorityClient, createAuthorityClient } from 'cuadra-authority/wire/index.ts'
import { readAuthorities } from '../environment/authorities.ts'
import type { Config } from '../environment/config.ts'
import { hasEnded, isOwnerThisProcess } from '../environment/process-owner.ts'

/** The address of the simulator that is running for this data folder. */
interface SimulatorAddress {
  readonly url: string
  readonly ca_file: string
  /** The name of the process that runs the simulator. */
  readonly owner: string
}

export const simulatorFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'simulator')
/** Returns the path of the file in which the process that runs the simulator publishes its address. */
export const addressFile = (config: Pick<Config, 'dataDir'>): string =>
  join(simulatorFolder(config), 'address.json')

/** The connection to the authority, and whether it can be reached. */
export interface AuthorityAccess {
  readonly authority: AuthorityClient
  readonly reachesAuthority: () => boolean
}

/** Creates the connection to the authority. Throws a `ConfigError` if its CA file cannot be read. */
export function connectAuthority(config: Config): AuthorityAccess {
  const { aeat: environment, aeatVerifactuUrl: verifactu, aeatSiiUrl: sii } = config
  const authorities = readAuthorities(config.aeatCaFile)
  const configured = createAuthorityClient({ environment, addresses: { verifactu, sii }, authorities })
  if (environment !== 'simulator' || verifactu !== undefined || sii !== undefined)
    return { authority: configured, reachesAuthority: () => true }
  let known:
    | { readonly text: string; readonly authority: AuthorityClient; readonly owner: string }
    | undefined
  /** Returns the connection to the running simulator, or null. The simulator may restart at another address. */
  const current = (): AuthorityClient | null => {
    try {
      const text = readFileSync(addressFile(config), 'utf8')
      if (known?.text !== text) known = read(text)
      // A simulator that was killed leaves its address in the file. Sending to it would fail and cause a long wait.
      return !isOwnerThisProcess(known.owner) && hasEnded(known.owner) ? null : known.authority
    } catch {
      // No process with this data folder runs a simulator.
      return null
    }
  }
  const read = (text: string) => {
    const { url, ca_file, owner }: SimulatorAddress = JSON.parse(text)
    const addresses = { verifactu: url, sii: url }
    known?.authority.close()
    return {
      text,
      authority: createAuthorityClient({ environment, addresses, authorities: readAuthorities(ca_file) }),
      owner,
    }
  }
  return {
    authority: {
      // If no simulator is running and no address is configured, `configured` returns the problem.
      send: (message, certificate, options) => (current() ?? configured).send(message, certificate, options),
      close: () => {
        known?.authority.close()
        configured.close()
      },
    },
    reachesAuthority: () => current() !== null,
  }
}
