/** Input of the authority's checks: the record, parsed once into numbers and calendar dates. */
import { fromFecha, fromImporte } from '../../fiscal/literals.ts'
import type { Sha256 } from '../model/hash.ts'
import type { Cabecera, DetalleDesglose, Persona, RegistroAlta } from '../model/verifactu-record-types.ts'
import { CORRECTIVE } from './invoice-type-checks.ts'

/** Facts from outside the record; a check is skipped if a fact that it needs is missing. */
export interface ExternalFacts {
  /** Milliseconds since 1970 (UTC): the authority's clock. */
  readonly now: number | undefined
  /** Header of the message that carries the record. */
  readonly header: Cabecera | undefined
  /** True if the chain is known to have earlier records, false if it is known to have none. */
  readonly chainStarted: boolean | undefined
  readonly hash: Sha256
}

export interface CheckContext<T> {
  readonly record: T
  readonly around: ExternalFacts
}

/** Values of `CalificacionOperacion`, and `E` for any exemption (`OperacionExenta`). */
export type LineKind = 'S1' | 'S2' | 'N1' | 'N2' | 'E'

/** A line of the breakdown. Amounts in cents, rates in hundredths of a percent; undefined if absent or unreadable. */
export interface BreakdownLine {
  readonly path: string
  readonly line: DetalleDesglose
  /** Code of the tax (list L1); `01` if the line has no `Impuesto`. */
  readonly tax: string
  readonly key: string | undefined
  readonly operation: string | undefined
  readonly exemption: string | undefined
  /**
   * Classification of the operation; undefined if the line has both `CalificacionOperacion` and `OperacionExenta`, or
   * neither, or an unknown value.
   */
  readonly kind: LineKind | undefined
  readonly rate: number | undefined
  readonly base: number | undefined
  readonly cost: number | undefined
  readonly amount: number | undefined
  readonly surchargeRate: number | undefined
  readonly surcharge: number | undefined
}

export interface AltaContext extends CheckContext<RegistroAlta> {
  readonly type: string
  readonly corrective: boolean
  readonly lines: readonly BreakdownLine[]
  /** `yyyy-mm-dd`; undefined if it is not a calendar day. */
  readonly issueDate: string | undefined
  readonly operationDate: string | undefined
  /** Date that determines the rates: the operation date or, without one, the issue date. */
  readonly accrualDate: string | undefined
  readonly recipients: readonly { readonly path: string; readonly person: Persona }[]
}

/** Whether a text has the form of a date but is not a calendar day. */
export const isImpossibleDate = (text: string | undefined): boolean =>
  /^\d\d-\d\d-\d{4}$/.test(text ?? '') && fromFecha(text) === undefined

/** Parses a rate into hundredths of a percent. */
const rateOf = (text: string | undefined): number | undefined => {
  const value = fromImporte(text)
  return Number(value) < 0 ? undefined : value
}

const KINDS: readonly LineKind[] = ['S1', 'S2', 'N1', 'N2']

function kindOf({ CalificacionOperacion, OperacionExenta }: DetalleDesglose): LineKind | undefined {
  if (OperacionExenta !== undefined) return CalificacionOperacion === undefined ? 'E' : undefined
  return KINDS.find((kind) => kind === CalificacionOperacion)
}

export function altaContext(record: RegistroAlta, around: ExternalFacts): AltaContext {
  const issueDate = fromFecha(record.IDFactura.FechaExpedicionFactura)
  const operationDate = fromFecha(record.FechaOperacion)
  return {
    record,
    around,
    type: record.TipoFactura,
    corrective: CORRECTIVE.includes(record.TipoFactura),
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

type Related = NonNullable<RegistroAlta['FacturasRectificadas']>['IDFacturaRectificada'][number]

/** Returns the corrected and replaced invoices that the record names, with their paths. */
export function relatedOf(record: RegistroAlta): { readonly path: string; readonly id: Related }[] {
  const below = (path: string) => (id: Related, i: number) => ({ path: `${path}/${i}`, id })
  const corrected = record.FacturasRectificadas?.IDFacturaRectificada
  const replaced = record.FacturasSustituidas?.IDFacturaSustituida
  return [
    corrected?.map(below('/FacturasRectificadas/IDFacturaRectificada')),
    replaced?.map(below('/FacturasSustituidas/IDFacturaSustituida')),
  ].flatMap((invoices) => invoices ?? [])
}
