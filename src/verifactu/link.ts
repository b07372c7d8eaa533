/** The link of a record to the one before it, and the moment that both need. */
import { momentOf } from '../fiscal/literals.ts'
import { momentProblem } from '../fiscal/moment.ts'
import type { Refuse } from './record-items.ts'
import type { FiscalRecord, RegistroAnterior } from './types.ts'

/** `null` only for the very first record of an installation and taxpayer. */
export type Previous = FiscalRecord | RegistroAnterior | null

const isRecord = (value: object): value is FiscalRecord =>
  'RegistroAlta' in value || 'RegistroAnulacion' in value || 'RegistroEvento' in value

/**
 * What the next record must say of this one (`RegistroAnterior`). Registrations and cancellations share a chain.
 *
 * Throws a `TypeError` for an event: events have a chain of their own.
 *
 * @example
 * const IDFactura = { IDEmisorFacturaAnulada: 'B12345674', NumSerieFacturaAnulada: 'A-1', FechaExpedicionFacturaAnulada: '14-01-2027' }
 * const record = { RegistroAnulacion: { IDFactura, Huella: 'AB' } }
 * linkOf(record as never) // => { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-1', FechaExpedicionFactura: '14-01-2027', Huella: 'AB' }
 */
export function linkOf(record: FiscalRecord): RegistroAnterior {
  if ('RegistroAlta' in record) {
    const { IDFactura: id, Huella } = record.RegistroAlta
    return {
      IDEmisorFactura: id.IDEmisorFactura,
      NumSerieFactura: id.NumSerieFactura,
      FechaExpedicionFactura: id.FechaExpedicionFactura,
      Huella,
    }
  }
  if ('RegistroAnulacion' in record) {
    const { IDFactura: id, Huella } = record.RegistroAnulacion
    return {
      IDEmisorFactura: id.IDEmisorFacturaAnulada,
      NumSerieFactura: id.NumSerieFacturaAnulada,
      FechaExpedicionFactura: id.FechaExpedicionFacturaAnulada,
      Huella,
    }
  }
  throw new TypeError('an event is not part of the chain of invoices; link events with eventRecord')
}

const HASH = /^[0-9A-F]{64}$/

const momentIn = (record: FiscalRecord): string =>
  'RegistroAlta' in record
    ? record.RegistroAlta.FechaHoraHusoGenRegistro
    : 'RegistroAnulacion' in record
      ? record.RegistroAnulacion.FechaHoraHusoGenRegistro
      : record.RegistroEvento.Evento.FechaHoraHusoGenEvento

/** `Encadenamiento` of a new record; undefined after a refusal. */
export function chainTo(
  previous: Previous | undefined,
  moment: string,
  refuse: Refuse,
): { PrimerRegistro: 'S' } | { RegistroAnterior: RegistroAnterior } | undefined {
  if (previous === null) return { PrimerRegistro: 'S' }
  const fail = (reason: string): undefined => refuse('record.previous', '/previous', { reason }) as undefined
  if (typeof previous !== 'object') return fail('nothing was passed')
  if (!isRecord(previous)) {
    const { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura, Huella } = previous
    if (!HASH.test(String(Huella))) return fail(`its hash is "${String(Huella).slice(0, 70)}"`)
    if (!IDEmisorFactura || !NumSerieFactura || !FechaExpedicionFactura)
      return fail('its identity is not complete')
    return { RegistroAnterior: { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura, Huella } }
  }
  if ('RegistroEvento' in previous) return fail('it is an event, which has a chain of its own')
  const before = momentIn(previous)
  const [from, to] = [momentOf(before), momentOf(moment)]
  if (from !== undefined && to !== undefined && to < from)
    refuse('record.previous_later', '/moment', { received: moment, expected: before })
  const link = linkOf(previous)
  if (!HASH.test(String(link.Huella))) return fail(`its hash is "${String(link.Huella).slice(0, 70)}"`)
  return { RegistroAnterior: link }
}

/** Refuses a moment that no Spanish clock could show. */
export function checkMoment(moment: unknown, refuse: Refuse): void {
  const problem = momentProblem(moment)
  if (problem === 'form') refuse('record.moment', '/moment', { received: moment ?? null })
  else if (problem === 'zone') refuse('record.moment_zone', '/moment', { received: moment })
}
