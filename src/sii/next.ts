/** What to do after an answer of the tax agency: data for programs, words for people. */
import type { Text } from '../invoice/index.ts'
import type { FaultReading } from '../xml/index.ts'

/** States of a record, whatever the gender in which the agency says them. */
export type ItemStatus = 'accepted' | 'accepted_with_errors' | 'rejected' | 'deleted' | 'unknown'

/**
 * - `none` stored as sent; later changes go as `A1`
 * - `modify` stored with errors: mend it and send `A1`
 * - `resend` not stored: mend it and send the same operation again, this record alone
 * - `adopt` was stored before: take over the stored state, send `A1` if the content differs
 * - `register` nothing to modify is stored: send `A0`
 * - `done` a deletion of what is already deleted
 * - `retry` a technical failure: send the same again later
 */
export type NextStep = 'none' | 'modify' | 'resend' | 'adopt' | 'register' | 'done' | 'retry'

export const NEXT_STEPS: Readonly<Record<NextStep, Text>> = {
  none: {
    en: 'Stored. Nothing to do; a later change is sent as a modification (A1).',
    es: 'Registrada. No hay que hacer nada; un cambio posterior se envía como modificación (A1).',
  },
  modify: {
    en: 'Stored with errors. Correct the invoice and send it as a modification (A1).',
    es: 'Registrada con errores. Corrija la factura y envíela como modificación (A1).',
  },
  resend: {
    en: 'Not stored. Correct it and send this record again with the same operation.',
    es: 'No registrada. Corríjala y vuelva a enviar este registro con la misma operación.',
  },
  adopt: {
    en: 'Already stored by an earlier message. Take over its state, and send a modification (A1) if the content has changed.',
    es: 'Ya estaba registrada por un envío anterior. Asuma su estado y envíe una modificación (A1) si el contenido ha cambiado.',
  },
  register: {
    en: 'There is no stored record to modify. Send it as a registration (A0).',
    es: 'No hay registro que modificar. Envíela como alta (A0).',
  },
  done: {
    en: 'It was already deleted. Nothing to do.',
    es: 'Ya estaba dada de baja. No hay que hacer nada.',
  },
  retry: {
    en: 'A technical failure of the service. Send the same message again later.',
    es: 'Fallo técnico del servicio. Vuelva a enviar el mismo mensaje más tarde.',
  },
}

const STATUSES: readonly [RegExp, ItemStatus][] = [
  [/^Correct[oa]$/i, 'accepted'],
  [/^Aceptad[oa]ConErrores$/i, 'accepted_with_errors'],
  [/^Incorrect[oa]$/i, 'rejected'],
  [/^Anulad[oa]$/i, 'deleted'],
]

/**
 * State of a record: lines of an answer say `Correcto`, stored records `Correcta`.
 *
 * @example
 * statusOf('Correcto') // => 'accepted'
 * statusOf('AceptadaConErrores') // => 'accepted_with_errors'
 */
export const statusOf = (literal: string): ItemStatus =>
  STATUSES.find(([pattern]) => pattern.test(literal.trim()))?.[1] ?? 'unknown'

/** Failures of the service and not of the message. */
const TECHNICAL = new Set(['3500', '3501', '3502', '4103', '4107', '4112', '4113', '4115'])

const DUPLICATE = '3000'
const ALREADY_DELETED = '3001'
const NEVER_SENT = '3002'

/** What a refused line asks for. */
function afterRejection(code: string | null, operation: string, duplicate: boolean): NextStep {
  if (code !== null && TECHNICAL.has(code)) return 'retry'
  if (operation === 'BAJA') return code === ALREADY_DELETED ? 'done' : 'resend'
  if (code === DUPLICATE || duplicate) return 'adopt'
  return code === NEVER_SENT && operation !== 'A0' ? 'register' : 'resend'
}

/** Next step after one line of an answer. */
export function nextAfterLine(
  status: ItemStatus,
  code: string | null,
  operation: string,
  duplicate: boolean,
): NextStep {
  if (status === 'accepted' || status === 'deleted') return 'none'
  if (status === 'accepted_with_errors') return 'modify'
  return afterRejection(code, operation, duplicate)
}

/** Next step after a fault of the whole message, of which nothing was stored. A fault of the server may pass. */
export const nextAfterFault = ({ code, client }: FaultReading): NextStep => {
  const technical = code === null ? !client : TECHNICAL.has(String(code))
  return technical ? 'retry' : 'resend'
}
