/** Rows about messages. */
import { alta, anulacion } from '../../records.ts'
import {
  asRecipient,
  both,
  type Case,
  CONSULTA,
  DELAYED,
  ENVIO,
  EVENTO,
  header,
  NOW,
  nothing,
  ofEnvio,
  PERSON,
  REFERENCE,
  request,
  row,
  rowsAbout,
  rowsOf,
  set,
  system,
  to,
  voluntary,
} from './case.ts'

const TAXPAYER_NIF = 'Cabecera/ObligadoEmision/NIF'
const REQUEST = 'Cabecera/RemisionRequerimiento/RefRequerimiento'
const END = 'Cabecera/RemisionRequerimiento/FinRequerimiento'
const LAST_DAY = 'Cabecera/RemisionVoluntaria/FechaFinVeriFactu'
const records = (...list: readonly object[]) => set('RegistroFactura', list)

export const SUBMISSION: readonly Case[] = [
  ...rowsOf(ENVIO, [
    [
      3000,
      'an invoice is registered once in a message',
      'RegistroFactura/1/RegistroAlta/IDFactura',
      records(alta(), alta()),
      records(alta(), alta(set('Subsanacion', 'S')), anulacion()),
    ],
    [1215, 'the taxpayer has a name', 'Cabecera/ObligadoEmision/NombreRazon', to(' '), to('C')],
    [
      1215,
      'the name of the taxpayer is not too long',
      'Cabecera/ObligadoEmision/NombreRazon',
      to('n'.repeat(121)),
      to('n'.repeat(120)),
    ],
    [
      4113,
      'a message has at most 1,000 records',
      'RegistroFactura',
      records(...Array(1001).fill(alta())),
      records(...Array.from({ length: 1000 }, (_, i) => alta(set('IDFactura/NumSerieFactura', `A-${i}`)))),
    ],
    [4115, 'the taxpayer’s NIF has the right letter', TAXPAYER_NIF, to('12345678A'), nothing],
    [4116, 'the taxpayer’s NIF has nine characters', TAXPAYER_NIF, to('ESB12345674'), nothing],
    [4116, 'the taxpayer’s NIF is in capitals', TAXPAYER_NIF, to('b12345674'), nothing],
    [4120, 'the last day as VERI*FACTU is 31 December', LAST_DAY, to('30-12-2027'), to('31-12-2027')],
    [4120, 'before 2027 any day may be the last', LAST_DAY, to('30-06-2027'), to('30-06-2026')],
    [4121, 'an incident is S or N', 'Cabecera/RemisionVoluntaria/Incidencia', to('X'), to('N')],
    [
      4126,
      'a voluntary submission does not answer a request',
      REQUEST,
      request(REFERENCE, { RemisionVoluntaria: DELAYED }),
      voluntary(DELAYED),
    ],
    [
      4127,
      'a response has no block of voluntary submissions',
      'Cabecera/RemisionVoluntaria',
      request(REFERENCE, { RemisionVoluntaria: {} }),
      request(REFERENCE),
    ],
    [
      4130,
      'a system that is only VERI*FACTU does not answer requests',
      END,
      both(request(REFERENCE), records(anulacion(), alta(system(set('TipoUsoPosibleSoloVerifactu', 'S'))))),
      request(REFERENCE),
    ],
    [
      4136,
      'an entry of a message holds a record',
      'RegistroFactura/1',
      records(alta(), {}),
      records(alta(), anulacion()),
    ],
    [
      4136,
      'a registration is not null',
      'RegistroFactura/0/RegistroAlta',
      records({ RegistroAlta: null }),
      nothing,
    ],
    [
      4137,
      'a cancellation has its own entry',
      'RegistroFactura/0/RegistroAnulacion',
      records({ ...alta(), ...anulacion() }),
      records(alta(), anulacion()),
    ],
    [
      4137,
      'a cancellation is not null',
      'RegistroFactura/0/RegistroAnulacion',
      records({ RegistroAnulacion: null }),
      nothing,
    ],
  ]),
  ...rowsAbout(
    ENVIO,
    'Cabecera/Representante/NIF',
    (NIF: string) => header({ Representante: { ...PERSON, NIF } }),
    [
      [4117, 'the representative’s NIF has the right letter', '12345678A', '12345678Z'],
      [4117, 'the representative’s NIF has nine characters', '1', '12345678Z'],
    ],
  ),
  ...rowsAbout(ENVIO, REQUEST, request, [
    [
      4122,
      'the reference of a request has at most 18 characters',
      { ...REFERENCE, RefRequerimiento: 'R'.repeat(19) },
      { ...REFERENCE, RefRequerimiento: 'R'.repeat(18) },
    ],
    [4125, 'a response names its request', { FinRequerimiento: 'S' }, REFERENCE],
    [4125, 'the reference of a request is not empty', { ...REFERENCE, RefRequerimiento: '' }, REFERENCE],
    [
      4133,
      'the reference of a request has letters and digits',
      { ...REFERENCE, RefRequerimiento: 'R/2027-1' },
      { ...REFERENCE, RefRequerimiento: 'r20271' },
    ],
  ]),
  ...rowsAbout(ENVIO, END, request, [
    [
      4129,
      'a response states whether it is the last message',
      { RefRequerimiento: 'R1' },
      { RefRequerimiento: 'R1', FinRequerimiento: 'N' },
    ],
    [4131, 'the end of a response is S or N', { ...REFERENCE, FinRequerimiento: '1' }, REFERENCE],
  ]),
  ...rowsOf(EVENTO, [
    [1215, 'the taxpayer of an event has a name', 'Evento/ObligadoEmision/NombreRazon', to(''), nothing],
  ]),
  ...rowsOf(CONSULTA, [
    [4109, 'the querying party has a NIF', TAXPAYER_NIF, to('12345678A'), to('12345678Z')],
    [
      4109,
      'the NIF of a querying recipient has nine characters',
      'Cabecera/Destinatario/NIF',
      both(asRecipient, set('Cabecera/Destinatario/NIF', '1')),
      asRecipient,
    ],
  ]),
  row(
    4120,
    'the last day as VERI*FACTU is of this year or the last',
    `/${LAST_DAY}`,
    ofEnvio(voluntary({ ...DELAYED, FechaFinVeriFactu: '31-12-2028' }), NOW),
    ofEnvio(voluntary({ ...DELAYED, FechaFinVeriFactu: '31-12-2026' }), NOW),
  ),
]
