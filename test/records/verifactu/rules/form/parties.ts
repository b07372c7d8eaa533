/** Rows about names and NIF. */
import { alta, anulacion, HEADER } from '../../records.ts'
import {
  A,
  ALTA,
  ANULACION,
  asRecipient,
  both,
  type Case,
  CONSULTA,
  corrective,
  counterpart,
  DE,
  ENVIO,
  EVENTO,
  id,
  N,
  nothing,
  ofAlta,
  ofAnulacion,
  ofConsulta,
  PERSON,
  recipient,
  row,
  rowsAbout,
  rowsOf,
  set,
  taxpayer,
  third,
  to,
  without,
} from './case.ts'

const ISSUER = 'IDFactura/IDEmisorFactura'
const RECIPIENT = 'Destinatarios/IDDestinatario/0'

export const PARTIES: readonly Case[] = [
  ...rowsOf(ENVIO, [
    [
      1108,
      'all records of a message have the NIF of its header',
      'RegistroFactura/0/RegistroAlta/IDFactura/IDEmisorFactura',
      taxpayer(PERSON),
      set('RegistroFactura', [alta(), anulacion()]),
    ],
    [
      1282,
      'the header names a natural person',
      'Cabecera/ObligadoEmision/NombreRazon',
      both(taxpayer({ ...PERSON, NombreRazon: '' }), set('RegistroFactura', [alta(set(ISSUER, PERSON.NIF))])),
      both(taxpayer(PERSON), set('RegistroFactura', [alta(set(ISSUER, PERSON.NIF))])),
    ],
  ]),
  ...rowsOf(ALTA, [
    [1120, 'the issuer is a text', ISSUER, to(12345678), nothing],
    [1219, 'the issuer’s NIF has nine characters', ISSUER, to('ESB12345674'), to('B12345674')],
    [1219, 'the issuer’s NIF has the right letter', ISSUER, to('12345678A'), to('12345678Z')],
    [1240, 'the issuer is not empty', ISSUER, to(''), nothing],
    [1123, 'a recipient’s NIF has nine characters', `${RECIPIENT}/NIF`, to('1234567L'), to('01234567L')],
    [1123, 'a recipient’s NIF has the right letter', `${RECIPIENT}/NIF`, to('K1234567A'), to('K1234567L')],
    [1239, 'a recipient is identified', RECIPIENT, without(`${RECIPIENT}/NIF`), nothing],
    [1239, 'a recipient is identified once', `${RECIPIENT}/IDOtro`, to(DE), recipient(DE)],
    [
      1239,
      'a recipient has a name',
      'Destinatarios/IDDestinatario/1/NombreRazon',
      set('Destinatarios/IDDestinatario/1', { ...PERSON, NombreRazon: '' }),
      set('Destinatarios/IDDestinatario/1', PERSON),
    ],
  ]),
  ...rowsAbout(ALTA, 'Tercero/NIF', third, [
    [1123, 'a third party’s NIF is valid', { NIF: 'I12345678' }, { NIF: 'B77777779' }],
    [1188, 'the third party is not the issuer', { NIF: 'B12345674' }, { NIF: 'B77777779' }],
  ]),
  ...rowsAbout(ALTA, 'Tercero', third, [[1178, 'the third party is identified', {}, { NIF: 'B77777779' }]]),
  ...rowsAbout(ALTA, 'Tercero/IDOtro', third, [
    [
      1178,
      'the third party is identified once',
      { NIF: 'B77777779', IDOtro: id('04', '1', 'FR') },
      { IDOtro: id('04', '1', 'FR') },
    ],
  ]),
  ...rowsAbout(
    ALTA,
    'Tercero/NombreRazon',
    (NombreRazon: string) => third({ NIF: 'B77777779', NombreRazon }),
    [[1178, 'the third party has a name', ' ', 'n'.repeat(120)]],
  ),
  ...rowsAbout(ALTA, 'FacturasRectificadas/IDFacturaRectificada/0/IDEmisorFactura', corrective, [
    [
      1123,
      'the issuer of a corrected invoice has a NIF',
      { IDEmisorFactura: '12345678A' },
      { IDEmisorFactura: '12345678Z' },
    ],
    [1123, 'the issuer of a corrected invoice is not empty', { IDEmisorFactura: '' }, {}],
  ]),
  ...rowsOf(ANULACION, [
    [
      1219,
      'the issuer of a cancelled invoice has a NIF',
      `${ISSUER}Anulada`,
      to('X1234567A'),
      to('X1234567L'),
    ],
    [1240, 'the issuer of a cancelled invoice is not null', `${ISSUER}Anulada`, to(null), nothing],
  ]),
  ...rowsOf(EVENTO, [
    [
      1123,
      'the taxpayer of an event has a NIF',
      'Evento/ObligadoEmision/NIF',
      to('12345678A'),
      to('12345678Z'),
    ],
    [
      1178,
      'the name of the third party of an event is not too long',
      'Evento/TerceroODestinatario/NombreRazon',
      set('Evento/TerceroODestinatario', { NIF: 'B77777779', NombreRazon: 'n'.repeat(121) }),
      set('Evento/TerceroODestinatario', { NIF: 'B77777779', NombreRazon: 'n' }),
    ],
  ]),
  ...rowsOf(CONSULTA, [
    [
      1123,
      'the counterparty of a query has a NIF',
      'FiltroConsulta/Contraparte/NIF',
      counterpart({ NIF: '12345678A' }),
      counterpart({ NIF: '12345678Z' }),
    ],
  ]),
  row(
    1108,
    'the issuer is the taxpayer of the header',
    `${A}/${ISSUER}`,
    ofAlta(nothing, { header: { ObligadoEmision: PERSON } }),
    ofAlta(nothing, { header: HEADER }),
  ),
  row(
    1108,
    'the issuer of a cancelled invoice is the taxpayer of the header',
    `${N}/${ISSUER}Anulada`,
    ofAnulacion(nothing, { header: { ObligadoEmision: PERSON } }),
    ofAnulacion(nothing, { header: HEADER }),
  ),
  row(
    1219,
    'a malformed issuer is not also compared with the header',
    `${A}/${ISSUER}`,
    ofAlta(set(ISSUER, 'b12345674'), { header: HEADER }),
    // The control character of an entity is not checked.
    ofAlta(set(ISSUER, 'B12345675')),
  ),
  row(
    1282,
    'the header of a query names a natural person',
    '/Cabecera/Destinatario/NombreRazon',
    ofConsulta(both(asRecipient, set('Cabecera/Destinatario/NombreRazon', ' '))),
    // The authority completes the names of entities.
    ofConsulta(set('Cabecera/ObligadoEmision/NombreRazon', '')),
  ),
]
