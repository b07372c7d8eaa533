/** Rows about the program that generated the record. */
import {
  ALTA,
  ANULACION,
  type Case,
  EVENTO,
  id,
  missing,
  nothing,
  producer,
  rowsAbout,
  rowsOf,
  to,
  without,
} from './case.ts'

const SYSTEM = 'SistemaInformatico'
const EVENT_SYSTEM = `Evento/${SYSTEM}`

export const SYSTEM_CASES: readonly Case[] = [
  ...rowsOf(ALTA, [
    [1176, 'the producer has a NIF', `${SYSTEM}/NIF`, to('12345678A'), to('12345678Z')],
    [1177, 'the code of the system has two characters', `${SYSTEM}/IdSistemaInformatico`, to('C'), to('77')],
    [1177, 'the code of the system is in capitals', `${SYSTEM}/IdSistemaInformatico`, to('cu'), to('C1')],
    [1179, 'the producer has a name', `${SYSTEM}/NombreRazon`, to(''), to('P')],
    [1179, 'the version is not too long', `${SYSTEM}/Version`, to('v'.repeat(51)), to('v'.repeat(50))],
    [
      1212,
      'the flag for only VERI*FACTU is S or N',
      `${SYSTEM}/TipoUsoPosibleSoloVerifactu`,
      to('s'),
      to('S'),
    ],
    [1220, 'the system has a name', `${SYSTEM}/NombreSistemaInformatico`, to(' '), to('C')],
    [
      1220,
      'the name of the system has at most 30 characters',
      `${SYSTEM}/NombreSistemaInformatico`,
      to('c'.repeat(31)),
      to('c'.repeat(30)),
    ],
    [1223, 'the producer is identified', SYSTEM, without(`${SYSTEM}/NIF`), nothing],
    [
      1223,
      'the producer is identified once',
      `${SYSTEM}/IDOtro`,
      to(id('04', '1', 'US')),
      producer(id('04', '1', 'US')),
    ],
  ]),
  ...rowsAbout(ALTA, `${SYSTEM}/IDOtro/IDType`, producer, [
    [1221, 'the producer’s type is in the list', id('01', '1', 'US'), id('04', '1', 'US')],
    [1221, 'the producer is in the census', id('07', '12345678Z', 'ES'), id('03', '1', 'ES')],
  ]),
  ...rowsAbout(ANULACION, `${SYSTEM}/IDOtro/IDType`, producer, [
    [1221, 'a Spanish producer has a passport', id('04', '1', 'ES'), id('04', '1', 'FR')],
  ]),
  ...rowsOf(ANULACION, [
    [1176, 'the producer’s NIF has nine characters', `${SYSTEM}/NIF`, to('B1234567'), nothing],
    [1177, 'the code of the system is not too long', `${SYSTEM}/IdSistemaInformatico`, to('CUA'), nothing],
    [1179, 'the installation has a number', `${SYSTEM}/NumeroInstalacion`, to(' '), to('0')],
    [
      1213,
      'the flag for several possible taxpayers is S or N',
      `${SYSTEM}/TipoUsoPosibleMultiOT`,
      to(''),
      to('N'),
    ],
  ]),
  ...rowsOf(EVENTO, [
    [1176, 'the producer of an event’s system has a NIF', `${EVENT_SYSTEM}/NIF`, to('b12345674'), nothing],
    [1177, 'the code of the system has no Ñ', `${EVENT_SYSTEM}/IdSistemaInformatico`, to('Ñ1'), nothing],
    [
      1226,
      'the flag for several current taxpayers is S or N',
      `${EVENT_SYSTEM}/IndicadorMultiplesOT`,
      to('1'),
      missing,
    ],
  ]),
]
