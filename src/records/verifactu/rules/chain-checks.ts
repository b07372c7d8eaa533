/** Rules for the link of a record to the previous one. */
import { design, validations } from '../model/laws.ts'
import type { RegistroAlta, RegistroAnulacion } from '../model/verifactu-record-types.ts'
import { type CheckContext, isImpossibleDate } from './check-context.ts'
import { type AuthorityCode, type Fail, offline, type Structural } from './check-declaration.ts'
import { HASH_CODES } from './hash-checks.ts'
import { isBlank } from './identity-checks.ts'
import { linkChecks } from './link-checks.ts'

const BLOCK = /^(\/Evento)?\/Encadenamiento$/
const FIRST = /^(\/Evento)?\/Encadenamiento\/Primer(Registro|Evento)$/
const PREVIOUS = /^(\/Evento)?\/Encadenamiento\/(RegistroAnterior|EventoAnterior)(\/|$)/
const TYPE = /^(\/Evento)?\/TipoHuella$/
const NUMBER = '/Encadenamiento/RegistroAnterior/NumSerieFactura'
const DATE = '/Encadenamiento/RegistroAnterior/FechaExpedicionFactura'

const REFUSED = new Set(['value', 'length', 'pattern'])

const isRefusedAt = (location: RegExp, { location: at, kind }: Structural): boolean =>
  REFUSED.has(kind) && location.test(at)

const isLong = ({ received }: Structural, length: number): boolean => String(received).length !== length

const previousOf = ({ record }: CheckContext<RegistroAlta | RegistroAnulacion>) =>
  record.Encadenamiento.RegistroAnterior

function date(context: CheckContext<RegistroAlta | RegistroAnulacion>, fail: Fail): void {
  const received = previousOf(context)?.FechaExpedicionFactura
  if (isImpossibleDate(received)) fail(DATE, { received })
}

/**
 * Checks only that the number is not blank. It may have any characters, because a record rejected for its number stays
 * in the chain.
 */
function number(context: CheckContext<RegistroAlta | RegistroAnulacion>, fail: Fail): void {
  const received = previousOf(context)?.NumSerieFactura
  if (isBlank(received)) fail(NUMBER, { received })
}

const LINK_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1174,
    field: 'Encadenamiento/RegistroAnterior/FechaExpedicionFactura',
    law: design('2'),
    en: [
      '"{received}" is not a valid issue date of the previous record.',
      'Copy the date from that record, as dd-mm-yyyy.',
    ],
    es: [
      '«{received}» no es una fecha de expedición válida del registro anterior.',
      'Copie la fecha de ese registro, como dd-mm-aaaa.',
    ],
    structure: ({ location, kind }) => location === DATE && REFUSED.has(kind),
    alta: date,
    anulacion: date,
  }),
  offline({
    code: 1175,
    field: 'Encadenamiento/RegistroAnterior/NumSerieFactura',
    law: design('2'),
    en: [
      '"{received}" is not a valid invoice number of the previous record.',
      'Copy the number from that record: 1 to 60 characters.',
    ],
    es: [
      '«{received}» no es un número de factura válido del registro anterior.',
      'Copie el número de ese registro: de 1 a 60 caracteres.',
    ],
    structure: ({ location, kind }) => location === NUMBER && (REFUSED.has(kind) || kind === 'character'),
    alta: number,
    anulacion: number,
  }),
  offline({
    code: 1180,
    field: 'Encadenamiento',
    law: design('2'),
    en: [
      'A record must either be the first of its chain or follow another record.',
      'Send the previous record’s data; send PrimerRegistro S (in an event, PrimerEvento S) only in the first record.',
    ],
    es: [
      'Un registro debe ser el primero de su cadena o seguir a otro.',
      'Envíe los datos del registro anterior; envíe PrimerRegistro S (en un evento, PrimerEvento S) solo en el primer registro.',
    ],
    structure: ({ location, kind, field }) =>
      kind === 'exclusive'
        ? PREVIOUS.test(location)
        : BLOCK.test(location) && (kind === 'kind' || field !== 'Encadenamiento'),
  }),
  offline({
    code: 1269,
    field: 'Encadenamiento/RegistroAnterior',
    law: design('2'),
    en: [
      'The data of the previous record is incomplete or wrong: {field}.',
      'Copy it from that record: issuer, number, date and hash (of an event: type, timestamp and hash).',
    ],
    es: [
      'Los datos del registro anterior no están completos o no son correctos: {field}.',
      'Cópielos de ese registro: emisor, número, fecha y huella (de un evento: tipo, fecha y hora, y huella).',
    ],
    structure: ({ location }) => PREVIOUS.test(location),
  }),
  offline({
    code: 1264,
    field: 'Encadenamiento/PrimerRegistro',
    law: design('2'),
    en: ['{field} "{received}" is not one character long.', 'Send S, or the previous record’s data instead.'],
    es: [
      '{field} «{received}» no tiene un solo carácter.',
      'Envíe S o, en su lugar, los datos del registro anterior.',
    ],
    structure: (violation) => isRefusedAt(FIRST, violation) && isLong(violation, 1),
  }),
  offline({
    code: 1274,
    field: 'Encadenamiento/PrimerRegistro',
    law: design('2'),
    en: [
      '{field} is "{received}"; it must be S, or be omitted.',
      'Send S in the first record of a chain, the previous record’s data in all others.',
    ],
    es: [
      '{field} es «{received}»; debe ser S u omitirse.',
      'Envíe S en el primer registro de una cadena y los datos del anterior en los demás.',
    ],
    structure: (violation) => isRefusedAt(FIRST, violation),
    // The schema of events accepts any character.
    evento({ record }, fail) {
      const received = record.Evento.Encadenamiento.PrimerEvento
      if (received !== undefined && received.length < 2 && received !== 'S')
        fail('/Evento/Encadenamiento/PrimerEvento', { received })
    },
  }),
  offline({
    code: 1263,
    field: 'TipoHuella',
    law: design('2'),
    en: ['TipoHuella "{received}" is not two characters long.', 'Send 01 (SHA-256).'],
    es: ['TipoHuella «{received}» no tiene dos caracteres.', 'Envíe 01 (SHA-256).'],
    structure: (violation) => isRefusedAt(TYPE, violation) && isLong(violation, 2),
  }),
  offline({
    code: 1247,
    field: 'TipoHuella',
    law: design('6, L12'),
    en: ['TipoHuella "{received}" is not a hash type.', 'Send 01 (SHA-256), the only hash type.'],
    es: ['TipoHuella «{received}» no es un tipo de huella.', 'Envíe 01 (SHA-256), el único que existe.'],
    structure: (violation) => isRefusedAt(TYPE, violation),
  }),
  offline({
    code: 2007,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'Encadenamiento/PrimerRegistro',
    law: validations('4.3.1'),
    en: [
      'The record is marked as the first, but its chain already has records.',
      'Send the data of the last record generated, even if it was rejected.',
    ],
    es: [
      'El registro consta como el primero, pero su cadena ya tiene registros.',
      'Envíe los datos del último registro generado, aunque se rechazara.',
    ],
    ...linkChecks(({ first, around }, fail) => {
      if (first.text === 'S' && around.chainStarted === true) fail(first.path)
    }),
  }),
]

/** The hash rules come first, because code 1269 covers every other fault in the data of the previous record. */
export const CHAIN_CODES: readonly AuthorityCode[] = [...HASH_CODES, ...LINK_CODES]
