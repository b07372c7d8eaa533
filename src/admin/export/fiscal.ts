/** Records of VeriFactu as XML and JSON, and everything that was told to the SII. */
import { fromJson } from '../../server/store/json.ts'
import type { Rows } from '../../server/store/store.ts'
import { ENVIRONMENTS, type Environment } from '../../server/store/tables.ts'
import { inPages, systemEventsOf } from '../pages.ts'
import type { ExportFolder } from './folder.ts'

const digits = (sequence: number): string => String(sequence).padStart(9, '0')
/** A folder holds the files of a thousand records. */
const placeOf = (base: string, sequence: number): string =>
  `${base}/${digits(Math.floor(sequence / 1000) * 1000)}/${digits(sequence)}`

async function exportRecords(db: Rows, folder: ExportFolder, environment: Environment) {
  const page = (after: number, limit: number) =>
    db
      .select('verifactu_records')
      .selectAll()
      .where('environment', '=', environment)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute()
  const base = `verifactu/${environment}`
  let chain: Awaited<ReturnType<ExportFolder['lines']>> | undefined
  for await (const row of inPages(0, ({ sequence }) => sequence, page)) {
    const { company_id: _, record, xml_sent, xml_response, ...columns } = row
    // `cuadra verify-chain` takes this file.
    chain ??= await folder.lines(`${base}/chain.ndjson`)
    const parsed = fromJson(record)
    await chain.add(parsed)
    const place = placeOf(`${base}/records`, row.sequence)
    await folder.json(`${place}.json`, { ...columns, record: parsed })
    if (xml_sent !== null) await folder.text(`${place}.xml`, xml_sent)
    if (xml_response !== null) await folder.text(`${place}.response.xml`, xml_response)
    folder.count('verifactu_records')
  }
  await chain?.close()
}

async function exportEvents(db: Rows, folder: ExportFolder, environment: Environment) {
  for await (const row of systemEventsOf(db, environment)) {
    const { company_id: _, record, xml, ...columns } = row
    const place = placeOf(`verifactu/${environment}/events`, row.sequence)
    await folder.json(`${place}.json`, { ...columns, record: fromJson(record) })
    await folder.text(`${place}.xml`, xml)
    folder.count('verifactu_events')
  }
}

/** Tables whose rows are a line each, in the order of their keys. */
const TABLES = [
  ['verifactu/submissions.ndjson', 'verifactu_submissions', ['submission_id']],
  ['verifactu/submission-lines.ndjson', 'verifactu_submission_lines', ['submission_id', 'line']],
  ['sii/records.ndjson', 'sii_records', ['invoice_id', 'book_type']],
  ['sii/submissions.ndjson', 'sii_submissions', ['public_id']],
  ['sii/submission-items.ndjson', 'sii_submission_items', ['public_id', 'line']],
  ['sii/cash-basis.ndjson', 'sii_cash_basis', ['invoice_id', 'book_type']],
  ['sii/movements.ndjson', 'sii_movements', ['movement_id']],
  ['collections.ndjson', 'collections', ['collection_id']],
  ['payments.ndjson', 'payments', ['payment_id']],
  ['numbers.ndjson', 'numbers', ['number']],
] as const

async function exportTable(
  db: Rows,
  folder: ExportFolder,
  [path, table, keys]: (typeof TABLES)[number],
): Promise<void> {
  let lines: Awaited<ReturnType<ExportFolder['lines']>> | undefined
  const [first, second] = keys as readonly [string, string?]
  type Row = Readonly<Record<string, unknown>>
  const page = async (after: Row | null, limit: number): Promise<readonly Row[]> => {
    let query = db
      .select(table as 'sii_submission_items')
      .selectAll()
      .orderBy(first as 'public_id')
      .limit(limit)
    if (second !== undefined) query = query.orderBy(second as 'line')
    if (after)
      query = query.where(({ eb, and, or }) => {
        const value = after[first] as string
        const later = eb(first as 'public_id', '>', value)
        return second === undefined
          ? later
          : or([
              later,
              and([eb(first as 'public_id', '=', value), eb(second as 'line', '>', after[second] as number)]),
            ])
      })
    return query.execute()
  }
  for await (const { company_id: _, ...row } of inPages<Row, Row | null>(null, (row) => row, page)) {
    lines ??= await folder.lines(path)
    await lines.add(row)
    folder.count(table)
  }
  await lines?.close()
}

export async function exportFiscal(db: Rows, folder: ExportFolder): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    await exportRecords(db, folder, environment)
    await exportEvents(db, folder, environment)
  }
  for (const table of TABLES) await exportTable(db, folder, table)
}
