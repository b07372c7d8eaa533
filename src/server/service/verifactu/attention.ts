/**
 * Invoices whose last record the tax authority rejected or accepted with errors, with an instruction for each.
 * `/status` and `doctor` show this list. Invoices that need nothing, or that a corrective invoice has settled, are left
 * off.
 */
import { sql } from 'kysely'
import { checkTaxId } from '../../../identifiers/index.ts'
import type { Locale, Text } from '../../../invoice/index.ts'
import type { NextStep } from '../../../verifactu/index.ts'
import { fromJson } from '../../store/json.ts'
import type { Own, Rows } from '../../store/store.ts'
import { correctionsOf } from '../invoice/corrections.ts'
import { environmentOf, openPeriodOf } from './period.ts'
import { recipientOf } from './recipient.ts'

type RecordRow = Own<'verifactu_records'>

export interface Attention {
  readonly invoice_id: string
  readonly num_serie: string
  readonly sequence: number
  readonly tipo: RecordRow['tipo']
  readonly estado: string
  readonly codigo_error: string | null
  readonly descripcion_error: string | null
  readonly submitted_at: string | null
  /** What to do, with commands in backticks. */
  readonly instruction: string
}

const COLUMNS = [
  'invoice_id',
  'num_serie',
  'sequence',
  'tipo',
  'estado',
  'record',
  'submission_id',
  'submitted_at',
] as const
type Row = Pick<RecordRow, (typeof COLUMNS)[number]>

/** The condition of the index `verifactu_records_remarked`. */
const REMARKED = sql<boolean>`estado in ('accepted_with_errors', 'rejected')`

/** Returns records with errors that no further record of their invoice follows, newest first. */
async function lastRecordsOf(db: Rows, environment: RecordRow['environment'], limit: number): Promise<Row[]> {
  const rows = await db
    .find('verifactu_records', { environment })
    .select(COLUMNS)
    .where(REMARKED)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  const ids = [...new Set(rows.map(({ invoice_id }) => invoice_id))]
  if (ids.length === 0) return []
  const last = await db
    .find('verifactu_records', { environment })
    .select(({ fn }) => ['invoice_id', fn.max('sequence').as('last')])
    .where('invoice_id', 'in', ids)
    .groupBy('invoice_id')
    .execute()
  const lastOf = new Map(last.map((row) => [row.invoice_id, Number(row.last)]))
  return rows.filter((row) => lastOf.get(row.invoice_id) === Number(row.sequence))
}

const LINE = ['submission_id', 'sequence', 'next_step', 'codigo_error', 'descripcion_error'] as const
type Line = Pick<Own<'verifactu_submission_lines'>, (typeof LINE)[number]>

/** Returns the last line of each record. */
async function linesOf(db: Rows, rows: readonly Row[]): Promise<ReadonlyMap<number, Line>> {
  const ids = [...new Set(rows.flatMap(({ submission_id }) => submission_id ?? []))]
  if (ids.length === 0) return new Map()
  const lines = await db
    .select('verifactu_submission_lines')
    .select(LINE)
    .where('submission_id', 'in', ids)
    .where(
      'sequence',
      'in',
      rows.map(({ sequence }) => sequence),
    )
    .orderBy('line')
    .execute()
  const submissionOf = new Map(rows.map(({ sequence, submission_id }) => [Number(sequence), submission_id]))
  return new Map(
    lines
      .filter((line) => submissionOf.get(Number(line.sequence)) === line.submission_id)
      .map((line) => [Number(line.sequence), line]),
  )
}

/** Statuses of records that the authority has, or will have. */
const TAKEN = ['pending', 'accepted', 'accepted_with_errors']

/**
 * Returns the invoices that a corrective invoice has settled. One by substitution replaces the whole invoice. One by
 * differences replaces only what the authority has, so a rejected invoice must still be registered.
 */
async function settledOf(db: Rows, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const invoices = await db
    .select('invoices')
    .selectAll()
    .where(
      'invoice_id',
      'in',
      rows.map(({ invoice_id }) => invoice_id),
    )
    .execute()
  const corrections = await correctionsOf(db, invoices)
  const correctives = rows.flatMap((row) =>
    (corrections.get(row.invoice_id)?.corrected_by ?? [])
      .filter(({ correction_type }) => correction_type === 'S' || row.estado !== 'rejected')
      .map((one) => ({ of: row.invoice_id, id: one.invoice_id })),
  )
  if (correctives.length === 0) return new Set()
  const records = await db
    .find('verifactu_records', { tipo: 'alta' })
    .select(['invoice_id', 'estado'])
    .where(
      'invoice_id',
      'in',
      correctives.map(({ id }) => id),
    )
    .where('estado', 'in', TAKEN)
    .execute()
  const taken = new Set(records.map(({ invoice_id }) => invoice_id))
  return new Set(correctives.filter(({ id }) => taken.has(id)).map(({ of }) => of))
}

/** Error codes about the customer's name or tax id (census and VIES). */
const OF_THE_RECIPIENT = /^(?:1109|1110|1121|1193|2001)$/

const INSTRUCTIONS = {
  form: {
    en: 'The record at the tax authority was created with its own form: correct or cancel the record there.',
    es: 'El registro que tiene la AEAT se creó con su propio formulario: corríjalo o anúlelo allí.',
  },
  query: {
    en: 'The tax authority has a record of this invoice but does not state its status. Check the record (“Query the tax authority”, or GET /verifactu/aeat-records), then run {command}.',
    es: 'La AEAT tiene un registro de esta factura y no indica en qué estado. Consúltelo («Consultar a la AEAT» o GET /verifactu/aeat-records) y ejecute después {command}.',
  },
  duplicate: {
    en: 'Another system has used this number. Check what the tax authority has (“Query the tax authority”, or GET /verifactu/aeat-records). To replace it with the data of this invoice, run {command}.',
    es: 'Otro sistema ha usado este número. Consulte qué tiene la AEAT («Consultar a la AEAT» o GET /verifactu/aeat-records). Para sustituirlo por los datos de esta factura, ejecute {command}.',
  },
  person: {
    en: 'Check the name (surnames first) and tax id of the customer in the census of the tax authority, correct them in this command and run it: {command}. If they are right and the person is not in the census: {other}. The invoice itself stays as issued. If it names another customer, issue a corrective invoice.',
    es: 'Compruebe en el censo de la AEAT el nombre (primero los apellidos) y el NIF del cliente, corríjalos en este comando y ejecútelo: {command}. Si son correctos y la persona no está censada: {other}. La factura queda como se emitió. Si identifica a otro cliente, emita una factura rectificativa.',
  },
  entity: {
    en: 'Check the name and tax id of the customer, correct them in this command and run it: {command}. The invoice itself stays as issued. If it names another customer, issue a corrective invoice.',
    es: 'Compruebe el nombre y el NIF del cliente, corríjalos en este comando y ejecútelo: {command}. La factura queda como se emitió. Si identifica a otro cliente, emita una factura rectificativa.',
  },
  rejected: {
    en: 'The tax authority does not have this record. Fix the cause, then run {command}. If the invoice itself is wrong, also issue a corrective invoice.',
    es: 'La AEAT no tiene este registro. Una vez corregida la causa, ejecute {command}. Si el error está en la propia factura, emita además una factura rectificativa.',
  },
  remarked: {
    en: 'The tax authority accepted the record, with this remark. If the remark is right, run {command}. If the invoice itself is wrong, issue a corrective invoice instead.',
    es: 'La AEAT tiene el registro, con esta observación. Si la observación es acertada, ejecute {command}. Si el error está en la propia factura, emita en su lugar una factura rectificativa.',
  },
} as const satisfies Readonly<Record<string, Text>>

/** Quotes a value for a command line of a POSIX shell or PowerShell. */
const quoted = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", '’')}'`)

/** Returns what the response asks for; a rejection without a line asks for the usual correction. */
const nextOf = ({ estado }: Row, line: Line | undefined): NextStep =>
  line?.next_step ?? (estado === 'rejected' ? 'fix_and_register' : 'none')

/** Returns the instruction after a line, with its commands. */
function adviceOn(companyId: string, row: Row, line: Line | undefined) {
  const next = nextOf(row, line)
  const command = `cuadra-admin verifactu correct --company ${companyId} --invoice ${row.invoice_id}`
  const recipient = recipientOf(fromJson(row.record))
  if (next === 'use_form') return { text: INSTRUCTIONS.form, commands: [] }
  if (next === 'query') return { text: INSTRUCTIONS.query, commands: [command] }
  if (next === 'adopt') return { text: INSTRUCTIONS.duplicate, commands: [command] }
  if (recipient && OF_THE_RECIPIENT.test(line?.codigo_error ?? '')) {
    const id = recipient.NIF ?? recipient.IDOtro?.ID ?? ''
    const named = `${command} --recipient-name ${quoted(recipient.NombreRazon)} --recipient-id ${quoted(id)}`
    const isPerson = recipient.NIF !== undefined && checkTaxId(id, 'ES').person_type_code === 'F'
    return isPerson
      ? { text: INSTRUCTIONS.person, commands: [named, `${command} --recipient-not-in-census`] }
      : { text: INSTRUCTIONS.entity, commands: [named] }
  }
  const text = row.estado === 'rejected' ? INSTRUCTIONS.rejected : INSTRUCTIONS.remarked
  return { text, commands: [command] }
}

/** The most records with errors that are considered, newest first. */
const MOST = 500

/** Returns the invoices that need attention, newest first; none without an open period in mode verifactu. */
export async function attentionOf(
  db: Rows & { readonly companyId: string },
  locale: Locale,
): Promise<readonly Attention[]> {
  const period = await openPeriodOf(db)
  if (period?.mode !== 'verifactu') return []
  const rows = await lastRecordsOf(db, environmentOf(period), MOST)
  const lines = await linesOf(db, rows)
  const asking = rows.filter((row) => {
    const next = nextOf(row, lines.get(Number(row.sequence)))
    return next !== 'none' && next !== 'done'
  })
  const settled = await settledOf(db, asking)
  return asking
    .filter(({ invoice_id }) => !settled.has(invoice_id))
    .map((row) => {
      const line = lines.get(Number(row.sequence))
      const { text, commands } = adviceOn(db.companyId, row, line)
      const [command = '', other = ''] = commands.map((one) => `\`${one}\``)
      const { invoice_id, num_serie, tipo, estado, submitted_at } = row
      return {
        invoice_id,
        num_serie,
        sequence: Number(row.sequence),
        tipo,
        estado,
        codigo_error: line?.codigo_error ?? null,
        descripcion_error: line?.descripcion_error ?? null,
        submitted_at,
        instruction: text[locale].replace('{command}', () => command).replace('{other}', () => other),
      }
    })
}
