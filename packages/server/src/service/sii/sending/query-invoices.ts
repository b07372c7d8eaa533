/** Queries the authority's records of invoices. Without a response to a message, only a query reveals its outcome. */
import {
  type Book,
  readQueryResponse,
  type SiiPageKey,
  type SiiQueryInput,
  type SiiRecord,
  type StoredRecord,
  siiQuery,
} from '#records/sii/index.ts'
import type { Connection, QueryResult } from '../../transmission/channel.ts'
import { isSameContent } from './compare-sii.ts'
import type { AuthorityRecord, Entry, Sii } from './sii-queue-types.ts'
import { identityIn, identityOfLine } from './sii-record.ts'
import { readAllPages } from './sii-response.ts'

/** Maximum number of invoices that are queried by number, with one query each. More invoices are queried by month. */
const BY_NUMBER = 10

const ADDRESSES = { ISSUED: 'issued', RECEIVED: 'received' } as const

const monthOf = (record: SiiRecord): string => {
  const { Ejercicio = '', Periodo = '' } = 'PeriodoLiquidacion' in record ? record.PeriodoLiquidacion : {}
  return `${Ejercicio}-${Periodo}`
}

export const dayOfFecha = (fecha: string): string => fecha.split('-').reverse().join('-')

/** Returns the filters of the queries that cover these entries of a month. */
function filtersOf(entries: readonly Entry[]): readonly Pick<SiiQueryInput, 'number' | 'issue_date'>[] {
  if (entries.length > BY_NUMBER) return [{}]
  return entries.map(({ record: { IDFactura } }) => ({
    number: IDFactura.NumSerieFacturaEmisor,
    issue_date: dayOfFecha(IDFactura.FechaExpedicionFacturaEmisor),
  }))
}

const contentOf = (record: SiiRecord): unknown =>
  'FacturaExpedida' in record
    ? record.FacturaExpedida
    : 'FacturaRecibida' in record
      ? record.FacturaRecibida
      : null

function authorityRecordOf({ record }: Entry, stored: StoredRecord): AuthorityRecord | null {
  const { item_status: state, aeat_record_state, error_code, error_description, csv } = stored
  if (state !== 'accepted' && state !== 'accepted_with_errors' && state !== 'deleted') return null
  const content = contentOf(record)
  return {
    // A deletion matches if the tax authority has deleted the record. Other operations match if the content is equal.
    isSame:
      content === null ? state === 'deleted' : state !== 'deleted' && isSameContent(content, stored.record),
    state,
    literal: aeat_record_state,
    code: error_code,
    description: error_description,
    csv,
  }
}

/** Queries the authority's records of these entries in a book. Ignores other invoices. */
export async function queryInvoices(
  connection: Connection<Sii>,
  book: Book,
  entries: readonly Entry[],
): Promise<QueryResult<Sii>> {
  const { legal_name: name, tax_id: nif } = connection.company.data
  const months = new Map<string, Entry[]>()
  for (const entry of entries) {
    const month = monthOf(entry.record)
    months.set(month, [...(months.get(month) ?? []), entry])
  }
  const authorityRecords = new Map<string, AuthorityRecord>()
  for (const [period, own] of months) {
    const wanted = new Map(own.map((entry) => [identityIn(entry.record), entry]))
    for (const filter of filtersOf(own)) {
      const blocked = await readAllPages(connection, {
        address: ADDRESSES[book],
        queryAfter: (after: SiiPageKey | null) =>
          siiQuery({
            book,
            holder: { name, nif },
            period,
            ...filter,
            ...(after ? { page_after: after } : {}),
          }),
        read: readQueryResponse,
        take: ({ records }) => {
          for (const stored of records) {
            const entry = wanted.get(identityOfLine(stored))
            const found = entry && authorityRecordOf(entry, stored)
            if (entry && found) authorityRecords.set(entry.key, found)
          }
        },
      })
      if (blocked) return { ok: false, blocked }
    }
  }
  return { ok: true, authorityRecords }
}
