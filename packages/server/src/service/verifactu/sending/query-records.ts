/** Queries the authority's records. Without a response to a message, only a query reveals its outcome. */

import type { Caller, VerifactuSender } from 'cuadra-authority/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { type Consulta, queryXml, type RespuestaConsulta, storedState } from '#records/verifactu/index.ts'
import { inBatches } from '../../../store/batches.ts'
import type { Rows } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { CompanyData } from '../../company/company-shape.ts'
import type { Connection, QueryResult } from '../../transmission/channel.ts'
import { blockedByFailedQuery, type Response } from '../../transmission/transmission-response.ts'
import type { AuthorityRecord, Verifactu } from './verifactu-queue-types.ts'
import { invoiceIdentityOf, type PendingRecord } from './verifactu-records.ts'
import { callService, FAULTS } from './verifactu-response.ts'

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]

const authorityRecordIn = ({ DatosRegistroFacturacion, EstadoRegistro }: Row): AuthorityRecord => {
  const code = Number.parseInt(EstadoRegistro.CodigoErrorRegistro ?? '', 10)
  return {
    state: storedState(EstadoRegistro.EstadoRegistro),
    huella: DatosRegistroFacturacion?.Huella?.trim() || null,
    code: Number.isNaN(code) ? null : code,
    description: EstadoRegistro.DescripcionErrorRegistro ?? null,
  }
}

/** Reverses `dd-mm-yyyy`, so that dates sort as text. */
const ordered = (day: string): string => day.split('-').reverse().join('-')

/** Groups records by the month to which the authority assigns them: that of the operation, otherwise that of issue. */
async function monthsOf(
  db: Rows,
  environment: Environment,
  records: readonly PendingRecord[],
): Promise<Map<string, PendingRecord[]>> {
  const months = new Map<string, PendingRecord[]>()
  const ids = [...new Set(records.map(({ invoice_id }) => invoice_id))]
  const days = new Map<string, string>()
  for (const some of inBatches(ids, 200)) {
    const rows = await db
      .find('verifactu_records', { environment, tipo: 'alta' })
      .select(['invoice_id', 'record'])
      .where('invoice_id', 'in', some)
      .execute()
    for (const { invoice_id, record } of rows) {
      const day = /"FechaOperacion":"(\d\d-\d\d-\d{4})"/.exec(record)?.[1]
      if (day) days.set(invoice_id, day)
    }
  }
  for (const record of records) {
    const [, month = '', year = ''] = (days.get(record.invoice_id) ?? record.fecha_expedicion).split('-')
    const name = `${year}-${month}`
    months.set(name, [...(months.get(name) ?? []), record])
  }
  return months
}

type Filter = Omit<Consulta['FiltroConsulta'], 'PeriodoImputacion'>
type Period = Consulta['FiltroConsulta']['PeriodoImputacion']

const periodOf = (month: string): Period => {
  const [Ejercicio = '', Periodo = ''] = month.split('-')
  return { Ejercicio, Periodo: Periodo as Period['Periodo'] }
}

/** Returns the filter that limits a query to some records. */
function filterFor(records: readonly PendingRecord[]): Filter {
  const [first] = records
  if (first && new Set(records.map(invoiceIdentityOf)).size === 1) return { NumSerieFactura: first.num_serie }
  const days = records.map(({ fecha_expedicion }) => ordered(fecha_expedicion)).sort()
  const [Desde = '', Hasta = ''] = [days[0], days.at(-1)].map((day = '') => ordered(day))
  return { FechaExpedicionFactura: { RangoFechaExpedicion: { Desde, Hasta } } }
}

/** Maximum number of pages of a query, in case the authority never returns a last page. */
const MAX_PAGES = 1000
const NO_END: Text = {
  en: 'the query returned more pages than the limit.',
  es: 'la consulta devolvió más páginas que el límite.',
}

type Asker = Omit<Caller, 'operation'>
type Taxpayer = Pick<CompanyData, 'legal_name' | 'tax_id'>
type Page = Response<RespuestaConsulta>

/** Returns the first page of the authority's records of a month (`YYYY-MM`), or the page that a filter selects. */
export async function pageOf(
  wire: VerifactuSender,
  { legal_name, tax_id }: Taxpayer,
  asker: Asker,
  month: string,
  filter: Filter = {},
): Promise<Page> {
  const xml = queryXml({
    Cabecera: { IDVersion: '1.0', ObligadoEmision: { NombreRazon: legal_name, NIF: tax_id } },
    FiltroConsulta: { PeriodoImputacion: periodOf(month), ...filter },
  })
  const response = await callService(wire, xml, { ...asker, operation: 'query', taxpayer: tax_id })
  return response.is === 'answered' ? { ...response, value: response.value.document } : response
}

/** Yields all pages of a query. Stops after the first page without a response. */
export async function* pagesOf(
  wire: VerifactuSender,
  company: Taxpayer,
  asker: Asker,
  month: string,
  filter: Filter = {},
): AsyncGenerator<Page, void> {
  let key: Filter = {}
  for (let count = 0; count < MAX_PAGES; count++) {
    const page = await pageOf(wire, company, asker, month, { ...filter, ...key })
    yield page
    if (page.is !== 'answered') return
    const { IndicadorPaginacion, ClavePaginacion } = page.value
    if (IndicadorPaginacion !== 'S' || !ClavePaginacion) return
    key = { ClavePaginacion }
  }
  yield { is: 'unknown', reason: NO_END }
}

/** Adds the invoices of a page whose number and date are in `names`. */
function takeFrom(
  { RegistroRespuestaConsultaFactuSistemaFacturacion: rows = [] }: RespuestaConsulta,
  taxId: string,
  names: ReadonlySet<string>,
  authorityRecords: Map<string, AuthorityRecord>,
): void {
  for (const row of rows) {
    const { NumSerieFactura: num_serie, FechaExpedicionFactura: fecha_expedicion } = row.IDFactura
    const issuer = row.IDFactura.IDEmisorFactura?.trim()
    const name = invoiceIdentityOf({ num_serie, fecha_expedicion })
    if ((!issuer || issuer === taxId) && names.has(name)) authorityRecords.set(name, authorityRecordIn(row))
  }
}

/** Queries the authority's records of invoices, by number and date. Ignores other invoices. */
export async function queryAuthority(
  { sending, store, company, environment, certificateId }: Connection<Verifactu>,
  records: readonly PendingRecord[],
): Promise<QueryResult<Verifactu>> {
  const { wire, signal } = sending
  const caller = { companyId: store.companyId, environment, certificateId, ...(signal ? { signal } : {}) }
  const byName = new Map<string, AuthorityRecord>()
  for (const [month, own] of await monthsOf(store, environment, records)) {
    const names = new Set(own.map(invoiceIdentityOf))
    for await (const page of pagesOf(wire, company.data, caller, month, filterFor(own))) {
      if (page.is !== 'answered') return { ok: false, blocked: blockedByFailedQuery(FAULTS, page) }
      takeFrom(page.value, company.data.tax_id, names, byName)
    }
  }
  const authorityRecords = new Map<string, AuthorityRecord>()
  for (const record of records) {
    const one = byName.get(invoiceIdentityOf(record))
    if (one) authorityRecords.set(record.key, one)
  }
  return { ok: true, authorityRecords }
}
