/** One look at the line of a company: the next message, if one may go now, and what became of it. */
import { CuadraError } from '../../../../errors/index.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { type CompanyRecord, companyOf } from '../../company/company.ts'
import { plausible } from '../../sending/backoff.ts'
import { type Identity, identityFor } from '../../sending/identity.ts'
import { readIsolation } from '../../sending/isolation.ts'
import { isFree, LEASE, LostLease } from '../../sending/lease.ts'
import type { Stopped } from '../../sending/stops.ts'
import { answered } from './answered.ts'
import { faulted, lost, notSent } from './faulted.ts'
import { hear } from './hear.ts'
import * as ledger from './ledger.ts'
import { type Line, type Sending, type Sent, type Step, standStill, write } from './line.ts'
import { nextKind, nextPage, type Page, type Wanted } from './page.ts'
import { isOpen, placeOf, type Settings, settingsOf } from './place.ts'
import { leaveLine, readQueue, takeLine, updateQueue } from './queue.ts'
import type { Aside } from './rejected.ts'
import { settle } from './settle.ts'

const HOUR = 3_600_000
/** A company that is not to be sent for is looked at again after so long. */
const SOME_TIME = 300_000

export interface StepOptions {
  /** At the administrator's word: what waits goes, whether or not it would by itself. */
  readonly isAsked?: boolean
  /** Without waiting after a failure. */
  readonly isUrgent?: boolean
  /** Of this invoice alone. */
  readonly invoiceId?: string | undefined
}

interface Look extends StepOptions {
  readonly sending: Sending
  readonly store: CompanyStore
  readonly company: CompanyRecord
  readonly environment: Environment
}

const wantedOf = ({ sending, invoiceId }: Pick<Look, 'sending' | 'invoiceId'>): Wanted => ({
  now: sending.app.clock.now(),
  invoiceId,
})

/** Why nothing goes now; null where something does. Locks nothing. */
async function hindrance(look: Look): Promise<Step | null> {
  const { sending, store, environment, isUrgent } = look
  const queue = await readQueue(store, environment)
  const now = sending.app.clock.now()
  if (!isFree(queue, sending.owner, now)) return { is: 'busy' }
  const retry = isUrgent ? 0 : plausible(queue.retry_ms, now, 2 * HOUR)
  if (retry > now) return { is: 'later', at: retry }
  if (isOpen(await ledger.openSubmission(store, queue))) return null
  return (await nextKind(store, wantedOf(look))) ? null : { is: 'idle' }
}

/** What was to go was changed while its message was made: nothing is written of it. */
class Changed extends CuadraError {
  constructor() {
    super('what was to go has changed')
  }
}

/** Writes down what is about to go out. Throws a `LostLease` or `Changed` where it must not. */
async function announce(
  line: Line,
  id: string,
  before: ledger.Submission | undefined,
  { kind, operation, entries, xml }: Page,
): Promise<number> {
  return write(line, async (tx, stamp) => {
    if ((await kind.depart(tx, entries, id)).size < entries.length) throw new Changed()
    const internal_id = await ledger.open(tx, id, before, {
      environment: line.environment,
      kind,
      operation,
      entries,
      xml,
      global_status: ledger.SENT,
      stamp,
    })
    await updateQueue(tx, line.lease, stamp, { submission_id: id })
    return internal_id
  })
}

/** Nothing can go out, for a reason of ours: said with what it keeps from going, once and not at every look. */
async function hindered(
  line: Omit<Line, 'certificateId'>,
  before: ledger.Submission | undefined,
  stopped: Stopped,
  wanted: Wanted,
): Promise<Step> {
  if (isOpen(before)) return standStill(line, before.public_id, stopped)
  const next = await nextPage(line, wanted)
  if (next.is === 'none') return { is: 'idle' }
  if (next.is === 'changed') return { is: 'done', submission: null }
  const { kind, entries } = next.is === 'page' ? next.page : next
  const why: Stopped =
    next.is === 'impossible' ? { stop: 'no_message', told: { reason: next.why.words } } : stopped
  const id = ledger.idFor(before)
  await write(line, (tx, stamp) =>
    ledger.open(tx, id, before, {
      environment: line.environment,
      kind,
      operation: entries[0]?.operation ?? 'A0',
      entries,
      xml: null,
      global_status: ledger.ERROR,
      stamp,
    }),
  )
  return standStill(line, id, why)
}

async function send(line: Line, before: ledger.Submission | undefined, wanted: Wanted): Promise<Step> {
  const { sending, store, environment, queue, certificateId } = line
  const { app, wire, signal } = sending
  const isolation = readIsolation<Aside>(queue.isolation)
  const aside = isolation?.aside
  const next = await nextPage(line, {
    ...wanted,
    ...(isolation ? { limit: isolation.limit } : {}),
    except: aside ? { kind: aside.kind, key: aside.entry.key } : null,
  })
  if (next.is === 'none') return { is: 'idle' }
  if (next.is === 'changed') return { is: 'done', submission: null }
  if (next.is === 'impossible') return hindered(line, before, { stop: 'no_message' }, wanted)
  const { page } = next
  const began = app.clock.now()
  const id = ledger.idFor(before)
  const internal_id = await announce(line, id, before, page)
  // Somebody else may have the line by now: then what was announced is his to settle.
  if (app.clock.now() - began > LEASE / 2) throw new LostLease()
  const { kind, entries, operation, xml } = page
  const sent: Sent = { id, internal_id, kind, entries, submitted_at: app.clock.stamp() }
  const caller = {
    companyId: store.companyId,
    environment,
    address: kind.address,
    certificateId,
    ...(signal ? { signal } : {}),
  }
  const heard = await hear(wire, xml, caller, {
    book_type: kind.book,
    operation_type: operation,
    taxpayer: line.company.data.tax_id,
  })
  if (heard.is === 'answered') return answered(line, sent, heard.value, heard.text)
  if (heard.is === 'fault') return faulted(line, sent, heard)
  return heard.is === 'unknown' ? lost(line, sent, heard) : notSent(line, sent, heard)
}

const identityOf = ({ sending, store, company }: Look, { certificateId }: Settings): Promise<Identity> =>
  identityFor(sending.app, store, company, { preferred: certificateId, purpose: 'general' })

/** Does the one thing that is to be done now, while the line is held. */
async function held(look: Look, settings: Settings, lease: Line['lease']): Promise<Step> {
  const { sending, store, company, environment } = look
  // Whoever held the line a moment ago may have done it.
  const late = await hindrance(look)
  if (late) return late
  const queue = await readQueue(store, environment)
  const open = await ledger.openSubmission(store, queue)
  const base = { sending, store, company, environment, lease, queue }
  const identity = await identityOf(look, settings)
  if ('stop' in identity) return hindered(base, open, identity, wantedOf(look))
  const line: Line = { ...base, ...identity }
  return isOpen(open) ? settle(line, open) : send(line, open, wantedOf(look))
}

/**
 * Looks at the line of a company and does the one thing that is to be done now: settles a message without an answer, or
 * sends the next one.
 */
export async function step(
  sending: Sending,
  companyId: string,
  { isAsked = false, isUrgent = false, invoiceId }: StepOptions = {},
): Promise<Step> {
  const { app, owner } = sending
  const store = app.store.of(companyId)
  const company = await companyOf(store)
  if (!company) return { is: 'idle' }
  const settings = await settingsOf(store)
  const place = await placeOf(app, store, company)
  if ('stopped' in place) return { is: 'later', at: app.clock.now() + SOME_TIME, stopped: place.stopped }
  // What is on its way is settled, whatever is sent from now on.
  if (!place.isOpen && !settings.isAutomatic && !isAsked) return { is: 'idle' }
  const { environment } = place
  const look: Look = { sending, store, company, environment, isAsked, isUrgent, invoiceId }
  const early = await hindrance(look)
  if (early) return early
  const lease = await takeLine(store, app.clock, owner, environment)
  if (!lease) return { is: 'busy' }
  try {
    return await held(look, settings, lease)
  } catch (error) {
    if (error instanceof LostLease) return { is: 'busy' }
    if (error instanceof Changed) return { is: 'done', submission: null }
    throw error
  } finally {
    await leaveLine(store, lease).catch(() => undefined)
  }
}
