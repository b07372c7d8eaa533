/** Results of calls to the authority. Only a complete response to the message that was sent counts as a response. */

import type { CallContext, NoResponse } from 'cuadra-authority/index.ts'
import type { Message } from 'cuadra-authority/wire/index.ts'
import type { Locale, Text } from '#core/invoice/index.ts'
import type { App } from '../../app/app.ts'
import { openCertificate } from '../company/certificates.ts'
import type { Blocked } from './blocked.ts'

export interface Fault {
  readonly is: 'fault'
  readonly code: number | null
  readonly reason: Text
  /** Whether the cause is the service and not the message, so that the message is sent again. */
  readonly resend: boolean
}

/** Returns a text of the authority in the quotation marks of the reader's language. */
export const quoteOf = (text: string, locale: Locale): string => {
  const quoted = text.replace(/(?<![.\s])[.\s]*$/, '')
  return locale === 'es' ? `«${quoted}».` : `"${quoted}".`
}

/** Returns the authority's text, as a quotation, and this server's explanation in the reader's language. */
export function reasonWithExplanation(
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

/** The differences between the systems in handling faults. */
export interface Faults {
  readonly name: 'verifactu' | 'sii'
  /** Error codes of faults in which a single record causes the rejection of a whole message. */
  readonly recordFaults: ReadonlySet<number>
}

/** Returns the placeholder values for the message of a reason. Messages assume VeriFactu unless `service` is set. */
export const valuesFor = ({ name }: Faults, reason: Text) =>
  name === 'verifactu' ? { reason } : { reason, service: name }

export const isOfRecord = ({ recordFaults }: Faults, code: number | null): boolean =>
  code !== null && recordFaults.has(code)

/** Returns why the queue is blocked after a call without a response. */
export function blockedByFailedCall(faults: Faults, response: FailedCall): Blocked {
  const values = valuesFor(faults, response.reason)
  if (response.is !== 'fault') return { reason: response.is, values, retryAfter: response.retryAfter ?? null }
  const { code, resend } = response
  const reason = resend ? 'fault_service' : isOfRecord(faults, code) ? 'fault_record' : 'fault_message'
  return { reason, code, values }
}

/** Returns why the queue is blocked after a query without a response. No record is at fault: queries contain none. */
export function blockedByFailedQuery(faults: Faults, response: FailedCall): Blocked {
  const blocked = blockedByFailedCall(faults, response)
  return blocked.reason === 'fault_record' ? { ...blocked, reason: 'fault_message' } : blocked
}

/** Sends a message. Returns its response or, without one, whether the message may have arrived. */
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
