/** The wire of the sender of the SII over the tax authority that the application has. */
import type { SiiOutcome, SiiWire } from '../../../../authority/sii-wire.ts'
import type { App } from '../../../app/app.ts'
import { openCertificate } from '../../company/certificates.ts'

export const siiWireOf =
  (app: Pick<App, 'authority' | 'store' | 'config'>): SiiWire =>
  async (xml, { companyId, environment, address, operation, certificateId, signal }): Promise<SiiOutcome> => {
    const certificate = await openCertificate(app.store.of(companyId), app, certificateId)
    const message = {
      service: 'sii',
      book: address,
      operation,
      xml,
      sandbox: environment === 'test',
    } as const
    const outcome = await app.authority.send(message, certificate, signal ? { signal } : {})
    if (outcome.kind === 'answered' || outcome.kind === 'fault')
      return { is: 'answered', text: outcome.exchange.received ?? '' }
    const { retry_after } = outcome.exchange
    return { is: outcome.kind, reason: outcome.problem.message, retryAfter: retry_after }
  }
