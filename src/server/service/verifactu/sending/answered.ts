/** An answer is written down: in one transaction with the states of its records, its lines and its CSV. */
import { type Respuesta, readAnswer } from '../../../../verifactu/index.ts'
import { type Asked, askFor } from './ask.ts'
import { lost } from './faulted.ts'
import { afterAnswer, storedIsolation } from './isolation.ts'
import * as ledger from './ledger.ts'
import { flowFrom, type Line, type Step, write } from './line.ts'
import { isDuplicate, type Judged, judged, matched, type Told } from './outcome.ts'
import { updateQueue } from './queue.ts'
import { addLines, endOfChain, settleRecords } from './records.ts'
import { rejectAlone, setApart } from './rejected.ts'
import type { Sent } from './sent.ts'

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

/** Asks about the duplicates of an answer: whether what the authority has is ours. */
async function askAbout(line: Line, sent: Sent, duplicates: readonly Told[]) {
  if (duplicates.length === 0) return { asked: null, before: () => false }
  const { store, company, environment, sending } = line
  const records = duplicates.map(({ record }) => record)
  const asking = { wire: sending.wire, company: company.data, caller: sent.caller }
  const asked: Asked = await askFor(store, asking, records)
  const sequences = records.map(({ sequence }) => sequence)
  return { asked, before: await ledger.wereSentBefore(store, environment, sent.id, sequences) }
}

export async function answered(line: Line, sent: Sent, value: Respuesta, text: string): Promise<Step> {
  const { sending, queue, lease, environment } = line
  const answer = readAnswer(value, 'es')
  // Numbers occur with every company: a line of another issuer is of none of these records.
  const own = answer.lines.filter((_, at) => {
    const issuer = value.RespuestaLinea?.[at]?.IDFactura.IDEmisorFactura?.trim()
    return !issuer || issuer === line.company.data.tax_id
  })
  const { told, untold, strange } = matched(sent.rows, own)
  if (told.length === 0) {
    const reason = {
      en: 'the answer speaks of none of the records that were sent.',
      es: 'la respuesta no se refiere a ninguno de los registros enviados.',
    }
    return lost(line, sent, { is: 'unknown', reason })
  }
  const others = strange + answer.lines.length - own.length
  if (others > 0)
    sending.app.log.warn({ strange: others }, 'an answer has lines of records that were not sent')
  const { asked, before } = await askAbout(line, sent, told.filter(isDuplicate))
  const all = told.map((one) => judged(one, asked, before))
  const aside = await setApart(line, sent.isolation)
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
      estado_envio: value.EstadoEnvio.trim(),
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
  for (const { estado, sequences } of groupsOf(all)) sending.app.metrics.answered(estado, sequences.length)
  if (aside) sending.app.metrics.answered('rejected', 1)
  return { is: 'done', records: all.length }
}
