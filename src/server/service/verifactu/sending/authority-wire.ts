/** The wire of the sender over the tax authority that the application has. */
import type { Outcome, Wire } from '../../../../authority/verifactu-wire.ts'
import type { App } from '../../../app/app.ts'
import { openCertificate } from '../../company/certificates.ts'

export const wireOf =
  (app: Pick<App, 'authority' | 'store' | 'config'>): Wire =>
  async (xml, { companyId, environment, operation, certificateId, signal }): Promise<Outcome> => {
    const certificate = await openCertificate(app.store.of(companyId), app, certificateId)
    const message = { service: 'verifactu', operation, xml, sandbox: environment === 'test' } as const
    const outcome = await app.authority.send(message, certificate, signal ? { signal } : {})
    if (outcome.kind === 'answered' || outcome.kind === 'fault')
      return { is: 'answered', text: outcome.exchange.received ?? '', document: outcome.document }
    const { retry_after } = outcome.exchange
    return { is: outcome.kind, reason: outcome.problem.message, retryAfter: retry_after }
  }
