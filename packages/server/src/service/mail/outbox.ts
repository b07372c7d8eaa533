/**
 * The outbox. A mail is stored before it is sent. Its outcome is written in the transaction that changes the status of
 * the invoice to `sent`. The column `attempts` is the fence: a process can write only if the number has not changed
 * since it took the mail.
 */
import { createHash } from 'node:crypto'
import type { App } from '../../app/app.ts'
import { hasEnded } from '../../environment/process-owner.ts'
import type { Failure } from '../../mail/failure.ts'
import type { Delivered, Outgoing, RefusedAddress } from '../../mail/outgoing.ts'
import type { SendResult } from '../../shapes/schemas.ts'
import { findInvoice, lockInvoice, updateInvoice } from '../../store/invoices.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'
import { fromJson, toJson } from '../../store/stored-json.ts'
import { ok } from '../access/http-response.ts'
import { type Claim, releaseKey, storeResponse } from '../access/idempotency.ts'
import { addEvent } from '../invoice/events.ts'
import { isInForce } from '../invoice/statuses.ts'

export type MailRow = CompanyRow<'mails'>

const MINUTE = 60_000
/** Milliseconds by which a lease is longer than the delivery timeout. */
const SLACK_MS = 35_000
/** Milliseconds before each retry of a mail for which no client waits. Further retries wait for `LONGEST_PAUSE`. */
const PAUSES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE]
const LONGEST_PAUSE = 240 * MINUTE
/** Number of attempts, in about twenty hours, after which a mail fails permanently. */
export const MAX_ATTEMPTS = 10

const leaseMs = ({ config }: App): number => config.mailTimeout * 1000 + SLACK_MS

export const leaseEndOf = (app: App): number => app.clock.now() + leaseMs(app)

const pauseAfter = (attempts: number): number => PAUSES[attempts - 1] ?? LONGEST_PAUSE

export interface NewMail extends Outgoing {
  readonly messageId: string
  readonly invoiceId: string
  readonly subject: string
  readonly files: readonly { readonly name: string; readonly size: number }[]
}

/** Stores a mail that this process is about to send. */
export async function insertMail(tx: Tx, app: App, mail: NewMail, keyId: string, claim: Claim | null) {
  const stamp = app.clock.stamp()
  const row: MailRow = {
    mail_id: mail.mailId,
    invoice_id: mail.invoiceId,
    state: 'sending',
    message_id: mail.messageId,
    sender: mail.from,
    recipients: toJson(mail.to),
    subject: mail.subject,
    files: toJson(mail.files),
    size: mail.content.length,
    sha256: createHash('sha256').update(mail.content).digest('hex'),
    attempts: 1,
    handed_over: 0,
    owner: app.owner,
    due_ms: leaseEndOf(app),
    key_id: keyId,
    idempotency_key: claim?.idempotencyKey ?? null,
    request_hash: claim?.requestHash ?? null,
    refused: null,
    failure: null,
    created_at: stamp,
    updated_at: stamp,
    sent_at: null,
  }
  await tx.insert('mails', row)
  await tx.insert('mail_contents', {
    mail_id: mail.mailId,
    content: Buffer.from(mail.content).toString('latin1'),
  })
  tx.setTrace(async (lost) => !(await lost.insertNew('mails', row)))
  return row
}

export const readMail = (rows: Rows, mailId: string): Promise<MailRow | undefined> =>
  rows.select('mails').selectAll().where('mail_id', '=', mailId).executeTakeFirst()

/** Returns the pending or in-progress mail of a request, by its idempotency key. */
export const openMailOf = (rows: Rows, { idempotencyKey }: Claim): Promise<MailRow | undefined> =>
  rows
    .select('mails')
    .selectAll()
    .where('state', 'in', ['pending', 'sending'])
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()

/** Returns a stored mail with its content. Every attempt sends the same bytes. */
export async function outgoingOf(rows: Rows, mail: MailRow): Promise<Outgoing> {
  const { content } = await rows
    .find('mail_contents', { mail_id: mail.mail_id })
    .select('content')
    .executeTakeFirstOrThrow()
  return {
    mailId: mail.mail_id,
    from: mail.sender,
    to: fromJson(mail.recipients),
    content: Buffer.from(content, 'latin1'),
  }
}

/** The failure to report if a mail has failed without a stored failure. */
export const UNREACHABLE: Failure = { reason: 'unreachable', permanent: false, uncertain: false }

/**
 * Whether no process is working on an open mail: its lease or pause has expired, or its process has ended. A time that
 * is too far in the future was set before the clock was set back, so it counts as expired.
 */
export function isAbandoned({ state, owner, due_ms, attempts }: MailRow, app: App): boolean {
  const left = Number(due_ms) - app.clock.now()
  if (left <= 0 || left > (state === 'pending' ? pauseAfter(attempts) : 2 * leaseMs(app))) return true
  return state === 'sending' && owner !== null && owner !== app.owner && hasEnded(owner)
}

const claimOf = ({ idempotency_key, request_hash }: MailRow, now: number): Claim | null =>
  idempotency_key === null || request_hash === null
    ? null
    : { idempotencyKey: idempotency_key, requestHash: request_hash, now }

/** Changes the row of a mail if this process still holds the mail. Returns whether it does. */
const changeIfHeld = (tx: Tx, { mail_id, state, attempts }: MailRow, changes: Partial<MailRow>) =>
  tx.change('mails', changes, { mail_id, state, attempts })

/** Marks that the end of the message is about to be sent. Returns false if another process has taken the mail over. */
export const markHandedOver = (tx: Tx, app: App, mail: MailRow): Promise<boolean> =>
  changeIfHeld(tx, mail, { handed_over: 1, due_ms: leaseEndOf(app) })

const deleteContent = (tx: Tx, { mail_id }: MailRow): Promise<unknown> =>
  tx.delete('mail_contents').where('mail_id', '=', mail_id).execute()

export const sendResultOf = (mail: MailRow, refused: readonly RefusedAddress[]): SendResult => {
  const isRefused = new Set(refused.map(({ address }) => address))
  return {
    invoice_id: mail.invoice_id,
    sent_to: fromJson(mail.recipients).filter((address) => !isRefused.has(address)),
    refused,
  }
}

/**
 * Records that a mail was sent. The status of an issued invoice becomes `sent`, its history gets an event, and the
 * response of the request is stored. An invoice that was cancelled in the meantime keeps its status.
 */
export async function recordSent(tx: Tx, app: App, mail: MailRow, { accepted, refused }: Delivered) {
  const { clock } = app
  const stamp = clock.stamp()
  const changes = {
    state: 'sent',
    owner: null,
    refused: toJson(refused),
    failure: null,
    updated_at: stamp,
    sent_at: stamp,
  } as const
  if (!(await changeIfHeld(tx, mail, changes))) return
  await deleteContent(tx, mail)
  const row = await lockInvoice(tx, mail.invoice_id)
  if (row) {
    const to = row.status === 'issued' ? 'sent' : row.status
    if (to !== row.status) await updateInvoice(tx, row, { status: to, updated_at: stamp })
    await addEvent(tx, { actor: { apiKeyId: mail.key_id }, stamp }, mail.invoice_id, {
      code: 'sent',
      from: row.status,
      to,
      details: {
        sent_to: accepted,
        ...(refused.length > 0 ? { refused } : {}),
        message_id: mail.message_id,
        // An earlier attempt may have sent the whole mail before its process ended. The mailbox may then contain two
        // copies with the same Message-ID.
        ...(mail.handed_over === 1 ? { may_be_double: true } : {}),
      },
    })
  }
  const claim = claimOf(mail, clock.now())
  if (claim) await storeResponse(tx, claim, ok(sendResultOf(mail, refused)))
}

/** Records that a mail failed permanently. Releases its idempotency key, so that the client can repeat the request. */
export async function recordFailed(tx: Tx, { clock }: App, mail: MailRow, failure: Failure): Promise<void> {
  const changes = {
    state: 'failed',
    owner: null,
    failure: toJson(failure),
    updated_at: clock.stamp(),
  } as const
  if (!(await changeIfHeld(tx, mail, changes))) return
  await deleteContent(tx, mail)
  const claim = claimOf(mail, clock.now())
  if (claim) await releaseKey(tx, claim)
}

/** Records a failed attempt for which no client waits. It is retried later, unless the failure is permanent. */
export async function recordTemporaryFailure(
  tx: Tx,
  app: App,
  mail: MailRow,
  failure: Failure,
): Promise<void> {
  if (failure.permanent || mail.attempts >= MAX_ATTEMPTS) return recordFailed(tx, app, mail, failure)
  await changeIfHeld(tx, mail, {
    state: 'pending',
    owner: null,
    due_ms: app.clock.now() + pauseAfter(mail.attempts),
    failure: toJson(failure),
    updated_at: app.clock.stamp(),
  })
}

/**
 * Takes a mail that no process is working on. Returns undefined if another process took it first, if the invoice was
 * cancelled or deleted, or if the attempts are used up.
 */
export async function takeOver(tx: Tx, app: App, mail: MailRow): Promise<MailRow | undefined> {
  const row = await findInvoice(tx, mail.invoice_id)
  const uncertain = mail.handed_over === 1
  if (!row || !isInForce(row.status)) {
    await recordFailed(tx, app, mail, { reason: 'not_in_force', permanent: true, uncertain })
    return undefined
  }
  if (mail.attempts >= MAX_ATTEMPTS) {
    const last = fromJson(mail.failure) ?? UNREACHABLE
    await recordFailed(tx, app, mail, { ...last, uncertain })
    return undefined
  }
  const taken = {
    state: 'sending',
    owner: app.owner,
    due_ms: leaseEndOf(app),
    attempts: mail.attempts + 1,
    updated_at: app.clock.stamp(),
  } as const
  return (await changeIfHeld(tx, mail, taken)) ? { ...mail, ...taken } : undefined
}
