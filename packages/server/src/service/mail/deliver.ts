/** Delivers a mail that this process holds, and stores the outcome. Retries storing while the store is unavailable. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ConditionError, isCondition } from '#core/errors/index.ts'
import type { App } from '../../app/app.ts'
import { type Failure, MailError } from '../../mail/failure.ts'
import type { Delivered, Outgoing } from '../../mail/outgoing.ts'
import { outcomeUnknownError } from '../../store/commit-outcome.ts'
import type { CompanyStore, Tx } from '../../store/store.ts'
import { type MailRow, markHandedOver, recordFailed, recordSent, recordTemporaryFailure } from './outbox.ts'

/** Milliseconds between two attempts to store an outcome. */
const PAUSE_MS = 1000

/** The deliveries of an application. */
interface Deliveries {
  /** Mails that are being delivered, or whose outcome is not stored yet. */
  readonly inProgress: Map<string, Promise<unknown>>
  isStopping: boolean
}

/** Deliveries by store, because two applications in one process have separate deliveries. */
const deliveries = new WeakMap<App['store'], Deliveries>()

function deliveriesOf({ store }: Pick<App, 'store'>): Deliveries {
  const known = deliveries.get(store) ?? { inProgress: new Map(), isStopping: false }
  deliveries.set(store, known)
  return known
}

export const isInProgress = (app: Pick<App, 'store'>, mailId: string): boolean =>
  deliveriesOf(app).inProgress.has(mailId)

/** Waits until no delivery is in progress. If the process ended earlier, another process would send the mails again. */
export async function awaitDeliveries(app: Pick<App, 'store'>): Promise<void> {
  const own = deliveriesOf(app)
  own.isStopping = true
  await Promise.allSettled(own.inProgress.values())
  own.isStopping = false
}

/**
 * Stores the outcome of a mail. If the store fails, throws `outcome_unknown` and keeps trying in the background,
 * because another process would otherwise send the mail again.
 */
async function storeOutcome(
  app: App,
  store: CompanyStore,
  mail: MailRow,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { log } = app
  const own = deliveriesOf(app)
  const record = () => store.transaction(work, { isOwn: true })
  try {
    await record()
  } catch (error) {
    log.error({ err: error, mail_id: mail.mail_id }, 'the outcome of a mail could not be stored yet')
    const again = async () => {
      while (!own.isStopping) {
        await sleep(PAUSE_MS)
        const isDone = await record().then(
          () => true,
          () => false,
        )
        if (isDone) return
      }
    }
    const before = own.inProgress.get(mail.mail_id)
    const trying = again().finally(() => own.inProgress.delete(mail.mail_id))
    // From now on, the entry in `inProgress` is the retry instead of the delivery.
    if (before) own.inProgress.set(mail.mail_id, trying)
    throw outcomeUnknownError(error)
  }
}

async function attempt(
  app: App,
  store: CompanyStore,
  mail: MailRow,
  outgoing: Outgoing,
  isWaitedFor: boolean,
) {
  let delivered: Delivered
  const handOver = async () => {
    const isOurs = await store.transaction((tx) => markHandedOver(tx, app, mail), { isOwn: true })
    if (!isOurs) throw new ConditionError('mail_taken_over', 'another process has taken the mail over')
  }
  try {
    delivered = await app.deliver(outgoing, handOver)
  } catch (error) {
    if (isCondition(error, 'mail_taken_over')) throw error
    // Any other error comes from the store or the mail folder. Both errors occur before the end of the message is sent,
    // so nothing was delivered.
    const failure: Failure =
      error instanceof MailError
        ? error.failure
        : { reason: 'not_written', permanent: false, uncertain: false }
    const { mail_id, attempts } = mail
    app.log.warn(
      { mail_id, attempts, reason: failure.reason, smtp_code: failure.smtp_code },
      'a mail was not sent',
    )
    await storeOutcome(app, store, mail, (tx) =>
      isWaitedFor ? recordFailed(tx, app, mail, failure) : recordTemporaryFailure(tx, app, mail, failure),
    )
    throw error
  }
  await storeOutcome(app, store, mail, (tx) => recordSent(tx, app, mail, delivered))
  return delivered
}

/**
 * Delivers a mail. Throws a `MailError` if it was not delivered, `mail_taken_over` if another process is sending it,
 * and any other error if the store or the mail folder failed. With `isWaitedFor`, a client waits for the outcome: it
 * receives the failure, and the mail is not retried.
 */
export function deliver(
  app: App,
  store: CompanyStore,
  mail: MailRow,
  outgoing: Outgoing,
  isWaitedFor: boolean,
): Promise<Delivered> {
  const trying = attempt(app, store, mail, outgoing, isWaitedFor)
  const { inProgress } = deliveriesOf(app)
  inProgress.set(mail.mail_id, trying)
  const end = () => {
    if (inProgress.get(mail.mail_id) === trying) inProgress.delete(mail.mail_id)
  }
  trying.then(end, end)
  return trying
}
