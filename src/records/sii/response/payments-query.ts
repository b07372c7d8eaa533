/** Queries of the collections or payments stored for one cash-basis invoice, up to 10,000 per page. */

import type { Locale } from '#core/invoice/index.ts'
import { checkMembers, displayTextOf, LOCALE, type OptionKinds } from '../../fiscal/check-options.ts'
import { spanishNif } from '../../fiscal/fiscal-party.ts'
import { toFecha } from '../../fiscal/literals.ts'
import { checkShape, refusals } from '../model/sii-items.ts'
import type { Book } from '../model/sii-record-types.ts'
import {
  checkHolder,
  holderOf,
  SII_VERSION,
  type SiiHolder,
  type SiiMessageResult,
} from '../record/sii-message.ts'
import { checkParty, partyOf, type SiiParty } from './response-party.ts'

export interface SiiPaymentsQueryInput {
  /** `ISSUED` for collections, `RECEIVED` for payments. */
  readonly book: Book
  readonly holder: SiiHolder
  /** Number of the invoice. */
  readonly number: string
  /** Date of issue of the invoice, `YYYY-MM-DD`. */
  readonly issue_date: string
  /** Issuer of the invoice. Only for the received book; in the issued book, the issuer is the holder. */
  readonly counterparty?: SiiParty
  /** Start of the next page: `page_after` of the previous response (`readPaymentsResponse`). */
  readonly page_after?: string
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

const QUERY_ROOTS = {
  ISSUED: ['ConsultaCobros', 'FiltroConsultaCobros'],
  RECEIVED: ['ConsultaPagos', 'FiltroConsultaPagos'],
} as const

const MEMBERS: OptionKinds<SiiPaymentsQueryInput> = {
  book: 'any',
  holder: 'object',
  number: 'text',
  issue_date: 'day',
  counterparty: 'object',
  page_after: 'text',
  locale: LOCALE,
}

/** Checks the names and types of the input. Throws a `TypeError` for an unknown name or a wrong type. */
function checkInput(input: SiiPaymentsQueryInput): void {
  checkMembers(input, MEMBERS, 'a query')
  checkHolder(input.holder)
  const { book, number, issue_date, counterparty } = input
  if (!Object.hasOwn(QUERY_ROOTS, book))
    throw new TypeError(`cuadra: book is ${displayTextOf(book)}; pass "ISSUED" or "RECEIVED"`)
  if (number === undefined || issue_date === undefined)
    throw new TypeError('cuadra: a query of payments needs the invoice: "number" and "issue_date"')
  if ((book === 'RECEIVED') !== (counterparty !== undefined))
    throw new TypeError(
      'cuadra: a query of payments needs "counterparty", the issuer, with book "RECEIVED", and must not have it with "ISSUED"',
    )
  if (counterparty) checkParty(counterparty)
}

/**
 * Builds a query of the stored collections (issued book) or payments (received book) of one invoice with regime key 07.
 * Write the result with `siiXml`.
 *
 * Collections and payments have no identifier. If a response was lost, this query shows which of them were stored. A
 * wrong day, a missing invoice or a missing issuer throws a `TypeError`; a value that the schema rejects is an item.
 *
 * Source: SII web services 1.1, queries of collections and payments.
 *
 * @example
 * const holder = { name: 'Empresa de Pruebas, S.L.', nif: 'B12345674' }
 * const result = paymentsQuery({ book: 'ISSUED', holder, number: 'F2026/0001', issue_date: '2026-03-20' })
 * result.ok && result.message.root // => 'ConsultaCobros'
 */
export function paymentsQuery(input: SiiPaymentsQueryInput): SiiMessageResult {
  checkInput(input)
  const { items, refuse } = refusals(input.locale)
  const { book, number, issue_date, counterparty, page_after: page } = input
  const [root, filter] = QUERY_ROOTS[book]
  const holder = holderOf(input.holder, false, refuse)
  const value = {
    Cabecera: { IDVersionSii: SII_VERSION, Titular: holder },
    [filter]: {
      IDFactura: {
        IDEmisorFactura: counterparty ? partyOf(counterparty) : { NIF: spanishNif(input.holder.nif) ?? '' },
        NumSerieFacturaEmisor: number,
        FechaExpedicionFacturaEmisor: toFecha(issue_date),
      },
      ...(page === undefined ? {} : { ClavePaginacion: page }),
    },
  }
  if (items.length === 0) checkShape(value, root, null, refuse)
  return items.length > 0 ? { ok: false, items } : { ok: true, message: { root, value } }
}
