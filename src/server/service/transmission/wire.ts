/** The way to the tax authority that the application has. */
import type { Message } from '../../../authority/wire/index.ts'
import type { App } from '../../app/app.ts'
import { openCertificate } from '../company/certificates.ts'

interface Caller {
  readonly companyId: string
  /** The certificate of the company that identifies it. */
  readonly certificateId: number
  /** Ends the call: what was sent by then has an unknown outcome. */
  readonly signal?: AbortSignal
}

/** Sends a message, and says whether an answer came, or whether it may have arrived. */
export async function callAuthority<M extends Message>(
  app: Pick<App, 'authority' | 'store' | 'config'>,
  { companyId, certificateId, signal }: Caller,
  message: M,
) {
  const certificate = await openCertificate(app.store.of(companyId), app, certificateId)
  const outcome = await app.authority.send(message, certificate, signal ? { signal } : {})
  if (outcome.kind === 'answered' || outcome.kind === 'fault')
    return { is: 'answered', text: outcome.exchange.received ?? '', document: outcome.document } as const
  return {
    is: outcome.kind,
    reason: outcome.problem.message,
    retryAfter: outcome.exchange.retry_after,
  } as const
}
