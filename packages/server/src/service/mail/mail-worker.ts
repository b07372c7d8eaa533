/** Delivers mails whose process crashed, and retries failed ones. If several workers run, only one takes each mail. */
import { isCondition } from '#core/errors/index.ts'
import type { App } from '../../app/app.ts'
import { repeat } from '../../environment/repeat.ts'
import { MailError } from '../../mail/failure.ts'
import type { Row } from '../../store/tables.ts'
import { collectFromReachable } from '../company/company.ts'
import { awaitDeliveries, deliver, isInProgress } from './deliver.ts'
import { isAbandoned, outgoingOf, takeOver } from './outbox.ts'

const INTERVAL_MS = 10_000

async function deliverOne(app: App, { company_id, ...mail }: Row<'mails'>): Promise<void> {
  const store = app.store.of(company_id)
  const taken = await store.transaction((tx) => takeOver(tx, app, mail), { isOwn: true })
  if (!taken) return
  const outgoing = await outgoingOf(store, taken)
  const { mail_id, attempts } = taken
  try {
    await deliver(app, store, taken, outgoing, false)
    app.log.warn({ mail_id, attempts }, 'a mail left by another process was sent')
  } catch (error) {
    // The failure is already logged.
    if (!(error instanceof MailError) && !isCondition(error, 'mail_taken_over')) throw error
  }
}

const STATES: readonly Row<'mails'>['state'][] = ['pending', 'sending']

/** Returns the open mails of all companies whose rows can be read. Some are still being delivered. */
async function abandonedMails(app: App): Promise<readonly Row<'mails'>[]> {
  try {
    return await app.store
      .acrossCompanies('the worker looks after every company; it sends one by one')
      .selectFrom('mails')
      .selectAll()
      .where('state', 'in', STATES)
      .orderBy('due_ms')
      .execute()
  } catch {
    return collectFromReachable(app, (own) =>
      own.select('mails').selectAll().where('state', 'in', STATES).orderBy('due_ms').execute(),
    )
  }
}

/** Sends the mails, of any company, that no process is working on. */
async function sendAbandoned(app: App, isStopping: () => boolean): Promise<void> {
  for (const row of await abandonedMails(app)) {
    if (isStopping()) return
    if (isInProgress(app, row.mail_id) || !isAbandoned(row, app)) continue
    await deliverOne(app, row).catch((error: unknown) =>
      app.log.error({ err: error, mail_id: row.mail_id }, 'a mail left by another process could not be sent'),
    )
  }
}

/**
 * Starts to send abandoned mails, now and every ten seconds. Returns a function that stops this and waits for mails in
 * progress.
 */
export function startMailWorker(app: App): () => Promise<void> {
  let isStopping = false
  const pass = () =>
    sendAbandoned(app, () => isStopping).catch((error: unknown) =>
      app.log.error({ err: error }, 'the mail worker failed'),
    )
  const end = app.config.workers ? repeat(INTERVAL_MS, pass, { atOnce: true }) : undefined
  return async () => {
    isStopping = true
    await end?.()
    await awaitDeliveries(app)
  }
}
