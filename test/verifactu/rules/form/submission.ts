/** Rows about messages. */
import { alta, anulacion } from '../../records.ts'
import {
  asRecipient,
  both,
  type Case,
  DELAYED,
  E,
  header,
  NOW,
  nothing,
  ofConsulta,
  ofEnvio,
  ofEvento,
  PERSON,
  REFERENCE,
  request,
  row,
  set,
  system,
  voluntary,
} from './case.ts'

export const SUBMISSION: readonly Case[] = [
  row(
    3000,
    'an invoice is registered once in a message',
    '/RegistroFactura/1/RegistroAlta/IDFactura',
    ofEnvio((message) => {
      message.RegistroFactura = [alta(), alta()]
    }),
    ofEnvio((message) => {
      const correction = alta((record: { Subsanacion?: string }) => {
        record.Subsanacion = 'S'
      })
      message.RegistroFactura = [alta(), correction, anulacion()]
    }),
  ),
  row(
    1215,
    'the taxpayer has a name',
    '/Cabecera/ObligadoEmision/NombreRazon',
    ofEnvio(set('Cabecera/ObligadoEmision/NombreRazon', ' ')),
    ofEnvio(set('Cabecera/ObligadoEmision/NombreRazon', 'C')),
  ),
  row(
    1215,
    'the name of the taxpayer is not too long',
    '/Cabecera/ObligadoEmision/NombreRazon',
    ofEnvio(set('Cabecera/ObligadoEmision/NombreRazon', 'n'.repeat(121))),
    ofEnvio(set('Cabecera/ObligadoEmision/NombreRazon', 'n'.repeat(120))),
  ),
  row(
    1215,
    'the taxpayer of an event has a name',
    `${E}/Evento/ObligadoEmision/NombreRazon`,
    ofEvento(set('Evento/ObligadoEmision/NombreRazon', '')),
    ofEvento(nothing),
  ),
  row(
    4109,
    'the querying party has a NIF',
    '/Cabecera/ObligadoEmision/NIF',
    ofConsulta(set('Cabecera/ObligadoEmision/NIF', '12345678A')),
    ofConsulta(set('Cabecera/ObligadoEmision/NIF', '12345678Z')),
  ),
  row(
    4109,
    'the NIF of a querying recipient has nine characters',
    '/Cabecera/Destinatario/NIF',
    ofConsulta(both(asRecipient, set('Cabecera/Destinatario/NIF', '1'))),
    ofConsulta(asRecipient),
  ),
  row(
    4113,
    'a message has at most 1,000 records',
    '/RegistroFactura',
    ofEnvio((m) => {
      m.RegistroFactura = Array(1001).fill(m.RegistroFactura[0])
    }),
    ofEnvio((m) => {
      m.RegistroFactura = Array.from({ length: 1000 }, (_, i) =>
        alta((record: { IDFactura: { NumSerieFactura: string } }) => {
          record.IDFactura.NumSerieFactura = `A-${i}`
        }),
      )
    }),
  ),
  row(
    4115,
    'the taxpayer’s NIF has the right letter',
    '/Cabecera/ObligadoEmision/NIF',
    ofEnvio(set('Cabecera/ObligadoEmision/NIF', '12345678A')),
    ofEnvio(nothing),
  ),
  row(
    4116,
    'the taxpayer’s NIF has nine characters',
    '/Cabecera/ObligadoEmision/NIF',
    ofEnvio(set('Cabecera/ObligadoEmision/NIF', 'ESB12345674')),
    ofEnvio(nothing),
  ),
  row(
    4116,
    'the taxpayer’s NIF is in capitals',
    '/Cabecera/ObligadoEmision/NIF',
    ofEnvio(set('Cabecera/ObligadoEmision/NIF', 'b12345674')),
    ofEnvio(nothing),
  ),
  row(
    4117,
    'the representative’s NIF has the right letter',
    '/Cabecera/Representante/NIF',
    ofEnvio(header({ Representante: { ...PERSON, NIF: '12345678A' } })),
    ofEnvio(header({ Representante: PERSON })),
  ),
  row(
    4117,
    'the representative’s NIF has nine characters',
    '/Cabecera/Representante/NIF',
    ofEnvio(header({ Representante: { ...PERSON, NIF: '1' } })),
    ofEnvio(header({ Representante: PERSON })),
  ),
  row(
    4120,
    'the last day as VERI*FACTU is 31 December',
    '/Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
    ofEnvio(voluntary({ FechaFinVeriFactu: '30-12-2027' })),
    ofEnvio(voluntary({ FechaFinVeriFactu: '31-12-2027' })),
  ),
  row(
    4120,
    'the last day as VERI*FACTU is of this year or the last',
    '/Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
    ofEnvio(voluntary({ ...DELAYED, FechaFinVeriFactu: '31-12-2028' }), NOW),
    ofEnvio(voluntary({ ...DELAYED, FechaFinVeriFactu: '31-12-2026' }), NOW),
  ),
  row(
    4120,
    'before 2027 any day may be the last',
    '/Cabecera/RemisionVoluntaria/FechaFinVeriFactu',
    ofEnvio(voluntary({ FechaFinVeriFactu: '30-06-2027' })),
    ofEnvio(voluntary({ FechaFinVeriFactu: '30-06-2026' })),
  ),
  row(
    4121,
    'an incident is S or N',
    '/Cabecera/RemisionVoluntaria/Incidencia',
    ofEnvio(voluntary({ Incidencia: 'X' })),
    ofEnvio(voluntary({ Incidencia: 'N' })),
  ),
  row(
    4122,
    'the reference of a request has at most 18 characters',
    '/Cabecera/RemisionRequerimiento/RefRequerimiento',
    ofEnvio(request({ ...REFERENCE, RefRequerimiento: 'R'.repeat(19) })),
    ofEnvio(request({ ...REFERENCE, RefRequerimiento: 'R'.repeat(18) })),
  ),
  row(
    4125,
    'a response names its request',
    '/Cabecera/RemisionRequerimiento/RefRequerimiento',
    ofEnvio(request({ FinRequerimiento: 'S' })),
    ofEnvio(request(REFERENCE)),
  ),
  row(
    4125,
    'the reference of a request is not empty',
    '/Cabecera/RemisionRequerimiento/RefRequerimiento',
    ofEnvio(request({ ...REFERENCE, RefRequerimiento: '' })),
    ofEnvio(request(REFERENCE)),
  ),
  row(
    4126,
    'a voluntary submission does not answer a request',
    '/Cabecera/RemisionRequerimiento/RefRequerimiento',
    ofEnvio(request(REFERENCE, { RemisionVoluntaria: DELAYED })),
    ofEnvio(voluntary(DELAYED)),
  ),
  row(
    4127,
    'a response has no block of voluntary submissions',
    '/Cabecera/RemisionVoluntaria',
    ofEnvio(request(REFERENCE, { RemisionVoluntaria: {} })),
    ofEnvio(request(REFERENCE)),
  ),
  row(
    4129,
    'a response states whether it is the last message',
    '/Cabecera/RemisionRequerimiento/FinRequerimiento',
    ofEnvio(request({ RefRequerimiento: 'R1' })),
    ofEnvio(request({ RefRequerimiento: 'R1', FinRequerimiento: 'N' })),
  ),
  row(
    4130,
    'a system that is only VERI*FACTU does not answer requests',
    '/Cabecera/RemisionRequerimiento/FinRequerimiento',
    ofEnvio(
      both(request(REFERENCE), (m) => {
        m.RegistroFactura = [anulacion(), alta(system(set('TipoUsoPosibleSoloVerifactu', 'S')))]
      }),
    ),
    ofEnvio(request(REFERENCE)),
  ),
  row(
    4131,
    'the end of a response is S or N',
    '/Cabecera/RemisionRequerimiento/FinRequerimiento',
    ofEnvio(request({ ...REFERENCE, FinRequerimiento: '1' })),
    ofEnvio(request(REFERENCE)),
  ),
  row(
    4133,
    'the reference of a request has letters and digits',
    '/Cabecera/RemisionRequerimiento/RefRequerimiento',
    ofEnvio(request({ ...REFERENCE, RefRequerimiento: 'R/2027-1' })),
    ofEnvio(request({ ...REFERENCE, RefRequerimiento: 'r20271' })),
  ),
  row(
    4136,
    'an entry of a message holds a record',
    '/RegistroFactura/1',
    ofEnvio((m) => m.RegistroFactura.push({})),
    ofEnvio((m) => m.RegistroFactura.push(anulacion())),
  ),
  row(
    4136,
    'a registration is not null',
    '/RegistroFactura/0/RegistroAlta',
    ofEnvio(set('RegistroFactura', [{ RegistroAlta: null }])),
    ofEnvio(nothing),
  ),
  row(
    4137,
    'a cancellation has its own entry',
    '/RegistroFactura/0/RegistroAnulacion',
    ofEnvio((m) => {
      m.RegistroFactura = [{ ...alta(), ...anulacion() }]
    }),
    ofEnvio((m) => {
      m.RegistroFactura = [alta(), anulacion()]
    }),
  ),
  row(
    4137,
    'a cancellation is not null',
    '/RegistroFactura/0/RegistroAnulacion',
    ofEnvio(set('RegistroFactura', [{ RegistroAnulacion: null }])),
    ofEnvio(nothing),
  ),
]
