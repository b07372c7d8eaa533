/** Connections by certificate: whoever is sent for is never sent for on the connection of another. */
import { X509Certificate } from 'node:crypto'
import { Agent } from 'node:https'
import tls, { createSecureContext, type SecureContext } from 'node:tls'
import type { Pkcs12 } from '../pkcs12.ts'

/** Most certificates whose connections are kept. */
const MOST = 200
/** Milliseconds that an unused connection is kept: servers close theirs after five seconds and more. */
const UNUSED = 4000

/** What is trusted besides what Node trusts by itself. */
export type Authorities = readonly string[]

/** Whatever Node trusts, with what `NODE_EXTRA_CA_CERTS` adds where this Node says it. */
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
  /** Throws where the certificate cannot be used for a connection. */
  readonly of: (certificate: Pkcs12) => Agent
  readonly close: () => void
}

/** An agent for each certificate, the longest unused one giving way. */
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
          timeout: UNUSED,
          secureContext: contextOf(pkcs12, extra),
          // Neither a setting of the environment nor one of the process opens this.
          rejectUnauthorized: true,
          minVersion: 'TLSv1.2',
        })
      agents.set(name, agent)
      const [oldest] = agents
      if (agents.size > MOST && oldest) {
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
