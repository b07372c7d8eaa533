/** Queries of the records that the tax authority has stored in a book for one period, up to 10,000 records per page. */

import type { Locale } from '#core/invoice/index.ts'
import { checkMembers, displayTextOf, LOCALE, type OptionKinds } from '../../fiscal/check-options.ts'
import { toFecha } from '../../fiscal/literals.ts'
import { checkShape, refusals } from '../model/sii-items.ts'
import { periodOf } from '../model/sii-period.ts'
import type { Book, IDFacturaExpedida, IDFacturaRecibidaNombre } from '../model/sii-record-types.ts'
import {
  checkHolder,
  holderOf,
  SII_VERSION,
  type SiiHolder,
  type SiiMessageResult,
} from '../record/sii-message.ts'
import { checkParty, partyOf, type SiiParty } from './response-party.ts'

export interface SiiQueryInput {
  readonly book: Book
  readonly holder: SiiHolder
  /** Filing period, `YYYY-MM`. */
  readonly period: string
  /** Number of one invoice. In the received book, also pass its issuer as `counterparty`. */
  readonly number?: string
  /** Date of issue, `YYYY-MM-DD`. */
  readonly issue_date?: string
  /** Issued book: the recipient. Received book: the issuer. */
  readonly counterparty?: SiiParty
  /** Presentation dates, `YYYY-MM-DD`, both inclusive. */
  readonly presented?: { readonly from?: string; readonly to?: string }
  /**
   * Matching with the other party's book: 1 not applicable, 2 in process, 3 not matched, 4 partly matched, 5 matched.
   */
  readonly reconciliation?: '1' | '2' | '3' | '4' | '5'
  /** True selects only modified records, false only unmodified records. */
  readonly modified?: boolean
  /** Start of the next page: `page_after` of the previous response (`readQueryResponse`). */
  readonly page_after?: SiiPageKey
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

/** Identity of the last record of a page. */
export type SiiPageKey = IDFacturaExpedida | IDFacturaRecibidaNombre

const QUERY_ROOTS = { ISSUED: 'ConsultaLRFacturasEmitidas', RECEIVED: 'ConsultaLRFacturasRecibidas' } as const

function invoiceFilter({ book, number, issue_date, counterparty }: SiiQueryInput) {
  const issuer = book === 'RECEIVED' && counterparty ? { IDEmisorFactura: partyOf(counterparty) } : {}
  const own = {
    ...issuer,
    ...(number === undefined ? {} : { NumSerieFacturaEmisor: number }),
    ...(issue_date === undefined ? {} : { FechaExpedicionFacturaEmisor: toFecha(issue_date) }),
  }
  return Object.keys(own).length > 0 ? { IDFactura: own } : {}
}

function presentedFilter({ presented: { from, to } = {} }: SiiQueryInput) {
  const range = {
    ...(from === undefined ? {} : { Desde: toFecha(from) }),
    ...(to === undefined ? {} : { Hasta: toFecha(to) }),
  }
  return Object.keys(range).length > 0 ? { FechaPresentacion: range } : {}
}

const MEMBERS: OptionKinds<SiiQueryInput> = {
  book: 'any',
  holder: 'object',
  period: 'month',
  number: 'text',
  issue_date: 'day',
  counterparty: 'object',
  presented: 'object',
  reconciliation: 'text',
  modified: 'boolean',
  page_after: 'object',
  locale: LOCALE,
}

/** Checks the names and types of the input. Throws a `TypeError` for an unknown name or a wrong type. */
function checkInput(input: SiiQueryInput): void {
  checkMembers(input, MEMBERS, 'a query')
  checkHolder(input.holder)
  if (input.presented) checkMembers(input.presented, { from: 'day', to: 'day' }, '"presented"')
  if (input.counterparty) checkParty(input.counterparty)
}

/**
 * Builds a query of the issued or the received book. Write the result with `siiXml`.
 *
 * A wrong month or day throws a `TypeError`; a value that the schema rejects is an item. Source: SII web services 1.1,
 * queries.
 *
 * @example
 * const holder = { name: 'Empresa de Pruebas, S.L.', nif: 'B12345674' }
 * const result = siiQuery({ book: 'ISSUED', holder, period: '2026-03', number: 'F2026/0001' })
 * result.ok && result.message.root // => 'ConsultaLRFacturasEmitidas'
 */
export function siiQuery(input: SiiQueryInput): SiiMessageResult {
  checkInput(input)
  const { items, refuse } = refusals(input.locale)
  const root = Object.hasOwn(QUERY_ROOTS, input.book) ? QUERY_ROOTS[input.book] : undefined
  if (!root) throw new TypeError(`cuadra: book is ${displayTextOf(input.book)}; pass "ISSUED" or "RECEIVED"`)
  if (input.period === undefined) throw new TypeError('cuadra: a query needs its period, YYYY-MM')
  const holder = holderOf(input.holder, false, refuse)
  const { book, counterparty, reconciliation, modified, page_after: page } = input
  const value = {
    Cabecera: { IDVersionSii: SII_VERSION, Titular: holder },
    FiltroConsulta: {
      PeriodoLiquidacion: periodOf(input.period),
      ...invoiceFilter(input),
      ...(book === 'ISSUED' && counterparty ? { Contraparte: partyOf(counterparty) } : {}),
      ...presentedFilter(input),
      ...(modified === undefined ? {} : { FacturaModificada: modified ? 'S' : 'N' }),
      ...(reconciliation === undefined ? {} : { EstadoCuadre: reconciliation }),
      ...(page === undefined ? {} : { ClavePaginacion: page }),
    },
  }
  if (items.length === 0) checkShape(value, root, null, refuse)
  return items.length > 0 ? { ok: false, items } : { ok: true, message: { root, value } }
}
