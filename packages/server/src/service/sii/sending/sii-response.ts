/** Calls the SII and parses the response. */

import type { SiiCaller, SiiSender } from 'cuadra-authority/index.ts'
import type { Text } from '#core/invoice/index.ts'
import {
  type ResponseSummary,
  readResponse,
  SII_ERROR_CODES,
  type SiiMessageResult,
  siiXml,
} from '#records/sii/index.ts'
import type { App } from '../../../app/app.ts'
import { type Blocked, NOT_A_RESPONSE, OTHER_TAXPAYER } from '../../transmission/blocked.ts'
import type { Channel, Connection } from '../../transmission/channel.ts'
import {
  blockedByFailedQuery,
  callAuthority,
  type Fault,
  type Faults,
  type Response,
  reasonWithExplanation,
} from '../../transmission/transmission-response.ts'
import type { Sii, SiiChannel } from './sii-queue-types.ts'
import { identityOfLine } from './sii-record.ts'

/** Returns this server's explanation of an error code. */
const textOfCode = (code: string | null): Text | undefined =>
  SII_ERROR_CODES.find((one) => String(one.code) === code)?.text

/** Returns a fault with the authority's text and this server's explanation. */
function faultOf({ error_code, error_description, next }: ResponseSummary): Fault {
  const own = textOfCode(error_code)
  return {
    is: 'fault',
    code: error_code === null ? null : Number(error_code),
    reason: reasonWithExplanation(error_code, error_description ?? '', (locale) => own?.[locale]),
    resend: next === 'retry',
  }
}

const callerOf = (
  { sending: { signal }, store, environment, certificateId }: Connection<Sii>,
  address: SiiCaller['address'],
) => ({ companyId: store.companyId, environment, address, certificateId, ...(signal ? { signal } : {}) })

/** Returns a function that sends a message. A response about another book or operation counts as no response. */
export const submitterTo =
  ({ book, address }: Pick<SiiChannel, 'book' | 'address'>): Channel<Sii>['submit'] =>
  async (connection, [first], xml) => {
    const caller = { ...callerOf(connection, address), operation: 'submission' } as const
    const outcome = await connection.sending.wire(xml, caller)
    if (outcome.is !== 'answered') return outcome
    const read = readResponse(outcome.text, { locale: 'es' })
    if (!read.ok) return { is: 'unknown', reason: NOT_A_RESPONSE }
    const { response } = read
    if (response.root === 'Fault') return faultOf(response)
    const holder = response.holder?.nif
    if (holder && holder !== connection.company.data.tax_id) return { is: 'unknown', reason: OTHER_TAXPAYER }
    if (response.book_type !== book || response.operation_type !== first?.operation)
      return { is: 'unknown', reason: NOT_A_RESPONSE }
    const lines = response.lines.map((line) => ({
      ...line,
      identity: identityOfLine(line),
      isKnown: line.item_status !== 'unknown',
      isDuplicate: line.next === 'adopt',
    }))
    const { global_status: status, csv } = response
    return { is: 'answered', value: { status, csv, lines, text: outcome.text } }
  }

export const FAULTS: Faults = {
  name: 'sii',
  recordFaults: new Set([4102, 4106, 4109, 4111, 4116, 4117, 4125]),
}

/** Maximum number of pages of a query, in case the authority never returns a last page. */
const MAX_PAGES = 1000
const NO_END: Text = {
  en: 'the query returned more pages than the limit.',
  es: 'la consulta devolvió más páginas que el límite.',
}

interface Query<Key, Page> {
  readonly address: SiiCaller['address']
  /** Builds the query for the page after a key. */
  readonly queryAfter: (after: Key | null) => SiiMessageResult
  readonly read: (
    xml: string,
    options: { readonly locale: 'es' },
  ) => { readonly ok: true; readonly response: Page } | { readonly ok: false }
  readonly take: (page: Page) => void
}

async function query<Page>(
  connection: Connection<Sii>,
  xml: string,
  { address, read }: Pick<Query<never, Page>, 'address' | 'read'>,
): Promise<Response<Page>> {
  const caller = { ...callerOf(connection, address), operation: 'query' } as const
  const outcome = await connection.sending.wire(xml, caller)
  if (outcome.is !== 'answered') return outcome
  const page = read(outcome.text, { locale: 'es' })
  if (page.ok) return { is: 'answered', value: page.response }
  const response = readResponse(outcome.text, { locale: 'es' })
  return response.ok && response.response.root === 'Fault'
    ? faultOf(response.response)
    : { is: 'unknown', reason: NOT_A_RESPONSE }
}

/** Reads all pages of a query. Returns why it failed, or null. */
export async function readAllPages<Key, Page extends { readonly page_after: Key | null }>(
  connection: Connection<Sii>,
  { queryAfter, take, ...query_ }: Query<Key, Page>,
): Promise<Blocked | null> {
  let after: Key | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const made = queryAfter(after)
    if (!made.ok) {
      const message = made.items[0]?.message ?? ''
      return { reason: 'no_message', values: { reason: { en: message, es: message } } }
    }
    const response = await query(connection, siiXml(made.message), query_)
    if (response.is !== 'answered') return blockedByFailedQuery(FAULTS, response)
    take(response.value)
    after = response.value.page_after
    if (after === null) return null
  }
  return { reason: 'unknown', values: { reason: NO_END } }
}

/** Returns the `SiiSender` that calls the SII through the `authority` of the application. */
export const siiWireOf =
  (app: Pick<App, 'authority' | 'store' | 'config'>): SiiSender =>
  (xml, { environment, address: book, operation, ...caller }) =>
    callAuthority(app, caller, { service: 'sii', book, operation, xml, sandbox: environment === 'test' })
