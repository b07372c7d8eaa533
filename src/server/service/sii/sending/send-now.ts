/** Sending at the administrator's word: at once, whether or not it would go by itself. */
import { CuadraError } from '../../../../errors/index.ts'
import type { CompanyStore } from '../../../store/store.ts'
import { ENVIRONMENTS } from '../../../store/tables.ts'
import type { Stopped } from '../../sending/stops.ts'
import { KINDS } from './kinds.ts'
import type { Sending, Step } from './line.ts'
import { updateQueue } from './queue.ts'
import { step } from './step.ts'

export interface ItemReport {
  readonly invoice_id: string
  readonly invoice_number: string
  readonly item_status: string
  readonly error_code: string | null
  readonly error_description: string | null
}

/** A message that went out, or could not. */
export interface MessageReport {
  readonly public_id: string
  readonly book_type: string
  readonly operation_type: string
  readonly global_status: string
  readonly record_count: number
  readonly csv: string | null
  /** What was not simply accepted. */
  readonly items: readonly ItemReport[]
}

export interface Report {
  readonly messages: readonly MessageReport[]
  /** What still waits, counted up to a thousand for each kind. */
  readonly waiting: number
  /** When the next message may go, milliseconds since 1970; null where nothing waits, or another process is at it. */
  readonly next: number | null
  readonly stopped: Stopped | null
  readonly busy: boolean
}

const MOST_STEPS = 10_000
const COUNTED = 1000

const ALL = Number.MAX_SAFE_INTEGER

/** How much waits, held back or not. */
async function countWaiting(store: CompanyStore, invoiceId?: string): Promise<number> {
  let count = 0
  for (const kind of KINDS)
    count += (await kind.waiting(store, { now: ALL, most: COUNTED, invoiceId })).length
  return count
}

async function messageReport(store: CompanyStore, public_id: string): Promise<MessageReport> {
  const message = await store
    .select('sii_submissions')
    .select(['public_id', 'book_type', 'operation_type', 'global_status', 'record_count', 'csv'])
    .where('public_id', '=', public_id)
    .executeTakeFirstOrThrow()
  const items = await store
    .select('sii_submission_items')
    .select(['invoice_id', 'invoice_number', 'item_status', 'error_code', 'error_description'])
    .where('public_id', '=', public_id)
    .where('item_status', 'not in', ['accepted', 'sent', 'error', 'deleted'])
    .orderBy('line')
    .execute()
  return { ...message, items }
}

/** Lets what was rejected, or accepted with errors, go once more: what was wrong with it was mended elsewhere. */
export async function sendAgain(
  { clock }: Pick<Sending['app'], 'clock'>,
  store: CompanyStore,
  invoiceId: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    const rows = await tx.lock('sii_records').selectAll().where('invoice_id', '=', invoiceId).execute()
    if (rows.length === 0)
      throw new CuadraError(
        `The invoice ${invoiceId} is in no book of the SII. Only what was issued or received while the company was enrolled is.`,
      )
    for (const row of rows) {
      const { book_type, status, registered, accepted_at, version, operation_type } = row
      // Another system has registered it: this command replaces it.
      const isOfAnother = status === 'rejected' && row.error_code === '3000'
      const isHeld = registered !== null || accepted_at !== null || isOfAnother
      await tx
        .update('sii_records', {
          turns: 0,
          ...(status === 'pending'
            ? {}
            : {
                status: 'pending',
                operation_type: isHeld ? 'A1' : status === 'deleted' ? 'A0' : operation_type,
                ...(isOfAnother && accepted_at === null ? { accepted_at: clock.stamp() } : {}),
                version: version + 1,
                error_code: null,
                error_description: null,
              }),
          updated_at: clock.stamp(),
        })
        .where('invoice_id', '=', invoiceId)
        .where('book_type', '=', book_type)
        .execute()
    }
  })
}

/** What is held back goes too, where somebody asks for it. */
const release = (store: CompanyStore, invoiceId?: string): Promise<void> =>
  store.transaction(async (tx) => {
    for (const kind of KINDS) await kind.release(tx, invoiceId)
  })

/** Sends what waits of a company now, or one invoice, also where `auto_submit` is off. */
export async function sendNow(sending: Sending, companyId: string, invoiceId?: string): Promise<Report> {
  const store = sending.app.store.of(companyId)
  const ids = new Set<string>()
  await release(store, invoiceId)
  let last: Step = { is: 'idle' }
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    last = await step(sending, companyId, { isAsked: true, isUrgent: steps === 0, invoiceId })
    if (last.is !== 'done') break
    if (last.submission !== null) ids.add(last.submission)
  }
  const messages: MessageReport[] = []
  for (const id of ids) messages.push(await messageReport(store, id))
  return {
    messages,
    waiting: await countWaiting(store, invoiceId),
    next: last.is === 'later' ? last.at : null,
    stopped: (last.is === 'later' && last.stopped) || null,
    busy: last.is === 'busy',
  }
}

/** Lets the servers that run try at once, where this process has no way to the authority of its own. */
export async function askForSending(
  { store, clock }: Pick<Sending['app'], 'store' | 'clock'>,
  companyId: string,
): Promise<number> {
  const own = store.of(companyId)
  await release(own)
  for (const environment of ENVIRONMENTS)
    await own.transaction((tx) => updateQueue(tx, { environment }, clock.stamp(), { retry_ms: 0 }))
  return countWaiting(own)
}
