/** Calls VeriFactu and parses the response. */

import type { Caller, VerifactuSender } from 'cuadra-authority/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import { type Respuesta, type RespuestaConsulta, readFaultResponse } from '#records/verifactu/index.ts'
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { CompanyRecord } from '../../company/company.ts'
import { NOT_A_RESPONSE, OTHER_TAXPAYER } from '../../transmission/blocked.ts'
import { type SendingCertificate, sendingCertificateFor } from '../../transmission/company-certificate.ts'
import {
  callAuthority,
  type Faults,
  type Response,
  reasonWithExplanation,
} from '../../transmission/transmission-response.ts'
import { openPeriodOf } from '../verifactu-period.ts'

interface Documents {
  readonly submission: Respuesta
  readonly requirement: Respuesta
  readonly query: RespuestaConsulta
}

const RESPONSE_ROOTS = {
  submission: 'RespuestaRegFactuSistemaFacturacion',
  requirement: 'RespuestaRegFactuSistemaFacturacion',
  query: 'RespuestaConsultaFactuSistemaFacturacion',
} as const

/** Calls the service for a taxpayer. A response for another taxpayer counts as no response. */
export async function callService<Operation extends keyof Documents>(
  wire: VerifactuSender,
  xml: string,
  { taxpayer, ...caller }: Caller & { readonly operation: Operation; readonly taxpayer: string },
): Promise<Response<{ readonly document: Documents[Operation]; readonly text: string }>> {
  const outcome = await wire(xml, caller)
  if (outcome.is !== 'answered') return outcome
  const { document, text } = outcome
  if (document?.root === 'Fault') {
    const faultIn = (locale: Locale) => readFaultResponse(document.value, locale).fault
    const { code = null, text: messageText = '', resend = true } = faultIn('en') ?? {}
    const reason = reasonWithExplanation(code, messageText, (locale) => faultIn(locale)?.explanation)
    return { is: 'fault', code, reason, resend }
  }
  if (document?.root !== RESPONSE_ROOTS[caller.operation]) return { is: 'unknown', reason: NOT_A_RESPONSE }
  const holder = document.value.Cabecera?.ObligadoEmision?.NIF?.trim()
  if (holder && holder !== taxpayer) return { is: 'unknown', reason: OTHER_TAXPAYER }
  return { is: 'answered', value: { document: document.value as Documents[Operation], text } }
}

export const FAULTS: Faults = {
  name: 'verifactu',
  recordFaults: new Set([4102, 4103, 4106, 4109, 4119, 4136, 4137]),
}

/** Returns the `VerifactuSender` that calls VeriFactu through the `authority` of the application. */
export const wireOf =
  (app: Pick<App, 'authority' | 'store' | 'config'>): VerifactuSender =>
  (xml, { environment, operation, ...caller }) =>
    callAuthority(app, caller, { service: 'verifactu', operation, xml, sandbox: environment === 'test' })

/** Returns the certificate for calls: that of the open period, if it is valid. */
export async function certificateForCalls(
  app: Pick<App, 'config' | 'clock' | 'log'>,
  store: CompanyStore,
  company: CompanyRecord,
): Promise<SendingCertificate> {
  const preferred = (await openPeriodOf(store, app.clock))?.certificate_id ?? null
  return sendingCertificateFor(app, store, company, { preferred, purpose: 'verifactu' })
}
