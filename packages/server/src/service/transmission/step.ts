/** One step of a company's queue: settles an open submission, or sends the next message. */
import { ConditionError, isCondition } from '#core/errors/index.ts'
import { companyOf } from '../company/company.ts'
import type { Blocked } from './blocked.ts'
import type {
  Batch,
  Connection,
  Outbox,
  QueueContext,
  QueueRef,
  Sending,
  Step,
  StepOptions,
  System,
} from './channel.ts'
import { readIsolation } from './isolation.ts'
import { idFor, isOpen, lastSubmission, type Submission } from './ledger.ts'
import { isFree, LEASE_MS, type Lease, leaseLost, retryAt } from './queue.ts'
import {
  blockQueue,
  handleFault,
  handleNotSent,
  handleResponse,
  handleUnknown,
  settleByQuery,
  writeToHeldQueue,
} from './transmission-outcome.ts'
import type { SystemTypes } from './transmission-types.ts'

/** Returns the reason why nothing can be done now; null if something can be done. Takes no locks. */
async function reasonToWait<S extends SystemTypes>(context: QueueContext<S>): Promise<Step | null> {
  const { system, sending, store, environment, isUrgent } = context
  const queue = await system.queues.read(store, environment)
  const now = sending.app.clock.now()
  if (!isFree(queue, sending.owner, now)) return { is: 'busy' }
  const retry = isUrgent ? 0 : retryAt(queue, now)
  // The authority's flow control limits only messages, so queries need not wait for it.
  const open = isOpen(system.ledger, await lastSubmission(system.ledger, store, queue))
  const at = open ? retry : await system.due(context, queue, retry)
  if (at === null) return { is: 'idle' }
  return at > now ? { is: 'later', at } : null
}

const CHANGED: Step = { is: 'done', records: 0, submission: null }

/** Opens the submission of a message. */
const open = <S extends SystemTypes>(
  outbox: Outbox<S>,
  before: Submission | undefined,
  { channel, entries }: Batch<S>,
  xml: string | null,
): Promise<string> =>
  writeToHeldQueue(outbox, async (tx, stamp) => {
    const { system, environment, lease } = outbox
    const { failed, sending } = system.ledger.statuses
    const id = idFor(before)
    if (xml !== null && (await channel.markInFlight(tx, entries, id)).size < entries.length)
      throw new ConditionError('batch_changed', 'records of the message changed before it was sent')
    const status = xml === null ? failed : sending
    const opening = { environment, channel: channel.name, entries, xml, status, stamp }
    await system.ledger.open(tx, id, before, opening)
    await system.queues.update(tx, lease, stamp, { submission_id: id })
    return id
  })

/** Blocks the queue for a cause on this side. The cause is stored only once, with the records concerned. */
async function blockOnOurSide<S extends SystemTypes>(
  outbox: Outbox<S>,
  before: Submission | undefined,
  blocked: Blocked,
): Promise<Step> {
  if (isOpen(outbox.system.ledger, before)) return blockQueue(outbox, before.id, blocked)
  const next = await outbox.system.next(outbox, null)
  if (next.is === 'none') return { is: 'idle' }
  if (next.is === 'changed') return CHANGED
  const id = await open(outbox, before, next, null)
  return blockQueue(
    outbox,
    id,
    next.is === 'impossible' ? { reason: 'no_message', values: { reason: next.reason } } : blocked,
  )
}

async function send<S extends SystemTypes>(
  connection: Connection<S>,
  before: Submission | undefined,
): Promise<Step> {
  const { system, sending, queue } = connection
  const { clock } = sending.app
  const isolation = readIsolation<S['aside']>(queue.isolation)
  const next = await system.next(connection, isolation)
  if (next.is === 'none') return { is: 'idle' }
  if (next.is === 'changed') return CHANGED
  if (next.is === 'impossible') return blockOnOurSide(connection, before, { reason: 'no_message' })
  const { channel, entries } = next
  const xml = await next.xml()
  const began = clock.now()
  const id = await open(connection, before, next, xml)
  // If another process may have taken the queue, that process settles the submission that was opened above.
  if (clock.now() - began > LEASE_MS / 2) throw leaseLost()
  const sent = { id, channel, entries, isolation, submitted_at: clock.stamp() }
  const response = await channel.submit(connection, entries, xml)
  switch (response.is) {
    case 'answered':
      return handleResponse(connection, sent, response.value)
    case 'fault':
      return handleFault(connection, sent, response)
    case 'unknown':
      return handleUnknown(connection, sent, response)
    default:
      return handleNotSent(connection, sent, response)
  }
}

/** Runs the step while the lease is held. */
async function work<S extends SystemTypes>(context: QueueContext<S>, lease: Lease): Promise<Step> {
  const { system, store, environment } = context
  // The previous holder may have done the work in the meantime.
  const wait = await reasonToWait(context)
  if (wait) return wait
  const queue = await system.queues.read(store, environment)
  const outbox: Outbox<S> = { ...context, lease, queue }
  const before = await lastSubmission(system.ledger, store, queue)
  const identity = await system.identify(context)
  if ('reason' in identity) return blockOnOurSide(outbox, before, identity)
  const connection = { ...outbox, ...identity }
  return isOpen(system.ledger, before) ? settleByQuery(connection, before) : send(connection, before)
}

/** Runs one step of a company's queue: settles a message without a response, or sends the next one. */
export async function step<S extends SystemTypes>(
  system: System<S>,
  sending: Sending<S['wire']>,
  queueRef: QueueRef,
  options: StepOptions = {},
): Promise<Step> {
  const { app, owner } = sending
  const store = app.store.of(queueRef.companyId)
  const company = await companyOf(store)
  if (!company) return { is: 'idle' }
  const environment = await system.locate({ ...options, system, sending, store, company, queueRef })
  if (typeof environment !== 'string') return environment
  const context: QueueContext<S> = { ...options, system, sending, store, company, environment }
  const wait = await reasonToWait(context)
  if (wait) return wait
  const lease = await system.queues.take(store, app.clock, owner, environment)
  if (!lease) return { is: 'busy' }
  try {
    return await work(context, lease)
  } catch (error) {
    if (isCondition(error, 'lease_lost')) return { is: 'busy' }
    if (isCondition(error, 'batch_changed')) return CHANGED
    throw error
  } finally {
    await system.queues.leave(store, lease).catch(() => undefined)
  }
}
