/** One look at the line of a company: the next message, if one may go now, and what became of it. */
import type { Cabecera } from '../../../../verifactu/index.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { companyOf } from '../../company/company.ts'
import { plausible } from '../../sending/backoff.ts'
import { lastDayOf } from '../period.ts'
import { answered } from './answered.ts'
import { faulted, lost } from './faulted.ts'
import { hear, stoppedBy } from './hear.ts'
import { type Identity, identityOf } from './identity.ts'
import { readIsolation } from './isolation.ts'
import * as ledger from './ledger.ts'
import { type Line, type Sending, type Step, standStill, write } from './line.ts'
import { MOST_RECORDS, messageXml } from './message.ts'
import { isFree, LEASE, LostLease, leaveLine, type Queue, readQueue, takeLine, updateQueue } from './queue.ts'
import { countWaiting, waitingWithXml } from './records.ts'
import type { Sent, SentRecords } from './sent.ts'
import { settle } from './settle.ts'

const HOUR = 3_600_000
/** The authority takes records of up to four minutes ago for fresh ones (reference 12.4). */
const FRESH = 240_000

/** Until when a queue waits: `retry` after a failure, `flow` by the authority's own waiting time; 0 for not at all. */
export function waitsOf(queue: Queue, now: number): { readonly retry: number; readonly flow: number } {
  return {
    retry: plausible(queue.retry_ms, now, 2 * HOUR),
    flow: plausible(queue.flow_ms, now, (queue.wait_seconds + 1) * 1000),
  }
}

/** Why nothing goes now; null where something does. Locks nothing. */
async function hindrance(
  { app, owner }: Sending,
  store: CompanyStore,
  environment: Environment,
  urgent: boolean,
): Promise<Step | null> {
  const queue = await readQueue(store, environment)
  const now = app.clock.now()
  if (!isFree(queue, owner, now)) return { is: 'busy' }
  const waits = waitsOf(queue, now)
  const retry = urgent ? 0 : waits.retry
  const open = await ledger.openSubmission(store, queue)
  // What the authority has is asked without waiting: only messages have to.
  if (open && open.estado_envio !== ledger.STATES.failed)
    return retry > now ? { is: 'later', at: retry } : null
  const waiting = await countWaiting(store, environment, MOST_RECORDS)
  if (waiting === 0) return { is: 'idle' }
  if (retry > now) return { is: 'later', at: retry }
  return waits.flow > now && waiting < MOST_RECORDS ? { is: 'later', at: waits.flow } : null
}

const momentOf = (stamp: string): number => Date.parse(`${stamp.slice(0, -3)}Z`)

/** Whether records were kept from going when they were made: by an outage, or because nothing ran here. */
function isDelayed({ queue, sending }: Line, [first]: SentRecords): boolean {
  if (!first) return false
  const patience = Math.max(FRESH, (queue.wait_seconds + 60) * 1000)
  return (
    queue.failures > 0 ||
    first.sequence <= queue.delayed_to ||
    sending.app.clock.now() - momentOf(first.created_at) > patience
  )
}

/** `lastDay`: the message is the last one of a system that is VERI*FACTU until then. */
const headerOf = (line: Line, rows: SentRecords, lastDay: string | null): Cabecera => {
  const voluntary = {
    ...(lastDay === null ? {} : { FechaFinVeriFactu: lastDay.split('-').reverse().join('-') }),
    ...(isDelayed(line, rows) ? { Incidencia: 'S' as const } : {}),
  }
  return {
    ObligadoEmision: { NombreRazon: line.company.data.legal_name, NIF: line.company.data.tax_id },
    ...(Object.keys(voluntary).length > 0 ? { RemisionVoluntaria: voluntary } : {}),
  }
}

/** The last day as VERI*FACTU, where this message is to announce it: nothing waits that is not in it. */
async function announcedEnd(
  { store, environment, sending }: Line,
  rows: SentRecords,
): Promise<string | null> {
  const day = await lastDayOf(store, environment, sending.app.clock.today())
  if (day === null) return null
  const waiting = await countWaiting(store, environment, rows.length + 1)
  return waiting === rows.length ? day : null
}

/** Writes down what is about to go out. Throws a `LostLease` where it must not. */
async function announce(
  line: Line,
  before: ledger.Submission | undefined,
  rows: SentRecords,
  xml: string | null,
  estado_envio: string,
): Promise<string> {
  return write(line, async (tx, stamp) => {
    const id = await ledger.open(tx, before, {
      environment: line.environment,
      records: rows,
      xml,
      estado_envio,
      stamp,
    })
    await updateQueue(tx, line.lease, stamp, { submission_id: id })
    return id
  })
}

async function send(
  line: Line,
  before: ledger.Submission | undefined,
  identity: Exclude<Identity, { stop: unknown }>,
): Promise<Step> {
  const { sending, store, environment, queue } = line
  const { app, wire, signal } = sending
  const isolation = readIsolation(queue.isolation)
  const range = { except: isolation?.aside?.sequence ?? null }
  const rows = await waitingWithXml(store, environment, range, isolation?.limit ?? MOST_RECORDS)
  if (rows.length === 0) return { is: 'idle' }
  const xml = messageXml(
    headerOf(line, rows, await announcedEnd(line, rows)),
    rows.map(({ xml_sent }) => xml_sent ?? ''),
  )
  const began = app.clock.now()
  const id = await announce(line, before, rows, xml, ledger.STATES.sending)
  // Somebody else may have the line by now: then what was announced is his to settle.
  if (app.clock.now() - began > LEASE / 2) throw new LostLease()
  const submitted_at = app.clock.stamp()
  const caller = {
    companyId: store.companyId,
    environment,
    ...identity,
    operation: 'submission',
    taxpayer: line.company.data.tax_id,
    ...(signal ? { signal } : {}),
  } as const
  const heard = await hear(wire, xml, caller)
  const sent: Sent = { id, rows, isolation, submitted_at, caller }
  if (heard.is === 'answered') return answered(line, sent, heard.value, heard.text)
  if (heard.is === 'fault') return faulted(line, sent, heard)
  if (heard.is === 'unknown') return lost(line, sent, heard)
  // Nothing of it went out: there is no message that anybody has.
  const submission = { estado_envio: ledger.STATES.failed, xml: null }
  return standStill(line, id, stoppedBy(heard), { submission })
}

/** Nothing can go out, for a reason of ours. Said once, not at every look. */
async function hindered(
  line: Line,
  before: ledger.Submission | undefined,
  stopped: Extract<Identity, { stop: unknown }>,
): Promise<Step> {
  if (before && before.estado_envio !== ledger.STATES.failed)
    return standStill(line, before.submission_id, stopped)
  const rows = await waitingWithXml(line.store, line.environment, {}, MOST_RECORDS)
  const id = await announce(line, before, rows, null, ledger.STATES.failed)
  return standStill(line, id, stopped)
}

/**
 * Looks at the line of a company and does the one thing that is to be done now: settles a message without an answer, or
 * sends the next one. `urgent` does not wait for the time of ours after a failure; that of the authority it does.
 */
export async function step(
  sending: Sending,
  companyId: string,
  environment: Environment,
  { urgent = false }: { readonly urgent?: boolean } = {},
): Promise<Step> {
  const { app, owner } = sending
  const store = app.store.of(companyId)
  const early = await hindrance(sending, store, environment, urgent)
  if (early) return early
  const lease = await takeLine(store, app.clock, owner, environment)
  if (!lease) return { is: 'busy' }
  try {
    // Whoever held the line a moment ago may have done it.
    const late = await hindrance(sending, store, environment, urgent)
    if (late) return late
    const company = await companyOf(store)
    if (!company) return { is: 'idle' }
    const queue = await readQueue(store, environment)
    const line: Line = { sending, store, company, environment, lease, queue }
    const open = await ledger.openSubmission(store, queue)
    const identity = await identityOf(app, store, company)
    if ('stop' in identity) return await hindered(line, open, identity)
    return open && open.estado_envio !== ledger.STATES.failed
      ? await settle(line, open, identity)
      : await send(line, open, identity)
  } catch (error) {
    if (error instanceof LostLease) return { is: 'busy' }
    throw error
  } finally {
    await leaveLine(store, lease).catch(() => undefined)
  }
}
