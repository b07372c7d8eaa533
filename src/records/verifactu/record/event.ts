/** Builds event records of NO VERI*FACTU systems (`RegistroEvento`), which form a separate chain. */
import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { checkMembers } from '../../fiscal/check-options.ts'
import { checkTimestamp, hashProblem, NOTHING_PASSED, refuseEarlier } from '../chain/chain-link.ts'
import { type Refuse, refusals } from '../model/record-items.ts'
import type { DatosPropiosEvento, Evento, Persona, RegistroEvento } from '../model/verifactu-record-types.ts'
import {
  completeRecord,
  isSystem,
  RECORD_OPTIONS,
  type RecordOptions,
  type RecordResult,
  refusedResult,
} from './record.ts'

/** Name of the data block of each event type. The other types have no data block. */
export const EVENT_DATA = {
  '03': 'LanzamientoProcesoDeteccionAnomaliasRegFacturacion',
  '04': 'DeteccionAnomaliasRegFacturacion',
  '05': 'LanzamientoProcesoDeteccionAnomaliasRegEvento',
  '06': 'DeteccionAnomaliasRegEvento',
  '08': 'ExportacionRegFacturacionPeriodo',
  '09': 'ExportacionRegEventoPeriodo',
  '10': 'ResumenEventos',
} as const satisfies Partial<Record<Evento['TipoEvento'], keyof DatosPropiosEvento>>

export interface EventOptions extends Omit<RecordOptions, 'previous'> {
  /** 01 start, 02 end, 03 to 06 anomalies, 07 restore, 08 and 09 exports, 10 summary, 90 other. */
  readonly type: Evento['TipoEvento']
  readonly taxpayer: Evento['ObligadoEmision']
  /** Last event of the installation, or the link to it; `null` only for the first event. */
  readonly previous:
    | { readonly RegistroEvento: RegistroEvento }
    | NonNullable<Evento['Encadenamiento']['EventoAnterior']>
    | null
  /** Data of the event, in the block that `EVENT_DATA` names for its type. */
  readonly data?: DatosPropiosEvento
  /** Free text of at most 100 characters. */
  readonly text?: string
  readonly issued_by?: { readonly type: 'T' | 'D'; readonly party: Persona }
}

/** Returns the link to the previous event; null for the first event. */
function linkToEvent({ previous, timestamp }: EventOptions, refuse: Refuse) {
  const fail = (reason: Text): void => refuse('record.previous', '/previous', { reason })
  if (previous === null) return null
  if (typeof previous !== 'object') {
    fail(NOTHING_PASSED)
    return null
  }
  const event = 'RegistroEvento' in previous ? previous.RegistroEvento?.Evento : previous
  const link: NonNullable<Evento['Encadenamiento']['EventoAnterior']> = {
    TipoEvento: event?.TipoEvento,
    FechaHoraHusoGenEvento: event?.FechaHoraHusoGenEvento,
    HuellaEvento: event?.HuellaEvento,
  }
  const problem = hashProblem(link.HuellaEvento)
  if (!link.TipoEvento || !link.FechaHoraHusoGenEvento)
    fail({
      en: 'it is not an event: its type or timestamp is missing',
      es: 'no es un evento: le falta el tipo o la fecha y hora',
    })
  else if (problem) fail(problem)
  refuseEarlier(timestamp, link.FechaHoraHusoGenEvento, refuse)
  return link
}

/** Refuses data that do not fit the type of the event. */
function checkData(type: string, sent: readonly string[], refuse: Refuse): void {
  const block = (EVENT_DATA as Partial<Record<string, keyof DatosPropiosEvento>>)[type]
  if (block ? sent.length !== 1 || sent[0] !== block : sent.length > 0)
    refuse('record.event_type', '/data', { received: type, allowed: block ?? { en: 'none', es: 'ninguno' } })
}

/**
 * Builds an event record with its hash, ready to be signed.
 *
 * Returns the reasons for a refusal as `registrationRecord` does. Source: RD 1007/2023 art. 8.2.b; Orden HAC/1177/2024
 * art. 9; `EventosSIF.xsd`.
 *
 * @example
 * const system = { NombreRazon: 'Programas, S.L.', NIF: 'B12345674', NombreSistemaInformatico: 'Caja',
 *   IdSistemaInformatico: 'CJ', Version: '1.0', NumeroInstalacion: '1', TipoUsoPosibleSoloVerifactu: 'N',
 *   TipoUsoPosibleMultiOT: 'N', IndicadorMultiplesOT: 'N' } as const
 * const taxpayer = { NombreRazon: 'Tienda, S.L.', NIF: 'B77777779' }
 * const event = eventRecord({ type: '01', taxpayer, system, previous: null, timestamp: '2027-01-15T09:00:00+01:00' })
 * event.hash // => '43D6D6FFF8903714BB933419648C2895C7C910CCEA2BD037B5B4E76937DA19B5'
 */
export function eventRecord(options: EventOptions): RecordResult<{ RegistroEvento: RegistroEvento }> {
  checkMembers(
    options,
    {
      ...RECORD_OPTIONS,
      type: 'text',
      taxpayer: 'any',
      data: 'object',
      text: 'text',
      issued_by: 'object',
    },
    'options of eventRecord',
  )
  if (options.issued_by) checkMembers(options.issued_by, { type: 'text', party: 'object' }, '"issued_by"')
  const { items, refuse } = refusals(options.locale ?? 'en')
  const { type, taxpayer, data, timestamp } = options
  if (!isSystem(options.system)) refuse('record.system', '/system')
  if (!taxpayer?.NIF) refuse('record.required', '/taxpayer')
  checkTimestamp(timestamp, refuse)
  const sent = Object.keys(data ?? {})
  checkData(type, sent, refuse)
  const link = linkToEvent(options, refuse)
  if (items.length > 0) return refusedResult(items)
  const record: RegistroEvento = {
    IDVersion: '1.0',
    Evento: {
      SistemaInformatico: { ...options.system },
      ObligadoEmision: { ...taxpayer },
      ...(options.issued_by
        ? {
            EmitidaPorTerceroODestinatario: options.issued_by.type,
            TerceroODestinatario: options.issued_by.party,
          }
        : {}),
      FechaHoraHusoGenEvento: timestamp,
      TipoEvento: type,
      ...(sent.length > 0 ? { DatosPropiosEvento: required(data) } : {}),
      ...(options.text ? { OtrosDatosEvento: options.text } : {}),
      Encadenamiento: link ? { EventoAnterior: link } : { PrimerEvento: 'S' },
      TipoHuella: '01',
      HuellaEvento: '',
    },
  }
  return completeRecord(
    { RegistroEvento: record },
    ({ RegistroEvento: { IDVersion, Evento } }, HuellaEvento) => ({
      RegistroEvento: { IDVersion, Evento: { ...Evento, HuellaEvento } },
    }),
    items,
    options,
  )
}
