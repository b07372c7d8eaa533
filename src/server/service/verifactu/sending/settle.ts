/** A message without an answer: the authority is asked what it has of it, and only what it has not goes again. */
import { authorityCode } from '../../../../verifactu/index.ts'
import { askFor, type Held, nameOf, verdictBy } from './ask.ts'
import { isOfARecord, stoppedBy } from './hear.ts'
import type { Identity } from './identity.ts'
import * as ledger from './ledger.ts'
import { flowFrom, type Line, type Step, standStill, write } from './line.ts'
import { updateQueue } from './queue.ts'
import { addLines, endOfChain, settleRecords, type Verdict, type Waiting, waitingIn } from './records.ts'

const WORDS = { accepted: 'Correcto', accepted_with_errors: 'AceptadoConErrores' } as const

/** Accepted with errors, and no correction is due. */
const isHarmless = (code: number | null): boolean =>
  code !== null && authorityCode(code)?.needs_subsanacion === false

interface Found {
  readonly record: Waiting
  readonly estado: keyof typeof WORDS
  readonly held: Held
}

const lineOf = ({ record, estado, held }: Found) => {
  // What is held of the invoice is of its last record: the code of another one is none of this.
  const own = held.huella === record.huella
  return {
    num_serie: record.num_serie,
    fecha_expedicion: record.fecha_expedicion,
    estado_registro: WORDS[estado],
    codigo_error: own && held.code !== null ? String(held.code) : null,
    descripcion_error: own ? held.description : null,
    sequence: record.sequence,
    next_step:
      estado === 'accepted' || (own && isHarmless(held.code)) ? ('none' as const) : ('correct' as const),
    next_options: null,
  }
}

/** Writes down what was found. `isWhole`: that is all of what the message had. */
async function close(
  line: Line,
  submission: ledger.Submission,
  found: readonly Found[],
  isWhole: boolean,
): Promise<void> {
  const { submission_id, estado_envio } = submission
  await write(line, async (tx, stamp) => {
    for (const estado of ['accepted', 'accepted_with_errors'] as const) {
      const sequences = found.filter((one) => one.estado === estado).map(({ record }) => record.sequence)
      const verdict: Verdict = {
        estado,
        submission_id,
        aeat_csv: submission.aeat_csv,
        submitted_at: submission.submitted_at ?? submission.created_at,
      }
      await settleRecords(tx, line.environment, sequences, verdict, stamp)
    }
    await addLines(tx, submission_id, found.map(lineOf))
    // An answer that told of some of its records keeps its own words.
    const isOurs = estado_envio === ledger.STATES.sending || estado_envio === ledger.STATES.unknown
    const stop = found.length > 0 ? 'settled' : 'not_received'
    const state = found.length > 0 ? ledger.STATES.settled : ledger.STATES.notReceived
    if (isOurs)
      await ledger.fail(
        tx,
        submission_id,
        { stop },
        {
          estado_envio: state,
          submitted_at: submission.submitted_at ?? stamp,
        },
      )
    // What has to go again goes on being counted as failures. Where nothing has to, the outage is over: what was made
    // during it was delayed, what is made from now on is not.
    const over = { failures: 0, delayed_to: await endOfChain(tx, line.environment) }
    // Whoever sent it fell over before it could write down when the next one may go.
    const next = estado_envio === ledger.STATES.sending ? { flow_ms: flowFrom(line) } : {}
    const end = { submission_id: null, retry_ms: 0, ...next, ...(isWhole ? over : {}) }
    await updateQueue(tx, line.lease, stamp, end)
  })
}

export async function settle(
  line: Line,
  submission: ledger.Submission,
  identity: Exclude<Identity, { stop: unknown }>,
): Promise<Step> {
  const { sending, store, environment, company } = line
  const range = { from: submission.first_sequence ?? 0, to: submission.last_sequence ?? 0 }
  const records = await waitingIn(store, environment, range)
  const caller = { companyId: store.companyId, environment, ...identity, ...signalOf(sending) }
  const asked = await askFor(store, { wire: sending.wire, company: company.data, caller }, records)
  if (!asked.ok) {
    const stopped = stoppedBy(asked.heard)
    // A query has no records that could be the reason.
    const stop = isOfARecord(stopped.code ?? null) ? 'fault_message' : stopped.stop
    return standStill(line, submission.submission_id, { ...stopped, stop })
  }
  const found = records.flatMap((record, index): Found[] => {
    const held = asked.held.get(nameOf(record))
    const later = records.slice(index + 1).filter(({ invoice_id }) => invoice_id === record.invoice_id)
    const estado = verdictBy(record, held, later)
    return estado && held ? [{ record, estado, held }] : []
  })
  await close(line, submission, found, found.length === records.length)
  return { is: 'done', records: found.length }
}

const signalOf = ({ signal }: Line['sending']) => (signal ? { signal } : {})
