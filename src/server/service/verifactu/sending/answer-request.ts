/**
 * Replies to a request of the authority with records of a period without VERI*FACTU, as they were signed, a thousand
 * per message. The reply is stored and changes nothing in the chain.
 */
import { randomUUID } from 'node:crypto'
import { type Respuesta, readResponse } from '../../../../verifactu/index.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import { blockedBy } from '../../transmission/response.ts'
import { madeBetween } from '../exported.ts'
import { LEDGER, STATUSES } from './ledger.ts'
import { messageXml } from './message.ts'
import { addLines, COLUMNS, withKey } from './records.ts'
import { call, FAULTS, identityOf } from './response.ts'
import { MAX_RECORDS, type Sending } from './types.ts'

const ON_REQUEST = 'requerimiento'

export interface Request {
  readonly environment: Environment
  readonly reference: string
  readonly from: string
  readonly to: string
}

export interface RequestResult {
  /** Records with a response, those of earlier attempts included. */
  readonly records: number
  readonly messages: number
  readonly accepted: number
  readonly with_errors: number
  readonly rejected: number
  readonly csv: readonly string[]
  /** Why the rest was not sent; null if all was. */
  readonly blocked: Blocked | null
}

const NOTHING: RequestResult = {
  records: 0,
  messages: 0,
  accepted: 0,
  with_errors: 0,
  rejected: 0,
  csv: [],
  blocked: null,
}

/** Returns the sequence of the last record with a response; a repeated command continues after it. */
async function doneTo(store: CompanyStore, { environment, reference }: Request): Promise<number> {
  const { done } = await store
    .find('verifactu_submissions', { environment, submission_type: ON_REQUEST, ref_requerimiento: reference })
    .select(({ fn }) => fn.max('last_sequence').as('done'))
    .where('xml_response', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(done ?? 0)
}

/** Reads one record more than a message holds, to know whether it is the last message. */
const recordsAfter = (store: CompanyStore, environment: Environment, after: number, to: number) =>
  store
    .find('verifactu_records', { environment, mode: 'no_verifactu' })
    .select(COLUMNS)
    .where('sequence', '>', after)
    .where('sequence', '<=', to)
    .orderBy('sequence')
    .limit(MAX_RECORDS + 1)
    .execute()

/** Opens the submission of a message. */
async function open(
  { clock }: Sending['app'],
  store: CompanyStore,
  { environment, reference }: Request,
  rows: Awaited<ReturnType<typeof recordsAfter>>,
  xml: string,
): Promise<string> {
  const id = randomUUID()
  const status = STATUSES.sending
  const opening = { environment, channel: ON_REQUEST, entries: rows.map(withKey), xml, status }
  await store.transaction(async (tx) => {
    await LEDGER.open(tx, id, undefined, { ...opening, stamp: clock.stamp() })
    await tx.change('verifactu_submissions', { ref_requerimiento: reference }, { submission_id: id })
  })
  return id
}

/** Stores the response with its lines. No record changes its status. */
async function storeResponse(
  { app }: Sending,
  store: CompanyStore,
  id: string,
  value: Respuesta,
  text: string,
) {
  const response = readResponse(value, 'es')
  const counts = { accepted: 0, with_errors: 0, rejected: 0 }
  for (const { state } of response.lines)
    counts[
      state === 'accepted' ? 'accepted' : state === 'accepted_with_errors' ? 'with_errors' : 'rejected'
    ]++
  await store.transaction(async (tx) => {
    await addLines(
      tx,
      id,
      value.RespuestaLinea?.map((line) => ({
        num_serie: line.IDFactura.NumSerieFactura,
        fecha_expedicion: line.IDFactura.FechaExpedicionFactura,
        estado_registro: line.EstadoRegistro,
        codigo_error: line.CodigoErrorRegistro ?? null,
        descripcion_error: line.DescripcionErrorRegistro ?? null,
        // These lines never ask for a correction.
        sequence: null,
        next_step: null,
        next_options: null,
      })) ?? [],
    )
    await LEDGER.update(tx, id, {
      status: value.EstadoEnvio.trim(),
      csv: response.csv,
      submitted_at: app.clock.stamp(),
      xml_response: text,
    })
  })
  return { ...counts, csv: response.csv, wait: response.wait_seconds ?? 0 }
}

/**
 * Sends what a request asks for, message by message in the order of the chain. A full message is sent at once; others
 * wait as long as the authority asks for (`pause`, in seconds). Stops at the first message without a response; when
 * called again, it continues after the last message that has one.
 */
export async function answerRequest(
  sending: Sending,
  company: CompanyRecord,
  request: Request,
  pause: (seconds: number) => Promise<void>,
): Promise<RequestResult> {
  const { app, wire } = sending
  const { environment, reference, from, to } = request
  const store = app.store.of(company.id)
  const identity = await identityOf(app, store, company)
  if ('reason' in identity) return { ...NOTHING, blocked: identity }
  const part = await madeBetween(store, 'verifactu_records', environment, from, to)
  let after = Math.max(part.from - 1, await doneTo(store, request))
  let done = NOTHING
  for (let wait = 0; ; ) {
    const found = await recordsAfter(store, environment, after, part.to)
    const rows = found.slice(0, MAX_RECORDS)
    const last = rows.at(-1)
    if (!last) return done
    if (wait > 0 && rows.length < MAX_RECORDS) await pause(wait)
    const { legal_name, tax_id } = company.data
    const header = {
      ObligadoEmision: { NombreRazon: legal_name, NIF: tax_id },
      RemisionRequerimiento: {
        RefRequerimiento: reference,
        FinRequerimiento: found.length > MAX_RECORDS ? ('N' as const) : ('S' as const),
      },
    }
    const xml = messageXml(
      header,
      rows.map(({ xml_sent }) => xml_sent ?? ''),
    )
    const id = await open(app, store, request, rows, xml)
    const caller = {
      companyId: company.id,
      environment,
      ...identity,
      operation: 'requirement',
      taxpayer: company.data.tax_id,
    } as const
    const response = await call(wire, xml, caller)
    if (response.is !== 'answered') {
      const blocked = blockedBy(FAULTS, response)
      const failed = { blocked, status: STATUSES.failed }
      await store.transaction((tx) => LEDGER.update(tx, id, failed))
      return { ...done, blocked }
    }
    const stored = await storeResponse(sending, store, id, response.value.document, response.value.text)
    done = {
      records: done.records + rows.length,
      messages: done.messages + 1,
      accepted: done.accepted + stored.accepted,
      with_errors: done.with_errors + stored.with_errors,
      rejected: done.rejected + stored.rejected,
      csv: stored.csv === null ? done.csv : [...done.csv, stored.csv],
      blocked: null,
    }
    wait = stored.wait
    after = last.sequence
  }
}
