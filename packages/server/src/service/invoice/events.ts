/** The history of an invoice: every change of status and every attachment, with the actor. */
import { randomBytes } from 'node:crypto'
import type { OPTIONAL_PAGE, QueryOf } from '../../shapes/parameter-shapes.ts'
import type { InvoiceEvent, InvoiceHistory } from '../../shapes/schemas.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'
import { fromJson, toJson } from '../../store/stored-json.ts'
import type { Status } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { eventStatusOf } from './statuses.ts'

export type EventCode =
  | 'created'
  | 'updated'
  | 'validated'
  | 'issued'
  | 'imported'
  | 'received'
  | 'sent'
  | 'replaced'
  | 'cancelled'
  | 'deleted'
  | 'queued'
  | 'unqueued'
  | 'document_added'
  | 'document_deleted'

export interface NewEvent {
  readonly code: EventCode
  readonly from?: Status | null
  readonly to?: Status | null
  readonly details?: Readonly<Record<string, unknown>>
}

/** The actor: an API key, or a user of the administrator's command line. */
export type Actor = { readonly apiKeyId: string } | { readonly userId: string }

export interface Action {
  readonly actor: Actor
  readonly stamp: string
}

/** Returns the actor of a call, with the time of the action. */
export const actionOf = (call: Call, stamp = call.app.clock.stamp()): Action => ({
  actor: { apiKeyId: call.keyId },
  stamp,
})

const typeOf = ({ code, from, to }: NewEvent): string =>
  code.startsWith('document_') ? 'document' : from !== to ? 'state_transition' : 'change'

/** Builds the row of an event, without its sequence number in the history. */
export function eventRow({ actor, stamp }: Action, event: NewEvent) {
  const { code, from = null, to = null, details = {} } = event
  const changes = from !== to
  return {
    // The random part distinguishes events of the same microsecond.
    event_id: `${stamp}-${randomBytes(6).toString('hex')}`,
    event_type: typeOf(event),
    event_code: code,
    occurred_at: stamp,
    user_id: 'userId' in actor ? actor.userId : null,
    api_key_id: 'apiKeyId' in actor ? actor.apiKeyId : null,
    from_status: changes && from ? eventStatusOf(from) : null,
    to_status: changes && to ? eventStatusOf(to) : null,
    details: toJson(details),
  }
}

/** If the connection is lost during COMMIT, the existence of this event shows whether the transaction was committed. */
export const setEventTrace = (tx: Tx, invoice_id: string, row: ReturnType<typeof eventRow>): void =>
  tx.setTrace(async (lost) => !(await lost.insertNew('events', { invoice_id, sequence: 0, ...row })))

/** Adds an event, in the transaction of the change. It becomes the last event of its invoice, even if clocks differ. */
export async function addEvent(tx: Tx, who: Action, invoice_id: string, event: NewEvent): Promise<void> {
  const row = eventRow(who, event)
  await tx.insertNext('events', { invoice_id, ...row }, 'sequence', 'invoice_id')
  setEventTrace(tx, invoice_id, row)
}

const rowsOf = (db: Rows, invoiceId: string) => db.select('events').where('invoice_id', '=', invoiceId)

/** Returns the events of an invoice, oldest first, in the shape of the API specification. */
export async function eventsOf(db: Rows, invoiceId: string): Promise<readonly InvoiceEvent[]> {
  return (await rowsOf(db, invoiceId).selectAll().orderBy('sequence').execute()).map(eventOf)
}

/** Returns the events as an array, or as a page if `limit` or `offset` is given. */
export async function historyOf(
  db: Rows,
  invoiceId: string,
  { limit, offset }: QueryOf<typeof OPTIONAL_PAGE>,
): Promise<InvoiceHistory> {
  if (limit === undefined && offset === undefined) return eventsOf(db, invoiceId)
  const page = { limit: limit ?? 50, offset: offset ?? 0 }
  const all = rowsOf(db, invoiceId)
  const rows = await all.selectAll().orderBy('sequence').limit(page.limit).offset(page.offset).execute()
  return { items: rows.map(eventOf), total: await db.countOf(all), ...page }
}

function eventOf(row: CompanyRow<'events'>): InvoiceEvent {
  return {
    event_type: row.event_type,
    event_code: row.event_code,
    occurred_at: row.occurred_at,
    actor: { user_id: row.user_id, api_key_id: row.api_key_id },
    from_status: row.from_status,
    to_status: row.to_status,
    details: fromJson(row.details),
  }
}
