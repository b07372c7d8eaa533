/** Results of calls to the authority. Anything but a complete response to what was sent counts as no response. */

import type { Message } from '../../../authority/wire/index.ts'
import type { CallContext, NoResponse } from '../../../authority/wires.ts'
import type { Locale, Text } from '../../../invoice/index.ts'
import type { App } from '../../app/app.ts'
import { openCertificate } from '../company/certificates.ts'
import type { Blocked } from './blocked.ts'

export interface Fault {
  readonly is: 'fault'
  readonly code: number | null
  readonly reason: Text
  /** The service failed, not the message: send it again. */
  readonly resend: boolean
}

/** Returns a quote of the authority in the punctuation of the reader's language. */
export const quoteOf = (text: string, locale: Locale): string => {
  const quoted = text.replace(/(?<![.\s])[.\s]*$/, '')
  return locale === 'es' ? `«${quoted}».` : `"${quoted}".`
}

/** Returns what the authority stated, as a quote, and our explanation in the reader's language. */
export function reasonOf(
  code: number | string | null,
  text: string,
  explain: (locale: Locale) => string | null | undefined,
): Text {
  const textIn = (locale: Locale) =>
    [code === null ? '' : `${code}:`, text === '' ? '' : quoteOf(text, locale), explain(locale) ?? '']
      .filter((part) => part !== '')
      .join(' ')
  return { en: textIn('en'), es: textIn('es') }
}

export type FailedCall = Fault | NoResponse

export type Response<Value> = { readonly is: 'answered'; readonly value: Value } | FailedCall

/** What distinguishes the faults of a system. */
export interface Faults {
  readonly name: 'verifactu' | 'sii'
  /** Codes of faults that a single record can cause for a whole message. */
  readonly recordFaults: ReadonlySet<number>
}

/** Returns the values for the message of a reason; `service` defaults to VeriFactu. */
export const valuesFor = ({ name }: Faults, reason: Text) =>
  name === 'verifactu' ? { reason } : { reason, service: name }

export const isOfRecord = ({ recordFaults }: Faults, code: number | null): boolean =>
  code !== null && recordFaults.has(code)

/** Returns why the queue is blocked after a call without a response. */
export function blockedBy(faults: Faults, response: FailedCall): Blocked {
  const values = valuesFor(faults, response.reason)
  if (response.is !== 'fault') return { reason: response.is, values, retryAfter: response.retryAfter ?? null }
  const { code, resend } = response
  const reason = resend ? 'fault_service' : isOfRecord(faults, code) ? 'fault_record' : 'fault_message'
  return { reason, code, values }
}

/** Returns the same for a query, which contains no records that could be at fault. */
export function queryBlockedBy(faults: Faults, response: FailedCall): Blocked {
  const blocked = blockedBy(faults, response)
  return blocked.reason === 'fault_record' ? { ...blocked, reason: 'fault_message' } : blocked
}

/** Sends a message; returns its response, or whether it may have arrived. */
export async function callAuthority(
  app: Pick<App, 'authority' | 'store' | 'config'>,
  { companyId, certificateId, signal }: Omit<CallContext, 'environment'>,
  message: Message,
) {
  const certificate = await openCertificate(app.store.of(companyId), app, certificateId)
  const outcome = await app.authority.send(message, certificate, signal ? { signal } : {})
  if (outcome.kind === 'answered')
    return { is: 'answered', text: outcome.text, document: outcome.document } as const
  return {
    is: outcome.kind,
    reason: outcome.problem.message,
    retryAfter: outcome.exchange.retry_after,
  } as const
}
