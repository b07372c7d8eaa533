/** What the authority has of some records: the one way to learn what became of a message without an answer. */

import type { Caller, Wire } from '../../../../authority/verifactu-wire.ts'
import type { Text } from '../../../../invoice/index.ts'
import type { StoredState } from '../../../../verifactu/index.ts'
import { type Consulta, queryXml, type RespuestaConsulta, storedState } from '../../../../verifactu/index.ts'
import type { Rows } from '../../../store/store.ts'
import type { CompanyData } from '../../company/company-shape.ts'
import { asking, type Heard, hear } from './hear.ts'
import type { Waiting } from './records.ts'

/** The present state of an invoice at the authority. */
export interface Held {
  readonly state: StoredState
  readonly huella: string | null
  readonly code: number | null
  readonly description: string | null
}

export const nameOf = ({
  num_serie,
  fecha_expedicion,
}: Pick<Waiting, 'num_serie' | 'fecha_expedicion'>): string =>
  `${num_serie.trim()} ${fecha_expedicion.trim()}`

export interface Asking {
  readonly wire: Wire
  readonly company: CompanyData
  readonly caller: Omit<Caller, 'operation'>
}

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]

const heldIn = ({ DatosRegistroFacturacion, EstadoRegistro }: Row): Held => {
  const code = Number.parseInt(EstadoRegistro.CodigoErrorRegistro ?? '', 10)
  return {
    state: storedState(EstadoRegistro.EstadoRegistro),
    huella: DatosRegistroFacturacion?.Huella?.trim() || null,
    code: Number.isNaN(code) ? null : code,
    description: EstadoRegistro.DescripcionErrorRegistro ?? null,
  }
}

/** `dd-mm-yyyy` so that texts are in the order of days. */
const ordered = (day: string): string => day.split('-').reverse().join('-')

/** The months that records are filed under: that of the operation, else that of the issue. */
async function monthsOf(
  db: Rows,
  caller: Caller,
  records: readonly Waiting[],
): Promise<Map<string, Waiting[]>> {
  const months = new Map<string, Waiting[]>()
  const ids = [...new Set(records.map(({ invoice_id }) => invoice_id))]
  const days = new Map<string, string>()
  for (let start = 0; start < ids.length; start += 200) {
    const rows = await db
      .select('verifactu_records')
      .select(['invoice_id', 'record'])
      .where('environment', '=', caller.environment)
      .where('tipo', '=', 'alta')
      .where('invoice_id', 'in', ids.slice(start, start + 200))
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

type Period = Consulta['FiltroConsulta']['PeriodoImputacion']

const periodOf = (month: string): Period => {
  const [Ejercicio = '', Periodo = ''] = month.split('-')
  return { Ejercicio, Periodo: Periodo as Period['Periodo'] }
}

/** A query of a month, as the company asks it. */
export const queryOf = (
  { legal_name, tax_id }: Pick<CompanyData, 'legal_name' | 'tax_id'>,
  month: string,
  filter: Omit<Consulta['FiltroConsulta'], 'PeriodoImputacion'> = {},
): string =>
  queryXml({
    Cabecera: { IDVersion: '1.0', ObligadoEmision: { NombreRazon: legal_name, NIF: tax_id } },
    FiltroConsulta: { PeriodoImputacion: periodOf(month), ...filter },
  })

/** Narrows a query to some records. */
function filterFor(records: readonly Waiting[]): Omit<Consulta['FiltroConsulta'], 'PeriodoImputacion'> {
  const [first] = records
  if (first && new Set(records.map(nameOf)).size === 1) return { NumSerieFactura: first.num_serie }
  const days = records.map(({ fecha_expedicion }) => ordered(fecha_expedicion)).sort()
  const [Desde = '', Hasta = ''] = [days[0], days.at(-1)].map((day = '') => ordered(day))
  return { FechaExpedicionFactura: { RangoFechaExpedicion: { Desde, Hasta } } }
}

/** Pages of a query end some time, whatever an authority says. */
const MOST_PAGES = 1000
const NO_END: Text = {
  en: 'the query came to no end.',
  es: 'la consulta no terminó.',
}

export type Asked =
  | { readonly ok: true; readonly held: ReadonlyMap<string, Held> }
  | { readonly ok: false; readonly heard: Exclude<Heard<unknown>, { is: 'answered' }> }

/** Asks what the authority has of these records, by number and date. Keeps nothing of other invoices. */
export async function askFor(
  db: Rows,
  { wire, company, caller }: Asking,
  records: readonly Waiting[],
): Promise<Asked> {
  const held = new Map<string, Held>()
  const asker = asking(caller, company.tax_id)
  for (const [month, own] of await monthsOf(db, asker, records)) {
    const names = new Set(own.map(nameOf))
    const filter = filterFor(own)
    let next: RespuestaConsulta['ClavePaginacion']
    for (let page = 0; ; page++) {
      if (page >= MOST_PAGES) return { ok: false, heard: { is: 'unknown', reason: NO_END } }
      const key = next ? { ClavePaginacion: next } : {}
      const heard = await hear(wire, queryOf(company, month, { ...filter, ...key }), asker)
      if (heard.is !== 'answered') return { ok: false, heard }
      const { value } = heard
      for (const row of value.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []) {
        const { NumSerieFactura, FechaExpedicionFactura } = row.IDFactura
        const name = nameOf({ num_serie: NumSerieFactura, fecha_expedicion: FechaExpedicionFactura })
        const issuer = row.IDFactura.IDEmisorFactura?.trim()
        if (issuer && issuer !== company.tax_id) continue
        if (names.has(name)) held.set(name, heldIn(row))
      }
      next = value.IndicadorPaginacion === 'S' ? value.ClavePaginacion : undefined
      if (!next) break
    }
  }
  return { ok: true, held }
}

/**
 * What became of a record by what the authority has of its invoice; null where it has not got this record, as its hash
 * tells. `later` are records of the same message that follow: if one of them is held, this one came before it.
 */
export function verdictBy(
  { huella }: Waiting,
  held: Held | undefined,
  later: readonly Waiting[],
): 'accepted' | 'accepted_with_errors' | null {
  if (!held) return null
  if (held.huella === huella)
    return held.state === 'accepted_with_errors' ? 'accepted_with_errors' : 'accepted'
  return later.some((one) => one.huella === held.huella) ? 'accepted' : null
}
