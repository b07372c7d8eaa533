/** The wire of the sender over the tax authority that the application has. */
import type { Text } from '../../../../invoice/index.ts'
import type { Outcome, Wire } from '../../../aeat/verifactu-wire.ts'
import type { App } from '../../../app/app.ts'
import { openCertificate } from '../../company/certificates.ts'

const NO_WAY: Text = {
  en: 'This process has no way to the tax authority: no address, and no simulator that runs. Nothing was sent; it is tried again.',
  es: 'Este proceso no tiene acceso a la AEAT: ni dirección ni un simulador en marcha. No se envió nada; se volverá a intentar.',
}

export const wireOf =
  (app: Pick<App, 'authority' | 'store' | 'config'>): Wire =>
  async (xml, { companyId, environment, operation, certificateId, signal }): Promise<Outcome> => {
    const authority = app.authority()
    if (!authority) return { is: 'unreachable', reason: NO_WAY }
    const certificate = await openCertificate(app.store.of(companyId), app, certificateId)
    const message = { service: 'verifactu', operation, xml, sandbox: environment === 'test' } as const
    const outcome = await authority.send(message, certificate, signal ? { signal } : {})
    if (outcome.kind === 'answered' || outcome.kind === 'fault')
      return { is: 'answered', text: outcome.exchange.received ?? '' }
    return { is: outcome.kind, reason: outcome.problem.message }
  }
