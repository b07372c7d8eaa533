/** A record of VeriFactu as the simulator looks at it: one shape for registrations and cancellations. */
import { required } from '../errors/index.ts'
import type { FiscalRecord, RegistroAlta, RegistroAnulacion, SistemaInformatico } from '../verifactu/index.ts'

export interface RecordIdentity {
  readonly issuer: string
  readonly number: string
  /** `dd-mm-yyyy`. */
  readonly issue_date: string
  readonly operation: 'Alta' | 'Anulacion'
  /** The marks that it carries, as the answer repeats them. */
  readonly marks: {
    readonly Subsanacion?: string
    readonly RechazoPrevio?: string
    readonly SinRegistroPrevio?: string
  }
  readonly reference: string | undefined
}

export const altaOf = (record: FiscalRecord): RegistroAlta | undefined =>
  'RegistroAlta' in record ? record.RegistroAlta : undefined
export const anulacionOf = (record: FiscalRecord): RegistroAnulacion | undefined =>
  'RegistroAnulacion' in record ? record.RegistroAnulacion : undefined

/** What both kinds have. */
export const bodyOf = (record: FiscalRecord): RegistroAlta | RegistroAnulacion =>
  required(altaOf(record) ?? anulacionOf(record))

const marked = (name: 'Subsanacion' | 'RechazoPrevio' | 'SinRegistroPrevio', mark: string | undefined) =>
  mark === undefined ? {} : { [name]: mark }

export function identityOf(record: FiscalRecord): RecordIdentity {
  const alta = altaOf(record)
  if (alta)
    return {
      issuer: alta.IDFactura.IDEmisorFactura,
      number: alta.IDFactura.NumSerieFactura,
      issue_date: alta.IDFactura.FechaExpedicionFactura,
      operation: 'Alta',
      marks: { ...marked('Subsanacion', alta.Subsanacion), ...marked('RechazoPrevio', alta.RechazoPrevio) },
      reference: alta.RefExterna,
    }
  const { IDFactura, RechazoPrevio, SinRegistroPrevio, RefExterna } = required(anulacionOf(record))
  return {
    issuer: IDFactura.IDEmisorFacturaAnulada,
    number: IDFactura.NumSerieFacturaAnulada,
    issue_date: IDFactura.FechaExpedicionFacturaAnulada,
    operation: 'Anulacion',
    marks: {
      ...marked('RechazoPrevio', RechazoPrevio),
      ...marked('SinRegistroPrevio', SinRegistroPrevio),
    },
    reference: RefExterna,
  }
}

export const producerOf = ({ NIF, IDOtro }: Pick<SistemaInformatico, 'NIF' | 'IDOtro'>): string =>
  NIF ?? IDOtro?.ID ?? ''

/** What makes a chain one chain: taxpayer, producer, system and installation. */
export function chainOf(taxpayer: string, record: FiscalRecord): string {
  const { SistemaInformatico: system } = bodyOf(record)
  return [taxpayer, producerOf(system), system.IdSistemaInformatico, system.NumeroInstalacion].join('|')
}

/** `yyyy-mm` of a date as records write it. */
export const monthOf = (date: string): string => `${date.slice(6, 10)}-${date.slice(3, 5)}`

/** Month under which an invoice is found: of its operation, else of its issue. */
export const periodOf = (alta: RegistroAlta): string =>
  monthOf(alta.FechaOperacion ?? alta.IDFactura.FechaExpedicionFactura)
