/**
 * `POST /issued-invoices/{invoice_id}/send`. The mail is a row of the outbox before anything goes out; then this process
 * delivers it and answers. With an `Idempotency-Key` a request that is sent again meets the mail of the first one,
 * wherever that got to, and never makes a second.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import { type Failure, MailError } from '../../mail/failure.ts'
import type { Outgoing, Refused } from '../../mail/outgoing.ts'
import type { SendRequest, SendResult } from '../../shapes/schemas.ts'
import { type InvoiceRow, isIssuedKind } from '../../store/invoices.ts'
import { type Encoded, type JsonAnswer, ok } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import { type Claim, claim, hashOf, release } from '../access/idempotency.ts'
import { requireInvoice, requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { composeMail } from './compose.ts'
import { deliver, isUnderWay, TakenOver } from './deliver.ts'
import { notSent } from './failures.ts'
import {
  answerOf,
  insertMail,
  isLeft,
  type MailRow,
  mailOf,
  openMailOf,
  outgoingOf,
  takeOver,
} from './outbox.ts'

type Answer = Encoded | JsonAnswer<200, SendResult>

/** Milliseconds between two looks at a mail that another process sends, and for all of them beyond its delivery. */
const LOOK = { every: 200, beyond: 5000 }

function requireSendable({ status }: InvoiceRow): void {
  if (!isInForce(status)) throw wrongStatus(status, 'sent')
}

const claimFor = ({ keyId, idempotencyKey, app }: Call, path: string, request: SendRequest): Claim | null =>
  idempotencyKey === undefined
    ? null
    : {
        keyId,
        idempotencyKey,
        requestHash: hashOf('post', path, JSON.stringify(request)),
        now: app.clock.now(),
      }

type Known = { readonly answer: Encoded } | { readonly mail: MailRow } | undefined

/** What became of the same request before: its answer, or its mail on the way. */
const knownOf = (call: Call, key: Claim | null): Promise<Known> =>
  key === null
    ? Promise.resolve(undefined)
    : call.store.transaction(
        async (tx): Promise<Known> => {
          const answer = await claim(tx, key)
          if (answer) return { answer }
          const mail = await openMailOf(tx, key)
          if (mail) return { mail }
          await release(tx, key)
          return undefined
        },
        { isOwn: true },
      )

/** Sends a mail that this process holds. */
async function sendIt(call: Call, mail: MailRow, outgoing: Outgoing): Promise<Answer> {
  const { app, store } = call
  try {
    const { refused } = await deliver(app, store, mail, outgoing, true)
    return ok(answerOf(mail, refused))
  } catch (error) {
    if (error instanceof MailError) throw notSent(error.failure)
    if (error instanceof TakenOver) return join(call, mail.mail_id)
    throw error
  }
}

/** Waits for a mail that is on its way, or takes it over where nobody is at work on it. */
async function join(call: Call, mailId: string): Promise<Answer> {
  const { app, store } = call
  const until = performance.now() + app.config.mailTimeout * 1000 + LOOK.beyond
  while (performance.now() < until) {
    const mail = await mailOf(store, mailId)
    if (mail?.state === 'sent')
      return ok(answerOf(mail, JSON.parse(mail.refused ?? '[]') as readonly Refused[]))
    if (mail?.state === 'failed') throw notSent(JSON.parse(mail.failure ?? '{}') as Failure)
    if (!mail) break
    if (!isUnderWay(mailId) && (mail.state === 'pending' || isLeft(mail, app))) {
      const taken = await store.transaction((tx) => takeOver(tx, app, mail), { isOwn: true })
      if (taken) return sendIt(call, taken, await outgoingOf(store, taken))
    }
    await sleep(LOOK.every)
  }
  throw new ApiError('invoice_race_condition')
}

/** Sends an issued invoice to its customer. `path` is the address, which an idempotency key remembers. */
export async function sendInvoice(
  call: Call,
  invoiceId: string,
  path: string,
  request: SendRequest = {},
): Promise<Answer> {
  const { app, store } = call
  const key = claimFor(call, path, request)
  const known = await knownOf(call, key)
  if (known) return 'answer' in known ? known.answer : join(call, known.mail.mail_id)
  const row = await requireInvoice(store, invoiceId, isIssuedKind)
  requireSendable(row)
  const mail = await composeMail(call, row, request)
  const begun = await store.transaction(async (tx): Promise<NonNullable<Known>> => {
    const answer = key && (await claim(tx, key))
    if (answer) return { answer }
    const other = key && (await openMailOf(tx, key))
    if (other) return { mail: other }
    requireSendable(await requireLocked(tx, invoiceId, isIssuedKind))
    return { mail: await insertMail(tx, app, mail, call.keyId, key) }
  })
  if ('answer' in begun) return begun.answer
  return begun.mail.mail_id === mail.mailId ? sendIt(call, begun.mail, mail) : join(call, begun.mail.mail_id)
}
