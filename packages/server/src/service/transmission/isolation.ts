/**
 * The search for the malformed record because of which the authority rejects a whole message. Messages with fewer and
 * fewer records are sent, in order, until the record is alone. It is rejected once it is certain that the record is at
 * fault and not the message.
 */
import { fromJson, type Json } from '../../store/stored-json.ts'

export interface Isolation<Aside> {
  /** Maximum number of records in the next message. */
  readonly limit: number
  /** Whether a message was accepted since the first rejection. The header that all messages share is then correct. */
  readonly proven: boolean
  /** A record that was rejected alone while `proven` was false. It is skipped until a message is accepted. */
  readonly aside: Aside | null
}

export const readIsolation = <Aside>(stored: string | null): Isolation<Aside> | null =>
  fromJson<Json<Isolation<Aside>> | null>(stored)

export const storedIsolation = (isolation: Isolation<unknown> | null): string | null =>
  isolation ? JSON.stringify(isolation) : null

export type IsolationStep<Aside> =
  /** The only record of the message is at fault and must be rejected. */
  | { readonly is: 'rejected' }
  /** The next message must have fewer records, or skip the record that was set aside. */
  | { readonly is: 'narrowed'; readonly isolation: Isolation<Aside> }
  /** No single record is at fault, because every message is rejected. */
  | { readonly is: 'every' }

export interface Refusal<Aside> {
  /** Maximum number of records in a message. */
  readonly most: number
  /** Number of records in the rejected message. */
  readonly records: number
  /** Index of the first record that this server's parser finds malformed; -1 if there is none. */
  readonly broken: number
  /** The first record of the message, in the form in which the queue stores a record that is set aside. */
  readonly first: Aside | undefined
  readonly othersWait: boolean
}

/** Returns what to do after a message was rejected because of one of its records. */
export function isolationStepAfterFault<Aside>(
  before: Isolation<Aside> | null,
  { most, records, broken, first, othersWait }: Refusal<Aside>,
): IsolationStep<Aside> {
  const current = before ?? { limit: most, proven: false, aside: null }
  if (records > 1) {
    const limit = broken > 0 ? broken : broken === 0 ? 1 : Math.ceil(records / 2)
    return { is: 'narrowed', isolation: { ...current, limit } }
  }
  if (broken === 0 || current.proven) return { is: 'rejected' }
  if (current.aside || !first || !othersWait) return { is: 'every' }
  return { is: 'narrowed', isolation: { limit: most, proven: false, aside: first } }
}

/** Returns the state of the search after a message was accepted; null once the search has ended. */
export function isolationAfterResponse<Aside>(
  before: Isolation<Aside> | null,
  sent: number,
  most: number,
): Isolation<Aside> | null {
  if (!before || sent < before.limit) return null
  return { limit: Math.min(most, before.limit * 2), proven: true, aside: null }
}
