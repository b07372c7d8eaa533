/** Links a record to the previous record, and checks the timestamps of both. */

import type { Text } from '#core/invoice/index.ts'
import type { ItemCollector } from '#core/messages/index.ts'
import { timestampOf } from '../../fiscal/literals.ts'
import { timestampProblem } from '../../fiscal/timestamp.ts'
import { hashOf, type Sha256 } from '../model/hash.ts'
import type { RecordCode, Refuse } from '../model/record-items.ts'
import type { FiscalRecord, RegistroAnterior, SistemaInformatico } from '../model/verifactu-record-types.ts'

/** The previous record; `null` only for the first record of an installation and taxpayer. */
export type Previous = FiscalRecord | RegistroAnterior | null

type InvoiceRecord = Exclude<FiscalRecord, { readonly RegistroEvento: unknown }>

const isRecord = (value: object): value is InvoiceRecord =>
  'RegistroAlta' in value || 'RegistroAnulacion' in value

/**
 * Returns the link to a record (`RegistroAnterior`) for the next record. Registrations and cancellations share a chain.
 *
 * Throws a `TypeError` for an event: events have a separate chain.
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

/** Returns the problem of a hash to link to; undefined if it is valid. */
export function hashProblem(hash: unknown): Text | undefined {
  const shown = String(hash).slice(0, 70)
  return /^[0-9A-F]{64}$/.test(String(hash))
    ? undefined
    : { en: `its hash is "${shown}"`, es: `su huella es «${shown}»` }
}

export const NOTHING_PASSED: Text = { en: 'nothing was passed', es: 'no se indicó nada' }

type Link = { PrimerRegistro: 'S' } | { RegistroAnterior: RegistroAnterior }

/** The values of a new record that its link is checked against. */
export interface ChainContext {
  readonly timestamp: string
  /** NIF of the taxpayer. */
  readonly taxpayer: string | undefined
  readonly system: SistemaInformatico | undefined
  /** True if the chain continues under another NIF or installation (a merger). */
  readonly continues: boolean
  readonly hash: Sha256 | undefined
}

const complete = ({ IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura, Huella }: RegistroAnterior) =>
  [IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura].every(
    (value) => typeof value === 'string' && value !== '',
  )
    ? { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura, Huella }
    : undefined

/** Returns the link to a record; undefined if the record is incomplete. */
function linkOrNothing(record: FiscalRecord): RegistroAnterior | undefined {
  try {
    return complete(linkOf(record))
  } catch {
    return undefined
  }
}

const producerOf = ({ NIF, IDOtro }: SistemaInformatico): string => NIF ?? IDOtro?.ID ?? ''

/** Refuses a previous record of another taxpayer, invoicing system or installation, unless `chain_continues` is set. */
function checkOwner(
  link: RegistroAnterior,
  before: SistemaInformatico | undefined,
  context: ChainContext,
  refuse: Refuse,
): void {
  if (context.continues) return
  const differs = (part: string, received: string, expected: string): void => {
    if (received !== expected) refuse('record.other_chain', '/previous', { part, received, expected })
  }
  if (context.taxpayer !== undefined) differs('IDEmisorFactura', link.IDEmisorFactura, context.taxpayer)
  if (!before || !context.system) return
  differs('SistemaInformatico/NIF', producerOf(before), producerOf(context.system))
  differs('IdSistemaInformatico', before.IdSistemaInformatico, context.system.IdSistemaInformatico)
  differs('NumeroInstalacion', before.NumeroInstalacion, context.system.NumeroInstalacion)
}

/** Returns the block `Encadenamiento` of a new record; undefined if the previous record was refused. */
export function encadenamientoTo(
  previous: Previous | undefined,
  context: ChainContext,
  refusals: ItemCollector<RecordCode>,
): Link | undefined {
  const { refuse, warn } = refusals
  if (previous === null) return { PrimerRegistro: 'S' }
  const fail = (reason: Text): undefined => refuse('record.previous', '/previous', { reason }) as undefined
  if (typeof previous !== 'object') return fail(NOTHING_PASSED)
  if ('record' in previous)
    return fail({
      en: 'it is the result of a record function: pass the `record` member of that result',
      es: 'es el resultado de una función de registros: pase el miembro `record` de ese resultado',
    })
  if ('RegistroEvento' in previous)
    return fail({
      en: 'it is an event, which belongs to a separate chain',
      es: 'es un evento, que tiene su propia cadena',
    })
  const link = isRecord(previous) ? linkOrNothing(previous) : complete(previous)
  if (!link) return fail({ en: 'its IDFactura is not complete', es: 'su IDFactura no está completa' })
  const problem = hashProblem(link.Huella)
  if (problem) return fail(problem)
  if (!isRecord(previous)) {
    checkOwner(link, undefined, context, refuse)
    return { RegistroAnterior: link }
  }
  const body = 'RegistroAlta' in previous ? previous.RegistroAlta : previous.RegistroAnulacion
  checkOwner(link, body.SistemaInformatico, context, refuse)
  refuseEarlier(context.timestamp, body.FechaHoraHusoGenRegistro, refuse)
  if (!carriesItsHash(previous, link.Huella, context.hash)) warn('record.previous_changed', '/previous')
  return { RegistroAnterior: link }
}

const carriesItsHash = (record: FiscalRecord, stored: string, hash: Sha256 | undefined): boolean => {
  try {
    return hashOf(record, hash) === stored
  } catch {
    return false
  }
}

/** Refuses a timestamp before that of the previous record. `checkTimestamp` refuses unreadable timestamps. */
export function refuseEarlier(timestamp: string, previous: string, refuse: Refuse): void {
  if (Number(timestampOf(timestamp)) < Number(timestampOf(previous)))
    refuse('record.previous_later', '/timestamp', { received: timestamp, expected: previous })
}

/** Refuses a malformed timestamp, or one with an offset that is not in use in Spain at that time. */
export function checkTimestamp(timestamp: unknown, refuse: Refuse): void {
  const problem = timestampProblem(timestamp)
  if (problem === 'form') refuse('record.timestamp', '/timestamp', { received: timestamp ?? null })
  else if (problem === 'zone') refuse('record.timestamp_zone', '/timestamp', { received: timestamp })
}
