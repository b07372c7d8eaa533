/**
 * `POST /issued-invoices/{invoice_id}/send`. The mail is stored in the outbox before anything is sent. Then this
 * process delivers it and responds. A repeated request with the same `Idempotency-Key` finds the mail of the first
 * request, and never creates a second one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isCondition } from '#core/errors/index.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import { MailError } from '../../mail/failure.ts'
import type { Outgoing } from '../../mail/outgoing.ts'
import type { SendRequest, SendResult } from '../../shapes/schemas.ts'
import { type InvoiceRow, isIssuedKind } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import { type EncodedResponse, type JsonResponse, ok } from '../access/http-response.ts'
import { type IdempotentRequest, idempotentRequest, releaseKey } from '../access/idempotency.ts'
import { requireInvoice, requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { composeMail } from './compose.ts'
import { deliver, isInProgress } from './deliver.ts'
import { mailNotSentError } from './failures.ts'
import {
  insertMail,
  isAbandoned,
  type MailRow,
  openMailOf,
  outgoingOf,
  readMail,
  sendResultOf,
  takeOver,
  UNREACHABLE,
} from './outbox.ts'

type SendResponse = EncodedResponse | JsonResponse<200, SendResult>

/**
 * Milliseconds between two reads of a mail that another process is sending, and to wait beyond its delivery timeout.
 */
const POLL_MS = { interval: 200, beyondDelivery: 5000 }

function requireSendable({ status }: InvoiceRow): void {
  if (!isInForce(status)) throw wrongStatus(status, 'sent')
}

type Earlier = { readonly response: EncodedResponse } | { readonly mail: MailRow } | undefined

/** Claims the key of a request. Returns the earlier response, or the mail of an earlier request that is still open. */
async function takeKey(tx: Tx, request: IdempotentRequest): Promise<Earlier> {
  const response = await request.claimKey(tx)
  if (response) return { response }
  const mail = request.claim && (await openMailOf(tx, request.claim))
  return mail ? { mail } : undefined
}

/** Does the same as `takeKey` before the mail is composed, but releases the key if there is no earlier outcome. */
async function earlierOutcome({ store }: Call, request: IdempotentRequest): Promise<Earlier> {
  const { claim } = request
  if (!claim) return undefined
  const claimAndRelease = async (tx: Tx) => {
    const known = await takeKey(tx, request)
    if (!known) await releaseKey(tx, claim)
    return known
  }
  return store.transaction(claimAndRelease, { isOwn: true })
}

/** Sends a mail that this process holds. */
async function sendHeld(call: Call, mail: MailRow, outgoing: Outgoing): Promise<SendResponse> {
  const { app, store } = call
  try {
    const { refused } = await deliver(app, store, mail, outgoing, true)
    return ok(sendResultOf(mail, refused))
  } catch (error) {
    if (error instanceof MailError) throw mailNotSentError(error.failure)
    if (isCondition(error, 'mail_taken_over')) return waitForMail(call, mail.mail_id)
    throw error
  }
}

/** Reads a mail, and takes it over if no process is working on it. Returns undefined while it is being sent. */
async function checkMail(call: Call, mailId: string): Promise<SendResponse | undefined> {
  const { app, store } = call
  const mail = await readMail(store, mailId)
  if (!mail) throw new ApiError('invoice_race_condition')
  if (mail.state === 'sent') return ok(sendResultOf(mail, fromJson(mail.refused) ?? []))
  if (mail.state === 'failed') throw mailNotSentError(fromJson(mail.failure) ?? UNREACHABLE)
  if (isInProgress(app, mailId) || (mail.state !== 'pending' && !isAbandoned(mail, app))) return undefined
  const taken = await store.transaction((tx) => takeOver(tx, app, mail), { isOwn: true })
  return taken && sendHeld(call, taken, await outgoingOf(store, taken))
}

/** Waits until a mail that another request or process is sending has an outcome. */
async function waitForMail(call: Call, mailId: string): Promise<SendResponse> {
  const until = performance.now() + call.app.config.mailTimeout * 1000 + POLL_MS.beyondDelivery
  while (performance.now() < until) {
    const response = await checkMail(call, mailId)
    if (response) return response
    await sleep(POLL_MS.interval)
  }
  throw new ApiError('invoice_race_condition')
}

/** Sends an issued invoice to its customer. */
export async function sendInvoice(
  call: Call,
  invoiceId: string,
  sent: SendRequest = {},
): Promise<SendResponse> {
  const { app, store } = call
  const request = idempotentRequest(call)
  const known = await earlierOutcome(call, request)
  if (known) return 'response' in known ? known.response : waitForMail(call, known.mail.mail_id)
  const row = await requireInvoice(store, invoiceId, isIssuedKind)
  requireSendable(row)
  const mail = await composeMail(call, row, sent)
  const begun = await store.transaction(async (tx): Promise<NonNullable<Earlier>> => {
    const other = await takeKey(tx, request)
    if (other) return other
    requireSendable(await requireLocked(tx, invoiceId, isIssuedKind))
    return { mail: await insertMail(tx, app, mail, call.keyId, request.claim) }
  })
  if ('response' in begun) return begun.response
  return begun.mail.mail_id === mail.mailId
    ? sendHeld(call, begun.mail, mail)
    : waitForMail(call, begun.mail.mail_id)
}
