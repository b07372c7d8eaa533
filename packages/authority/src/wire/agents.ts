/**
 * Keeps separate HTTPS connections for each client certificate, so that a message is never sent with another
 * certificate.
 */
import { X509Certificate } from 'node:crypto'
import { Agent } from 'node:https'
import tls, { createSecureContext, type SecureContext } from 'node:tls'
import type { Pkcs12 } from '../pkcs12.ts'

/** Maximum number of certificates whose connections are kept open. */
const MAX_AGENTS = 200
/** Milliseconds for which an unused connection is kept open. Servers close it after five seconds or more. */
const IDLE_MS = 4000

/** Certificate authorities (PEM texts) to trust in addition to those of Node. */
export type Authorities = readonly string[]

/** Returns the authorities that Node trusts, including `NODE_EXTRA_CA_CERTS` in versions that report it. */
const trusted = (): readonly string[] =>
  'getCACertificates' in tls
    ? (tls as { getCACertificates: (type: string) => string[] }).getCACertificates('default')
    : tls.rootCertificates

function contextOf({ certificate, chain, privateKeyPem }: Pkcs12, extra: Authorities): SecureContext {
  return createSecureContext({
    key: privateKeyPem(),
    cert: [certificate, ...chain].map(({ der }) => new X509Certificate(der).toString()).join(''),
    ...(extra.length === 0 ? {} : { ca: [...trusted(), ...extra] }),
    minVersion: 'TLSv1.2',
  })
}

export interface Agents {
  /** Returns the agent for a certificate. Throws if the certificate cannot be used for a connection. */
  readonly of: (certificate: Pkcs12) => Agent
  readonly close: () => void
}

/** Creates one agent for each certificate. If there are too many, closes the least recently used agent. */
export function createAgents(extra: Authorities): Agents {
  const agents = new Map<string, Agent>()
  return {
    of: (pkcs12) => {
      const name = Buffer.from(pkcs12.certificate.der).toString('base64')
      const found = agents.get(name)
      agents.delete(name)
      const agent =
        found ??
        new Agent({
          keepAlive: true,
          timeout: IDLE_MS,
          secureContext: contextOf(pkcs12, extra),
          // No environment variable or process setting can disable the verification of the server.
          rejectUnauthorized: true,
          minVersion: 'TLSv1.2',
        })
      agents.set(name, agent)
      const [oldest] = agents
      if (agents.size > MAX_AGENTS && oldest) {
        agents.delete(oldest[0])
        oldest[1].destroy()
      }
      return agent
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}
