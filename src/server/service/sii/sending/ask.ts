/** What the authority has of some invoices of a book: the one way to learn what became of a message without an answer. */

import type { Text } from '../../../../invoice/index.ts'
import {
  type Book,
  readQueryResponse,
  type SiiPageKey,
  type SiiQueryInput,
  type SiiRecord,
  type StoredRecord,
  siiQuery,
  siiXml,
} from '../../../../sii/index.ts'
import { isSameContent } from './compare.ts'
import { hearQuery, isOfARecord, stoppedBy } from './hear.ts'
import type { Asked, Asking, Entry, Held } from './kind.ts'
import { identityIn } from './record.ts'

/** So many are asked for by their number, one query each; more by their month. */
const BY_NUMBER = 10
/** Pages of a query end some time, whatever an authority says. */
const MOST_PAGES = 1000
const NO_END: Text = { en: 'the query came to no end.', es: 'la consulta no terminó.' }

const ADDRESSES = { ISSUED: 'issued', RECEIVED: 'received' } as const

const monthOf = (record: SiiRecord): string => {
  const { Ejercicio = '', Periodo = '' } = 'PeriodoLiquidacion' in record ? record.PeriodoLiquidacion : {}
  return `${Ejercicio}-${Periodo}`
}

const dayOf = (fecha: string): string => fecha.split('-').reverse().join('-')

type Filter = Pick<SiiQueryInput, 'number' | 'issue_date'>

/** The queries that together ask for these entries of a month. */
function filtersOf(entries: readonly Entry[]): readonly Filter[] {
  if (entries.length > BY_NUMBER) return [{}]
  return entries.map(({ record: { IDFactura } }) => ({
    number: IDFactura.NumSerieFacturaEmisor,
    issue_date: dayOf(IDFactura.FechaExpedicionFacturaEmisor),
  }))
}

const storedIdentity = ({ issuer_id, invoice_number, issue_date }: StoredRecord): string =>
  JSON.stringify([issuer_id ?? '', invoice_number ?? '', issue_date === null ? '' : dayOf(issue_date)])

const contentOf = (record: SiiRecord): unknown =>
  'FacturaExpedida' in record
    ? record.FacturaExpedida
    : 'FacturaRecibida' in record
      ? record.FacturaRecibida
      : null

function heldOf({ record }: Entry, stored: StoredRecord): Held | null {
  const { item_status: state, aeat_record_state, error_code, error_description, csv } = stored
  if (state !== 'accepted' && state !== 'accepted_with_errors' && state !== 'deleted') return null
  const content = contentOf(record)
  return {
    // A deletion that was sent is what it has, where it has deleted it; and otherwise what was registered.
    isSame:
      content === null ? state === 'deleted' : state !== 'deleted' && isSameContent(content, stored.record),
    state,
    literal: aeat_record_state,
    code: error_code,
    description: error_description,
    csv,
  }
}

type Pages =
  | { readonly ok: true; readonly records: readonly StoredRecord[] }
  | Extract<Asked, { readonly ok: false }>

/** All pages of a query; of what they hold only what is wanted is kept. */
async function pagesOf(
  asking: Asking,
  book: Book,
  { period, ...filter }: Filter & { readonly period: string },
  isWanted: (stored: StoredRecord) => boolean,
): Promise<Pages> {
  const { wire, company, environment, certificateId, signal } = asking
  const holder = { name: company.data.legal_name, nif: company.data.tax_id }
  const caller = {
    companyId: company.id,
    environment,
    address: ADDRESSES[book],
    certificateId,
    ...(signal ? { signal } : {}),
  }
  const records: StoredRecord[] = []
  let after: SiiPageKey | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = siiQuery({ book, holder, period, ...filter, ...(after ? { page_after: after } : {}) })
    if (!query.ok) {
      const reason = { en: query.items[0]?.message ?? '', es: query.items[0]?.message ?? '' }
      return { ok: false, stopped: { stop: 'no_message', told: { reason } } }
    }
    const heard = await hearQuery(wire, siiXml(query.message), caller, readQueryResponse)
    if (heard.is !== 'answered') {
      const stopped = stoppedBy(heard)
      // A query has no records that could be the reason.
      return {
        ok: false,
        stopped: isOfARecord(stopped.code ?? null) ? { ...stopped, stop: 'fault_message' } : stopped,
      }
    }
    records.push(...heard.value.records.filter(isWanted))
    after = heard.value.page_after
    if (!after) return { ok: true, records }
  }
  return { ok: false, stopped: { stop: 'unknown', told: { reason: NO_END } } }
}

/** Asks what the authority has of these entries of a book. Keeps nothing of other invoices. */
export async function askForInvoices(asking: Asking, book: Book, entries: readonly Entry[]): Promise<Asked> {
  const months = new Map<string, Entry[]>()
  for (const entry of entries) {
    const month = monthOf(entry.record)
    months.set(month, [...(months.get(month) ?? []), entry])
  }
  const held = new Map<string, Held>()
  for (const [month, own] of months) {
    const wanted = new Map(own.map((entry) => [identityIn(entry.record), entry]))
    for (const filter of filtersOf(own)) {
      const isWanted = (stored: StoredRecord) => wanted.has(storedIdentity(stored))
      const pages = await pagesOf(asking, book, { ...filter, period: month }, isWanted)
      if (!pages.ok) return pages
      for (const stored of pages.records) {
        const entry = wanted.get(storedIdentity(stored))
        const found = entry && heldOf(entry, stored)
        if (entry && found) held.set(entry.key, found)
      }
    }
  }
  return { ok: true, held }
}
