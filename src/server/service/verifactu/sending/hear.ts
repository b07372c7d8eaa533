/** A call to the authority with its answer read: whatever is no whole answer to what was sent counts as none. */

import type { Caller, RetryAfter, Wire } from '../../../../authority/verifactu-wire.ts'
import type { Text } from '../../../../invoice/index.ts'
import { type Respuesta, type RespuestaConsulta, readFaultAnswer } from '../../../../verifactu/index.ts'
import { NO_ANSWER, OF_ANOTHER, type Stopped } from '../../sending/stops.ts'

export type Heard<Value> =
  | { readonly is: 'answered'; readonly value: Value; readonly text: string }
  | {
      readonly is: 'fault'
      readonly code: number | null
      readonly reason: Text
      /** The service failed, not the message. */
      readonly resend: boolean
    }
  | ({ readonly is: 'refused' | 'unreachable' | 'unknown'; readonly reason: Text } & RetryAfter)

interface Answers {
  readonly submission: Respuesta
  readonly requirement: Respuesta
  readonly query: RespuestaConsulta
}

const ROOTS = {
  submission: 'RespuestaRegFactuSistemaFacturacion',
  requirement: 'RespuestaRegFactuSistemaFacturacion',
  query: 'RespuestaConsultaFactuSistemaFacturacion',
} as const

/** The authority's own words, and ours of what they mean. */
function reasonOf(fault: Parameters<typeof readFaultAnswer>[0], named: string): Text {
  const told = (locale: 'en' | 'es') => {
    const explanation = readFaultAnswer(fault, locale).fault?.explanation
    return explanation ? `${named} ${explanation}` : named
  }
  return { en: told('en'), es: told('es') }
}

/** A call for a taxpayer: an answer about another one counts as no answer. */
export type OwnCaller = Caller & { readonly taxpayer: string }

/** Returns a caller who asks what the authority has of a taxpayer. */
export const asking = (caller: Omit<Caller, 'operation'>, taxpayer: string) =>
  ({ ...caller, operation: 'query', taxpayer }) as const

export async function hear<Operation extends keyof Answers>(
  wire: Wire,
  xml: string,
  { taxpayer, ...caller }: OwnCaller & { readonly operation: Operation },
): Promise<Heard<Answers[Operation]>> {
  const outcome = await wire(xml, caller)
  if (outcome.is !== 'answered') return outcome
  const { document, text } = outcome
  if (document?.root === 'Fault') {
    const { fault } = readFaultAnswer(document.value)
    const { code = null, text: told = '', resend = true } = fault ?? {}
    const named = `${code === null ? '' : `${code}: `}${told.replace(/[.\s]*$/, '.')}`
    return { is: 'fault', code, reason: reasonOf(document.value, named), resend }
  }
  if (document?.root !== ROOTS[caller.operation]) return { is: 'unknown', reason: NO_ANSWER }
  const holder = document.value.Cabecera?.ObligadoEmision?.NIF?.trim()
  if (holder && holder !== taxpayer) return { is: 'unknown', reason: OF_ANOTHER }
  return { is: 'answered', value: document.value as Answers[Operation], text }
}

/** Codes of faults that a single record can bring upon a whole message. */
const OF_A_RECORD = new Set([4102, 4103, 4106, 4109, 4119, 4136, 4137])

export const isOfARecord = (code: number | null): boolean => code !== null && OF_A_RECORD.has(code)

/** Why the queue stands still after a call that brought no answer. */
export function stoppedBy(heard: Exclude<Heard<unknown>, { is: 'answered' }>): Stopped {
  const told = { reason: heard.reason }
  if (heard.is !== 'fault') return { stop: heard.is, told, retryAfter: heard.retryAfter ?? null }
  const { code, resend } = heard
  return { stop: resend ? 'fault_service' : isOfARecord(code) ? 'fault_record' : 'fault_message', code, told }
}
