/** Rows about the party that cancels. */
import {
  ANULACION,
  type Case,
  DE,
  generator,
  id,
  nothing,
  PERSON,
  rowsAbout,
  rowsOf,
  set,
  to,
} from './case.ts'

const by = (role: string) => (person: object) => generator(role, person)
const byForeign = (role: string) => (IDOtro: object) => generator(role, { IDOtro })

export const CANCELLATION: readonly Case[] = [
  ...rowsOf(ANULACION, [
    [
      1224,
      'the cancelling party is named',
      'Generador',
      set('GeneradoPor', 'D'),
      generator('D', { NIF: 'B77777779' }),
    ],
    [1224, 'the role of the cancelling party is named', 'GeneradoPor', set('Generador', PERSON), nothing],
    [
      1227,
      'the issuer that cancels has a NIF',
      'Generador/NIF',
      generator('E', { IDOtro: id('04', '1') }),
      generator('E', { NIF: 'B12345674' }),
    ],
    [
      1259,
      'a third party that cancels is not the taxpayer',
      'Generador/NIF',
      generator('T', { NIF: 'B12345674' }),
      generator('E', { NIF: 'B12345674' }),
    ],
    [1276, 'without-record is S or N', 'SinRegistroPrevio', to('X'), to('S')],
  ]),
  ...rowsAbout(ANULACION, 'GeneradoPor', (role: string) => generator(role, { NIF: 'B77777779' }), [
    [1225, 'the role of the cancelling party is in the list', 'X', 'T'],
  ]),
  ...rowsAbout(ANULACION, 'Generador', by('E'), [
    [1228, 'the cancelling party is identified', {}, { NIF: 'B12345674' }],
  ]),
  ...rowsAbout(ANULACION, 'Generador/IDOtro', by('D'), [
    [1228, 'the cancelling party is identified once', { NIF: 'B77777779', IDOtro: DE }, { IDOtro: DE }],
  ]),
  ...rowsAbout(
    ANULACION,
    'Generador/IDOtro/IDType',
    (role: string) => byForeign(role)(id('07', '12345678Z', 'ES')),
    [[1229, 'a third party that cancels is in the census', 'T', 'D']],
  ),
  ...rowsAbout(ANULACION, 'Generador/IDOtro/IDType', byForeign('D'), [
    [1230, 'a cancelling Spanish recipient has type 03 or 07', id('04', '1', 'ES'), id('03', '1', 'ES')],
    [1231, 'the type of the cancelling party is in the list', id('1', '1', 'US'), id('05', '1', 'US')],
  ]),
  ...rowsAbout(ANULACION, 'Generador/NIF', by('T'), [
    [1258, 'the cancelling party has a NIF', { NIF: '12345678A' }, { NIF: '12345678Z' }],
    [1258, 'the NIF of the cancelling party has nine characters', { NIF: 'B7777777' }, { NIF: 'B77777779' }],
  ]),
  ...rowsAbout(
    ANULACION,
    'Generador/NombreRazon',
    (name: object) => generator('D', { NIF: 'B77777779', ...name }),
    [
      [1273, 'the cancelling party has a name', { NombreRazon: '' }, {}],
      [
        1273,
        'the name of the cancelling party is not too long',
        { NombreRazon: 'n'.repeat(121) },
        { NombreRazon: 'n'.repeat(120) },
      ],
    ],
  ),
]
