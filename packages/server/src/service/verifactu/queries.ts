/** Queries of records, submissions and incidents. */
import { sql } from 'kysely'
import { invoiceFileName } from '../../documents/file-names.ts'
import { ApiError } from '../../errors/api-error.ts'
import { NOT_SENT, WAITING_RECORDS } from '../../generated/texts/verifactu.ts'
import type { PageQuery } from '../../shapes/parameter-shapes.ts'
import type { VerifactuIncidents, VerifactuRecord, VerifactuSubmissionPage } from '../../shapes/schemas.ts'
import type { Rows } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { requireInvoice } from '../invoice/require-invoice.ts'
import { storedMessage } from '../transmission/blocked.ts'
import { openAnomalies } from './anomalies.ts'
import { missingIncidents } from './missing.ts'

const anyKind = (): boolean => true

/** Returns the records of an invoice, oldest first. */
export async function recordsOf({ store }: Call, invoiceId: string): Promise<readonly VerifactuRecord[]> {
  await requireInvoice(store, invoiceId, anyKind)
  const rows = await store
    .select('verifactu_records', { verifactu_submissions: 'submission_id' })
    .selectAll('verifactu_records')
    // A response covers a whole message and is long, so only its existence is returned.
    .select(({ eb }) => eb('verifactu_submissions.xml_response', 'is not', null).as('was_answered'))
    .where('verifactu_records.invoice_id', '=', invoiceId)
    .orderBy('verifactu_records.created_at')
    .orderBy('verifactu_records.sequence')
    .execute()
  return rows.map((row) => ({
    tipo: row.tipo,
    mode: row.mode,
    environment: row.environment,
    estado: row.estado,
    huella: row.huella,
    huella_anterior: row.huella_anterior || null,
    qr_url: row.qr_url,
    aeat_csv: row.aeat_csv,
    ts_gen: row.ts_gen,
    submitted_at: row.submitted_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    has_xml_enviado: row.submitted_at !== null && row.xml_sent !== null,
    has_xml_respuesta: row.xml_response !== null || Boolean(row.was_answered),
  }))
}

/** Returns the XML of the latest registration, as it was sent. Throws `verifactu_xml_not_found`. */
export async function registrationXml({ store }: Call, invoiceId: string) {
  await requireInvoice(store, invoiceId, anyKind)
  const row = await store
    .find('verifactu_records', { invoice_id: invoiceId, tipo: 'alta' })
    .select(['num_serie', 'xml_sent', 'submitted_at'])
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new ApiError('verifactu_xml_not_found')
  if (row.xml_sent === null || row.submitted_at === null)
    throw new ApiError('verifactu_xml_not_found', NOT_SENT)
  return { xml: row.xml_sent, fileName: invoiceFileName(row.num_serie, 'xml') }
}

const LINE = [
  'submission_id',
  'num_serie',
  'fecha_expedicion',
  'estado_registro',
  'codigo_error',
  'descripcion_error',
] as const

/**
 * Returns a function that finds the response lines of a submission, in order. Lines with the statuses in `except` are
 * omitted.
 */
async function linesOf(
  db: Rows,
  submissions: readonly { readonly submission_id: string }[],
  except: readonly string[] = [],
) {
  const ids = submissions.map(({ submission_id }) => submission_id)
  const query = db
    .select('verifactu_submission_lines')
    .select(LINE)
    .where('submission_id', 'in', ids)
    .orderBy('submission_id')
    .orderBy('line')
  const rows =
    ids.length === 0
      ? []
      : await (except.length > 0 ? query.where('estado_registro', 'not in', except) : query).execute()
  const bySubmission = new Map<string, Omit<(typeof rows)[number], 'submission_id'>[]>()
  for (const { submission_id, ...line } of rows) {
    const found = bySubmission.get(submission_id)
    if (found) found.push(line)
    else bySubmission.set(submission_id, [line])
  }
  return (id: string) => bySubmission.get(id) ?? []
}

/** Columns of a submission without its XML messages, which are long. */
const SUBMISSION = [
  'submission_id',
  'environment',
  'submission_type',
  'ref_requerimiento',
  'record_count',
  'estado_envio',
  'aeat_csv',
  'error_code',
  'error_message',
  'submitted_at',
  'created_at',
] as const

/** Returns submissions, newest first, each with its lines. */
export async function submissionsOf(
  { store, locale }: Call,
  { limit, offset }: PageQuery,
): Promise<VerifactuSubmissionPage> {
  const total = await store.countOf(store.select('verifactu_submissions'))
  const rows = await store
    .select('verifactu_submissions')
    .select(SUBMISSION)
    .orderBy('created_at', 'desc')
    .orderBy('submission_id')
    .limit(limit)
    .offset(offset)
    .execute()
  const lines = await linesOf(store, rows)
  const items = rows.map((row) => ({
    id: row.submission_id,
    environment: row.environment,
    submission_type: row.submission_type,
    ref_requerimiento: row.ref_requerimiento,
    record_count: row.record_count,
    estado_envio: row.estado_envio,
    aeat_csv: row.aeat_csv,
    error_code: row.error_code,
    error_message: storedMessage(row.error_message, locale),
    lineas: lines(row.submission_id),
    submitted_at: row.submitted_at,
    created_at: row.created_at,
  }))
  return { items, total: Number(total), offset, limit }
}

/** Statuses of accepted lines, as the authority and this server write them. */
const ACCEPTED = ['Correcto', 'Correcta', 'accepted']

/** Statuses of submissions without an outcome, whose records are waiting. */
const WAITING = ['failed', 'unknown']

/** Counts the records of a company that wait to be sent. */
export const countPending = (db: Rows, environment: Environment): Promise<number> =>
  db.countOf(db.find('verifactu_records', { environment }).where('estado', '=', sql.lit('pending')))

/** Returns a function that returns the invoice number of the first record of a submission. */
async function firstNumbers(
  db: Rows,
  submissions: readonly { readonly environment: Environment; readonly first_sequence: number | null }[],
): Promise<(environment: Environment, sequence: number | null) => string> {
  const numbers = new Map<string, string>()
  for (const { environment, first_sequence } of submissions) {
    const row = await db
      .find('verifactu_records', { environment, sequence: first_sequence ?? 0 })
      .select('num_serie')
      .executeTakeFirst()
    numbers.set(`${environment} ${first_sequence}`, row?.num_serie ?? '')
  }
  return (environment, sequence) => numbers.get(`${environment} ${sequence}`) ?? ''
}

/**
 * Returns the incidents: anomalies of the chains, then missing records, then lines of the latest submissions that were
 * rejected or accepted with errors, newest submission first. For a blocked submission, the incident states why its
 * records wait.
 */
export async function incidentsOf({ store, locale }: Call, limit: number): Promise<VerifactuIncidents> {
  const recent = await store
    .select('verifactu_submissions')
    .select([
      'submission_id',
      'environment',
      'estado_envio',
      'error_code',
      'error_message',
      'first_sequence',
      'submitted_at',
    ])
    // Replies to the authority are excluded: the command that sends them reports their result. They need no correction.
    .where('ref_requerimiento', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('submission_id')
    .limit(limit)
    .execute()
  const lines = await linesOf(store, recent, ACCEPTED)
  const held = recent.filter(({ estado_envio }) => WAITING.includes(estado_envio))
  const numberOf = await firstNumbers(store, held)
  const waiting = new Map<Environment, number>()
  for (const { environment } of held)
    if (!waiting.has(environment)) waiting.set(environment, await countPending(store, environment))
  const items = recent.flatMap((submission) => {
    const { submission_id, submitted_at, environment, first_sequence, error_code, error_message } = submission
    const found = lines(submission_id).map(({ fecha_expedicion: _, ...line }) => ({
      submission_id,
      ...line,
      submitted_at,
    }))
    if (!held.includes(submission)) return found
    const waits = {
      submission_id,
      num_serie: numberOf(environment, first_sequence),
      estado_registro: 'pending',
      codigo_error: error_code,
      descripcion_error:
        `${storedMessage(error_message, locale) ?? ''} ${WAITING_RECORDS[locale].replace('{count}', String(waiting.get(environment)))}`.trim(),
      submitted_at,
    }
    return [waits, ...found]
  })
  // Open anomalies come first, then missing records.
  const all = [
    ...(await openAnomalies(store, locale, limit)),
    ...(await missingIncidents(store, locale, limit)),
    ...items,
  ]
  return { items: all, total: all.length }
}
