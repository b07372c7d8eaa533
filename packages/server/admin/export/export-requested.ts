/**
 * Exports the data that the tax authority may request of a system without VERI*FACTU (art. 14 RD 1007/2023): the
 * records and events of a period, as they were signed. The record before the period is included, so that the chain can
 * be verified with these files alone.
 */
import { sql } from 'kysely'
import { spanishTimestamp } from '#records/fiscal/index.ts'
import { ChainAudit, type FiscalRecord, type RegistroEvento } from '#records/verifactu/index.ts'
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { laterChainStarts } from '../../src/service/verifactu/company-chains.ts'
import {
  type ExportedEvents,
  type ExportedRange,
  recordsGeneratedBetween,
  type SequenceRange,
} from '../../src/service/verifactu/exported.ts'
import { sha256 } from '../../src/service/verifactu/record-options.ts'
import { messageXml } from '../../src/service/verifactu/sending/verifactu-message.ts'
import { MAX_RECORDS } from '../../src/service/verifactu/sending/verifactu-queue-types.ts'
import { isSigned, isXmlOfRecord } from '../../src/service/verifactu/stored-text.ts'
import {
  emptyTotals,
  recordIn,
  type Totals,
  withRecord,
} from '../../src/service/verifactu/verifactu-summary.ts'
import type { Rows } from '../../src/store/store.ts'
import type { Environment, Mode } from '../../src/store/tables.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { recordPathOf } from './export-fiscal.ts'
import type { ExportFolder, TextFile } from './export-folder.ts'

export interface ExportRequest {
  readonly environment: Environment
  readonly from: string
  readonly to: string
  /** Reference of the authority's request. If it is set, the messages of the reply are written too. */
  readonly request: string | undefined
}

export interface ExportResult extends ExportedRange {
  readonly hasBefore: boolean
  readonly hasEventBefore: boolean
  /** Files with the records, one file for each chain. */
  readonly recordFiles: readonly string[]
  readonly eventFiles: readonly string[]
  readonly unsigned: number
  readonly messages: number
  /** The first problems of the chains, up to a limit, as messages. */
  readonly problems: readonly string[]
  readonly problem_count: number
}

const withoutXmlDeclaration = (xml: string): string => xml.replace(/^\s*<\?xml[^>]*\?>\s*/, '')
const MOST_PROBLEMS = 20

/** Opens an XML file for the signed records of a chain, with a root element. */
async function chainFile(folder: ExportFolder, path: string, root: string) {
  const textFile: TextFile = await folder.textFile(path)
  await textFile.add(`<?xml version="1.0" encoding="UTF-8"?>\n<${root}>\n`)
  return {
    add: (xml: string) => textFile.add(`${withoutXmlDeclaration(xml)}\n`),
    close: async () => {
      await textFile.add(`</${root}>\n`)
      await textFile.close()
    },
  }
}

interface Stored {
  readonly sequence: number
  readonly record: string
  readonly mode: Mode
  readonly xml: string | null
}

/** Verifies a part of a sequence while it is written. */
class AuditedChain {
  #audit: ChainAudit
  readonly problems: string[] = []
  problemCount = 0
  unsigned = 0
  #before: number

  constructor(
    { from }: SequenceRange,
    before: FiscalRecord | null,
    readonly folder: ExportFolder,
    readonly kind: string,
  ) {
    this.#before = from - 1
    this.#audit = this.#newAudit()
    // Problems of the record before the period are not reported.
    if (before) this.#audit.add(before)
    this.problems.length = 0
    this.problemCount = 0
  }

  #newAudit(): ChainAudit {
    return new ChainAudit({
      hash: sha256,
      locale: 'es',
      onItem: ({ severity, message }) => {
        if (severity === 'error') this.#problem(message)
      },
    })
  }

  /** Ends the verification of a chain before the first record of the next chain. */
  beginChain(): void {
    this.#audit.end()
    this.#audit = this.#newAudit()
  }

  #problem(message: string): void {
    this.problemCount++
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(message)
  }

  /** Writes the XML of a record, and returns the record; null if it cannot be read. */
  async add({ sequence, record, xml }: Stored): Promise<FiscalRecord | null> {
    if (sequence !== this.#before + 1)
      this.#problem(`Faltan los números ${this.#before + 1} a ${sequence - 1} de la cadena (${this.kind}).`)
    this.#before = sequence
    const parsed = recordIn(record)
    if (!parsed) this.#problem(`El número ${sequence} de la cadena (${this.kind}) no puede leerse.`)
    else {
      this.#audit.add(parsed)
      if (!this.#isWritten(parsed, xml ?? ''))
        this.#problem(`El XML número ${sequence} de la cadena (${this.kind}) no es el de su registro.`)
    }
    if (xml === null || !isSigned(xml)) this.unsigned++
    if (xml !== null) await this.folder.text(`${recordPathOf(this.kind, sequence)}.xml`, xml)
    return parsed
  }

  #isWritten(record: FiscalRecord, xml: string): boolean {
    try {
      return isXmlOfRecord(record, xml)
    } catch {
      return false
    }
  }

  end(): void {
    this.#audit.end()
  }
}

/** Returns a query for the records of a chain up to the end of a range. */
const storedOf = (
  db: Rows,
  table: 'verifactu_records' | 'verifactu_events',
  environment: Environment,
  { to }: SequenceRange,
) =>
  db
    .select(table)
    .select([
      'sequence',
      'record',
      'mode',
      sql.ref<string | null>(table === 'verifactu_records' ? 'xml_sent' : 'xml').as('xml'),
    ])
    .where('environment', '=', environment)
    .where('sequence', '<=', to)

/** Writes the messages of the reply to a request, with up to a thousand records each. Marks the last message. */
class Messages {
  count = 0
  #texts: string[] = []

  constructor(
    readonly folder: ExportFolder,
    readonly company: CompanyRecord,
    readonly reference: string | undefined,
  ) {}

  async add(xml: string): Promise<void> {
    if (this.reference === undefined) return
    if (this.#texts.length === MAX_RECORDS) await this.#write('N')
    this.#texts.push(xml)
  }

  async #write(FinRequerimiento: 'S' | 'N'): Promise<void> {
    const { legal_name, tax_id } = this.company.data
    const header = {
      ObligadoEmision: { NombreRazon: legal_name, NIF: tax_id },
      RemisionRequerimiento: { RefRequerimiento: this.reference ?? '', FinRequerimiento },
    }
    const name = `messages/${String(++this.count).padStart(4, '0')}.xml`
    await this.folder.text(name, messageXml(header, this.#texts))
    this.#texts = []
  }

  async end(): Promise<void> {
    if (this.#texts.length > 0) await this.#write('S')
  }
}

interface Chain {
  readonly table: 'verifactu_records' | 'verifactu_events'
  readonly kind: 'records' | 'events'
  /** File of the record that precedes the first exported record. */
  readonly beforeFile: string
  readonly root: string
}

/** Writes a range of a sequence, with one file for each of its chains. Calls `each` for every record. */
async function exportChain(
  db: Rows,
  folder: ExportFolder,
  environment: Environment,
  part: SequenceRange,
  { table, kind, beforeFile, root }: Chain,
  each: (row: Stored, record: FiscalRecord | null) => void | Promise<void>,
) {
  const all = storedOf(db, table, environment, part)
  const starts = await laterChainStarts(db, environment, kind)
  // The first record of a chain has no previous record.
  const before = starts.has(part.from) ? 0 : part.from - 1
  const first = await all.where('sequence', '=', before).executeTakeFirst()
  if (first?.xml) await folder.text(beforeFile, first.xml)
  const audited = new AuditedChain(part, first ? recordIn(first.record) : null, folder, kind)
  const files = [`${kind}.xml`]
  let file = await chainFile(folder, `${kind}.xml`, root)
  for await (const row of rowsInKeyOrder(all.where('sequence', '>=', part.from), 'sequence')) {
    if (starts.has(row.sequence) && row.sequence > part.from) {
      await file.close()
      audited.beginChain()
      const name = `${kind}-${files.length + 1}.xml`
      files.push(name)
      file = await chainFile(folder, name, root)
    }
    const record = await audited.add(row)
    if (row.xml !== null) {
      await file.add(row.xml)
      folder.count(kind)
    }
    await each(row, record)
  }
  await file.close()
  audited.end()
  return { audited, files, hasBefore: Boolean(first?.xml) }
}

async function exportRecords(
  db: Rows,
  folder: ExportFolder,
  company: CompanyRecord,
  { environment, from, to, request }: ExportRequest,
) {
  const part = await recordsGeneratedBetween(db, 'verifactu_records', environment, from, to)
  const messages = new Messages(folder, company, request)
  let totals: Totals = emptyTotals(part.from - 1)
  const chain = {
    table: 'verifactu_records',
    kind: 'records',
    beforeFile: 'record-before.xml',
    root: 'RegistrosFacturacion',
  } as const
  const written = await exportChain(db, folder, environment, part, chain, async (row, record) => {
    totals = withRecord(totals, row.sequence, record)
    // The authority already has records that were generated under VERI*FACTU.
    if (row.xml !== null && row.mode === 'no_verifactu') await messages.add(row.xml)
  })
  await messages.end()
  return { ...written, totals, messages: messages.count }
}

async function exportEvents(db: Rows, folder: ExportFolder, { environment, from, to }: ExportRequest) {
  const part = await recordsGeneratedBetween(db, 'verifactu_events', environment, from, to)
  let events: ExportedEvents = { count: 0, first: null, last: null }
  const chain = {
    table: 'verifactu_events',
    kind: 'events',
    beforeFile: 'event-before.xml',
    root: 'RegistrosEvento',
  } as const
  const written = await exportChain(db, folder, environment, part, chain, (_, record) => {
    const { RegistroEvento: event = null } = (record ?? {}) as { readonly RegistroEvento?: RegistroEvento }
    events = { count: events.count + 1, first: events.first ?? event, last: event ?? events.last }
  })
  return { ...written, events }
}

/** Returns the instant of midnight in Madrid, which is one or two hours before midnight UTC. */
const midnight = (day: string): number => {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const offset = Number(spanishTimestamp(noon).slice(19, 22))
  const guess = noon - (12 + offset) * 3_600_000
  return (
    [guess, guess + 3_600_000, guess - 3_600_000].find((at) =>
      spanishTimestamp(at).startsWith(`${day}T00:00:00`),
    ) ?? guess
  )
}
const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** Writes the records and events of a period, page by page, from one snapshot. */
export async function exportRequested(
  app: App,
  company: CompanyRecord,
  wanted: ExportRequest,
  folder: ExportFolder,
): Promise<ExportResult> {
  return app.store.snapshot(company.id, async (db) => {
    const records = await exportRecords(db, folder, company, wanted)
    const events = await exportEvents(db, folder, wanted)
    return {
      begins: spanishTimestamp(midnight(wanted.from)),
      ends: spanishTimestamp(midnight(nextDay(wanted.to)) - 1000),
      records: records.totals,
      events: events.events,
      unsigned: records.audited.unsigned + events.audited.unsigned,
      messages: records.messages,
      hasBefore: records.hasBefore,
      hasEventBefore: events.hasBefore,
      recordFiles: records.files,
      eventFiles: events.files,
      problems: [...records.audited.problems, ...events.audited.problems],
      problem_count: records.audited.problemCount + events.audited.problemCount,
    }
  })
}
