/**
 * What the tax authority holds of some months beside what is stored here. After a backup was put back this finds what
 * was issued since the backup and is lost: the authority has its records, this database does not.
 */
import type { Wire } from '../../../../authority/wires.ts'
import type { RespuestaConsulta } from '../../../../verifactu/index.ts'
import type { App } from '../../../app/app.ts'
import { inBatches } from '../../../store/batches.ts'
import type { CompanyStore, Rows } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import { blockedBy } from '../../transmission/response.ts'
import { pagesOf } from './ask.ts'
import { FAULTS, identityOf } from './response.ts'

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]

/** An invoice as the authority has it. */
export interface HeldRecord {
  readonly num_serie: string
  readonly fecha_expedicion: string
  readonly importe_total: number | null
  readonly huella: string | null
  readonly estado: string
}

export interface Compared {
  readonly months: readonly string[]
  /** How many invoices the authority has of these months. */
  readonly held: number
  /** Its number is not known here. */
  readonly lost: readonly HeldRecord[]
  /** The invoice is here; the record that the authority has of it last is not. */
  readonly changed: readonly HeldRecord[]
}

/** Months from one to another, `YYYY-MM`. */
export function monthsFrom(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; ) {
    months.push(month)
    const [year = 0, number = 0] = month.split('-').map(Number)
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  }
  return months
}

function heldOf({ IDFactura, DatosRegistroFacturacion: data, EstadoRegistro }: Row): HeldRecord {
  const total = Number.parseFloat(data?.ImporteTotal ?? '')
  return {
    num_serie: IDFactura.NumSerieFactura.trim(),
    fecha_expedicion: IDFactura.FechaExpedicionFactura,
    importe_total: Number.isNaN(total) ? null : total,
    huella: data?.Huella ?? null,
    estado: EstadoRegistro.EstadoRegistro,
  }
}

/** Of invoices at the authority, those that are not here, and those with a record that is not. */
async function unknownOf(db: Rows, environment: Environment, all: readonly HeldRecord[]) {
  const lost: HeldRecord[] = []
  const changed: HeldRecord[] = []
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
      if (!isKnown.has(one.num_serie)) lost.push(one)
      else if (one.huella !== null && !isOurs.has(one.huella)) changed.push(one)
  }
  return { lost, changed }
}

/** Asks for months, one after the other. Answers why it could not be asked where that is so. */
export async function compareWithAuthority(
  { app, wire }: { readonly app: App; readonly wire: Wire },
  store: CompanyStore,
  company: CompanyRecord,
  environment: Environment,
  months: readonly string[],
): Promise<Compared | Blocked> {
  const identity = await identityOf(app, store, company)
  if ('stop' in identity) return identity
  const caller = { companyId: company.id, environment, ...identity }
  const [lost, changed]: [HeldRecord[], HeldRecord[]] = [[], []]
  let held = 0
  for (const month of months)
    for await (const page of pagesOf(wire, company.data, caller, month)) {
      if (page.is !== 'answered') return blockedBy(FAULTS, page)
      const rows = (page.value.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []).map(heldOf)
      held += rows.length
      const unknown = await unknownOf(store, environment, rows)
      lost.push(...unknown.lost)
      changed.push(...unknown.changed)
    }
  return { months, held, lost, changed }
}
