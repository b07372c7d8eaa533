/** Sends to the SII: a single step, the background worker, and the administrator's commands. */

import type { SiiSender } from 'cuadra-authority/index.ts'
import { CuadraError, required } from '#core/errors/index.ts'
import type { App } from '../../../app/app.ts'
import type { CompanyRow, CompanyStore } from '../../../store/store.ts'
import { companyOf } from '../../company/company.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import type { Step, StepOptions } from '../../transmission/channel.ts'
import { countWaiting, type QueueReport, repeatStep, requestRetry } from '../../transmission/send-now.ts'
import * as transmission from '../../transmission/step.ts'
import { startTransmission, type WorkerOptions } from '../../transmission/transmission-worker.ts'
import { AEAT, blockedReasonOfCompany } from '../pending-records.ts'
import { CHANNELS } from './next-message.ts'
import type { Sending } from './sii-queue-types.ts'
import { isAutomatic, SII } from './sii-system.ts'

export { siiWireOf } from './sii-response.ts'
export type { Sending, Step }

export const runSiiStep = (sending: Sending, companyId: string, options?: StepOptions): Promise<Step> =>
  transmission.step(SII, sending, { companyId }, options)

export const startSiiSending = (
  app: Sending['app'] & Pick<App, 'owner'>,
  wire: SiiSender,
  options?: WorkerOptions,
): (() => Promise<void>) => startTransmission(SII, app, wire, options)

export interface ItemReport {
  readonly invoice_id: string
  readonly invoice_number: string
  readonly item_status: string
  readonly error_code: string | null
  readonly error_description: string | null
}

/** A message that was sent, or that could not be sent. */
export interface MessageReport {
  readonly public_id: string
  readonly book_type: string
  readonly operation_type: string
  readonly global_status: string
  readonly record_count: number
  readonly csv: string | null
  /** Items that were rejected, or accepted with errors. */
  readonly items: readonly ItemReport[]
}

export interface Report extends QueueReport {
  readonly messages: readonly MessageReport[]
  /** Pending records that were not sent, with the reason. */
  readonly held: readonly ItemReport[]
}

async function messageReport(store: CompanyStore, public_id: string): Promise<MessageReport> {
  const message = await store
    .find('sii_submissions', { public_id })
    .select(['public_id', 'book_type', 'operation_type', 'global_status', 'record_count', 'csv'])
    .executeTakeFirstOrThrow()
  const items = await store
    .find('sii_submission_items', { public_id })
    .select(['invoice_id', 'invoice_number', 'item_status', 'error_code', 'error_description'])
    .where('item_status', 'not in', ['accepted', 'sent', 'error', 'deleted'])
    .orderBy('line')
    .execute()
  return { ...message, items }
}

/** Maximum number of pending records to list with the reason why they were not sent. */
const MAX_HELD = 20

/** Returns pending records that have a reason for not being sent, the nearest deadline first. */
async function heldOf(store: CompanyStore, invoiceId?: string): Promise<readonly ItemReport[]> {
  const held: ItemReport[] = []
  for (const table of ['sii_records', 'sii_movements'] as const) {
    const all = store
      .select(table, { invoices: 'invoice_id' })
      .select([`${table}.invoice_id`, 'invoices.number', `${table}.status`])
      .select([`${table}.error_code`, `${table}.error_description`])
      .where(`${table}.status`, '=', 'pending')
      .where(`${table}.error_code`, 'is not', null)
    const own = invoiceId === undefined ? all : all.where(`${table}.invoice_id`, '=', invoiceId)
    const rows = await own.orderBy(`${table}.deadline`).limit(MAX_HELD).execute()
    held.push(
      ...rows.map(({ number, status: item_status, ...row }) => ({
        ...row,
        invoice_number: number ?? row.invoice_id,
        item_status,
      })),
    )
  }
  return held
}

/** Returns the columns to write for a record that is sent again. */
function resendColumns(row: CompanyRow<'sii_records'>, stamp: string): Partial<CompanyRow<'sii_records'>> {
  const { status, registered, accepted_at, version, operation_type } = row
  if (status === 'pending') return {}
  // Another system registered the invoice. This command replaces that registration.
  const isRegisteredElsewhere = status === 'rejected' && row.error_code === '3000'
  const isHeld = registered !== null || accepted_at !== null || isRegisteredElsewhere
  return {
    status: 'pending',
    operation_type: isHeld ? 'A1' : status === 'deleted' ? 'A0' : operation_type,
    ...(isRegisteredElsewhere && accepted_at === null ? { accepted_at: stamp } : {}),
    version: version + 1,
    error_code: null,
    error_description: null,
  }
}

/** Marks a record that was rejected or accepted with errors to be sent again, after the cause was fixed. */
export async function resendInvoice(
  { clock }: Pick<Sending['app'], 'clock'>,
  store: CompanyStore,
  invoiceId: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    const { tax_authority } = required(await companyOf(tx)).data.sii
    const rows = await tx.lock('sii_records', { invoice_id: invoiceId }).selectAll().execute()
    if (rows.length === 0)
      throw new CuadraError(
        `The invoice ${invoiceId} is in no book of the SII: it was not issued or received while the company was enrolled.`,
      )
    for (const row of rows)
      await tx.change(
        'sii_records',
        {
          turns: 0,
          ...resendColumns(row, clock.stamp()),
          // The row may be marked for another tax authority by mistake.
          ...(tax_authority === AEAT ? { tax_authority } : {}),
          updated_at: clock.stamp(),
        },
        { invoice_id: invoiceId, book_type: row.book_type },
      )
  })
}

/** Makes deferred records due. */
const release = (store: CompanyStore, invoiceId?: string): Promise<void> =>
  store.transaction(async (tx) => {
    for (const channel of CHANNELS) await channel.release(tx, invoiceId)
  })

/** Sends all pending records of a company, or of one invoice, even if `auto_submit` is off. */
export async function sendNow(sending: Sending, companyId: string, invoiceId?: string): Promise<Report> {
  const store = sending.app.store.of(companyId)
  await release(store, invoiceId)
  const { done, ...report } = await repeatStep((isUrgent) =>
    runSiiStep(sending, companyId, { isManual: true, isUrgent, invoiceId }),
  )
  const ids = new Set(done.flatMap(({ submission }) => submission ?? []))
  const messages: MessageReport[] = []
  for (const id of ids) messages.push(await messageReport(store, id))
  const waiting = await countWaiting(SII, store, { invoiceId })
  return { messages, waiting, held: await heldOf(store, invoiceId), ...report }
}

/** The records that running servers have been requested to send. */
export interface RequestedRecords {
  readonly waiting: number
  readonly blocked: Blocked | null
  /** Whether servers send automatically. */
  readonly isAutomatic: boolean
}

/** Requests that running servers send immediately. */
export async function requestSending(
  app: Pick<App, 'store' | 'clock'>,
  companyId: string,
): Promise<RequestedRecords> {
  const store = app.store.of(companyId)
  await release(store)
  await requestRetry(SII, store, app)
  return {
    waiting: await countWaiting(SII, store),
    blocked: blockedReasonOfCompany(required(await companyOf(store)).data, app.clock.today()),
    isAutomatic: await isAutomatic(store),
  }
}
