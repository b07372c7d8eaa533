/** Addresses of the tax authority's services: data, each replaceable by configuration. */
import type { Owner } from '../owner.ts'
import table from './endpoints.json' with { type: 'json' }
import type { Message } from './message.ts'

/** What an installation works with; see `CUADRA_AEAT`. */
export type Environment = 'simulator' | 'preproduction' | 'production'

/** Addresses that take the place of the official ones. */
export interface Replacements {
  /** The whole address of the service of VeriFactu, or the origin of a server that has the official paths. */
  readonly verifactu?: string | undefined
  /** The address of the services of the SII up to `ws/`, or such an origin. */
  readonly sii?: string | undefined
}

const { hosts, services } = table

/** What a message asks for, under its name in the table. */
function pathOf(message: Message): string {
  if (message.service === 'sii') return services.sii.paths[message.book]
  return services.verifactu.paths[message.operation === 'requirement' ? 'requirement' : 'records']
}

const isOrigin = (url: URL): boolean => url.pathname === '/' && url.search === ''

/**
 * An address that was configured, for one message. An origin alone has the official paths. Otherwise what was
 * configured may end with the path of any service, which gives way to that of the message, or with a slash, or (of the
 * SII) with the folder; any other address of VeriFactu is taken as it is.
 */
function replaced(address: string, { service }: Message, path: string): string {
  const url = new URL(address)
  const { folder, paths } = services[service]
  if (isOrigin(url)) return new URL(folder + path, url).href
  const known = Object.values(paths).find((one) => url.pathname.endsWith(`/${one}`))
  if (known !== undefined) url.pathname = url.pathname.slice(0, -known.length) + path
  else if (url.pathname.endsWith('/')) url.pathname += path
  else if (service === 'sii') url.pathname += `/${path}`
  return url.href
}

/**
 * Where a message goes; undefined where this installation has no address for it. A company that tries things out never
 * reaches production, and an installation of `preproduction` sends nothing there at all. Seals have hosts of their own.
 */
export function addressOf(
  message: Message,
  environment: Environment,
  { kind }: Pick<Owner, 'kind'>,
  replacements: Replacements = {},
): string | undefined {
  const path = pathOf(message)
  const replacement = replacements[message.service]
  if (replacement !== undefined) return replaced(replacement, message, path)
  if (environment === 'simulator') return undefined
  const stage = environment === 'production' && !message.sandbox ? hosts.production : hosts.test
  return (kind === 'seal' ? stage.seal : stage.personal) + services[message.service].folder + path
}
