/** Responses to queries of the collections and payments that the tax authority has stored for one invoice. */

import type { Locale } from '#core/invoice/index.ts'
import { fromFecha, fromImporte } from '../../fiscal/literals.ts'
import type { ResponseItem } from '../model/sii-items.ts'
import type { Book } from '../model/sii-record-types.ts'
import { type QueryShape, readSii, responseOf } from './read-sii.ts'
import {
  type Block,
  blockOf,
  blocksOf,
  identityOf,
  parseSiiTimestamp,
  type RecordIdentity,
  textOf,
} from './response-values.ts'

export interface StoredPayment {
  /** `YYYY-MM-DD`. */
  readonly date: string | null
  /** Amount in euros, VAT included; negative for a correction. */
  readonly amount: number | null
  /** `Medio`: 01 transfer, 02 cheque, 03 not collected or paid, 04 other, 05 direct debit. */
  readonly means: string | null
  readonly account: string | null
  readonly csv: string | null
  /** `yyyy-mm-ddThh:mm:ss`, Spanish time. */
  readonly presented_at: string | null
}

/** The queried invoice with its stored collections or payments. */
export interface PaymentsSummary extends RecordIdentity {
  /** `ISSUED` for collections, `RECEIVED` for payments. */
  readonly book_type: Book
  readonly payments: readonly StoredPayment[]
  /** Value of `page_after` for the next query; null if there are no more entries. */
  readonly page_after: string | null
}

export type PaymentsResult =
  | { readonly ok: true; readonly response: PaymentsSummary; readonly items: readonly ResponseItem[] }
  | { readonly ok: false; readonly items: readonly ResponseItem[] }

const RESPONSES: Readonly<Record<string, QueryShape>> = {
  RespuestaConsultaCobros: { book: 'ISSUED', records: 'RegistroRespuestaConsultaCobros', data: 'DatosCobro' },
  RespuestaConsultaPagos: { book: 'RECEIVED', records: 'RegistroRespuestaConsultaPagos', data: 'DatosPago' },
}

function storedOf(record: Block, { data }: QueryShape): StoredPayment {
  const { Fecha, Importe, Medio, Cuenta_O_Medio } = blockOf(record[data])
  const presented = blockOf(record.DatosPresentacion)
  const cents = fromImporte(textOf(Importe) ?? undefined)
  return {
    date: fromFecha(textOf(Fecha) ?? undefined) ?? null,
    amount: cents === undefined ? null : cents / 100,
    means: textOf(Medio),
    account: textOf(Cuenta_O_Medio),
    csv: textOf(presented.CSV),
    presented_at: parseSiiTimestamp(presented.TimestampPresentacion),
  }
}

/**
 * Reads the response to a query of collections or payments (`paymentsQuery`): the stored entries of the invoice, and
 * the start of the next page. For an unknown invoice the authority returns a fault, 3503 (`readResponse`).
 *
 * Never throws for any text. Source: SII schemas, interface 1.1, responses to queries.
 *
 * @example
 * const read = readPaymentsResponse('<html>503</html>')
 * read.ok === false && read.items[0]?.code // => 'xml.no_record'
 */
export function readPaymentsResponse(
  xml: string,
  options: { readonly locale?: Locale } = {},
): PaymentsResult {
  const read = responseOf(readSii(xml, options), RESPONSES, options.locale)
  if (!read.ok) return read
  const { shape, value } = read
  const more = textOf(value.IndicadorPaginacion) === 'S'
  return {
    ok: true,
    response: {
      book_type: shape.book,
      ...identityOf(value.IDFactura),
      payments: blocksOf(value[shape.records]).map((record) => storedOf(record, shape)),
      page_after: more ? textOf(value.ClavePaginacion) : null,
    },
    items: read.items,
  }
}
