/** What was recorded of an invoice, what was sent, and what the tax authority did not take. */
import { safeFileName } from '../documents/names.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Call } from './call.ts'
import { requireInvoice } from './require-invoice.ts'

const anyKind = (): boolean => true

/** Records of any invoice of the company, oldest first. */
export async function recordsOf({ app, company }: Call, invoiceId: string) {
  const db = app.store.read
  await requireInvoice(db, company.id, invoiceId, anyKind)
  const rows = await db
    .selectFrom('verifactu_records')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .orderBy('created_at')
    .orderBy('sequence')
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
    has_xml_respuesta: row.xml_response !== null,
  }))
}

const NOT_SENT = {
  message: {
    en: 'The registration record of the invoice has not been sent to the tax authority, so there is no sent XML. Its state is in GET /invoices/{invoice_id}/verifactu/records.',
    es: 'El registro de alta de la factura no se ha enviado a la AEAT, así que no hay XML enviado. Su estado está en GET /invoices/{invoice_id}/verifactu/records.',
  },
}

/** XML of the latest registration, as it was sent. Throws `verifactu_xml_not_found`. */
export async function registrationXml({ app, company }: Call, invoiceId: string) {
  const db = app.store.read
  await requireInvoice(db, company.id, invoiceId, anyKind)
  const row = await db
    .selectFrom('verifactu_records')
    .select(['num_serie', 'xml_sent', 'submitted_at'])
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .where('tipo', '=', 'alta')
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row || row.xml_sent === null) throw new ApiError('verifactu_xml_not_found')
  if (row.submitted_at === null) throw new ApiError('verifactu_xml_not_found', NOT_SENT)
  return { xml: row.xml_sent, fileName: safeFileName(`${row.num_serie.replaceAll(/[/\\]/g, '-')}.xml`) }
}

const LINE = [
  'submission_id',
  'num_serie',
  'fecha_expedicion',
  'estado_registro',
  'codigo_error',
  'descripcion_error',
] as const

/** Submissions, newest first, each with its lines. */
export async function submissionsOf({ app, company, query }: Call) {
  const db = app.store.read
  const [limit, offset] = [Number(query.limit), Number(query.offset)]
  const { total } = await db
    .selectFrom('verifactu_submissions')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('company_id', '=', company.id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('verifactu_submissions')
    .selectAll()
    .where('company_id', '=', company.id)
    .orderBy('created_at', 'desc')
    .orderBy('submission_id')
    .limit(limit)
    .offset(offset)
    .execute()
  const lines =
    rows.length === 0
      ? []
      : await db
          .selectFrom('verifactu_submission_lines')
          .select(LINE)
          .where('company_id', '=', company.id)
          .where(
            'submission_id',
            'in',
            rows.map(({ submission_id }) => submission_id),
          )
          .orderBy('submission_id')
          .orderBy('line')
          .execute()
  const linesOf = (id: string) =>
    lines.filter(({ submission_id }) => submission_id === id).map(({ submission_id: _, ...line }) => line)
  const items = rows.map((row) => ({
    id: row.submission_id,
    environment: row.environment,
    submission_type: row.submission_type,
    ref_requerimiento: row.ref_requerimiento,
    record_count: row.record_count,
    estado_envio: row.estado_envio,
    aeat_csv: row.aeat_csv,
    error_code: row.error_code,
    error_message: row.error_message,
    lineas: linesOf(row.submission_id),
    submitted_at: row.submitted_at,
    created_at: row.created_at,
  }))
  return { items, total: Number(total), offset, limit }
}

/** How the tax authority and this server name a line that was taken as it was. */
const ACCEPTED = ['Correcto', 'Correcta', 'accepted']

/** Lines of the latest submissions that were not accepted, or accepted with errors; newest submission first. */
export async function incidentsOf({ app, company, query }: Call) {
  const db = app.store.read
  const items = await db
    .with('recent', (recent) =>
      recent
        .selectFrom('verifactu_submissions')
        .select(['company_id', 'submission_id', 'submitted_at', 'created_at'])
        .where('company_id', '=', company.id)
        .orderBy('created_at', 'desc')
        .orderBy('submission_id')
        .limit(Number(query.limit)),
    )
    .selectFrom('recent')
    .innerJoin('verifactu_submission_lines as line', (on) =>
      on
        .onRef('line.company_id', '=', 'recent.company_id')
        .onRef('line.submission_id', '=', 'recent.submission_id'),
    )
    .select([
      'recent.submission_id',
      'line.num_serie',
      'line.estado_registro',
      'line.codigo_error',
      'line.descripcion_error',
      'recent.submitted_at',
    ])
    .where('line.company_id', '=', company.id)
    .where('line.estado_registro', 'not in', ACCEPTED)
    .orderBy('recent.created_at', 'desc')
    .orderBy('recent.submission_id')
    .orderBy('line.line')
    .execute()
  return { items, total: items.length }
}
