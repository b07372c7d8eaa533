/** The next step after a response of the tax authority: codes for programs, texts for people. */

import type { Text } from '#core/invoice/index.ts'
import type { FaultReading } from '#core/xml/index.ts'
import { type CommonRefusal, type SiiStep as NextStep, rejectionMeaningOf } from '../../fiscal/next-step.ts'
import { type ResponseState, responseState } from '../../fiscal/response-state.ts'
import { NEXT_STEPS as NEXT_STEPS_TEXTS } from '../generated/texts/error-codes.ts'

export type ItemStatus = ResponseState<'deleted'>

export const NEXT_STEPS: Readonly<Record<NextStep, Text>> = NEXT_STEPS_TEXTS

/**
 * Returns the status of a record. The authority writes `Correcto` in response lines and `Correcta` for stored records.
 *
 * @example
 * statusOf('Correcto') // => 'accepted'
 * statusOf('AceptadaConErrores') // => 'accepted_with_errors'
 */
export const statusOf = (literal: string): ItemStatus => responseState(literal, 'deleted')

/** Codes of technical failures of the service. */
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

/**
 * Returns the next step after one line of a response. If the line names a duplicate, the status of the duplicate does
 * not matter.
 */
export function nextAfterLine(
  status: ItemStatus,
  code: string | null,
  operation: string,
  isDuplicate: boolean,
): NextStep {
  if (status === 'accepted' || status === 'deleted') return 'none'
  if (status === 'accepted_with_errors') return 'modify'
  if (TECHNICAL.has(String(code))) return 'retry'
  const refusal = rejectionMeaningOf(Number(code), null)
  if (operation === 'BAJA') return DELETION[refusal]
  return (operation === 'A0' ? REGISTRATION : CHANGE)[isDuplicate ? 'duplicate' : refusal]
}

/**
 * Returns the next step after a SOAP fault. The authority has then stored no record of the message. After a server
 * fault, the message can always be sent again.
 */
export const nextAfterFault = ({ code, client }: FaultReading): NextStep =>
  !client || TECHNICAL.has(String(code)) ? 'retry' : 'resend'
