/**
 * Compares the authority's records of some months with those stored here. After the restore of a backup, this finds
 * invoices issued since the backup: the authority has their records, this database does not.
 */

import type { VerifactuSender } from 'cuadra-authority/index.ts'
import type { RespuestaConsulta } from '#records/verifactu/index.ts'
import type { App } from '../../../app/app.ts'
import { inBatches } from '../../../store/batches.ts'
import type { CompanyStore, Rows } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import { blockedByFailedCall } from '../../transmission/transmission-response.ts'
import { pagesOf } from './query-records.ts'
import { certificateForCalls, FAULTS } from './verifactu-response.ts'

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]

/** An invoice according to the authority. */
export interface AuthorityInvoice {
  readonly num_serie: string
  readonly fecha_expedicion: string
  readonly importe_total: number | null
  readonly huella: string | null
  readonly estado: string
}

export interface Comparison {
  readonly months: readonly string[]
  /** Number of invoices that the authority has for these months. */
  readonly authority_count: number
  /** Invoices whose number is not stored here. */
  readonly missing: readonly AuthorityInvoice[]
  /** Invoices that are stored here without the last record that the authority has of them. */
  readonly changed: readonly AuthorityInvoice[]
}

/** Returns the months from one to another, `YYYY-MM`. */
export function monthsFrom(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; ) {
    months.push(month)
    const [year = 0, number = 0] = month.split('-').map(Number)
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  }
  return months
}

function authorityInvoiceOf({
  IDFactura,
  DatosRegistroFacturacion: data,
  EstadoRegistro,
}: Row): AuthorityInvoice {
  const total = Number.parseFloat(data?.ImporteTotal ?? '')
  return {
    num_serie: IDFactura.NumSerieFactura.trim(),
    fecha_expedicion: IDFactura.FechaExpedicionFactura,
    importe_total: Number.isNaN(total) ? null : total,
    huella: data?.Huella ?? null,
    estado: EstadoRegistro.EstadoRegistro,
  }
}

/** Returns the authority's invoices whose number, or whose last record, is not stored here. */
async function unknownOf(db: Rows, environment: Environment, all: readonly AuthorityInvoice[]) {
  const missing: AuthorityInvoice[] = []
  const changed: AuthorityInvoice[] = []
  for (const some of inBatches(all, 200)) {
    const numbers = some.map(({ num_serie }) => num_serie)
    const known = await db
      .select('numbers')
      .select(['number', 'invoice_id'])
      .where('number', 'in', numbers)
      .execute()
    const ids = known.flatMap(({ invoice_id }) => invoice_id ?? [])
    const records =
      ids.length === 0
        ? []
        : await db
            .find('verifactu_records', { environment })
            .select('huella')
            .where('invoice_id', 'in', ids)
            .execute()
    const [isKnown, isOurs] = [
      new Set(known.map((one) => one.number)),
      new Set(records.map((one) => one.huella)),
    ]
    for (const one of some)
      if (!isKnown.has(one.num_serie)) missing.push(one)
      else if (one.huella !== null && !isOurs.has(one.huella)) changed.push(one)
  }
  return { missing, changed }
}

/** Queries the authority month by month. If a query fails, returns the reason. */
export async function compareWithAuthority(
  { app, wire }: { readonly app: App; readonly wire: VerifactuSender },
  store: CompanyStore,
  company: CompanyRecord,
  environment: Environment,
  months: readonly string[],
): Promise<Comparison | Blocked> {
  const identity = await certificateForCalls(app, store, company)
  if ('reason' in identity) return identity
  const caller = { companyId: company.id, environment, ...identity }
  const [missing, changed]: [AuthorityInvoice[], AuthorityInvoice[]] = [[], []]
  let authority_count = 0
  for (const month of months)
    for await (const page of pagesOf(wire, company.data, caller, month)) {
      if (page.is !== 'answered') return blockedByFailedCall(FAULTS, page)
      const rows = (page.value.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []).map(authorityInvoiceOf)
      authority_count += rows.length
      const unknown = await unknownOf(store, environment, rows)
      missing.push(...unknown.missing)
      changed.push(...unknown.changed)
    }
  return { months, authority_count, missing, changed }
}
