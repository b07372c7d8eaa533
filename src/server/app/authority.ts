/** The tax authority that this installation works with: its own addresses, others that take their place, or the simulator. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, createAuthority } from '../../authority/wire/index.ts'
import { readAuthorities } from '../environment/authorities.ts'
import type { Config } from '../environment/config.ts'
import { hasEnded, isOwn } from '../environment/owner.ts'

/** Where a simulator listens that a process with this data folder runs. */
interface SimulatorAddress {
  readonly url: string
  readonly ca_file: string
  /** The process that runs it. */
  readonly owner: string
}

export const simulatorFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'simulator')
/** What the process that runs the simulator leaves for the others, and for the administrator's command line. */
export const addressFile = (config: Pick<Config, 'dataDir'>): string =>
  join(simulatorFolder(config), 'address.json')

/** What the application has of the authority. */
export interface AuthorityAccess {
  readonly authority: Authority
  readonly reachesAuthority: () => boolean
}

/** Throws a `ConfigError` for a file of issuers that cannot be read. */
export function authorityFor(config: Config): AuthorityAccess {
  const { aeat: environment, aeatVerifactuUrl: verifactu, aeatSiiUrl: sii } = config
  const authorities = readAuthorities(config.aeatCaFile)
  const configured = createAuthority({ environment, addresses: { verifactu, sii }, authorities })
  if (environment !== 'simulator' || verifactu !== undefined || sii !== undefined)
    return { authority: configured, reachesAuthority: () => true }
  let known: { readonly text: string; readonly authority: Authority; readonly owner: string } | undefined
  /** The simulator that runs now; it may begin, end, and come back elsewhere. */
  const current = (): Authority | null => {
    try {
      const text = readFileSync(addressFile(config), 'utf8')
      if (known?.text !== text) known = read(text)
      // Killed, it has left its address: what is sent there fails, and then waits longer than for the next one.
      return !isOwn(known.owner) && hasEnded(known.owner) ? null : known.authority
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
      authority: createAuthority({ environment, addresses, authorities: readAuthorities(ca_file) }),
      owner,
    }
  }
  return {
    authority: {
      // Without an address it says so itself.
      send: (message, certificate, options) => (current() ?? configured).send(message, certificate, options),
      close: () => {
        known?.authority.close()
        configured.close()
      },
    },
    reachesAuthority: () => current() !== null,
  }
}
