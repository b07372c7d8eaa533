/** What the authority has stored of a month: the question, and its answer in the words of `readAnswer`. */
import { checkMembers, checkObject, type OptionKinds } from '../../fiscal/check-options.ts'
import { fromFecha, toFecha } from '../../fiscal/literals.ts'
import type { Locale } from '../../invoice/index.ts'
import type { Consulta, RespuestaConsulta } from '../model/types.ts'
import { codeOf, explain, type StoredState, storedState } from './response.ts'

/** Identity of the last record of a page, and so where the next one starts. */
export type PageKey = NonNullable<RespuestaConsulta['ClavePaginacion']>

export interface RecordsQueryInput {
  /** Whose records: the issuer, as in the header of a submission. */
  readonly issuer: { readonly name: string; readonly nif: string }
  /** Month of the operation, else of issue, `YYYY-MM`. */
  readonly month: string
  /** One invoice: series and number as in its record. */
  readonly number?: string
  /** Days of issue, `YYYY-MM-DD`, both included. */
  readonly issued?: { readonly from?: string; readonly to?: string }
  readonly external_ref?: string
  /** Where the next page starts: `page_after` of the answer before. */
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
 * A query of what the authority has stored of an issuer in one month: write it with `queryXml`, and judge it before
 * with `checkQuery`. At most 10,000 records are answered at a time.
 *
 * A wrong name or kind throws a `TypeError`. Source: AEAT web service description 1.0.3, section of the query.
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

/** The present state of one invoice at the authority, not its history. */
export interface RecordsLine {
  readonly nif: string
  readonly num_serie: string
  readonly fecha_expedicion: string
  /** `cancelled` is said nowhere else. */
  readonly state: StoredState
  readonly code: number | null
  /** The authority's own words. */
  readonly description: string | null
  /** Ours: what the code means and how to mend it; null for a code that is not in the list. */
  readonly explanation: string | null
  /** Hash of the record that is in force: tells which of several records of the invoice has arrived. */
  readonly huella: string | null
  readonly external_ref: string | null
  /** The authority's clock, as written. */
  readonly presented_at: string | null
  readonly modified_at: string | null
  /** Number of the message that brought it. */
  readonly request_id: string | null
  /** Everything that was answered of it, with the element names of the schema. */
  readonly record: unknown
}

export interface RecordsAnswer {
  /** `YYYY-MM`. */
  readonly month: string | null
  readonly lines: readonly RecordsLine[]
  /** `page_after` of the next query, where there is more. */
  readonly page_after: PageKey | null
}

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]
/** What was answered has the shape that its sender gave it: no member is sure to be there. */
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
    explanation: explain(code, locale),
    huella: stored.Huella ?? null,
    external_ref: stored.RefExterna ?? null,
    presented_at: row.DatosPresentacion?.TimestampPresentacion ?? null,
    modified_at: status.TimestampUltimaModificacion ?? null,
    request_id: row.DatosPresentacion?.IdPeticion ?? null,
    record: row.DatosRegistroFacturacion ?? null,
  }
}

/** Where the next page starts: as it was said, else after the last record of this one. */
function pageAfter(answer: RespuestaConsulta, rows: readonly Row[]): PageKey | null {
  if (answer.IndicadorPaginacion !== 'S') return null
  return answer.ClavePaginacion ?? rows.at(-1)?.IDFactura ?? null
}

/**
 * What an answer to a query says: `value` of the document that `readVerifactu` read. One line for each invoice, with
 * its present state.
 *
 * Throws a `TypeError` for what was not read, such as the XML itself.
 *
 * @example
 * const answer = { IndicadorPaginacion: 'N', ResultadoConsulta: 'SinDatos' } as Parameters<typeof readRecordsAnswer>[0]
 * readRecordsAnswer(answer).lines // => []
 */
export function readRecordsAnswer(answer: RespuestaConsulta, locale: Locale = 'en'): RecordsAnswer {
  checkObject(answer, 'the answer, the `value` of readVerifactu,')
  const rows = answer.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []
  const period: Given<RespuestaConsulta['PeriodoImputacion']> = answer.PeriodoImputacion ?? {}
  const month = `${period.Ejercicio ?? ''}-${period.Periodo ?? ''}`
  return {
    month: fromFecha(`01-${month.split('-').reverse().join('-')}`) === undefined ? null : month,
    lines: rows.map((row) => lineOf(row, locale)),
    page_after: pageAfter(answer, rows),
  }
}
