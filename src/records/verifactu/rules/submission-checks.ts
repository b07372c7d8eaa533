/** Rules for the message that carries the records: its header, its mode, and the number of records. */
import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { fromFecha } from '../../fiscal/literals.ts'
import { design, ERROR_LIST, nifLawWith, service, validations } from '../model/laws.ts'
import type { Envio } from '../model/verifactu-record-types.ts'
import type { CheckContext } from './check-context.ts'
import { type AuthorityCode, type Fail, offline, type Structural } from './check-declaration.ts'
import {
  ENTITY_CONTROL,
  isBlank,
  isNameRequired,
  isNifText,
  nifFault,
  nifsOfEnvio,
} from './identity-checks.ts'

const WHOLE = 'rejects-whole-submission'

const VOLUNTARY = '/Cabecera/RemisionVoluntaria'
const REQUEST = '/Cabecera/RemisionRequerimiento'
const END = `${VOLUNTARY}/FechaFinVeriFactu`
const INCIDENT = `${VOLUNTARY}/Incidencia`
const REFERENCE = `${REQUEST}/RefRequerimiento`
const LAST = `${REQUEST}/FinRequerimiento`

const inMessage = ({ location, kind }: Structural, at: string, kinds: readonly Structural['kind'][]) =>
  location === at && kinds.includes(kind)

/**
 * Returns a check that reports the NIF of the header at path `at` if it has this fault or, without `fault`, any fault.
 */
const headerNif =
  (at: string, fault?: 'form' | 'letter') =>
  (context: CheckContext<Envio>, fail: Fail): void => {
    for (const { path, nif } of nifsOfEnvio(context)) {
      const found = path === at ? nifFault(nif) : null
      if (found !== null && (fault === undefined || found === fault)) fail(path, { received: nif })
    }
  }

/**
 * Returns the year of the authority's clock in mainland Spain, which is one hour ahead of UTC at the turn of the year.
 */
const yearOf = (now: number): number => new Date(now + 3_600_000).getUTCFullYear()

/** First year in which a taxpayer can leave VERI*FACTU only on 31 December. */
const FIRST_FIXED_YEAR = 2027

function isEndOfMode(date: string, now: number | undefined): boolean {
  const year = Number(date.slice(0, 4))
  if (now === undefined ? year < FIRST_FIXED_YEAR : yearOf(now) < FIRST_FIXED_YEAR) return true
  if (!/20\d\d-12-31/.test(date)) return false
  return now === undefined || year === yearOf(now) || year === yearOf(now) - 1
}

/** Returns the index of the first record whose system can only work as VERI*FACTU, or -1. */
function onlyVerifactu({ RegistroFactura: records }: Envio): number {
  type Loose = Readonly<Record<string, { SistemaInformatico?: { TipoUsoPosibleSoloVerifactu?: unknown } }>>
  return records.findIndex((entry) => {
    const { RegistroAlta, RegistroAnulacion } = entry as unknown as Loose
    const system = required(RegistroAlta ?? RegistroAnulacion).SistemaInformatico
    return system?.TipoUsoPosibleSoloVerifactu === 'S'
  })
}

/**
 * Reports a second registration of an invoice in the same message that is not a correction. The authority always
 * rejects it.
 */
const registeredTwice = ({ record: { RegistroFactura: records } }: CheckContext<Envio>, fail: Fail): void => {
  const seen = new Set<string>()
  records.forEach(({ RegistroAlta: record }, i) => {
    const id = record?.IDFactura
    if (!id || record.Subsanacion === 'S') return
    const identity = [id.IDEmisorFactura, id.NumSerieFactura, id.FechaExpedicionFactura].join(' ')
    if (seen.has(identity))
      fail(`/RegistroFactura/${i}/RegistroAlta/IDFactura`, { received: id.NumSerieFactura })
    seen.add(identity)
  })
}

const WHICH_SERVICE: Text = {
  en: 'Which of the two services receives the message.',
  es: 'A cuál de los dos servicios se envía el mensaje.',
}

export const SUBMISSION_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1215,
    field: 'ObligadoEmision',
    law: design('1'),
    en: [
      'The name of the taxpayer is empty or longer than 120 characters.',
      'Send NombreRazon as it is in the census.',
    ],
    es: [
      'El nombre del obligado está vacío o tiene más de 120 caracteres.',
      'Envíe NombreRazon tal como figura en el censo.',
    ],
    envio({ record }, fail) {
      const { NombreRazon: name, NIF: nif } = record.Cabecera.ObligadoEmision
      if (isBlank(name) && !isNameRequired(nif)) fail('/Cabecera/ObligadoEmision/NombreRazon')
    },
    evento({ record }, fail) {
      if (isBlank(record.Evento.ObligadoEmision.NombreRazon)) fail('/Evento/ObligadoEmision/NombreRazon')
    },
    structure: ({ kind, field, parent }) =>
      kind === 'length' && field === 'NombreRazon' && parent === 'ObligadoEmision',
  }),
  offline({
    code: 4109,
    effect: WHOLE,
    field: 'NIF',
    law: nifLawWith(service('6.4.1')),
    en: [
      'The header of the query names "{received}", which is wrong: a NIF has nine characters (digits and capital letters) with a valid check character.',
      'Send the NIF of the taxpayer or recipient on whose behalf the query is made.',
    ],
    es: [
      'La cabecera de la consulta nombra «{received}», que es incorrecto: un NIF tiene nueve caracteres (cifras y mayúsculas) y un carácter de control válido.',
      'Envíe el NIF del obligado, o del destinatario, en cuyo nombre se consulta.',
    ],
    consulta({ record }, fail) {
      for (const block of ['ObligadoEmision', 'Destinatario'] as const) {
        const nif = record.Cabecera[block]?.NIF
        if (nifFault(nif)) fail(`/Cabecera/${block}/NIF`, { received: nif })
      }
    },
    structure: (violation) => isNifText(violation, 4109),
  }),
  offline({
    code: 4113,
    effect: WHOLE,
    field: 'RegistroFactura',
    law: validations('3.1.2.1'),
    en: [
      'The message holds {received} records; the schema allows {allowed}.',
      'Send the rest in further messages, in the order of the chain, after the waiting time that the last response states.',
    ],
    es: [
      'El mensaje lleva {received} registros; el esquema admite {allowed}.',
      'Envíe el resto en otros mensajes, en el orden de la cadena, tras el tiempo de espera de la última respuesta.',
    ],
    structure: (violation) => inMessage(violation, '/RegistroFactura', ['count']) && violation.received !== 0,
  }),
  offline({
    code: 3000,
    field: 'IDFactura',
    law: validations('6.1'),
    en: [
      'The tax authority already has a record of this invoice (see RegistroDuplicado in the response).',
      'If it is the same record, the first submission arrived: store the status that the tax authority reports, and send nothing. To change its data send Subsanacion S without RechazoPrevio; another invoice needs another number.',
    ],
    es: [
      'La AEAT ya tiene un registro de esta factura (véase RegistroDuplicado en la respuesta).',
      'Si es el mismo registro, el primer envío llegó: guarde el estado que indica la AEAT y no envíe nada. Para cambiar sus datos envíe Subsanacion S sin RechazoPrevio; otra factura necesita otro número.',
    ],
    envio: registeredTwice,
    partly: {
      en: 'Whether the tax authority already has the record; offline, only a message that registers an invoice twice is detected.',
      es: 'Si la AEAT ya tiene el registro; sin conexión solo se detecta que un mensaje registre dos veces una factura.',
    },
  }),
  offline({
    code: 4115,
    effect: WHOLE,
    field: 'Cabecera/ObligadoEmision/NIF',
    law: nifLawWith(design('1')),
    en: [
      'The check character of the taxpayer’s NIF "{received}" is wrong.',
      'Correct the NIF in the header; the records of the message must have the same one.',
    ],
    es: [
      'El carácter de control del NIF del obligado «{received}» es incorrecto.',
      'Corrija el NIF de la cabecera; los registros del mensaje deben llevar el mismo.',
    ],
    envio: headerNif('/Cabecera/ObligadoEmision/NIF', 'letter'),
    partly: ENTITY_CONTROL,
  }),
  offline({
    code: 4116,
    effect: WHOLE,
    field: 'Cabecera/ObligadoEmision/NIF',
    law: nifLawWith(design('1')),
    en: [
      'The taxpayer’s NIF "{received}" does not have the form of a NIF.',
      'Send nine characters (digits and capital letters), without the prefix ES, spaces or hyphens.',
    ],
    es: [
      'El NIF del obligado «{received}» no tiene la forma de un NIF.',
      'Envíe nueve caracteres en mayúsculas, sin ES delante, espacios ni guiones.',
    ],
    envio: headerNif('/Cabecera/ObligadoEmision/NIF', 'form'),
    structure: (violation) => isNifText(violation, 4116),
  }),
  offline({
    code: 4117,
    effect: WHOLE,
    field: 'Cabecera/Representante/NIF',
    law: nifLawWith(design('1')),
    en: [
      'The representative’s NIF, "{received}", is wrong: a NIF has nine characters (digits and capital letters) with a valid check character.',
      'Correct it, or omit Representante if the taxpayer has no representative.',
    ],
    es: [
      'El NIF del representante, «{received}», es incorrecto: un NIF tiene nueve caracteres (cifras y mayúsculas) y un carácter de control válido.',
      'Corríjalo, u omita Representante si el obligado no tiene representante.',
    ],
    envio: headerNif('/Cabecera/Representante/NIF'),
    structure: (violation) => isNifText(violation, 4117),
  }),
  offline({
    code: 4120,
    effect: WHOLE,
    field: 'Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
    law: validations('3.1.1.3'),
    en: [
      '{received} cannot be the last day of operation as VERI*FACTU: it must be 31 December of this year or of last year.',
      'Send 31-12 of the year, or omit FechaFinVeriFactu while the system continues as VERI*FACTU.',
    ],
    es: [
      '{received} no puede ser el último día como VERI*FACTU: debe ser el 31 de diciembre de este año o del anterior.',
      'Envíe 31-12 del año, u omita FechaFinVeriFactu mientras el sistema siga como VERI*FACTU.',
    ],
    envio({ record, around }, fail) {
      const text = record.Cabecera.RemisionVoluntaria?.FechaFinVeriFactu
      const date = fromFecha(text)
      if (date !== undefined && !isEndOfMode(date, around.now)) fail(END, { received: text })
    },
  }),
  offline({
    code: 4121,
    effect: WHOLE,
    field: 'Cabecera/RemisionVoluntaria/Incidencia',
    law: design('1'),
    en: [
      'Incidencia is "{received}".',
      'Send S if a technical incident delayed the records of this message, otherwise send N or omit it.',
    ],
    es: [
      'Incidencia es «{received}».',
      'Envíe S si una incidencia técnica retrasó los registros de este mensaje; si no, envíe N u omítalo.',
    ],
    structure: (violation) => inMessage(violation, INCIDENT, ['value']),
  }),
  offline({
    code: 4122,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/RefRequerimiento',
    law: design('1'),
    en: [
      'The reference of the request (requerimiento) has more than 18 characters.',
      'Copy the reference from the request of the tax authority, without other text.',
    ],
    es: [
      'La referencia del requerimiento tiene más de 18 caracteres.',
      'Cópiela del requerimiento de la AEAT, sin más texto.',
    ],
    structure: (violation) => inMessage(violation, REFERENCE, ['length', 'character']),
  }),
  offline({
    code: 4125,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/RefRequerimiento',
    law: validations('3.1.1.5'),
    en: [
      'The message responds to a request of the tax authority (requerimiento) but does not identify the request.',
      'Add RefRequerimiento with the reference of the request; for a voluntary submission omit RemisionRequerimiento.',
    ],
    es: [
      'El mensaje contesta a un requerimiento, pero no lo identifica.',
      'Añada RefRequerimiento con la referencia del requerimiento; en una remisión voluntaria omita RemisionRequerimiento.',
    ],
    envio({ record }, fail) {
      if (isBlank(record.Cabecera.RemisionRequerimiento?.RefRequerimiento)) fail(REFERENCE)
    },
    structure: (violation) => inMessage(violation, REFERENCE, ['missing']),
  }),
  offline({
    code: 4126,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/RefRequerimiento',
    law: validations('3.1.1.5'),
    en: [
      'The message is a voluntary submission, with an incident or a last day, and also responds to the request (requerimiento) {received}.',
      'Omit RemisionRequerimiento here; send the response to the request in a separate message, to the service for requests (RequerimientoSOAP).',
    ],
    es: [
      'El mensaje es una remisión voluntaria, con su incidencia o su último día, y además contesta al requerimiento {received}.',
      'Omita aquí RemisionRequerimiento; envíe la contestación a un requerimiento en un mensaje aparte, al servicio de requerimientos.',
    ],
    envio({ record: { Cabecera: header } }, fail) {
      if (header.RemisionRequerimiento && isFilled(header.RemisionVoluntaria))
        fail(REFERENCE, { received: header.RemisionRequerimiento.RefRequerimiento })
    },
    partly: WHICH_SERVICE,
  }),
  offline({
    code: 4127,
    effect: WHOLE,
    field: 'Cabecera/RemisionVoluntaria',
    law: validations('3.1.1.3-4'),
    en: [
      'The message responds to a request (requerimiento) and also has the block of voluntary submissions.',
      'Omit RemisionVoluntaria: records sent on request come from a system that is not VERI*FACTU.',
    ],
    es: [
      'El mensaje contesta a un requerimiento y además lleva el bloque de remisiones voluntarias.',
      'Omita RemisionVoluntaria: los registros enviados por requerimiento proceden de un sistema que no es VERI*FACTU.',
    ],
    envio({ record: { Cabecera: header } }, fail) {
      if (header.RemisionRequerimiento && header.RemisionVoluntaria && !isFilled(header.RemisionVoluntaria))
        fail(VOLUNTARY)
    },
    partly: WHICH_SERVICE,
  }),
  offline({
    code: 4129,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/FinRequerimiento',
    law: ERROR_LIST,
    en: [
      'The message responds to a request (requerimiento) but does not state whether it is the last one.',
      'Add FinRequerimiento: S in the last message of the response, N in the earlier ones.',
    ],
    es: [
      'El mensaje contesta a un requerimiento, pero no indica si es el último.',
      'Añada FinRequerimiento: S en el último mensaje de la contestación, N en los anteriores.',
    ],
    envio({ record: { Cabecera: header } }, fail) {
      const request = header.RemisionRequerimiento
      if (request && !header.RemisionVoluntaria && request.FinRequerimiento === undefined) fail(LAST)
    },
  }),
  offline({
    code: 4130,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/FinRequerimiento',
    law: ERROR_LIST,
    en: [
      'The message ends the response to a request (requerimiento), but record {record} comes from a system that can only work as VERI*FACTU.',
      'This kind of system sends its records without a request: omit RemisionRequerimiento, or correct TipoUsoPosibleSoloVerifactu in new records.',
    ],
    es: [
      'El mensaje pone fin a la contestación de un requerimiento, pero el registro {record} procede de un sistema que solo puede funcionar como VERI*FACTU.',
      'Un sistema así envía sus registros sin requerimiento: omita RemisionRequerimiento, o corrija TipoUsoPosibleSoloVerifactu en los registros nuevos.',
    ],
    envio({ record }, fail) {
      const { RemisionRequerimiento: request, RemisionVoluntaria: voluntary } = record.Cabecera
      if (request?.FinRequerimiento !== 'S' || voluntary) return
      const at = onlyVerifactu(record)
      if (at >= 0) fail(LAST, { received: request.FinRequerimiento, record: at })
    },
    partly: {
      en: 'Whether a system that can work in both modes works as VERI*FACTU.',
      es: 'Si un sistema que admite las dos modalidades funciona como VERI*FACTU.',
    },
  }),
  offline({
    code: 4131,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/FinRequerimiento',
    law: design('1'),
    en: [
      'FinRequerimiento is "{received}".',
      'Send S in the last message of the response, N in the earlier ones.',
    ],
    es: [
      'FinRequerimiento es «{received}».',
      'Envíe S en el último mensaje de la contestación, N en los anteriores.',
    ],
    structure: (violation) => inMessage(violation, LAST, ['value']),
  }),
  offline({
    code: 4133,
    effect: WHOLE,
    field: 'Cabecera/RemisionRequerimiento/RefRequerimiento',
    law: design('1'),
    en: [
      'The reference of the request (requerimiento), "{received}", has characters other than letters and digits.',
      'Copy the reference from the request of the tax authority, without spaces, hyphens or slashes.',
    ],
    es: [
      'La referencia del requerimiento, «{received}», tiene caracteres que no son letras ni cifras.',
      'Cópiela del requerimiento de la AEAT, sin espacios, guiones ni barras.',
    ],
    envio({ record }, fail) {
      const reference = record.Cabecera.RemisionRequerimiento?.RefRequerimiento
      if (reference === undefined || isBlank(reference) || reference.length > 18) return
      if (!/^[A-Za-z0-9]+$/.test(reference.trim())) fail(REFERENCE, { received: reference })
    },
  }),
  offline({
    code: 4136,
    effect: WHOLE,
    field: 'RegistroFactura/RegistroAlta',
    law: validations('3.1.2.1'),
    en: [
      'An entry of the message has no record.',
      'Put RegistroAlta or RegistroAnulacion in each RegistroFactura; never send events.',
    ],
    es: [
      'Un elemento del mensaje no contiene ningún registro.',
      'Ponga RegistroAlta o RegistroAnulacion en cada RegistroFactura; no envíe nunca eventos.',
    ],
    structure: ({ kind, parent, field }) =>
      kind === 'missing' && parent === 'RegistroFactura' && field !== 'RegistroAnulacion',
  }),
  offline({
    code: 4137,
    effect: WHOLE,
    field: 'RegistroFactura/RegistroAnulacion',
    law: validations('3.1.2.1'),
    en: [
      'RegistroAnulacion is empty, or in the same entry as a RegistroAlta.',
      'Put each record in its own RegistroFactura, in the order of the chain.',
    ],
    es: [
      'RegistroAnulacion está vacío o va en el mismo elemento que un RegistroAlta.',
      'Ponga cada registro en su propio RegistroFactura, en el orden de la cadena.',
    ],
    structure: ({ parent, field }) => parent === 'RegistroFactura' && field === 'RegistroAnulacion',
  }),
]

function isFilled(voluntary: Envio['Cabecera']['RemisionVoluntaria']): boolean {
  return voluntary?.FechaFinVeriFactu !== undefined || voluntary?.Incidencia !== undefined
}
