/**
 * Cancelled invoices that lack a cancellation record, and invoices whose last record the tax authority rejected or
 * accepted with errors, with an instruction for each. `/status` and `doctor` show this list. Invoices that need
 * nothing, or that a corrective invoice has settled, are left off.
 */
import { sql } from 'kysely'
import { required } from '../../../errors/index.ts'
import { checkTaxId } from '../../../identifiers/index.ts'
import type { Locale, Text } from '../../../invoice/index.ts'
import type { NextStep } from '../../../verifactu/index.ts'
import type { Clock } from '../../environment/clock.ts'
import { fromJson } from '../../store/json.ts'
import { isTaken, missingCancellations } from '../../store/missing-records.ts'
import type { Own, Rows } from '../../store/store.ts'
import { correctionsOf } from '../invoice/corrections.ts'
import { instructionFor, whatIsMissing } from './missing.ts'
import { environmentNow, openPeriodOf } from './period.ts'
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

/**
 * Returns the invoices that need nothing further for these records. A cancelled invoice needs no registration. A
 * corrective invoice by substitution replaces the whole invoice. One by differences replaces only what the authority
 * has, so a rejected invoice must still be registered.
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
  const taken = new Set(records.filter(isTaken).map(({ invoice_id }) => invoice_id))
  return new Set([...ids, ...correctives.filter(({ id }) => taken.has(id)).map(({ of }) => of)])
}

/** Error code of a registration: another system has used the number. */
const DUPLICATE = '3000'
/** Error code of a cancellation: the tax authority does not have the invoice. */
const NO_RECORD = '3002'
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
    en: 'Another system, perhaps a former installation, has used this number. Check what the tax authority has (“Query the tax authority”, or GET /verifactu/aeat-records). If it is another invoice, run {other}, which prints the commands that set the counters; then cancel this invoice here, which sends nothing, and issue it again with another number. Only if it is the same invoice, replace its record: {command}.',
    es: 'Otro sistema, quizá una instalación anterior, ha usado este número. Consulte qué tiene la AEAT («Consultar a la AEAT» o GET /verifactu/aeat-records). Si es otra factura, ejecute {other}, que escribe los comandos para adelantar los contadores; después anule aquí esta factura, lo que no envía nada, y emítala de nuevo con otro número. Solo si es la misma factura, sustituya su registro: {command}.',
  },
  person: {
    en: "Check the name (surnames first) and tax id of the customer in the census of the tax authority, correct them in this command and run it: {command}. If they are right and the person is not in the census: {other}. The invoice itself stays as issued. If it names another customer, issue a corrective invoice. If the response means the company itself, see docs/operations.md, “The company's tax id is wrong”.",
    es: "Compruebe en el censo de la AEAT el nombre (primero los apellidos) y el NIF del cliente, corríjalos en este comando y ejecútelo: {command}. Si son correctos y la persona no está censada: {other}. La factura queda como se emitió. Si identifica a otro cliente, emita una factura rectificativa. Si la respuesta se refiere a la propia empresa, consulte docs/operations.md, «The company's tax id is wrong».",
  },
  entity: {
    en: "Check the name and tax id of the customer, correct them in this command and run it: {command}. The invoice itself stays as issued. If it names another customer, issue a corrective invoice. If the response means the company itself, see docs/operations.md, “The company's tax id is wrong”.",
    es: "Compruebe el nombre y el NIF del cliente, corríjalos en este comando y ejecútelo: {command}. La factura queda como se emitió. Si identifica a otro cliente, emita una factura rectificativa. Si la respuesta se refiere a la propia empresa, consulte docs/operations.md, «The company's tax id is wrong».",
  },
  rejected: {
    en: 'The tax authority does not have this record. Fix the cause, then run {command}. If the invoice itself is wrong, also issue a corrective invoice.',
    es: 'La AEAT no tiene este registro. Una vez corregida la causa, ejecute {command}. Si el error está en la propia factura, emita además una factura rectificativa.',
  },
  unknown: {
    en: 'The tax authority has no record of this invoice that could be cancelled: it never arrived, or was deleted by another program. Check what it has (“Query the tax authority”, or GET /verifactu/aeat-records). Then run {command}: it sends the cancellation again, marked as one without an earlier record (SinRegistroPrevio).',
    es: 'La AEAT no tiene ningún registro de esta factura que pueda anularse: no llegó o se dio de baja por otra vía. Consulte qué tiene la AEAT («Consultar a la AEAT» o GET /verifactu/aeat-records). Después ejecute {command}: envía de nuevo la anulación, con la marca de que no hay registro previo (SinRegistroPrevio).',
  },
  cancellation: {
    en: 'The tax authority did not accept this cancellation without errors. Fix the cause, then run {command}.',
    es: 'La AEAT no ha aceptado esta anulación sin errores. Una vez corregida la causa, ejecute {command}.',
  },
  remarked: {
    en: 'The tax authority accepted the record, with this remark. If the remark is right, run {command}. If the invoice itself is wrong, issue a corrective invoice instead.',
    es: 'La AEAT tiene el registro, con esta observación. Si la observación es acertada, ejecute {command}. Si el error está en la propia factura, emita en su lugar una factura rectificativa.',
  },
} as const satisfies Readonly<Record<string, Text>>

/** What also applies to records of VERI*FACTU after its period was closed. */
const AFTERWARDS = {
  no_verifactu: {
    en: ' VERI*FACTU has ended for this company: the new record is signed and kept, and is not sent.',
    es: ' La empresa ya no usa VERI*FACTU: el registro nuevo se firma y se conserva, y no se envía.',
  },
  cancelled: {
    en: 'VERI*FACTU has ended for this company, so no cancellation is sent, and what the tax authority has of the invoice stays valid there. If the company uses VERI*FACTU again, run {command}.',
    es: 'La empresa ya no usa VERI*FACTU, así que no se envía ninguna anulación, y lo que la AEAT tenga de la factura sigue siendo válido allí. Si la empresa vuelve a usar VERI*FACTU, ejecute {command}.',
  },
  closed: {
    en: ' No period is open: first open one with `cuadra-admin verifactu period open`.',
    es: ' No hay ningún periodo abierto: abra antes uno con `cuadra-admin verifactu period open`.',
  },
} as const satisfies Readonly<Record<string, Text>>

/** Quotes a value for a command line: of a POSIX shell, and of PowerShell except for rare characters. */
export function quoted(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text
  if (!text.includes("'")) return `'${text}'`
  // The shells agree on an apostrophe only within double quotes, and there only without characters of their own.
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}

/** Returns what the response asks for; a rejection without a line asks for the usual correction. */
const nextOf = ({ estado }: Row, line: Line | undefined): NextStep =>
  line?.next_step ?? (estado === 'rejected' ? 'fix_and_register' : 'none')

/** Whether the tax authority has a record of another system with the number of the registration. */
const isOfAnotherSystem = (next: NextStep, line: Line | undefined): boolean =>
  next === 'adopt' || (next === 'revive' && line?.codigo_error === DUPLICATE)

/** Returns the instruction after a line, with its commands. */
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
    const named = `${command} --recipient-name ${quoted(recipient.NombreRazon)} --recipient-id ${quoted(id)}`
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

/** The most records with errors that are considered, newest first. */
const MOST = 500

/** Returns the cancelled invoices that lack a cancellation record. */
async function missingOf(db: Rows, locale: Locale): Promise<readonly Attention[]> {
  return (await missingCancellations(db)).slice(0, MOST).map((missing) => ({
    invoice_id: missing.invoice_id,
    num_serie: missing.number,
    sequence: missing.sequence,
    tipo: 'anulacion',
    estado: 'missing',
    codigo_error: null,
    descripcion_error: whatIsMissing(missing)[locale],
    submitted_at: null,
    instruction: instructionFor(db, missing)[locale],
  }))
}

/**
 * Returns the invoices that need attention: those that lack a cancellation record, then those with an open response,
 * newest first. Responses stay open after their period was closed.
 */
export const attentionOf = async (
  db: Rows,
  clock: Pick<Clock, 'today'>,
  locale: Locale,
): Promise<readonly Attention[]> => [
  ...(await missingOf(db, locale)),
  ...(await openResponses(db, clock, locale)),
]

async function openResponses(
  db: Rows,
  clock: Pick<Clock, 'today'>,
  locale: Locale,
): Promise<readonly Attention[]> {
  const environment = await environmentNow(db, clock)
  if (environment === null) return []
  const mode = (await openPeriodOf(db, clock))?.mode ?? 'closed'
  const rows = await lastRecordsOf(db, environment, MOST)
  const lines = await linesOf(db, rows)
  const asking = rows.filter((row) => {
    const line = lines.get(Number(row.sequence))
    // `stop-sending` has ended the sending of these, after their period was closed.
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
