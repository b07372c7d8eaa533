/** Functions that read values from VeriFactu records, both registrations and cancellations. */
import { required } from '#core/errors/index.ts'
import type {
  FiscalRecord,
  RegistroAlta,
  RegistroAnulacion,
  SistemaInformatico,
} from '#records/verifactu/index.ts'

export interface RecordIdentity {
  readonly issuer: string
  readonly number: string
  /** `dd-mm-yyyy`. */
  readonly issue_date: string
  readonly operation: 'Alta' | 'Anulacion'
  /** The marks of the record (`Subsanacion` and so on), which the response repeats. */
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

/** Returns the content of a registration or cancellation. */
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

export const producerIdOf = ({ NIF, IDOtro }: Pick<SistemaInformatico, 'NIF' | 'IDOtro'>): string =>
  NIF ?? IDOtro?.ID ?? ''

/** Returns the identity of the chain: taxpayer, producer, system and installation. */
export function chainOf(taxpayer: string, record: FiscalRecord): string {
  const { SistemaInformatico: system } = bodyOf(record)
  return [taxpayer, producerIdOf(system), system.IdSistemaInformatico, system.NumeroInstalacion].join('|')
}

/** Returns `yyyy-mm` of a date `dd-mm-yyyy`. */
export const monthOf = (date: string): string => `${date.slice(6, 10)}-${date.slice(3, 5)}`

/** Returns the month under which queries find the invoice: that of the operation or, without one, of the issue. */
export const periodOf = (alta: RegistroAlta): string =>
  monthOf(alta.FechaOperacion ?? alta.IDFactura.FechaExpedicionFactura)
