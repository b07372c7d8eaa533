/** Audits a store: numbers, chain, counts, documents and files. Returns what is wrong. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { counterOf, numberOf } from 'cuadra-server/service/invoice/numbering.ts'
import { countedSteps, wrongCounts } from 'cuadra-server/store/counts.ts'
import { changedColumns } from 'cuadra-server/store/digests.ts'
import { Rows } from 'cuadra-server/store/rows.ts'
import type { Tables } from 'cuadra-server/store/tables.ts'
import type { Kysely } from 'kysely'

type Reader = Kysely<Tables>

import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'

/** Every issued invoice holds its number once, and no counter skipped a number. */
async function numberProblems(db: Reader, companyId: string): Promise<string[]> {
  const problems: string[] = []
  const invoices = await db
    .selectFrom('invoices')
    .select(['invoice_id', 'status', 'series', 'number', 'imported'])
    .where('company_id', '=', companyId)
    .where('direction', '=', 'issued')
    .execute()
  const numbers = await db.selectFrom('numbers').selectAll().where('company_id', '=', companyId).execute()
  const holders = new Map(numbers.map(({ number, invoice_id }) => [number, invoice_id]))
  const seen = new Set<string>()
  for (const { invoice_id, status, number } of invoices) {
    if (status === 'draft' || status === 'queued') {
      if (number !== null) problems.push(`the draft ${invoice_id} has the number ${number}`)
      continue
    }
    if (number === null) problems.push(`${status} ${invoice_id} has no number`)
    else if (seen.has(number)) problems.push(`the number ${number} is of two invoices`)
    else if (holders.get(number) !== invoice_id)
      problems.push(`the number ${number} is not held by its invoice ${invoice_id}`)
    if (number !== null) seen.add(number)
  }
  for (const { number, invoice_id } of numbers)
    if (invoice_id !== null && !seen.has(number)) problems.push(`the number ${number} is held by nothing`)
  const series = await db.selectFrom('series').selectAll().where('company_id', '=', companyId).execute()
  for (const one of series) {
    // If all numbers of a series were assigned in order, none below its counter is missing.
    const foreign = invoices.some(({ series: code, imported }) => code === one.series_code && imported === 1)
    const counters = numbers.flatMap(({ number, series_code }) =>
      series_code === one.series_code ? (counterOf(one, number) ?? []) : [],
    )
    const next = Number(one.next_number)
    if (counters.some((counter) => counter >= next))
      problems.push(`series ${one.series_code} goes on at ${next}, below a number that is held`)
    if (foreign) continue
    for (let counter = 1; counter < next; counter++)
      if (!holders.has(numberOf(one, counter))) problems.push(`gap: ${numberOf(one, counter)}`)
  }
  return problems
}

/** Every chain of records is complete and in order, ends at its head, and has one registration per invoice. */
async function chainProblems(db: Reader, companyId: string): Promise<string[]> {
  const problems: string[] = []
  const records = await db
    .selectFrom('verifactu_records')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('environment')
    .orderBy('sequence')
    .execute()
  for (const environment of new Set(records.map((record) => record.environment))) {
    const chain = records.filter((record) => record.environment === environment)
    chain.forEach(({ sequence, huella_anterior }, index) => {
      if (Number(sequence) !== index + 1)
        problems.push(`record ${index + 1} of ${environment} has the sequence ${sequence}`)
      if (huella_anterior !== (chain[index - 1]?.huella ?? ''))
        problems.push(`record ${sequence} of ${environment} follows another`)
    })
    const report = verifyChain(chain.map(({ record }): FiscalRecord => JSON.parse(record)))
    if (!report.valid)
      problems.push(`chain of ${environment}: ${report.items.map(({ message }) => message).join('; ')}`)
    const head = await db
      .selectFrom('verifactu_chains')
      .select(['sequence', 'last_record'])
      .where('company_id', '=', companyId)
      .where('environment', '=', environment)
      .where('chain', '=', 'records')
      .executeTakeFirst()
    if (Number(head?.sequence) !== chain.length)
      problems.push(`the head of ${environment} is at ${head?.sequence} of ${chain.length}`)
    const altas = new Set<string>()
    for (const { tipo, invoice_id } of chain) {
      if (tipo !== 'alta') continue
      if (altas.has(invoice_id)) problems.push(`two registrations of ${invoice_id}`)
      altas.add(invoice_id)
    }
  }
  return problems
}

/** Counts are right, and every invoice has a document and a history. */
async function rowProblems(db: Reader, companyId: string): Promise<string[]> {
  const problems: string[] = []
  const rows = new Rows(db, companyId)
  for (const span of (await countedSteps(rows)).keys())
    for (const wrong of await wrongCounts(rows, span))
      problems.push(`counted otherwise: ${JSON.stringify(wrong)}`)
  const invoices = await rows.select('invoices').select('invoice_id').execute()
  const documents = await db
    .selectFrom('invoice_documents')
    .select('invoice_id')
    .where('company_id', '=', companyId)
    .execute()
  const events = await db
    .selectFrom('events')
    .select(['invoice_id', 'event_code'])
    .where('company_id', '=', companyId)
    .execute()
  const withDocument = new Set(documents.map(({ invoice_id }) => invoice_id))
  const withEvent = new Set(events.map(({ invoice_id }) => invoice_id))
  const ids = new Set(invoices.map(({ invoice_id }) => invoice_id))
  for (const id of ids) {
    if (!withDocument.has(id)) problems.push(`${id} has no document`)
    if (!withEvent.has(id)) problems.push(`${id} has no history`)
  }
  for (const id of withDocument) if (!ids.has(id)) problems.push(`a document without its invoice ${id}`)
  const issuedTwice = new Set<string>()
  for (const { invoice_id, event_code } of events) {
    if (event_code !== 'issued') continue
    if (issuedTwice.has(invoice_id)) problems.push(`${invoice_id} was issued twice`)
    issuedTwice.add(invoice_id)
  }
  return problems
}

/** Documents, histories, attachments and payments are as the server wrote them. */
async function digestProblems(db: Reader, companyId: string): Promise<string[]> {
  const problems: string[] = []
  for (const table of ['invoice_documents', 'events', 'attachments', 'collections', 'payments'] as const)
    for (const row of await new Rows(db, companyId).select(table).selectAll().execute())
      for (const column of changedColumns(table, row)) problems.push(`another ${column} in ${table}`)
  return problems
}

/** The files in a company's data folder are those of its attachments. */
async function fileProblems(db: Reader, companyId: string, dataDir: string): Promise<string[]> {
  const attachments = await db
    .selectFrom('attachments')
    .select(['file_key', 'invoice_id'])
    .where('company_id', '=', companyId)
    .execute()
  const held = new Set(attachments.map(({ file_key }) => file_key))
  let names: string[] = []
  try {
    names = readdirSync(join(dataDir, 'files', companyId))
  } catch {}
  const found = new Set(names.map((name) => `${companyId}/${name}`))
  return [
    ...[...held].flatMap((key) => (found.has(key) ? [] : [`the file ${key} of an attachment is missing`])),
    ...[...found].flatMap((key) => (held.has(key) ? [] : [`the file ${key} is an orphan`])),
  ]
}

/** Returns everything that is wrong with a company's rows and files. */
export async function audit(db: Reader, companyId: string, dataDir?: string): Promise<string[]> {
  return [
    ...(await numberProblems(db, companyId)),
    ...(await chainProblems(db, companyId)),
    ...(await rowProblems(db, companyId)),
    ...(await digestProblems(db, companyId)),
    ...(dataDir === undefined ? [] : await fileProblems(db, companyId, dataDir)),
  ]
}
