/** Addresses of the tax authority's services. The configuration can replace each of them. */
import type { CertificateHolder } from '../certificate-owner.ts'
import table from './endpoints.json' with { type: 'json' }
import type { Message } from './wire-message.ts'

/** The environment of an installation; see `CUADRA_AEAT`. */
export type Environment = 'simulator' | 'preproduction' | 'production'

/** Addresses that replace the official addresses. */
export interface Replacements {
  /** Complete address of the VeriFactu service, or the origin of a server that uses the official paths. */
  readonly verifactu?: string | undefined
  /** Address of the SII services up to `ws/`, or the origin of a server that uses the official paths. */
  readonly sii?: string | undefined
}

const { hosts, services } = table

/** Returns the path of a message's service. */
function pathOf(message: Message): string {
  if (message.service === 'sii') return services.sii.paths[message.book]
  return services.verifactu.paths[message.operation === 'requirement' ? 'requirement' : 'records']
}

const isOrigin = (url: URL): boolean => url.pathname === '/' && url.search === ''

/**
 * Returns the configured address for one message. If it is only an origin, the official path is added. If it ends with
 * the path of any service, the path of the message replaces that path. If it ends with a slash, or with the folder of
 * the SII, the path is appended. Any other VeriFactu address is used unchanged.
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
 * Returns the address for a message; undefined if this installation has none for it. Messages of sandbox companies, and
 * of `preproduction` installations, are never sent to production. Seals must use separate hosts.
 */
export function addressOf(
  message: Message,
  environment: Environment,
  { kind }: Pick<CertificateHolder, 'kind'>,
  replacements: Replacements = {},
): string | undefined {
  const path = pathOf(message)
  const replacement = replacements[message.service]
  if (replacement !== undefined) return replaced(replacement, message, path)
  if (environment === 'simulator') return undefined
  const stage = environment === 'production' && !message.sandbox ? hosts.production : hosts.test
  return (kind === 'seal' ? stage.seal : stage.personal) + services[message.service].folder + path
}
