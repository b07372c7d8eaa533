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
  rowsOf,
  set,
  system,
  to,
  voluntary,
} from './case.ts'

export const SUBMISSION: readonly Case[] = [
  ...rowsOf(ENVIO, [
    [
      3000,
      'an invoice is registered once in a message',
      'RegistroFactura/1/RegistroAlta/IDFactura',
      (message) => {
        message.RegistroFactura = [alta(), alta()]
      },
      (message) => {
        const correction = alta((record: { Subsanacion?: string }) => {
          record.Subsanacion = 'S'
        })
        message.RegistroFactura = [alta(), correction, anulacion()]
      },
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
      (m) => {
        m.RegistroFactura = Array(1001).fill(m.RegistroFactura[0])
      },
      (m) => {
        m.RegistroFactura = Array.from({ length: 1000 }, (_, i) =>
          alta((record: { IDFactura: { NumSerieFactura: string } }) => {
            record.IDFactura.NumSerieFactura = `A-${i}`
          }),
        )
      },
    ],
    [
      4115,
      'the taxpayer’s NIF has the right letter',
      'Cabecera/ObligadoEmision/NIF',
      to('12345678A'),
      nothing,
    ],
    [
      4116,
      'the taxpayer’s NIF has nine characters',
      'Cabecera/ObligadoEmision/NIF',
      to('ESB12345674'),
      nothing,
    ],
    [4116, 'the taxpayer’s NIF is in capitals', 'Cabecera/ObligadoEmision/NIF', to('b12345674'), nothing],
    [
      4117,
      'the representative’s NIF has the right letter',
      'Cabecera/Representante/NIF',
      header({ Representante: { ...PERSON, NIF: '12345678A' } }),
      header({ Representante: PERSON }),
    ],
    [
      4117,
      'the representative’s NIF has nine characters',
      'Cabecera/Representante/NIF',
      header({ Representante: { ...PERSON, NIF: '1' } }),
      header({ Representante: PERSON }),
    ],
    [
      4120,
      'the last day as VERI*FACTU is 31 December',
      'Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
      voluntary({ FechaFinVeriFactu: '30-12-2027' }),
      voluntary({ FechaFinVeriFactu: '31-12-2027' }),
    ],
    [
      4120,
      'before 2027 any day may be the last',
      'Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
      voluntary({ FechaFinVeriFactu: '30-06-2027' }),
      voluntary({ FechaFinVeriFactu: '30-06-2026' }),
    ],
    [
      4121,
      'an incident is S or N',
      'Cabecera/RemisionVoluntaria/Incidencia',
      voluntary({ Incidencia: 'X' }),
      voluntary({ Incidencia: 'N' }),
    ],
    [
      4122,
      'the reference of a request has at most 18 characters',
      'Cabecera/RemisionRequerimiento/RefRequerimiento',
      request({ ...REFERENCE, RefRequerimiento: 'R'.repeat(19) }),
      request({ ...REFERENCE, RefRequerimiento: 'R'.repeat(18) }),
    ],
    [
      4125,
      'a response names its request',
      'Cabecera/RemisionRequerimiento/RefRequerimiento',
      request({ FinRequerimiento: 'S' }),
      request(REFERENCE),
    ],
    [
      4125,
      'the reference of a request is not empty',
      'Cabecera/RemisionRequerimiento/RefRequerimiento',
      request({ ...REFERENCE, RefRequerimiento: '' }),
      request(REFERENCE),
    ],
    [
      4126,
      'a voluntary submission does not answer a request',
      'Cabecera/RemisionRequerimiento/RefRequerimiento',
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
      4129,
      'a response states whether it is the last message',
      'Cabecera/RemisionRequerimiento/FinRequerimiento',
      request({ RefRequerimiento: 'R1' }),
      request({ RefRequerimiento: 'R1', FinRequerimiento: 'N' }),
    ],
    [
      4130,
      'a system that is only VERI*FACTU does not answer requests',
      'Cabecera/RemisionRequerimiento/FinRequerimiento',
      both(request(REFERENCE), (m) => {
        m.RegistroFactura = [anulacion(), alta(system(set('TipoUsoPosibleSoloVerifactu', 'S')))]
      }),
      request(REFERENCE),
    ],
    [
      4131,
      'the end of a response is S or N',
      'Cabecera/RemisionRequerimiento/FinRequerimiento',
      request({ ...REFERENCE, FinRequerimiento: '1' }),
      request(REFERENCE),
    ],
    [
      4133,
      'the reference of a request has letters and digits',
      'Cabecera/RemisionRequerimiento/RefRequerimiento',
      request({ ...REFERENCE, RefRequerimiento: 'R/2027-1' }),
      request({ ...REFERENCE, RefRequerimiento: 'r20271' }),
    ],
    [
      4136,
      'an entry of a message holds a record',
      'RegistroFactura/1',
      (m) => m.RegistroFactura.push({}),
      (m) => m.RegistroFactura.push(anulacion()),
    ],
    [
      4136,
      'a registration is not null',
      'RegistroFactura/0/RegistroAlta',
      set('RegistroFactura', [{ RegistroAlta: null }]),
      nothing,
    ],
    [
      4137,
      'a cancellation has its own entry',
      'RegistroFactura/0/RegistroAnulacion',
      (m) => {
        m.RegistroFactura = [{ ...alta(), ...anulacion() }]
      },
      (m) => {
        m.RegistroFactura = [alta(), anulacion()]
      },
    ],
    [
      4137,
      'a cancellation is not null',
      'RegistroFactura/0/RegistroAnulacion',
      set('RegistroFactura', [{ RegistroAnulacion: null }]),
      nothing,
    ],
  ]),
  ...rowsOf(EVENTO, [
    [1215, 'the taxpayer of an event has a name', 'Evento/ObligadoEmision/NombreRazon', to(''), nothing],
  ]),
  ...rowsOf(CONSULTA, [
    [4109, 'the querying party has a NIF', 'Cabecera/ObligadoEmision/NIF', to('12345678A'), to('12345678Z')],
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
    '/Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
    ofEnvio(voluntary({ ...DELAYED, FechaFinVeriFactu: '31-12-2028' }), NOW),
    ofEnvio(voluntary({ ...DELAYED, FechaFinVeriFactu: '31-12-2026' }), NOW),
  ),
]
