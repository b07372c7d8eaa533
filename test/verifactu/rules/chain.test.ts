/** What the authority checks of the link and the hash: see `rows.ts`. */
import { CHAIN_CODES } from '../../../src/verifactu/rules/chain.ts'
import { PREVIOUS_HASH } from '../records.ts'
import { type Changes, HASH_A, holdsTo, KEEP, type Row, row } from './rows.ts'

const PREVIOUS = '/Encadenamiento/RegistroAnterior'

const FIRST: Changes = { '/Encadenamiento': { PrimerRegistro: 'S' } }
const EVENT_LINK = {
  EventoAnterior: {
    TipoEvento: '10',
    FechaHoraHusoGenEvento: '2027-01-15T08:00:00+01:00',
    HuellaEvento: PREVIOUS_HASH,
  },
}
const EVENT = '/Evento/Encadenamiento'

const CHAIN_ROWS: readonly Row[] = [
  row(
    1174,
    'the previous record has an issue date',
    { [`${PREVIOUS}/FechaExpedicionFactura`]: '31-02-2027' },
    `${PREVIOUS}/FechaExpedicionFactura`,
    { [`${PREVIOUS}/FechaExpedicionFactura`]: '01-01-2020' },
  ),
  row(
    1174,
    'the previous record’s date has its form',
    { [`${PREVIOUS}/FechaExpedicionFactura`]: '14/01/2027' },
    `${PREVIOUS}/FechaExpedicionFactura`,
    {},
    { of: 'anulacion' },
  ),
  row(
    1175,
    'the previous record has a number',
    { [`${PREVIOUS}/NumSerieFactura`]: ' ' },
    `${PREVIOUS}/NumSerieFactura`,
    { [`${PREVIOUS}/NumSerieFactura`]: '1' },
  ),
  row(
    1175,
    'the previous record’s number fits its field',
    { [`${PREVIOUS}/NumSerieFactura`]: '1'.repeat(61) },
    `${PREVIOUS}/NumSerieFactura`,
    { [`${PREVIOUS}/NumSerieFactura`]: '1'.repeat(60) },
    { of: 'anulacion' },
  ),
  row(1180, 'a record has a link', { '/Encadenamiento': {} }, '/Encadenamiento', FIRST, KEEP, {
    rehash: true,
  }),
  row(
    1180,
    'a record has one link',
    { '/Encadenamiento/PrimerRegistro': 'S' },
    PREVIOUS,
    {},
    { of: 'anulacion' },
  ),
  row(
    1180,
    'an event has one link',
    { [`${EVENT}/EventoAnterior`]: EVENT_LINK.EventoAnterior },
    `${EVENT}/EventoAnterior`,
    { [EVENT]: EVENT_LINK },
    { of: 'evento' },
  ),
  row(
    1269,
    'the link names the previous record’s issuer',
    { [`${PREVIOUS}/IDEmisorFactura`]: undefined },
    `${PREVIOUS}/IDEmisorFactura`,
    {},
  ),
  row(
    1269,
    'the link holds a hash',
    { [`${PREVIOUS}/Huella`]: undefined },
    `${PREVIOUS}/Huella`,
    {},
    { of: 'anulacion' },
  ),
  row(
    1269,
    'a hash that the schema refuses is no hash',
    { [`${PREVIOUS}/Huella`]: 'A'.repeat(65) },
    `${PREVIOUS}/Huella`,
    {},
  ),
  row(
    1264,
    'the mark of the first record is one character',
    { '/Encadenamiento': { PrimerRegistro: 'SI' } },
    '/Encadenamiento/PrimerRegistro',
    FIRST,
  ),
  row(
    1274,
    'the mark of the first record is S',
    { '/Encadenamiento': { PrimerRegistro: 'N' } },
    '/Encadenamiento/PrimerRegistro',
    FIRST,
    { of: 'anulacion' },
  ),
  row(
    1274,
    'the mark of the first event is S',
    { [`${EVENT}/PrimerEvento`]: 'N' },
    `${EVENT}/PrimerEvento`,
    { [`${EVENT}/PrimerEvento`]: 'S' },
    { of: 'evento' },
  ),
  row(1263, 'a kind of hash has two characters', { '/TipoHuella': '1' }, '/TipoHuella', {
    '/TipoHuella': '01',
  }),
  row(1247, 'a kind of hash is 01', { '/TipoHuella': 'H1' }, '/TipoHuella', {}),
  row(
    1247,
    'an event’s kind of hash is 01',
    { '/Evento/TipoHuella': '02' },
    '/Evento/TipoHuella',
    {},
    { of: 'evento' },
  ),
  row(
    2007,
    'a chain has one first record',
    FIRST,
    '/Encadenamiento/PrimerRegistro',
    FIRST,
    { options: { chainStarted: true } },
    { options: { chainStarted: false } },
  ),
  row(
    2007,
    'the first record’s mark is only held against a chain that is known',
    FIRST,
    '/Encadenamiento/PrimerRegistro',
    FIRST,
    { of: 'anulacion', options: { chainStarted: true } },
    { options: {} },
  ),
  row(1262, 'a hash has 64 characters', { '/Huella': HASH_A.slice(1) }, '/Huella', {}, KEEP, {
    rehash: true,
  }),
  row(
    1262,
    'a hash has no more than 64 characters',
    { '/Evento/HuellaEvento': `${HASH_A}A` },
    '/Evento/HuellaEvento',
    {},
    { of: 'evento', ...KEEP },
  ),
  row(1292, 'a hash is of letters and digits', { '/Huella': `-${HASH_A.slice(1)}` }, '/Huella', {}, KEEP),
  row(
    1291,
    'the previous hash is of letters and digits',
    { [`${PREVIOUS}/Huella`]: PREVIOUS_HASH.replace('0', '-') },
    `${PREVIOUS}/Huella`,
    { [`${PREVIOUS}/Huella`]: HASH_A },
  ),
  row(
    1291,
    'a control character in the previous hash is one mistake',
    { [EVENT]: { EventoAnterior: { ...EVENT_LINK.EventoAnterior, HuellaEvento: 'A\u0007' } } },
    `${EVENT}/EventoAnterior/HuellaEvento`,
    { [EVENT]: EVENT_LINK },
    { of: 'evento' },
  ),
  row(1292, 'a control character in a hash is one mistake', { '/Huella': '\u0000' }, '/Huella', {}, KEEP),
  row(
    2002,
    'the previous hash has 64 characters',
    { [`${PREVIOUS}/Huella`]: PREVIOUS_HASH.slice(1) },
    `${PREVIOUS}/Huella`,
    { [`${PREVIOUS}/Huella`]: HASH_A },
    { of: 'anulacion' },
  ),
  row(
    2003,
    'the previous hash is in upper case',
    { [`${PREVIOUS}/Huella`]: PREVIOUS_HASH.toLowerCase() },
    `${PREVIOUS}/Huella`,
    {},
  ),
  row(
    2003,
    'the previous event’s hash is hexadecimal',
    { [EVENT]: { EventoAnterior: { ...EVENT_LINK.EventoAnterior, HuellaEvento: 'G'.repeat(64) } } },
    `${EVENT}/EventoAnterior/HuellaEvento`,
    { [EVENT]: EVENT_LINK },
    { of: 'evento' },
  ),
  row(2008, 'the previous hash is another one', { '/Huella': PREVIOUS_HASH }, `${PREVIOUS}/Huella`, {}, KEEP),
  row(2000, 'a hash is that of the record', { '/Huella': HASH_A }, '/Huella', {}, KEEP),
  row(
    2000,
    'a hash covers the total as it is written',
    { '/ImporteTotal': '121.0' },
    '/Huella',
    { '/ImporteTotal': '121.0' },
    KEEP,
    { rehash: true },
  ),
  row(
    2000,
    'a cancellation’s hash is its own',
    { '/Huella': HASH_A },
    '/Huella',
    {},
    { of: 'anulacion', ...KEEP },
  ),
  row(
    2000,
    'an event’s hash is its own',
    { '/Evento/HuellaEvento': HASH_A },
    '/Evento/HuellaEvento',
    {},
    { of: 'evento', ...KEEP },
  ),
]

holdsTo(CHAIN_CODES, CHAIN_ROWS)
