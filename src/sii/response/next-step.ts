/** The next step after a response of the tax authority: codes for programs, texts for people. */

import { type CommonRefusal, type SiiStep as NextStep, refusalOf } from '../../fiscal/next-step.ts'
import { type ResponseState, responseState } from '../../fiscal/response-state.ts'
import type { Text } from '../../invoice/index.ts'
import type { FaultReading } from '../../xml/index.ts'

export type ItemStatus = ResponseState<'deleted'>

export const NEXT_STEPS: Readonly<Record<NextStep, Text>> = {
  none: {
    en: 'Stored. No action is needed. Send a later change as a modification (A1).',
    es: 'Registrada. No hay que hacer nada; un cambio posterior se envía como modificación (A1).',
  },
  modify: {
    en: 'Stored with errors. Correct the invoice and send it as a modification (A1).',
    es: 'Registrada con errores. Corrija la factura y envíela como modificación (A1).',
  },
  resend: {
    en: 'Not stored. Correct the record and send it again with the same operation.',
    es: 'No registrada. Corríjala y vuelva a enviar este registro con la misma operación.',
  },
  adopt: {
    en: 'Already stored by an earlier message. Record the state that the tax authority reports, and send a modification (A1) if the content has changed.',
    es: 'Ya estaba registrada por un envío anterior. Guarde el estado que indica y envíe una modificación (A1) si el contenido ha cambiado.',
  },
  register: {
    en: 'There is no stored record to modify. Send the record as a registration (A0).',
    es: 'No hay registro que modificar. Envíela como alta (A0).',
  },
  done: {
    en: 'The record was already deleted. No action is needed.',
    es: 'Ya estaba dada de baja. No hay que hacer nada.',
  },
  retry: {
    en: 'The service failed for a technical reason. Send the same message again later.',
    es: 'Fallo técnico del servicio. Vuelva a enviar el mismo mensaje más tarde.',
  },
}

/**
 * Returns the status of a record; response lines say `Correcto`, stored records `Correcta`.
 *
 * @example
 * statusOf('Correcto') // => 'accepted'
 * statusOf('AceptadaConErrores') // => 'accepted_with_errors'
 */
export const statusOf = (literal: string): ItemStatus => responseState(literal, 'deleted')

/** Codes of failures of the service, not of the message. */
const TECHNICAL = new Set(['3500', '3501', '3502', '4103', '4107', '4112', '4113', '4115'])

type AfterRefusal = Readonly<Record<CommonRefusal, NextStep>>

const REGISTRATION: AfterRefusal = {
  other: 'resend',
  no_record: 'resend',
  registered: 'adopt',
  cancelled: 'resend',
  duplicate: 'adopt',
}
/** Modifications (`A1` and others), collections and payments need a stored record. */
const CHANGE: AfterRefusal = { ...REGISTRATION, no_record: 'register' }
const DELETION: AfterRefusal = {
  ...REGISTRATION,
  registered: 'resend',
  cancelled: 'done',
  duplicate: 'resend',
}

/** Returns the next step after one line of a response. A duplicate is treated as registered, whatever its status. */
export function nextAfterLine(
  status: ItemStatus,
  code: string | null,
  operation: string,
  isDuplicate: boolean,
): NextStep {
  if (status === 'accepted' || status === 'deleted') return 'none'
  if (status === 'accepted_with_errors') return 'modify'
  if (TECHNICAL.has(String(code))) return 'retry'
  const refusal = refusalOf(Number(code), null)
  if (operation === 'BAJA') return DELETION[refusal]
  return (operation === 'A0' ? REGISTRATION : CHANGE)[isDuplicate ? 'duplicate' : refusal]
}

/**
 * Returns the next step after a SOAP fault, after which nothing of the message was stored. A server fault can be
 * retried, whatever its code.
 */
export const nextAfterFault = ({ code, client }: FaultReading): NextStep =>
  !client || TECHNICAL.has(String(code)) ? 'retry' : 'resend'
