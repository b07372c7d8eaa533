/** Exports the VeriFactu records as XML and JSON, and all data reported to the SII. */
import { laterChainStarts } from '../../src/service/verifactu/company-chains.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { ENVIRONMENTS, type Environment, keyOf } from '../../src/store/tables.ts'
import { rowsInKeyOrder, systemEventsOf } from '../row-pages.ts'
import type { ExportFolder } from './export-folder.ts'

const digits = (sequence: number): string => String(sequence).padStart(9, '0')
/** Returns the path of a record, without extension. Each folder contains up to a thousand records. */
export const recordPathOf = (base: string, sequence: number): string =>
  `${base}/${digits(Math.floor(sequence / 1000) * 1000)}/${digits(sequence)}`

async function exportRecords(db: Rows, folder: ExportFolder, environment: Environment) {
  const all = db.select('verifactu_records').selectAll().where('environment', '=', environment)
  const base = `verifactu/${environment}`
  const firsts = [1, ...(await laterChainStarts(db, environment, 'records'))]
  async function* records(from: number, until: number | undefined) {
    const ofChain = all.where('sequence', '>=', from)
    const rows = until === undefined ? ofChain : ofChain.where('sequence', '<', until)
    for await (const row of rowsInKeyOrder(rows, 'sequence')) {
      const { company_id: _, record, xml_sent, xml_response, ...columns } = row
      const parsed = fromJson(record)
      yield parsed
      const place = recordPathOf(`${base}/records`, row.sequence)
      await folder.json(`${place}.json`, { ...columns, record: parsed })
      if (xml_sent !== null) await folder.text(`${place}.xml`, xml_sent)
      if (xml_response !== null) await folder.text(`${place}.response.xml`, xml_response)
    }
  }
  // `cuadra verify-chain` reads these files. There is one for each chain.
  for (const [at, first] of firsts.entries())
    await folder.lines(
      `${base}/chain${at === 0 ? '' : `-${at + 1}`}.ndjson`,
      'verifactu_records',
      records(first, firsts[at + 1]),
    )
}

async function exportEvents(db: Rows, folder: ExportFolder, environment: Environment) {
  for await (const row of systemEventsOf(db, environment)) {
    const { company_id: _, record, xml, ...columns } = row
    const place = recordPathOf(`verifactu/${environment}/events`, row.sequence)
    await folder.json(`${place}.json`, { ...columns, record: fromJson(record) })
    await folder.text(`${place}.xml`, xml)
    folder.count('verifactu_events')
  }
}

/** Tables exported as one line per row, in key order. */
const FILES = {
  'verifactu/submissions.ndjson': 'verifactu_submissions',
  'verifactu/submission-lines.ndjson': 'verifactu_submission_lines',
  'sii/records.ndjson': 'sii_records',
  'sii/submissions.ndjson': 'sii_submissions',
  'sii/submission-items.ndjson': 'sii_submission_items',
  'sii/cash-basis.ndjson': 'sii_cash_basis',
  'sii/movements.ndjson': 'sii_movements',
  'collections.ndjson': 'collections',
  'payments.ndjson': 'payments',
  'numbers.ndjson': 'numbers',
} as const

/** Yields the rows of a company in a table, in key order. */
async function* rowsOf(db: Rows, table: (typeof FILES)[keyof typeof FILES]) {
  const [, ...key] = keyOf(table)
  const all = rowsInKeyOrder(db.select(table as 'numbers').selectAll(), ...key)
  for await (const { company_id: _, ...row } of all) yield row
}

export async function exportFiscal(db: Rows, folder: ExportFolder): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    await exportRecords(db, folder, environment)
    await exportEvents(db, folder, environment)
  }
  for (const [path, table] of Object.entries(FILES)) await folder.lines(path, table, rowsOf(db, table))
}
