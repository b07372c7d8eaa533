/** Queries of the records that the authority has stored for a month, and their responses. */

import type { Locale } from '#core/invoice/index.ts'
import { checkMembers, checkObject, type OptionKinds } from '../../fiscal/check-options.ts'
import { fromFecha, toFecha } from '../../fiscal/literals.ts'
import type { Consulta, RespuestaConsulta } from '../model/verifactu-record-types.ts'
import { codeOf, codeTextOf, type StoredState, storedState } from './read-verifactu-response.ts'

/** Identity of the last record of a page. The next page starts after this record. */
export type PageKey = NonNullable<RespuestaConsulta['ClavePaginacion']>

export interface RecordsQueryInput {
  /** The issuer whose records are queried, as in the header of a submission. */
  readonly issuer: { readonly name: string; readonly nif: string }
  /** Month `YYYY-MM` of the operation or, without a date of operation, of the issue. */
  readonly month: string
  /** Series and number of one invoice, as in its record. */
  readonly number?: string
  /** Range of issue dates, `YYYY-MM-DD`, both inclusive. */
  readonly issued?: { readonly from?: string; readonly to?: string }
  readonly external_ref?: string
  /** Start of the next page: `page_after` of the previous response. */
  readonly page_after?: PageKey
}

const MEMBERS: OptionKinds<RecordsQueryInput> = {
  issuer: 'object',
  month: 'month',
  number: 'text',
  issued: 'object',
  external_ref: 'text',
  page_after: 'object',
}

const VERSION = '1.0'

function issuedFilter({ issued: { from, to } = {} }: RecordsQueryInput) {
  if (from === undefined && to === undefined) return {}
  const range = {
    ...(from === undefined ? {} : { Desde: toFecha(from) }),
    ...(to === undefined ? {} : { Hasta: toFecha(to) }),
  }
  return { FechaExpedicionFactura: { RangoFechaExpedicion: range } }
}

/**
 * Builds a query of the records that the tax authority has stored for an issuer in one month. Check it with `checkQuery`
 * and write it with `queryXml`. A response has at most 10,000 records.
 *
 * A wrong name or type throws a `TypeError`. Source: AEAT web service description 1.0.3, section of the query.
 *
 * @example
 * const issuer = { name: 'Papelería Nube, S.L.', nif: 'B23456783' }
 * const query = recordsQuery({ issuer, month: '2026-03', number: 'WEB-000041' })
 * query.FiltroConsulta.PeriodoImputacion // => { Ejercicio: '2026', Periodo: '03' }
 */
export function recordsQuery(input: RecordsQueryInput): Consulta {
  checkMembers(input, MEMBERS, 'a query')
  checkMembers(input.issuer, { name: 'text', nif: 'text' }, '"issuer"')
  if (input.issued) checkMembers(input.issued, { from: 'day', to: 'day' }, '"issued"')
  if (input.month === undefined) throw new TypeError('cuadra: a query needs its month, YYYY-MM')
  const { issuer, month, number, external_ref, page_after } = input
  const [year = '', part = ''] = month.split('-')
  return {
    Cabecera: { IDVersion: VERSION, ObligadoEmision: { NombreRazon: issuer.name, NIF: issuer.nif } },
    FiltroConsulta: {
      PeriodoImputacion: {
        Ejercicio: year,
        Periodo: part as Consulta['FiltroConsulta']['PeriodoImputacion']['Periodo'],
      },
      ...(number === undefined ? {} : { NumSerieFactura: number }),
      ...issuedFilter(input),
      ...(external_ref === undefined ? {} : { RefExterna: external_ref }),
      ...(page_after === undefined ? {} : { ClavePaginacion: page_after }),
    },
  }
}

/** The current state of one invoice at the authority, without its history. */
export interface RecordsLine {
  readonly nif: string
  readonly num_serie: string
  readonly fecha_expedicion: string
  /** State of the stored record. In responses to submissions, only `duplicate_state` can be `cancelled`. */
  readonly state: StoredState
  readonly code: number | null
  /** The authority's text. */
  readonly description: string | null
  /** Explanation of this package: the meaning of the code and the instruction; null for an unlisted code. */
  readonly explanation: string | null
  /** Hash of the current record. It shows which of several records of the invoice the authority has stored. */
  readonly huella: string | null
  readonly external_ref: string | null
  /** Timestamp from the authority's clock, unchanged. */
  readonly presented_at: string | null
  readonly modified_at: string | null
  /** Identifier of the message that delivered the record. */
  readonly request_id: string | null
  /** The complete stored record, with the element names of the schema. */
  readonly record: unknown
}

export interface RecordsResponse {
  /** `YYYY-MM`. */
  readonly month: string | null
  readonly lines: readonly RecordsLine[]
  /** Value of `page_after` for the next query; null if there are no more records. */
  readonly page_after: PageKey | null
}

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]
/** The members of a response, all optional: the service may omit any of them. */
type Given<T> = { readonly [K in keyof T]?: T[K] | undefined }

function lineOf(row: Given<Row>, locale: Locale): RecordsLine {
  const id: Given<Row['IDFactura']> = row.IDFactura ?? {}
  const stored: Given<Row['DatosRegistroFacturacion']> = row.DatosRegistroFacturacion ?? {}
  const status: Given<Row['EstadoRegistro']> = row.EstadoRegistro ?? {}
  const code = codeOf(status.CodigoErrorRegistro)
  return {
    nif: id.IDEmisorFactura ?? '',
    num_serie: id.NumSerieFactura ?? '',
    fecha_expedicion: id.FechaExpedicionFactura ?? '',
    state: storedState(status.EstadoRegistro),
    code,
    description: status.DescripcionErrorRegistro ?? null,
    explanation: codeTextOf(code, locale),
    huella: stored.Huella ?? null,
    external_ref: stored.RefExterna ?? null,
    presented_at: row.DatosPresentacion?.TimestampPresentacion ?? null,
    modified_at: status.TimestampUltimaModificacion ?? null,
    request_id: row.DatosPresentacion?.IdPeticion ?? null,
    record: row.DatosRegistroFacturacion ?? null,
  }
}

/** Returns the start of the next page: the response's own value or, without one, the last record of this page. */
function pageAfter(response: RespuestaConsulta, rows: readonly Row[]): PageKey | null {
  if (response.IndicadorPaginacion !== 'S') return null
  return response.ClavePaginacion ?? rows.at(-1)?.IDFactura ?? null
}

/**
 * Reads the response to a query: `value` of the document that `readVerifactu` returns. The result has one line for each
 * invoice, with its current state.
 *
 * Throws a `TypeError` for an unparsed value, such as the XML itself.
 *
 * @example
 * const response = { IndicadorPaginacion: 'N', ResultadoConsulta: 'SinDatos' } as Parameters<typeof readRecordsResponse>[0]
 * readRecordsResponse(response).lines // => []
 */
export function readRecordsResponse(response: RespuestaConsulta, locale: Locale = 'en'): RecordsResponse {
  checkObject(response, 'the response, the `value` of readVerifactu,')
  const rows = response.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []
  const period: Given<RespuestaConsulta['PeriodoImputacion']> = response.PeriodoImputacion ?? {}
  const month = `${period.Ejercicio ?? ''}-${period.Periodo ?? ''}`
  return {
    month: fromFecha(`01-${month.split('-').reverse().join('-')}`) === undefined ? null : month,
    lines: rows.map((row) => lineOf(row, locale)),
    page_after: pageAfter(response, rows),
  }
}
