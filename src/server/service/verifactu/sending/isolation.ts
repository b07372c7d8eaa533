/**
 * One malformed record makes the authority refuse a whole message. It is looked for by sending less, in the order of
 * the chain, until it stands alone; it is rejected once it is certain that it is the record, and not the message.
 */
import type { Text } from '../../../../invoice/index.ts'
import { type FiscalRecord, readVerifactu, recordXml } from '../../../../verifactu/index.ts'
import { MOST_RECORDS } from './message.ts'

export interface Isolation {
  /** The most records of the next message. */
  readonly limit: number
  /** A message was taken since the first refusal: what every message has is right. */
  readonly proven: boolean
  /** The record that was refused alone before anything was proven: left out until something is. */
  readonly aside: { readonly sequence: number; readonly code: number | null; readonly reason: Text } | null
}

export const readIsolation = (stored: string | null): Isolation | null =>
  stored === null ? null : (JSON.parse(stored) as Isolation)

export const storedIsolation = (isolation: Isolation | null): string | null =>
  isolation ? JSON.stringify(isolation) : null

const BEGUN: Isolation = { limit: MOST_RECORDS, proven: false, aside: null }

/** Whether the text of a record is one that the official schema takes. */
function isWhole(xml: string): boolean {
  const { document, items } = readVerifactu(xml)
  if (items.length > 0 || (document?.root !== 'RegistroAlta' && document?.root !== 'RegistroAnulacion'))
    return false
  try {
    recordXml({ [document.root]: document.value } as unknown as FiscalRecord)
    return true
  } catch {
    return false
  }
}

export type Next =
  /** The only record of the message is the reason: it is rejected. */
  | { readonly is: 'rejected' }
  /** Go on with less, or without the record that was set apart. */
  | { readonly is: 'narrowed'; readonly isolation: Isolation }
  /** It is no single record: every message is refused. */
  | { readonly is: 'every' }

/** What to do after a message of these records was refused for one of them. */
export function afterFault(
  before: Isolation | null,
  records: readonly { readonly sequence: number; readonly xml_sent: string | null }[],
  refused: { readonly code: number | null; readonly reason: Text },
  othersWait: boolean,
): Next {
  const current = before ?? BEGUN
  const [first] = records
  const broken = records.findIndex(({ xml_sent }) => xml_sent === null || !isWhole(xml_sent))
  if (records.length > 1) {
    const limit = broken > 0 ? broken : broken === 0 ? 1 : Math.ceil(records.length / 2)
    return { is: 'narrowed', isolation: { ...current, limit } }
  }
  if (broken === 0 || current.proven) return { is: 'rejected' }
  if (current.aside || !first || !othersWait) return { is: 'every' }
  const aside = { sequence: first.sequence, ...refused }
  return { is: 'narrowed', isolation: { limit: MOST_RECORDS, proven: false, aside } }
}

/** What is left of it after a message was taken; null once nothing is to be looked for. */
export function afterAnswer(before: Isolation | null, sent: number): Isolation | null {
  if (!before || sent < before.limit) return null
  return { limit: Math.min(MOST_RECORDS, before.limit * 2), proven: true, aside: null }
}
