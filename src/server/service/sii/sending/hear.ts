/** A call to the authority with its answer read: whatever is no whole answer to what was sent counts as none. */

import type { SiiCaller, SiiOutcome, SiiWire } from '../../../../authority/sii-wire.ts'
import type { Text } from '../../../../invoice/index.ts'
import { type ResponseSummary, readResponse, SII_ERROR_CODES } from '../../../../sii/index.ts'
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
  | Exclude<SiiOutcome, { is: 'answered' }>

export type Unheard = Exclude<Heard<unknown>, { is: 'answered' }>

/** What a code means, in our own words. */
export const wordsOfCode = (code: string | null): Text | undefined =>
  SII_ERROR_CODES.find((one) => String(one.code) === code)?.text

/** The authority's own words, and ours of what they mean. */
function faultOf({ error_code, error_description, next }: ResponseSummary): Unheard {
  const told = (error_description ?? '').replace(/[.\s]*$/, '.')
  const named = error_code === null ? told : `${error_code}: ${told}`
  const own = wordsOfCode(error_code)
  return {
    is: 'fault',
    code: error_code === null ? null : Number(error_code),
    reason: { en: own ? `${named} ${own.en}` : named, es: own ? `${named} ${own.es}` : named },
    resend: next === 'retry',
  }
}

/** The fault that an answer is, if it is one. */
function faultIn(text: string): Unheard | null {
  const read = readResponse(text, { locale: 'es' })
  return read.ok && read.response.root === 'Fault' ? faultOf(read.response) : null
}

/** Sends a message; the answer is of the same book and operation, or it is none. */
export async function hear(
  wire: SiiWire,
  xml: string,
  caller: Omit<SiiCaller, 'operation'>,
  expected: Pick<ResponseSummary, 'book_type' | 'operation_type'> & { readonly taxpayer: string },
): Promise<Heard<ResponseSummary>> {
  const outcome = await wire(xml, { ...caller, operation: 'submission' })
  if (outcome.is !== 'answered') return outcome
  const read = readResponse(outcome.text, { locale: 'es' })
  if (!read.ok) return { is: 'unknown', reason: NO_ANSWER }
  const { response } = read
  if (response.root === 'Fault') return faultOf(response)
  const { book_type, operation_type, taxpayer } = expected
  const holder = response.holder?.nif
  if (holder && holder !== taxpayer) return { is: 'unknown', reason: OF_ANOTHER }
  return response.book_type === book_type && response.operation_type === operation_type
    ? { is: 'answered', value: response, text: outcome.text }
    : { is: 'unknown', reason: NO_ANSWER }
}

/** An answer to a query, as the engine reads it. */
type Stored<Summary> = { readonly ok: true; readonly response: Summary } | { readonly ok: false }

/** Asks what is stored. */
export async function hearQuery<Summary>(
  wire: SiiWire,
  xml: string,
  caller: Omit<SiiCaller, 'operation'>,
  readStored: (xml: string, options: { readonly locale: 'es' }) => Stored<Summary>,
): Promise<Heard<Summary>> {
  const outcome = await wire(xml, { ...caller, operation: 'query' })
  if (outcome.is !== 'answered') return outcome
  const read = readStored(outcome.text, { locale: 'es' })
  if (read.ok) return { is: 'answered', value: read.response, text: outcome.text }
  return faultIn(outcome.text) ?? { is: 'unknown', reason: NO_ANSWER }
}

/** Codes of faults that a single record can bring upon a whole message. */
const OF_A_RECORD = new Set([4102, 4106, 4109, 4111, 4116, 4117, 4125])

export const isOfARecord = (code: number | null): boolean => code !== null && OF_A_RECORD.has(code)

/** Why the line stands still after a call that brought no answer. */
export function stoppedBy(heard: Unheard): Stopped {
  const told = { reason: heard.reason, service: 'sii' }
  if (heard.is !== 'fault') return { stop: heard.is, told, retryAfter: heard.retryAfter ?? null }
  const { code, resend } = heard
  return { stop: resend ? 'fault_service' : isOfARecord(code) ? 'fault_record' : 'fault_message', code, told }
}
