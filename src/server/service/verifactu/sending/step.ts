/** One look at the line of a company: the next message, if one may go now, and what became of it. */
import { type Cabecera, type Respuesta, readAnswer } from '../../../../verifactu/index.ts'
import type { CompanyStore, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { companyOf } from '../../company/company.ts'
import { type Asked, askFor } from './ask.ts'
import { type Heard, hear, isOfARecord, stoppedBy } from './hear.ts'
import { type Identity, identityOf } from './identity.ts'
import { afterAnswer, afterFault, type Isolation, readIsolation } from './isolation.ts'
import * as ledger from './ledger.ts'
import { flowFrom, type Line, type Sending, type Step, standStill, write } from './line.ts'
import { MOST_RECORDS, messageXml } from './message.ts'
import { isDuplicate, type Judged, judged, matched } from './outcome.ts'
import { LEASE, LostLease, leaveLine, readQueue, takeLine, updateQueue } from './queue.ts'
import { addLines, countWaiting, settleRecords, waitingWithXml } from './records.ts'
import { settle } from './settle.ts'

type Rows = Awaited<ReturnType<typeof waitingWithXml>>

const HOUR = 3_600_000
/** The authority takes records of up to four minutes ago for fresh ones (reference 12.4). */
const FRESH = 240_000

/** A moment to wait for; none where a clock that was wrong has put it further away than anything is waited for. */
const plausible = (at: number, now: number, most: number): number => (at - now > most ? 0 : at)

/** Why nothing goes now; null where something does. Locks nothing. */
async function hindrance(
  { app }: Sending,
  store: CompanyStore,
  environment: Environment,
  urgent: boolean,
): Promise<Step | null> {
  const queue = await readQueue(store, environment)
  const now = app.clock.now()
  const retry = urgent ? 0 : plausible(queue.retry_ms, now, 2 * HOUR)
  const open = await ledger.openSubmission(store, queue)
  // What the authority has is asked without waiting: only messages have to.
  if (open && open.estado_envio !== ledger.STATES.failed)
    return retry > now ? { is: 'later', at: retry } : null
  const waiting = await countWaiting(store, environment, MOST_RECORDS)
  if (waiting === 0) return { is: 'idle' }
  if (retry > now) return { is: 'later', at: retry }
  const flow = plausible(queue.flow_ms, now, (queue.wait_seconds + 1) * 1000)
  return flow > now && waiting < MOST_RECORDS ? { is: 'later', at: flow } : null
}

const momentOf = (stamp: string): number => Date.parse(`${stamp.slice(0, -3)}Z`)

/** Whether records were kept from going when they were made: by an outage, or because nothing ran here. */
function isDelayed({ queue, sending }: Line, [first]: Rows): boolean {
  if (!first) return false
  const patience = Math.max(FRESH, (queue.wait_seconds + 60) * 1000)
  return (
    queue.failures > 0 ||
    first.sequence <= queue.delayed_to ||
    sending.app.clock.now() - momentOf(first.created_at) > patience
  )
}

const headerOf = (line: Line, rows: Rows): Cabecera => ({
  ObligadoEmision: { NombreRazon: line.company.data.legal_name, NIF: line.company.data.tax_id },
  ...(isDelayed(line, rows) ? { RemisionVoluntaria: { Incidencia: 'S' as const } } : {}),
})

/** The authority's clock against ours, in milliseconds; null where it does not say. */
const skewOf = (presented: string | null, now: number): number | null => {
  const theirs = Date.parse(presented ?? '')
  return Number.isNaN(theirs) ? null : Math.round(now - theirs)
}

const TOLERATED_SKEW = 60_000

/** Records by what became of them: most messages have one kind. */
function groupsOf(all: readonly Judged[]) {
  const of = (estado: Judged['estado']) => all.filter((one) => one.estado === estado)
  return (['accepted', 'accepted_with_errors', 'rejected'] as const).map((estado) => ({
    estado,
    sequences: of(estado).map(({ record }) => record.sequence),
  }))
}

const lineRow = ({ record, line, estado, arrivedBefore }: Judged) => ({
  num_serie: record.num_serie,
  fecha_expedicion: record.fecha_expedicion,
  // What arrived before was not rejected, whatever the answer to its second coming is called.
  estado_registro: arrivedBefore
    ? estado === 'accepted'
      ? 'Correcto'
      : 'AceptadoConErrores'
    : estado === 'accepted'
      ? 'Correcto'
      : estado === 'rejected'
        ? 'Incorrecto'
        : 'AceptadoConErrores',
  codigo_error: arrivedBefore || line.code === null ? null : String(line.code),
  descripcion_error: arrivedBefore ? null : line.description,
  sequence: record.sequence,
  next_step: arrivedBefore ? (estado === 'accepted' ? 'none' : 'correct') : line.next,
  next_options: line.options && !arrivedBefore ? JSON.stringify(line.options) : null,
})

interface Sent {
  readonly id: string
  readonly rows: Rows
  readonly isolation: Isolation | null
  readonly submitted_at: string
  readonly caller: Parameters<typeof hear>[2]
}

/** Asks about the duplicates of an answer: whether what the authority has is ours. */
async function askAbout(line: Line, sent: Sent, duplicates: Parameters<typeof isDuplicate>[0][]) {
  if (duplicates.length === 0) return { asked: null, before: () => false }
  const { store, company, environment, sending } = line
  const records = duplicates.map(({ record }) => record)
  const asking = { wire: sending.wire, company: company.data, caller: sent.caller }
  const asked: Asked = await askFor(store, asking, records)
  const sequences = records.map(({ sequence }) => sequence)
  return { asked, before: await ledger.wereSentBefore(store, environment, sent.id, sequences) }
}

/** The record that was set apart is rejected, now that the others were taken. */
async function rejectAside(line: Line, isolation: Isolation | null) {
  const { aside = null } = isolation ?? {}
  if (!aside) return null
  const { sequence, code, reason } = aside
  const [row] = await waitingWithXml(line.store, line.environment, { from: sequence, to: sequence }, 1)
  return row ? { row, code, reason } : null
}

type Aside = NonNullable<Awaited<ReturnType<typeof rejectAside>>>

/** Writes a record down as rejected for the fault that it brings upon its message, as a submission of its own. */
async function rejectAlone(
  tx: Tx,
  { environment }: Line,
  { row, code, reason }: Aside,
  submission: { readonly id: string; readonly submitted_at: string },
  stamp: string,
): Promise<void> {
  const { record } = (await tx
    .select('verifactu_records')
    .select('record')
    .where('environment', '=', environment)
    .where('sequence', '=', row.sequence)
    .executeTakeFirstOrThrow()) as { record: string }
  const marks = marksIn(record)
  const IDFactura = {
    IDEmisorFactura: '',
    NumSerieFactura: row.num_serie,
    FechaExpedicionFactura: row.fecha_expedicion,
  }
  const [line] = readAnswer({
    EstadoEnvio: 'Incorrecto',
    RespuestaLinea: [
      {
        IDFactura,
        Operacion: { TipoOperacion: row.tipo === 'alta' ? 'Alta' : 'Anulacion', ...marks },
        EstadoRegistro: 'Incorrecto',
        CodigoErrorRegistro: String(code ?? ''),
      },
    ],
  } as unknown as Respuesta).lines
  await settleRecords(
    tx,
    environment,
    [row.sequence],
    {
      estado: 'rejected',
      submission_id: submission.id,
      submitted_at: submission.submitted_at,
      aeat_csv: null,
    },
    stamp,
  )
  await addLines(tx, submission.id, [
    {
      num_serie: row.num_serie,
      fecha_expedicion: row.fecha_expedicion,
      estado_registro: 'Incorrecto',
      codigo_error: code === null ? null : String(code),
      descripcion_error: reason.es,
      sequence: row.sequence,
      next_step: line?.next ?? 'mend_and_register',
      next_options: line?.options ? JSON.stringify(line.options) : null,
    },
  ])
}

function marksIn(record: string) {
  try {
    const { RegistroAlta, RegistroAnulacion } = JSON.parse(record)
    const { Subsanacion, RechazoPrevio, SinRegistroPrevio } = RegistroAlta ?? RegistroAnulacion ?? {}
    return {
      ...(Subsanacion ? { Subsanacion } : {}),
      ...(RechazoPrevio ? { RechazoPrevio } : {}),
      ...(SinRegistroPrevio ? { SinRegistroPrevio } : {}),
    }
  } catch {
    return {}
  }
}

async function answered(line: Line, sent: Sent, value: Respuesta, text: string): Promise<Step> {
  const { sending, queue, lease, environment } = line
  const answer = readAnswer(value, 'es')
  const { told, untold, strange } = matched(sent.rows, answer.lines)
  if (told.length === 0) {
    const reason = {
      en: 'the answer speaks of none of the records that were sent.',
      es: 'la respuesta no se refiere a ninguno de los registros enviados.',
    }
    return lost(line, sent, { is: 'unknown', reason })
  }
  if (strange > 0) sending.app.log.warn({ strange }, 'an answer has lines of records that were not sent')
  const { asked, before } = await askAbout(line, sent, told.filter(isDuplicate))
  const all = told.map((one) => judged(one, asked, before))
  const aside = await rejectAside(line, sent.isolation)
  const now = sending.app.clock.now()
  const skew = skewOf(answer.presented_at, now)
  if (skew !== null && Math.abs(skew) > TOLERATED_SKEW)
    sending.app.log.warn(
      { skew_ms: skew },
      'the clock of this machine differs from that of the tax authority',
    )
  await write(line, async (tx, stamp) => {
    for (const { estado, sequences } of groupsOf(all))
      await settleRecords(
        tx,
        environment,
        sequences,
        {
          estado,
          submission_id: sent.id,
          submitted_at: sent.submitted_at,
          aeat_csv: estado === 'rejected' ? null : answer.csv,
        },
        stamp,
      )
    await addLines(tx, sent.id, all.map(lineRow))
    await ledger.update(tx, sent.id, {
      estado_envio: value.EstadoEnvio,
      aeat_csv: answer.csv,
      submitted_at: sent.submitted_at,
      xml_response: text,
      error_code: null,
      error_message: null,
    })
    if (aside) {
      const id = await ledger.open(tx, undefined, {
        environment,
        records: [aside.row],
        xml: null,
        estado_envio: 'Incorrecto',
        stamp,
      })
      await ledger.fail(
        tx,
        id,
        { stop: 'fault_record', code: aside.code, told: { reason: aside.reason } },
        {
          submitted_at: sent.submitted_at,
        },
      )
      await rejectAlone(tx, line, aside, { id, submitted_at: sent.submitted_at }, stamp)
    }
    const end = queue.failures > 0 ? await endOfChain(tx, environment) : 0
    const wait = answer.wait_seconds ?? queue.wait_seconds
    await updateQueue(tx, lease, stamp, {
      // Records of which nothing was said are asked for.
      submission_id: untold.length > 0 ? sent.id : null,
      failures: 0,
      retry_ms: 0,
      wait_seconds: wait,
      flow_ms: flowFrom(line, wait),
      delayed_to: Math.max(queue.delayed_to, end),
      isolation: storedIsolation(afterAnswer(sent.isolation, sent.rows.length)),
      skew_ms: skew ?? queue.skew_ms,
    })
  })
  return { is: 'done', records: all.length }
}

const storedIsolation = (isolation: Isolation | null): string | null =>
  isolation ? JSON.stringify(isolation) : null

/** The last place of the chain: all that was made until now has waited with what was held up. */
async function endOfChain(tx: Tx, environment: Environment): Promise<number> {
  const row = await tx
    .select('verifactu_chains')
    .select('sequence')
    .where('environment', '=', environment)
    .where('chain', '=', 'records')
    .executeTakeFirst()
  return Number(row?.sequence ?? 0)
}

/** Nothing came back that says what became of the message. */
function lost(line: Line, sent: Sent, heard: Exclude<Heard<unknown>, { is: 'answered' }>): Promise<Step> {
  return standStill(line, sent.id, stoppedBy(heard), {
    submission: { estado_envio: ledger.STATES.unknown, submitted_at: sent.submitted_at },
    queue: { flow_ms: flowFrom(line) },
  })
}

/** The message was refused as a whole: what of it is to go again, and when. */
async function faulted(
  line: Line,
  sent: Sent,
  heard: Extract<Heard<unknown>, { is: 'fault' }>,
): Promise<Step> {
  const { environment, store, queue, lease } = line
  const { code, reason, resend } = heard
  const submission = { estado_envio: ledger.STATES.failed, submitted_at: sent.submitted_at }
  const flow_ms = flowFrom(line)
  const stopped = stoppedBy(heard)
  if (resend || !isOfARecord(code))
    return standStill(line, sent.id, stopped, { submission, queue: { flow_ms } })
  const othersWait = (await countWaiting(store, environment, 2)) > 1
  const next = afterFault(sent.isolation, sent.rows, { code, reason }, othersWait)
  if (next.is === 'every')
    return standStill(
      line,
      sent.id,
      { ...stopped, stop: 'fault_message' },
      {
        submission,
        queue: { flow_ms, isolation: null },
      },
    )
  const [row] = sent.rows
  await write(line, async (tx, stamp) => {
    await ledger.fail(tx, sent.id, stopped, {
      ...submission,
      ...(next.is === 'rejected' ? { estado_envio: 'Incorrecto' } : {}),
    })
    if (next.is === 'rejected' && row) await rejectAlone(tx, line, { row, code, reason }, sent, stamp)
    const left = sent.isolation?.proven ? { limit: MOST_RECORDS, proven: true, aside: null } : null
    await updateQueue(tx, lease, stamp, {
      submission_id: next.is === 'rejected' ? null : sent.id,
      flow_ms,
      retry_ms: 0,
      // Everything behind it was delayed.
      failures: queue.failures + 1,
      isolation: storedIsolation(next.is === 'rejected' ? left : next.isolation),
    })
  })
  return { is: 'done', records: next.is === 'rejected' ? 1 : 0 }
}

/** Writes down what is about to go out. Throws a `LostLease` where it must not. */
async function announce(
  line: Line,
  before: ledger.Submission | undefined,
  rows: Rows,
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
    headerOf(line, rows),
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
    const identity = await identityOf(app as never, store, company)
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
