/**
 * Lists cancelled invoices whose cancellation record is missing, and invoices whose last record the tax authority
 * rejected or accepted with errors, with an instruction for each. `/status` and `doctor` show this list. Invoices that
 * need no action, or that a corrective invoice has settled, are omitted.
 */
import { sql } from 'kysely'
import { required } from '#core/errors/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import type { NextStep } from '#records/verifactu/index.ts'
import type { Clock } from '../../environment/clock.ts'
import { AFTERWARDS, INSTRUCTIONS } from '../../generated/texts/verifactu.ts'
import { isAtAuthority, missingCancellations } from '../../store/missing-records.ts'
import type { CompanyRow, Rows } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import { correctionsOf } from '../invoice/corrections.ts'
import { instructionFor, missingRecordText } from './missing.ts'
import { recipientOf } from './recipient.ts'
import { environmentNow, openPeriodOf } from './verifactu-period.ts'

type RecordRow = CompanyRow<'verifactu_records'>

export interface InvoiceNeedingAttention {
  readonly invoice_id: string
  readonly num_serie: string
  readonly sequence: number
  readonly tipo: RecordRow['tipo']
  readonly estado: string
  readonly codigo_error: string | null
  readonly descripcion_error: string | null
  readonly submitted_at: string | null
  /** The instruction, with commands in backticks. */
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

/** The condition of the partial index `verifactu_records_remarked`. */
const REMARKED = sql<boolean>`estado in ('accepted_with_errors', 'rejected')`

/** Returns records with errors that are the last record of their invoice, newest first. */
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
type Line = Pick<CompanyRow<'verifactu_submission_lines'>, (typeof LINE)[number]>

/** Returns the last response line of each record. */
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

/**
 * Returns the invoices for which these records require no action. A cancelled invoice needs no registration. A
 * corrective invoice by substitution replaces the whole invoice. One by differences only adjusts an invoice that the
 * authority has, so a rejected invoice must still be registered.
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
  const cancelled = new Set(
    invoices.filter(({ status }) => status === 'cancelled').map(({ invoice_id }) => invoice_id),
  )
  const settled = rows.filter(({ tipo, invoice_id }) => tipo === 'alta' && cancelled.has(invoice_id))
  const ids = settled.map(({ invoice_id }) => invoice_id)
  const corrections = await correctionsOf(db, invoices)
  const correctives = rows.flatMap((row) =>
    (corrections.get(row.invoice_id)?.corrected_by ?? [])
      .filter(({ correction_type }) => correction_type === 'S' || row.estado !== 'rejected')
      .map((one) => ({ of: row.invoice_id, id: one.invoice_id })),
  )
  if (correctives.length === 0) return new Set(ids)
  const records = await db
    .find('verifactu_records', { tipo: 'alta' })
    .select(['invoice_id', 'estado'])
    .where(
      'invoice_id',
      'in',
      correctives.map(({ id }) => id),
    )
    .execute()
  const taken = new Set(records.filter(isAtAuthority).map(({ invoice_id }) => invoice_id))
  return new Set([...ids, ...correctives.filter(({ id }) => taken.has(id)).map(({ of }) => of)])
}

/** Error code of a registration: another system has already used the number. */
const DUPLICATE = '3000'
/** Error code of a cancellation: the tax authority does not have the invoice. */
const NO_RECORD = '3002'
/** Error codes about the customer's name or tax id (census and VIES). */
const OF_THE_RECIPIENT = /^(?:1109|1110|1121|1193|2001)$/

/** Quotes a value for the command line of a POSIX shell. Also correct for PowerShell, except for rare characters. */
export function shellQuoted(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text
  if (!text.includes("'")) return `'${text}'`
  // Both shells accept an apostrophe in double quotes, if the text contains no character that is special there.
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}

/** Returns the next step that the response requires. A rejection without a line requires the usual correction. */
const nextOf = ({ estado }: Row, line: Line | undefined): NextStep =>
  line?.next_step ?? (estado === 'rejected' ? 'fix_and_register' : 'none')

/** Whether the tax authority has a record of another system with the number of the registration. */
const isOfAnotherSystem = (next: NextStep, line: Line | undefined): boolean =>
  next === 'adopt' || (next === 'revive' && line?.codigo_error === DUPLICATE)

/** Returns the instruction that follows from a response line, with its commands. */
function adviceOn(companyId: string, row: Row, line: Line | undefined) {
  const next = nextOf(row, line)
  const command = `cuadra-admin verifactu correct --company ${companyId} --invoice ${row.invoice_id}`
  const recipient = recipientOf(fromJson(row.record))
  if (next === 'use_form') return { text: INSTRUCTIONS.form, commands: [] }
  if (next === 'query') return { text: INSTRUCTIONS.query, commands: [command] }
  if (isOfAnotherSystem(next, line)) {
    const from = `${required(row.submitted_at).slice(0, 4)}-01`
    const compare = `cuadra-admin verifactu compare --company ${companyId} --from ${from}`
    return { text: INSTRUCTIONS.duplicate, commands: [command, compare] }
  }
  if (recipient && OF_THE_RECIPIENT.test(line?.codigo_error ?? '')) {
    const id = recipient.NIF ?? recipient.IDOtro?.ID ?? ''
    const named = `${command} --recipient-name ${shellQuoted(recipient.NombreRazon)} --recipient-id ${shellQuoted(id)}`
    const isPerson = recipient.NIF !== undefined && checkTaxId(id, 'ES').person_type_code === 'F'
    return isPerson
      ? { text: INSTRUCTIONS.person, commands: [named, `${command} --recipient-not-in-census`] }
      : { text: INSTRUCTIONS.entity, commands: [named] }
  }
  if (row.tipo === 'anulacion' && line?.codigo_error === NO_RECORD)
    return { text: INSTRUCTIONS.unknown, commands: [command] }
  if (row.tipo === 'anulacion') return { text: INSTRUCTIONS.cancellation, commands: [command] }
  const text = row.estado === 'rejected' ? INSTRUCTIONS.rejected : INSTRUCTIONS.remarked
  return { text, commands: [command] }
}

/** Maximum number of records with errors to consider, newest first. */
const MOST = 500

/** Returns the cancelled invoices whose cancellation record is missing. */
async function missingOf(db: Rows, locale: Locale): Promise<readonly InvoiceNeedingAttention[]> {
  return (await missingCancellations(db)).slice(0, MOST).map((missing) => ({
    invoice_id: missing.invoice_id,
    num_serie: missing.number,
    sequence: missing.sequence,
    tipo: 'anulacion',
    estado: 'missing',
    codigo_error: null,
    descripcion_error: missingRecordText(missing)[locale],
    submitted_at: null,
    instruction: instructionFor(db, missing)[locale],
  }))
}

/**
 * Returns the invoices that need attention: first those whose cancellation record is missing, then those whose response
 * requires action, newest first. Such responses remain in the list after their period was closed.
 */
export const invoicesNeedingAttention = async (
  db: Rows,
  clock: Pick<Clock, 'today'>,
  locale: Locale,
): Promise<readonly InvoiceNeedingAttention[]> => [
  ...(await missingOf(db, locale)),
  ...(await openResponses(db, clock, locale)),
]

async function openResponses(
  db: Rows,
  clock: Pick<Clock, 'today'>,
  locale: Locale,
): Promise<readonly InvoiceNeedingAttention[]> {
  const environment = await environmentNow(db, clock)
  if (environment === null) return []
  const mode = (await openPeriodOf(db, clock))?.mode ?? 'closed'
  const rows = await lastRecordsOf(db, environment, MOST)
  const lines = await linesOf(db, rows)
  const asking = rows.filter((row) => {
    const line = lines.get(Number(row.sequence))
    // In a closed period, a record without a response line is one whose sending `stop-sending` ended.
    if (mode === 'closed' && !line) return false
    const next = nextOf(row, line)
    return next !== 'none' && next !== 'done'
  })
  const settled = await settledOf(db, asking)
  return asking
    .filter(({ invoice_id }) => !settled.has(invoice_id))
    .map((row) => {
      const line = lines.get(Number(row.sequence))
      const advice = adviceOn(db.companyId, row, line)
      const [command = '', other = ''] = advice.commands.map((one) => `\`${one}\``)
      const { invoice_id, num_serie, tipo, estado, submitted_at } = row
      const isKept = mode === 'no_verifactu' && command !== ''
      const text = isKept && tipo === 'anulacion' ? AFTERWARDS.cancelled : advice.text
      const also =
        mode === 'verifactu' || text === AFTERWARDS.cancelled || command === ''
          ? ''
          : AFTERWARDS[mode][locale]
      return {
        invoice_id,
        num_serie,
        sequence: Number(row.sequence),
        tipo,
        estado,
        codigo_error: line?.codigo_error ?? null,
        descripcion_error: line?.descripcion_error ?? null,
        submitted_at,
        instruction: `${text[locale].replace('{command}', () => command).replace('{other}', () => other)}${also}`,
      }
    })
}
