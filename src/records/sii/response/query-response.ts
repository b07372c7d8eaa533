/** Responses to queries of the records that the tax authority has stored. */
import type { Locale } from '#core/invoice/index.ts'
import type { ResponseItem } from '../model/sii-items.ts'
import type { Book } from '../model/sii-record-types.ts'
import type { SiiPageKey } from './query-sii.ts'
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
import { type ItemStatus, statusOf } from './sii-next-step.ts'

export interface StoredRecord extends RecordIdentity {
  /** Literal of the authority: `Correcta`, `AceptadaConErrores`, `Anulada`. */
  readonly aeat_record_state: string
  readonly item_status: ItemStatus
  readonly error_code: string | null
  readonly error_description: string | null
  readonly csv: string | null
  /** `yyyy-mm-ddThh:mm:ss`, Spanish time. */
  readonly presented_at: string | null
  readonly modified_at: string | null
  /**
   * Matching with the other party's book: 1 not applicable, 2 in process, 3 not matched, 4 partly matched, 5 matched.
   */
  readonly reconciliation: string | null
  /** The stored record, with the element names of the schema. */
  readonly record: unknown
}

export interface QuerySummary {
  readonly book_type: Book
  /** Filing period, `YYYY-MM`. */
  readonly period: string | null
  readonly records: readonly StoredRecord[]
  /** Value of `page_after` for the next query; null if there are no more records. */
  readonly page_after: SiiPageKey | null
}

export type QueryResult =
  | { readonly ok: true; readonly response: QuerySummary; readonly items: readonly ResponseItem[] }
  | { readonly ok: false; readonly items: readonly ResponseItem[] }

const RESPONSES: Readonly<Record<string, QueryShape>> = {
  RespuestaConsultaLRFacturasEmitidas: {
    book: 'ISSUED',
    records: 'RegistroRespuestaConsultaLRFacturasEmitidas',
    data: 'DatosFacturaEmitida',
  },
  RespuestaConsultaLRFacturasRecibidas: {
    book: 'RECEIVED',
    records: 'RegistroRespuestaConsultaLRFacturasRecibidas',
    data: 'DatosFacturaRecibida',
  },
}

function storedOf(record: Block, shape: QueryShape): StoredRecord {
  const state = blockOf(record.EstadoFactura)
  const presented = blockOf(record.DatosPresentacion)
  const literal = textOf(state.EstadoRegistro) ?? ''
  return {
    ...identityOf(record.IDFactura),
    aeat_record_state: literal,
    item_status: statusOf(literal),
    error_code: textOf(state.CodigoErrorRegistro),
    error_description: textOf(state.DescripcionErrorRegistro),
    csv: textOf(presented.CSV),
    presented_at: parseSiiTimestamp(presented.TimestampPresentacion),
    modified_at: parseSiiTimestamp(state.TimestampUltimaModificacion),
    reconciliation: textOf(state.EstadoCuadre),
    record: record[shape.data] ?? null,
  }
}

/**
 * Returns the identity of the last record, from which the next query continues. In the received book it includes the
 * issuer's name.
 */
function pageKey(last: Block | undefined, shape: QueryShape): SiiPageKey | null {
  if (!last) return null
  const {
    IDEmisorFactura: issuer,
    NumSerieFacturaEmisor,
    FechaExpedicionFacturaEmisor,
  } = blockOf(last.IDFactura)
  const name = textOf(blockOf(blockOf(last[shape.data]).Contraparte).NombreRazon)
  const named = shape.book === 'RECEIVED' ? { NombreRazon: name ?? '' } : {}
  return {
    IDEmisorFactura: { ...named, ...blockOf(issuer) },
    NumSerieFacturaEmisor,
    FechaExpedicionFacturaEmisor,
  } as SiiPageKey
}

/**
 * Reads the response to a query of the issued or the received book: its records, and the start of the next page.
 *
 * Never throws for any text. Source: SII schemas, interface 1.1, responses to queries.
 *
 * @example
 * const read = readQueryResponse('<html>503</html>')
 * read.ok === false && read.items[0]?.code // => 'xml.no_record'
 */
export function readQueryResponse(xml: string, options: { readonly locale?: Locale } = {}): QueryResult {
  const read = responseOf(readSii(xml, options), RESPONSES, options.locale)
  if (!read.ok) return read
  const { shape, value } = read
  const { Ejercicio, Periodo } = blockOf(value.PeriodoLiquidacion)
  const records = blocksOf(value[shape.records])
  const more = textOf(value.IndicadorPaginacion) === 'S'
  return {
    ok: true,
    response: {
      book_type: shape.book,
      period: textOf(Ejercicio) && textOf(Periodo) ? `${textOf(Ejercicio)}-${textOf(Periodo)}` : null,
      records: records.map((record) => storedOf(record, shape)),
      page_after: more ? pageKey(records.at(-1), shape) : null,
    },
    items: read.items,
  }
}
