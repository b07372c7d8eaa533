/** Rules for the timestamp of a record: its form, and its difference from the authority's clock. */
import { required } from '#core/errors/index.ts'
import { timestampOf } from '../../fiscal/literals.ts'
import { design, validations } from '../model/laws.ts'
import type { RegistroAlta, RegistroAnulacion } from '../model/verifactu-record-types.ts'
import { vocabulary } from '../model/verifactu-vocabulary.ts'
import type { CheckContext } from './check-context.ts'
import {
  type AuthorityCode,
  type Fail,
  type OfflineRule,
  offline,
  type Structural,
} from './check-declaration.ts'

/**
 * Difference from its own clock that the authority tolerates, in seconds. Not published; measured on its service in
 * 2025 and 2026.
 */
const TOLERANCE_S = 240

/** Lengths of the shortest timestamp (date and time) and of the longest (with nanoseconds and an offset). */
const SHORTEST = 'yyyy-mm-ddThh:mm:ss'.length
const LONGEST = 'yyyy-mm-ddThh:mm:ss.nnnnnnnnn+hh:mm'.length

type TimestampCode = 1244 | 1268

/** Returns the code of a timestamp with a wrong length (1268) or content (1244). */
function faultOf(text: string): TimestampCode | undefined {
  if (timestampOf(text) !== undefined) return undefined
  return text.length < SHORTEST || text.length > LONGEST ? 1268 : 1244
}

/** Whether the official schema accepts the text; it accepts a missing offset, fractions, and 30 February. */
const passesSchema = (text: string): boolean =>
  required(
    required(vocabulary().roots.get('RegistroAlta')).type.byName.get('FechaHoraHusoGenRegistro'),
  ).type.patterns.every((pattern) => pattern.test(text))

const form = (code: TimestampCode): Pick<OfflineRule, 'structure' | 'alta' | 'anulacion' | 'evento'> => {
  const check = (path: string, text: string, fail: Fail): void => {
    if (faultOf(text) === code && passesSchema(text)) fail(path, { received: text })
  }
  const ofRecord = ({ record }: CheckContext<RegistroAlta | RegistroAnulacion>, fail: Fail): void =>
    check('/FechaHoraHusoGenRegistro', record.FechaHoraHusoGenRegistro, fail)
  return {
    structure: ({ field, kind, received }: Structural) =>
      field.startsWith('FechaHora') && kind === 'pattern' && (faultOf(String(received)) ?? 1244) === code,
    alta: ofRecord,
    anulacion: ofRecord,
    evento({ record: { Evento: event } }, fail) {
      check('/Evento/FechaHoraHusoGenEvento', event.FechaHoraHusoGenEvento, fail)
      const previous = event.Encadenamiento.EventoAnterior
      if (previous)
        check(
          '/Evento/Encadenamiento/EventoAnterior/FechaHoraHusoGenEvento',
          previous.FechaHoraHusoGenEvento,
          fail,
        )
    },
  }
}

/** Whether records may be late: after an incident, or in a response to a request of the authority. */
const mayBeLate = ({ header }: CheckContext<unknown>['around']): boolean =>
  header?.RemisionVoluntaria?.Incidencia === 'S' || header?.RemisionRequerimiento !== undefined

const againstClock = (
  { record, around }: CheckContext<RegistroAlta | RegistroAnulacion>,
  fail: Fail,
): void => {
  // Without a timestamp or a clock, `seconds` is NaN, and both comparisons are false.
  const timestamp = timestampOf(record.FechaHoraHusoGenRegistro) ?? Number.NaN
  const seconds = Math.round((timestamp - (around.now ?? Number.NaN)) / 1000)
  if (seconds > TOLERANCE_S || (seconds < -TOLERANCE_S && !mayBeLate(around)))
    fail('/FechaHoraHusoGenRegistro', {
      received: record.FechaHoraHusoGenRegistro,
      seconds,
      tolerance: TOLERANCE_S,
    })
}

export const TIMESTAMP_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1268,
    field: 'FechaHoraHusoGenRegistro',
    law: design('2'),
    en: [
      '"{received}" does not have the length of a timestamp.',
      'Send date, time and UTC offset: 2027-01-05T10:30:00+01:00.',
    ],
    es: [
      '«{received}» no tiene la longitud de una fecha y hora.',
      'Envíe fecha, hora y huso horario: 2027-01-05T10:30:00+01:00.',
    ],
    ...form(1268),
  }),
  offline({
    code: 1244,
    field: 'FechaHoraHusoGenRegistro',
    law: design('2'),
    en: [
      '"{received}" is not a timestamp with a UTC offset that the tax authority accepts.',
      'Send whole seconds and an offset with a colon: 2027-01-05T10:30:00+01:00.',
    ],
    es: [
      '«{received}» no es una fecha y hora con huso horario que la AEAT admita.',
      'Envíe segundos enteros y el huso con dos puntos: 2027-01-05T10:30:00+01:00.',
    ],
    ...form(1244),
  }),
  offline({
    code: 2004,
    effect: 'accepted-with-errors',
    needs_subsanacion: false,
    field: 'FechaHoraHusoGenRegistro',
    law: validations('3.1.3.20'),
    en: [
      'The record’s timestamp differs by {seconds} seconds from the time of the tax authority; up to {tolerance} are tolerated.',
      'Send records when they are generated, with a correct clock; after an incident send Incidencia S. Do not generate the record again.',
    ],
    es: [
      'La fecha y hora del registro difiere en {seconds} segundos de la hora de la AEAT; se toleran {tolerance}.',
      'Envíe los registros al generarlos, con el reloj en hora; tras una incidencia envíe Incidencia S. No vuelva a generar el registro.',
    ],
    alta: againstClock,
    anulacion: againstClock,
  }),
]
