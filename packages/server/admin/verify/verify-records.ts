/**
 * Checks VeriFactu: the whole sequence of each environment, and each record against its columns, XML, signature and
 * invoice. Also finds invoices without a record.
 */
import { type InferResult, sql } from 'kysely'
import { toNumber } from '#core/money/index.ts'
import { chargedTotal, toFecha } from '#records/fiscal/index.ts'
import { ChainAudit, type FiscalRecord, qrUrlOf, type RegistroAlta } from '#records/verifactu/index.ts'
import { laterChainStarts } from '../../src/service/verifactu/company-chains.ts'
import { instructionFor, missingRecordText } from '../../src/service/verifactu/missing.ts'
import { sha256 } from '../../src/service/verifactu/record-options.ts'
import { isSigned, isXmlOfRecord, signatureProblem } from '../../src/service/verifactu/stored-text.ts'
import {
  countClosedGaps,
  missingCancellations,
  missingRegistrations,
  possibleCancellationGaps,
} from '../../src/store/missing-records.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson, type Json } from '../../src/store/stored-json.ts'
import { type ChainName, ENVIRONMENTS, type Environment } from '../../src/store/tables.ts'
import { rowsInKeyOrder, systemEventsOf } from '../row-pages.ts'
import type { ChainCounts, Check, Report, Subject } from './verify-report.ts'

type Leaf = string | undefined
type Block = Readonly<Record<string, unknown>>
const at = (value: unknown, ...path: readonly string[]): Leaf => {
  let found = value
  for (const name of path) found = (found as Block | null | undefined)?.[name]
  return typeof found === 'string' ? found : undefined
}

interface ChainRow {
  readonly sequence: number
  readonly record: Json<FiscalRecord>
  readonly xml: string | null
  /** Status of an invoice record; undefined for a system event. */
  readonly estado?: string
}

interface Link {
  readonly environment: Environment
  readonly kind: 'record' | 'event'
  readonly check: Check
}

const nameOf = ({ environment }: Link, sequence: number): string => `${environment}/${sequence}`

/** Checks that the stored XML matches the record. Also verifies the signature, which is not part of the record. */
async function verifyText(
  report: Report,
  subject: Subject,
  { link: { check }, mustBeSigned, chainCounts }: TextCheck,
  record: FiscalRecord,
  xml: string,
) {
  if (!isXmlOfRecord(record, xml)) {
    report.fail('record_xml_differs', subject, {}, check)
    return
  }
  if (!mustBeSigned && !isSigned(xml)) return
  report.checked('signatures')
  chainCounts.signatures++
  const reason = await signatureProblem(xml)
  if (reason !== null) report.fail('signature_wrong', subject, { reason })
}

interface TextCheck {
  readonly link: Link
  readonly mustBeSigned: boolean
  readonly chainCounts: ChainCounts
}

/** Checks the chains of a sequence, in order: gaps, hashes, links, and the stored end. */
class ChainWalk {
  readonly #report: Report
  readonly #link: Link
  #audit: ChainAudit
  readonly #starts: ReadonlySet<number>
  #names: string[] = []
  #first = 0
  #before = 0
  #last: string | null = null
  readonly #chainCounts: ChainCounts

  constructor(report: Report, link: Link, starts: ReadonlySet<number>) {
    this.#report = report
    this.#link = link
    this.#starts = starts
    this.#chainCounts = report.chainCounts(link.environment, link.kind === 'record' ? 'records' : 'events')
    this.#audit = this.#newAudit()
  }

  #newAudit(): ChainAudit {
    const [report, link] = [this.#report, this.#link]
    return new ChainAudit({
      hash: sha256,
      locale: report.locale,
      onItem: ({ code, severity, message, extra }) => {
        const at = Number(extra?.record ?? 0)
        const name = typeof extra?.name === 'string' ? extra.name : null
        const subject: Subject = { kind: link.kind, id: this.#nameAt(at), name }
        if (severity === 'error')
          report.addFailure(code, link.check, subject, `${nameOf(link, 0).replace('/0', '')}: ${message}`)
        else report.addNote(code, message)
      },
    })
  }

  /** Ends the verification of a chain before the first record of the next chain. */
  #beginChain(): void {
    this.#audit.end()
    this.#audit = this.#newAudit()
    this.#names = []
    this.#first = 0
  }

  /** Returns the name of a recent record, or its position. Findings refer only to recent records. */
  #nameAt(at: number): string {
    return this.#names[at - this.#first] ?? `${this.#link.environment}/#${at + 1}`
  }

  async add({ sequence, record, xml, estado }: ChainRow): Promise<FiscalRecord | null> {
    const { check, kind } = this.#link
    const id = nameOf(this.#link, sequence)
    const subject: Subject = { kind, id }
    this.#report.checked(check)
    this.#chainCounts.checked++
    if (sequence !== this.#before + 1)
      this.#report.fail('sequence_gap', subject, { before: this.#before || 'the beginning' }, check)
    this.#before = sequence
    if (this.#starts.has(sequence)) this.#beginChain()
    this.#names.push(id)
    if (this.#names.length > 2000) {
      this.#names.splice(0, 1000)
      this.#first += 1000
    }
    this.#last = record
    try {
      const parsed = fromJson(record)
      this.#audit.add(parsed)
      const how = { link: this.#link, mustBeSigned: estado === 'registered', chainCounts: this.#chainCounts }
      if (xml !== null) await verifyText(this.#report, subject, how, parsed, xml)
      return parsed
    } catch (error) {
      this.#report.unreadable('record_unreadable', subject, error, check)
      return null
    }
  }

  end(head: { readonly sequence: number; readonly last_record: string | null } | undefined): void {
    this.#audit.end()
    const received = this.#before
    const expected = head?.sequence ?? 0
    const { check, environment } = this.#link
    this.#chainCounts.end = expected
    if (received !== expected || (head?.last_record ?? null) !== this.#last)
      this.#report.fail(
        'chain_head_differs',
        { kind: 'chain', id: environment },
        { received, expected },
        check,
      )
  }
}

const headOf = (db: Rows, environment: Environment, chain: ChainName) =>
  db.find('verifactu_chains', { environment, chain }).select(['sequence', 'last_record']).executeTakeFirst()

const recordsOf = (db: Rows, environment: Environment) =>
  db
    .select('verifactu_records', { invoices: 'invoice_id', invoice_documents: 'invoice_id' })
    .select([
      'verifactu_records.sequence',
      'verifactu_records.record',
      'verifactu_records.xml_sent as xml',
      'verifactu_records.invoice_id',
      'verifactu_records.num_serie',
      'verifactu_records.fecha_expedicion',
      'verifactu_records.tipo',
      'verifactu_records.mode',
      'verifactu_records.estado',
      'verifactu_records.huella',
      'verifactu_records.huella_anterior',
      'verifactu_records.qr_url',
      'verifactu_records.ts_gen',
      'invoices.number',
      'invoices.issue_date',
      'invoices.status',
      'invoice_documents.canonical',
    ])
    .where('verifactu_records.environment', '=', environment)

type RecordRow = InferResult<ReturnType<typeof recordsOf>>[number]

function expectedColumns(record: FiscalRecord, row: RecordRow, environment: Environment) {
  const [root = '', body] = Object.entries(record)[0] ?? []
  const isAlta = root === 'RegistroAlta'
  const suffix = isAlta ? '' : 'Anulada'
  return {
    tipo: isAlta ? 'alta' : 'anulacion',
    num_serie: at(body, 'IDFactura', `NumSerieFactura${suffix}`),
    fecha_expedicion: at(body, 'IDFactura', `FechaExpedicionFactura${suffix}`),
    huella: at(body, 'Huella'),
    huella_anterior: at(body, 'Encadenamiento', 'RegistroAnterior', 'Huella') ?? '',
    ts_gen: at(body, 'FechaHoraHusoGenRegistro'),
    qr_url: isAlta
      ? qrUrlOf(body as RegistroAlta, { environment, verifiable: row.mode === 'verifactu' })
      : null,
  }
}

function verifyRecord(
  report: Report,
  subject: Subject,
  row: RecordRow,
  record: FiscalRecord,
  environment: Environment,
): void {
  report.columns('record_column_differs', subject, row, expectedColumns(record, row, environment))
  if (row.number !== row.num_serie || toFecha(row.issue_date ?? '') !== row.fecha_expedicion) {
    report.fail('record_without_invoice', subject)
    return
  }
  if (row.tipo === 'anulacion' && row.status !== 'cancelled')
    report.fail('cancellation_unexpected', subject, { status: row.status })
  if (row.tipo !== 'alta' || row.canonical === null) return
  const { invoice } = fromJson(row.canonical)
  const [total, charged] = [at(record, 'RegistroAlta', 'ImporteTotal'), toNumber(chargedTotal(invoice))]
  if (Number(total) !== charged)
    report.fail('record_total_differs', subject, { received: total, expected: charged })
  const [received, expected] = [at(record, 'RegistroAlta', 'CuotaTotal'), invoice.totals.total_tax_outputs]
  if (Number(received) !== expected) report.fail('record_tax_differs', subject, { received, expected })
}

async function verifyRecords(db: Rows, report: Report, environment: Environment) {
  const starts = await laterChainStarts(db, environment, 'records')
  const walk = new ChainWalk(report, { environment, kind: 'record', check: 'records' }, starts)
  let waiting = 0
  for await (const row of rowsInKeyOrder(recordsOf(db, environment), 'verifactu_records.sequence')) {
    if (row.estado === 'signature_pending') waiting++
    const record = await walk.add(row)
    if (!record) continue
    const subject: Subject = { kind: 'record', id: `${environment}/${row.sequence}`, name: row.num_serie }
    try {
      verifyRecord(report, subject, row, record, environment)
    } catch (error) {
      report.unreadable('record_unreadable', subject, error)
    }
  }
  walk.end(await headOf(db, environment, 'records'))
  if (waiting > 0) report.note('unsigned_records', { count: waiting })
}

async function verifyEvents(db: Rows, report: Report, environment: Environment) {
  const starts = await laterChainStarts(db, environment, 'events')
  const walk = new ChainWalk(report, { environment, kind: 'event', check: 'sif_events' }, starts)
  for await (const row of systemEventsOf(db, environment)) {
    const record = await walk.add(row)
    if (!record) continue
    const event = ['RegistroEvento', 'Evento']
    const expected = {
      tipo_evento: at(record, ...event, 'TipoEvento'),
      fecha_hora_huso_gen_evento: at(record, ...event, 'FechaHoraHusoGenEvento'),
      huella_evento: at(record, ...event, 'HuellaEvento'),
      huella_evento_anterior: at(record, ...event, 'Encadenamiento', 'EventoAnterior', 'HuellaEvento') ?? '',
    }
    const subject: Subject = { kind: 'event', id: `${environment}/${row.sequence}` }
    report.columns('record_column_differs', subject, row, expected, 'sif_events')
  }
  walk.end(await headOf(db, environment, 'events'))
}

/** Finds invoices without a registration record that were issued here while VeriFactu was active. */
async function verifyCoverage(db: Rows, report: Report): Promise<void> {
  for (const { invoice_id, number, issue_date } of await missingRegistrations(db))
    report.fail('record_missing', { kind: 'invoice', id: invoice_id, name: number }, { issue_date })
}

/** Finds cancelled invoices without a cancellation record, and stored reasons for its absence that cannot be right. */
async function verifyCancellations(db: Rows, report: Report): Promise<void> {
  const ofInvoice = (values: { tipo: 'alta' | 'anulacion'; estado?: 'rejected' }) =>
    sql<number>`case when exists ${db
      .find('verifactu_records', values)
      .select('sequence')
      .where('invoice_id', '=', sql.ref<string>('invoices.invoice_id'))} then 1 else 0 end`
  const cancelled = db
    .select('invoices')
    .select(['invoice_id', 'number', 'imported', 'cancellation_gap'])
    .select([ofInvoice({ tipo: 'alta' }).as('registered'), ofInvoice({ tipo: 'anulacion' }).as('recorded')])
    .select(ofInvoice({ tipo: 'alta', estado: 'rejected' }).as('rejected'))
    .select(
      sql<number>`case when exists ${db
        .find('events', { event_code: 'cancelled', from_status: 'SENT' })
        .select('event_id')
        .where('invoice_id', '=', sql.ref<string>('invoices.invoice_id'))} then 1 else 0 end`.as('sent'),
    )
    .where('direction', '=', 'issued')
    .where('status', '=', 'cancelled')
  for await (const row of rowsInKeyOrder(cancelled, 'invoice_id')) {
    const possible = possibleCancellationGaps({
      isImported: row.imported === 1,
      isRegistered: row.registered === 1,
      wasRejected: row.rejected === 1,
      hasCancellation: row.recorded === 1,
      wasSent: row.sent === 1,
    })
    const { cancellation_gap: received } = row
    if (possible.includes(received)) continue
    const subject: Subject = { kind: 'invoice', id: row.invoice_id, name: row.number }
    if (received === null) report.fail('cancellation_unexplained', subject)
    else {
      const expected = possible.map((gap) => gap ?? '–').join(', ')
      report.fail('cancellation_gap_differs', subject, { received, expected })
    }
  }
  for (const missing of await missingCancellations(db))
    report.fail(
      'cancellation_missing',
      { kind: 'invoice', id: missing.invoice_id, name: missing.number },
      {
        problem: missingRecordText(missing)[report.locale].slice(0, -1),
        reason: instructionFor(db, missing)[report.locale],
      },
    )
  const closed = await countClosedGaps(db)
  if (closed) report.note('cancellations_without_record', closed)
}

export async function verifyVerifactu(db: Rows, report: Report): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    await verifyRecords(db, report, environment)
    await verifyEvents(db, report, environment)
  }
  await verifyCoverage(db, report)
  await verifyCancellations(db, report)
}
