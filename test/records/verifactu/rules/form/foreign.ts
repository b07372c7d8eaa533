/** Rows about parties without a NIF. */
import {
  ALTA,
  ANULACION,
  type Case,
  CONSULTA,
  counterpart,
  DE,
  EVENTO,
  foreign,
  generator,
  id,
  inEvent,
  producer,
  recipient,
  recipientNif,
  rowsAbout,
  rowsOf,
  set,
  third,
} from './case.ts'

const OTHER = 'Destinatarios/IDDestinatario/0/IDOtro'
const GREEK = 'EL094259216'
const operated = (date: string) => set('FechaOperacion', date)

export const FOREIGN: readonly Case[] = [
  ...rowsAbout(ALTA, `${OTHER}/CodigoPais`, recipient, [
    [1101, 'a country is in the list of the schema', id('04', '1', 'UK'), id('04', '1', 'GB')],
    [1101, 'a wrong country is not also reported against the prefix', id('02', GREEK, 'EL'), id('02', GREEK)],
    [1111, 'a country is given unless the type is 02', id('04', '1'), id('02', 'DE136695976')],
    [1122, 'the country is that of the VAT number', { ...DE, CodigoPais: 'AT' }, DE],
    [1122, 'a VAT number of Greece goes without country', id('02', GREEK, 'GR'), id('02', GREEK)],
    [1126, 'a Spanish recipient has type 03 or 07', id('06', '1', 'ES'), id('03', '1', 'ES')],
    [1126, 'type 07 is for Spain', id('07', '12345678Z', 'FR'), id('07', '12345678Z', 'ES')],
    [
      1101,
      'type 07 with an unknown country is one mistake',
      id('07', '12345678Z', 'es'),
      id('07', '12345678Z', 'ES'),
    ],
  ]),
  ...rowsAbout(ALTA, `${OTHER}/IDType`, recipient, [
    [1102, 'a type is in the list of the schema', id('01', '1'), id('06', '1', 'US')],
  ]),
  ...rowsAbout(ALTA, `${OTHER}/ID`, recipient, [
    [1103, 'a recipient’s identifier is not blank', id('04', ' ', 'US'), id('04', '1', 'US')],
    [
      1103,
      'a recipient’s identifier has at most 20 characters',
      id('02', 'DE1234567890123456789'),
      id('04', '1'.repeat(20), 'US'),
    ],
    [1103, 'a VAT number is in capitals', { ...DE, ID: 'de136695976' }, DE],
    [1103, 'a VAT number has its prefix', { ...DE, ID: '136695976' }, id('02', 'DE136695976')],
    [
      1103,
      'a VAT number belongs to a member state',
      id('02', 'CH123456789', 'CH'),
      id('04', 'CH123456789', 'CH'),
    ],
    [1103, 'a VAT number of Greece starts with EL', id('02', 'GR094259216'), id('02', GREEK)],
    [1103, 'a VAT number has the form of its country', id('02', 'FR4030326504'), id('02', 'FR40303265045')],
    [1103, 'a well-formed VAT number is left to VIES', id('02', 'IT0000000000'), id('02', 'IT00000000001')],
  ]),
  ...rowsAbout(ALTA, `${OTHER}/ID`, (nif: string) => recipient(id('07', nif, 'ES')), [
    [1131, 'only a natural person is not in the census', 'B77777779', 'X1234567L'],
    [1290, 'type 07 has a NIF with the right letter', '12345678A', '12345678Z'],
    [1290, 'type 07 has a NIF in capitals', '12345678z', '12345678Z'],
  ]),
  ...rowsAbout(ALTA, `${OTHER}/ID`, (date: string) => recipient(id('02', 'XI980780684'), operated(date)), [
    [1254, 'XI has existed since 2021', '31-12-2020', '01-01-2021'],
  ]),
  ...rowsAbout(ALTA, `${OTHER}/ID`, (date: string) => recipient(id('02', 'GB980780684'), operated(date)), [
    [1255, 'GB ends with January 2021', '01-02-2021', '31-01-2021'],
  ]),
  ...rowsOf(ALTA, [
    [
      1103,
      'a Spanish NIF is not a VAT number of another member state',
      `${OTHER}/ID`,
      recipient(id('02', 'ESB77777779')),
      recipientNif('B77777779'),
    ],
    [
      1126,
      'a Spanish recipient has no VAT number in IDOtro',
      `${OTHER}/CodigoPais`,
      recipient(id('02', 'ESB77777779', 'ES')),
      recipientNif('B77777779'),
    ],
  ]),
  ...rowsAbout(ALTA, 'Tercero/IDOtro/ID', foreign(third), [
    [1222, 'a third party’s identifier is not blank', id('04', '', 'FR'), id('04', '1', 'FR')],
  ]),
  ...rowsAbout(ALTA, 'Tercero/IDOtro/IDType', foreign(third), [
    [1211, 'a third party is in the census', id('07', '12345678Z', 'ES'), id('03', '1', 'ES')],
    [1232, 'a Spanish third party has a passport', id('04', '1', 'ES'), id('04', '1', 'PT')],
  ]),
  ...rowsAbout(ALTA, 'SistemaInformatico/IDOtro/ID', producer, [
    [
      1222,
      'the producer’s identifier has at most 20 characters',
      id('04', '1'.repeat(21), 'US'),
      id('04', '1'.repeat(20), 'US'),
    ],
  ]),
  ...rowsOf(ANULACION, [
    [
      1222,
      'the cancelling party has a VAT number of a member state',
      'Generador/IDOtro/ID',
      generator('T', { IDOtro: id('02', 'NO123456789') }),
      generator('T', { IDOtro: id('02', 'PT501442600') }),
    ],
    [
      1232,
      'a cancelling Spanish third party has a passport',
      'Generador/IDOtro/IDType',
      generator('T', { IDOtro: id('06', '1', 'ES') }),
      generator('T', { IDOtro: id('03', '1', 'ES') }),
    ],
    [
      1255,
      'the cancelling party has no VAT number of Great Britain',
      'Generador/IDOtro/ID',
      generator('D', { IDOtro: id('02', 'GB980780684', 'GB') }),
      generator('D', { IDOtro: id('04', '980780684', 'GB') }),
    ],
  ]),
  ...rowsOf(EVENTO, [
    [
      1111,
      'the producer’s country is given',
      'Evento/SistemaInformatico/IDOtro/CodigoPais',
      (r) => producer(id('06', '1'))(r.Evento),
      (r) => producer(id('06', '1', 'US'))(r.Evento),
    ],
    [
      1234,
      'the Spanish recipient of an event has type 03 or 07',
      'Evento/TerceroODestinatario/IDOtro/IDType',
      inEvent('D', { IDOtro: id('04', '1', 'ES') }),
      inEvent('D', { IDOtro: id('03', '1', 'ES') }),
    ],
  ]),
  ...rowsAbout(CONSULTA, 'FiltroConsulta/Contraparte/IDOtro/CodigoPais', foreign(counterpart), [
    [1111, 'the counterparty’s country is given', id('03', '1'), id('03', '1', 'US')],
  ]),
  ...rowsAbout(CONSULTA, 'FiltroConsulta/Contraparte/IDOtro/IDType', foreign(counterpart), [
    [
      1234,
      'the Spanish counterparty of a query has type 03 or 07',
      id('05', '1', 'ES'),
      id('07', '12345678Z', 'ES'),
    ],
  ]),
]
