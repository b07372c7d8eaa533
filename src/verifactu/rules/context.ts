/** What the authority's checks look at: the record, read once into numbers and calendar dates. */
import { fromFecha, fromImporte } from '../../fiscal/literals.ts'
import type { Sha256 } from '../model/hash.ts'
import type { Cabecera, DetalleDesglose, Persona, RegistroAlta } from '../model/types.ts'

/** Facts from outside of the record; every check that needs an absent one is skipped. */
export interface Surroundings {
  /** Milliseconds since 1970 (UTC): the authority's clock. */
  readonly now: number | undefined
  /** Header of the message that carries the record. */
  readonly header: Cabecera | undefined
  /** True if the chain is known to have earlier records, false if it is known to have none. */
  readonly chainStarted: boolean | undefined
  readonly hash: Sha256
}

export interface Context<T> {
  readonly record: T
  readonly around: Surroundings
}

/** Qualifications of the record design, and `E` for any exemption. */
export type LineKind = 'S1' | 'S2' | 'N1' | 'N2' | 'E'

/** One line of the breakdown. Amounts in cents, rates in hundredths of a percent; undefined where absent or unreadable. */
export interface BreakdownLine {
  readonly path: string
  readonly line: DetalleDesglose
  /** `01` where the record names none. */
  readonly tax: string
  readonly key: string | undefined
  readonly operation: string | undefined
  readonly exemption: string | undefined
  /** What the line says of the operation; undefined where it says both things, or what is not in the list. */
  readonly kind: LineKind | undefined
  readonly rate: number | undefined
  readonly base: number | undefined
  readonly cost: number | undefined
  readonly amount: number | undefined
  readonly surchargeRate: number | undefined
  readonly surcharge: number | undefined
}

export interface AltaContext extends Context<RegistroAlta> {
  readonly type: string
  readonly corrective: boolean
  readonly lines: readonly BreakdownLine[]
  /** `yyyy-mm-dd`; undefined where it is no day of the calendar. */
  readonly issueDate: string | undefined
  readonly operationDate: string | undefined
  /** Day on which rates are judged: the operation's, else the issue date. */
  readonly accrualDate: string | undefined
  readonly recipients: readonly { readonly path: string; readonly person: Persona }[]
}

/** True for a text that has the schema's form of a date and is no day of the calendar. */
export const isImpossible = (text: string | undefined): boolean =>
  text !== undefined && /^\d\d-\d\d-\d{4}$/.test(text) && fromFecha(text) === undefined

/** A rate in hundredths of a percent. */
const rateOf = (text: string | undefined): number | undefined => {
  const value = fromImporte(text)
  return value === undefined || value < 0 ? undefined : value
}

const KINDS: readonly string[] = ['S1', 'S2', 'N1', 'N2']

function kindOf({ CalificacionOperacion, OperacionExenta }: DetalleDesglose): LineKind | undefined {
  if (OperacionExenta !== undefined) return CalificacionOperacion === undefined ? 'E' : undefined
  return CalificacionOperacion && KINDS.includes(CalificacionOperacion) ? CalificacionOperacion : undefined
}

export function altaContext(record: RegistroAlta, around: Surroundings): AltaContext {
  const issueDate = fromFecha(record.IDFactura.FechaExpedicionFactura)
  const operationDate = fromFecha(record.FechaOperacion)
  return {
    record,
    around,
    type: record.TipoFactura,
    corrective: /^R[1-5]$/.test(record.TipoFactura),
    lines: record.Desglose.DetalleDesglose.map((line, i) => ({
      path: `/Desglose/DetalleDesglose/${i}`,
      line,
      tax: line.Impuesto ?? '01',
      key: line.ClaveRegimen,
      operation: line.CalificacionOperacion,
      exemption: line.OperacionExenta,
      kind: kindOf(line),
      rate: rateOf(line.TipoImpositivo),
      base: fromImporte(line.BaseImponibleOimporteNoSujeto),
      cost: fromImporte(line.BaseImponibleACoste),
      amount: fromImporte(line.CuotaRepercutida),
      surchargeRate: rateOf(line.TipoRecargoEquivalencia),
      surcharge: fromImporte(line.CuotaRecargoEquivalencia),
    })),
    issueDate,
    operationDate,
    accrualDate: operationDate ?? issueDate,
    recipients: (record.Destinatarios?.IDDestinatario ?? []).map((person, i) => ({
      path: `/Destinatarios/IDDestinatario/${i}`,
      person,
    })),
  }
}
