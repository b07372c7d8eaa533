/** Tests of the rules for link and hash: see `rows.ts`. */
import { CHAIN_CODES } from '#records/verifactu/rules/chain-checks.ts'
import { EVENT_LINK, PREVIOUS_HASH } from '../records.ts'
import { type Changes, HASH_A, holdsTo, KEEP, member, type Row, row, wrongMember } from './rows.ts'

const PREVIOUS = '/Encadenamiento/RegistroAnterior'
const PREVIOUS_DATE = `${PREVIOUS}/FechaExpedicionFactura`
const PREVIOUS_HUELLA = `${PREVIOUS}/Huella`

const MARK = '/Encadenamiento/PrimerRegistro'
const CANCELLATION = { of: 'anulacion' } as const
const OF_EVENT = { of: 'evento' } as const
const REHASH = { rehash: true }
const FIRST: Changes = { '/Encadenamiento': { PrimerRegistro: 'S' } }
const EVENT = '/Evento/Encadenamiento'
const EVENT_PREVIOUS = `${EVENT}/EventoAnterior`

const CHAIN_ROWS: readonly Row[] = [
  member(1174, 'the previous record has an issue date', PREVIOUS_DATE, '31-02-2027', '01-01-2020'),
  wrongMember(
    1174,
    'the previous record’s date is well-formed',
    PREVIOUS_DATE,
    '14/01/2027',
    {},
    CANCELLATION,
  ),
  member(1175, 'the previous record has a number', `${PREVIOUS}/NumSerieFactura`, ' ', '1'),
  member(
    1175,
    'the previous record’s number is not too long',
    `${PREVIOUS}/NumSerieFactura`,
    '1'.repeat(61),
    '1'.repeat(60),
    CANCELLATION,
  ),
  row(1180, 'a record has a link', { '/Encadenamiento': {} }, '/Encadenamiento', FIRST, KEEP, REHASH),
  row(1180, 'a record has one link', { '/Encadenamiento/PrimerRegistro': 'S' }, PREVIOUS, {}, CANCELLATION),
  wrongMember(
    1180,
    'an event has one link',
    EVENT_PREVIOUS,
    EVENT_LINK.EventoAnterior,
    { [EVENT]: EVENT_LINK },
    OF_EVENT,
  ),
  wrongMember(1269, 'the link names the previous record’s issuer', `${PREVIOUS}/IDEmisorFactura`, undefined),
  wrongMember(1269, 'the link holds a hash', PREVIOUS_HUELLA, undefined, {}, CANCELLATION),
  wrongMember(1269, 'a hash that the schema refuses is not compared', PREVIOUS_HUELLA, 'A'.repeat(65)),
  row(
    1264,
    'the mark of the first record is one character',
    { '/Encadenamiento': { PrimerRegistro: 'SI' } },
    MARK,
    FIRST,
  ),
  row(
    1274,
    'the mark of the first record is S',
    { '/Encadenamiento': { PrimerRegistro: 'N' } },
    MARK,
    FIRST,
    CANCELLATION,
  ),
  member(1274, 'the mark of the first event is S', `${EVENT}/PrimerEvento`, 'N', 'S', OF_EVENT),
  member(1263, 'a hash type has two characters', '/TipoHuella', '1', '01'),
  wrongMember(1247, 'a hash type is 01', '/TipoHuella', 'H1'),
  wrongMember(1247, 'an event’s hash type is 01', '/Evento/TipoHuella', '02', {}, OF_EVENT),
  row(
    2007,
    'a chain has one first record',
    FIRST,
    MARK,
    FIRST,
    { options: { chainStarted: true } },
    { options: { chainStarted: false } },
  ),
  row(
    2007,
    'the mark of the first record is only checked if the chain is known',
    FIRST,
    MARK,
    FIRST,
    { of: 'anulacion', options: { chainStarted: true } },
    { options: {} },
  ),
  row(1262, 'a hash has 64 characters', { '/Huella': HASH_A.slice(1) }, '/Huella', {}, KEEP, REHASH),
  wrongMember(
    1262,
    'a hash has no more than 64 characters',
    '/Evento/HuellaEvento',
    `${HASH_A}A`,
    {},
    { of: 'evento', ...KEEP },
  ),
  wrongMember(1292, 'a hash has only letters and digits', '/Huella', `-${HASH_A.slice(1)}`, {}, KEEP),
  member(
    1291,
    'the previous hash has only letters and digits',
    PREVIOUS_HUELLA,
    PREVIOUS_HASH.replace('0', '-'),
    HASH_A,
  ),
  row(
    1291,
    'a control character in the previous hash is one mistake',
    { [EVENT]: { EventoAnterior: { ...EVENT_LINK.EventoAnterior, HuellaEvento: 'A\u0007' } } },
    `${EVENT}/EventoAnterior/HuellaEvento`,
    { [EVENT]: EVENT_LINK },
    OF_EVENT,
  ),
  wrongMember(1292, 'a control character in a hash is one mistake', '/Huella', '\u0000', {}, KEEP),
  member(
    2002,
    'the previous hash has 64 characters',
    PREVIOUS_HUELLA,
    PREVIOUS_HASH.slice(1),
    HASH_A,
    CANCELLATION,
  ),
  wrongMember(2003, 'the previous hash is in upper case', PREVIOUS_HUELLA, PREVIOUS_HASH.toLowerCase()),
  row(
    2003,
    'the previous event’s hash is hexadecimal',
    { [EVENT]: { EventoAnterior: { ...EVENT_LINK.EventoAnterior, HuellaEvento: 'G'.repeat(64) } } },
    `${EVENT}/EventoAnterior/HuellaEvento`,
    { [EVENT]: EVENT_LINK },
    OF_EVENT,
  ),
  row(
    2008,
    'the previous hash differs from the record’s own',
    { '/Huella': PREVIOUS_HASH },
    PREVIOUS_HUELLA,
    {},
    KEEP,
  ),
  wrongMember(2000, 'a hash matches its record', '/Huella', HASH_A, {}, KEEP),
  row(
    2000,
    'a hash covers the literal total',
    { '/ImporteTotal': '121.0' },
    '/Huella',
    { '/ImporteTotal': '121.0' },
    KEEP,
    REHASH,
  ),
  wrongMember(2000, 'a hash matches its cancellation', '/Huella', HASH_A, {}, { of: 'anulacion', ...KEEP }),
  wrongMember(
    2000,
    'a hash matches its event',
    '/Evento/HuellaEvento',
    HASH_A,
    {},
    { of: 'evento', ...KEEP },
  ),
]

holdsTo('chain', CHAIN_CODES, CHAIN_ROWS)
