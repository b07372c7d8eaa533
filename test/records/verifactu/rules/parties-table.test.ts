/** Decision tables of the identifiers of every party: see `tables.ts`. */
import { describe, it } from 'vitest'
import { HEADER } from '../records.ts'
import {
  asRecipient,
  both,
  corrective,
  counterpart,
  generator,
  header,
  inEvent,
  ofAlta,
  ofAnulacion,
  ofConsulta,
  ofEnvio,
  ofEvento,
  producer,
  type RunCheck,
  recipient,
  recipientNif,
  set,
  system,
  taxpayer,
  third,
} from './form/case.ts'
import { byName, codesOf, type Dimension, matchesTable, product, table } from './tables.ts'

type Party<T> = Dimension<(identifier: T) => RunCheck>

const others: Party<object> = {
  recipient: (id) => ofAlta(recipient(id)),
  'third party': (id) => ofAlta(third({ IDOtro: id })),
  producer: (id) => ofAlta(producer(id)),
  'producer of a cancellation': (id) => ofAnulacion(producer(id)),
  'producer of an event': (id) => ofEvento((r) => producer(id)(r.Evento)),
  'cancelling issuer': (id) => ofAnulacion(generator('E', { IDOtro: id })),
  'cancelling recipient': (id) => ofAnulacion(generator('D', { IDOtro: id })),
  'cancelling third party': (id) => ofAnulacion(generator('T', { IDOtro: id })),
  'cancelling party of unknown role': (id) => ofAnulacion(generator('X', { IDOtro: id })),
  'third party of an event': (id) => ofEvento(inEvent('T', { IDOtro: id })),
  'recipient of an event': (id) => ofEvento(inEvent('D', { IDOtro: id })),
  'counterparty of a query': (id) => ofConsulta(counterpart({ IDOtro: id })),
  'producer of a query': (id) =>
    ofConsulta(
      set('FiltroConsulta/SistemaInformatico', {
        NombreRazon: 'P',
        IDOtro: id,
        IdSistemaInformatico: 'CU',
        NumeroInstalacion: '1',
      }),
    ),
}

const NIFS = byName([
  ...['12345678Z', '12345678A', '12345678z', '123456789', 'B77777779', 'B77777778', 'b77777779', 'X1234567L'],
  ...['X1234567A', 'K1234567L', 'K1234567A', 'I12345678', '00000000T', '1234567L', 'ESB77777779'],
  ...['            ', 'B7777777Ñ'],
])

const nifs: Party<string> = {
  issuer: (nif) => ofAlta(set('IDFactura/IDEmisorFactura', nif)),
  'issuer in a message of another': (nif) =>
    ofAlta(set('IDFactura/IDEmisorFactura', nif), { header: HEADER }),
  'issuer of a cancelled invoice': (nif) => ofAnulacion(set('IDFactura/IDEmisorFacturaAnulada', nif)),
  'issuer of a cancelled invoice of another': (nif) =>
    ofAnulacion(set('IDFactura/IDEmisorFacturaAnulada', nif), { header: HEADER }),
  'issuer of the previous record': (nif) =>
    ofAlta(set('Encadenamiento/RegistroAnterior/IDEmisorFactura', nif)),
  recipient: (nif) => ofAlta(recipientNif(nif)),
  'third party': (nif) => ofAlta(third({ NIF: nif })),
  'issuer of a corrected invoice': (nif) => ofAlta(corrective({ IDEmisorFactura: nif })),
  producer: (nif) => ofAlta(system(set('NIF', nif))),
  'producer of a cancellation': (nif) => ofAnulacion(system(set('NIF', nif))),
  'cancelling recipient': (nif) => ofAnulacion(generator('D', { NIF: nif })),
  'cancelling issuer': (nif) => ofAnulacion(generator('E', { NIF: nif })),
  'producer of an event': (nif) => ofEvento(set('Evento/SistemaInformatico/NIF', nif)),
  'taxpayer of an event': (nif) => ofEvento(set('Evento/ObligadoEmision/NIF', nif)),
  'recipient of an event': (nif) => ofEvento(inEvent('D', { NIF: nif })),
  'taxpayer of a message': (nif) => ofEnvio(taxpayer({ NombreRazon: 'A', NIF: nif })),
  'unnamed taxpayer of a message': (nif) => ofEnvio(taxpayer({ NombreRazon: '', NIF: nif })),
  'representative of a message': (nif) => ofEnvio(header({ Representante: { NombreRazon: 'A', NIF: nif } })),
  'unnamed representative of a message': (nif) =>
    ofEnvio(header({ Representante: { NombreRazon: '', NIF: nif } })),
  'querying issuer': (nif) => ofConsulta(set('Cabecera/ObligadoEmision', { NombreRazon: 'A', NIF: nif })),
  'unnamed querying issuer': (nif) =>
    ofConsulta(set('Cabecera/ObligadoEmision', { NombreRazon: ' ', NIF: nif })),
  'querying recipient': (nif) => ofConsulta(both(asRecipient, set('Cabecera/Destinatario/NIF', nif))),
  'counterparty of a query': (nif) => ofConsulta(counterpart({ NIF: nif })),
  'unnamed counterparty of a query': (nif) => ofConsulta(counterpart({ NombreRazon: ' ', NIF: nif })),
  'issuer of the last queried record': (nif) =>
    ofConsulta(
      set('FiltroConsulta/ClavePaginacion', {
        IDEmisorFactura: nif,
        NumSerieFactura: '1',
        FechaExpedicionFactura: '01-01-2027',
      }),
    ),
}

describe('a party has the codes of its table', () => {
  it('by its country and type of identifier', async () => {
    const countries = byName([undefined, 'ES', 'FR', 'GB', 'EL', 'es'])
    const types = byName(['02', '03', '04', '05', '06', '07', '01'])
    const identifierOf = (country: string | undefined, type: string): object => ({
      ...(country === undefined ? {} : { CodigoPais: country }),
      IDType: type,
      ID: type === '02' ? 'FR40303265045' : type === '07' ? '12345678Z' : 'X1',
    })
    await matchesTable(
      'identifier-types',
      table(product(others, countries), types, ([check, country], type) =>
        codesOf(check(identifierOf(country, type))({})),
      ),
    )
  })

  it('by its identifier', async () => {
    const countries = byName([undefined, 'ES', 'es', 'FR', 'GB'])
    const types = byName(['02', '03', '07'])
    const identifiers = byName([
      ...['FR40303265045', 'fr40303265045', 'FR4030326504', ' FR40303265045 ', 'FR 40303265045'],
      ...['GB980780684', 'XI980780684', 'GB98078068', 'EL094259216', 'GR094259216', 'IT0000000000'],
      ...['F4030326504', 'FR00000000000', 'DE000000000', 'DE136695976'],
      ...['12345678Z', '12345678z', '12345678A', 'X1234567L', 'B77777779', 'b77777779', '00000000T'],
      ...['', ' ', '4030', 'A'.repeat(20), 'A'.repeat(21), '💶'.repeat(20), '💶'.repeat(21)],
    ])
    const {
      recipient,
      'cancelling third party': cancelling,
      'counterparty of a query': counterparty,
    } = others
    const parties = { recipient, cancelling, counterparty } as Party<object>
    const lines = table(
      product(parties, product(types, countries)),
      identifiers,
      ([check, [IDType, country]], ID) =>
        codesOf(check({ ...(country === undefined ? {} : { CodigoPais: country }), IDType, ID })({})),
    )
    await matchesTable('identifiers', lines)
  })

  it('by its British VAT number and the date', async () => {
    const dates = byName([
      ...['31-12-2020', '01-01-2021', '31-01-2021', '01-02-2021', '15-01-2027', '31-02-2027'],
      undefined,
    ])
    const dated: Dimension<(date: string | undefined, id: object) => RunCheck> = {
      'operation date': (date, id) => ofAlta(recipient(id, set('FechaOperacion', date))),
      'issue date': (date, id) =>
        ofAlta(recipient(id, set('IDFactura/FechaExpedicionFactura', date ?? '15-01-2027'))),
      'cancelled invoice': (date, id) =>
        ofAnulacion(
          both(
            generator('D', { IDOtro: id }),
            set('IDFactura/FechaExpedicionFacturaAnulada', date ?? '15-01-2027'),
          ),
        ),
      event: (date, id) =>
        ofEvento(
          both(inEvent('T', { IDOtro: id }), (r) => {
            const [day = '15', month = '01', year = '2027'] = date?.split('-') ?? []
            r.Evento.FechaHoraHusoGenEvento = `${year}-${month}-${day}T10:00:00+01:00`
          }),
        ),
      query: (_, id) => ofConsulta(counterpart({ IDOtro: id })),
    }
    const numbers = byName(['XI980780684', 'GB980780684', 'FR40303265045'])
    await matchesTable(
      'british-identifiers',
      table(product(dated, numbers), dates, ([check, ID], date) =>
        codesOf(check(date, { IDType: '02', ID })({})),
      ),
    )
  })

  it('by its NIF', async () => {
    await matchesTable(
      'nifs',
      table(nifs, NIFS, (check, nif) => codesOf(check(nif)({}))),
    )
  })

  it('by its name', async () => {
    const names = byName(['A', '', ' ', 'n'.repeat(120), 'n'.repeat(121), '\u0007'])
    const named: Party<string> = {
      issuer: (name) => ofAlta(set('NombreRazonEmisor', name)),
      recipient: (name) => ofAlta(set('Destinatarios/IDDestinatario/0/NombreRazon', name)),
      'third party': (NombreRazon) => ofAlta(third({ NIF: 'B77777779', NombreRazon })),
      producer: (name) => ofAlta(system(set('NombreRazon', name))),
      'cancelling party': (NombreRazon) => ofAnulacion(generator('D', { NIF: 'B77777779', NombreRazon })),
      'third party of an event': (NombreRazon) => ofEvento(inEvent('T', { NIF: 'B77777779', NombreRazon })),
      'taxpayer of an event': (name) => ofEvento(set('Evento/ObligadoEmision/NombreRazon', name)),
      'taxpayer of a message': (NombreRazon) => ofEnvio(taxpayer({ NombreRazon, NIF: 'B12345674' })),
      'representative of a message': (NombreRazon) =>
        ofEnvio(header({ Representante: { NombreRazon, NIF: 'B12345674' } })),
      'counterparty of a query without NIF': (NombreRazon) =>
        ofConsulta(counterpart({ NombreRazon, IDOtro: { CodigoPais: 'FR', IDType: '04', ID: '1' } })),
      'querying issuer': (name) => ofConsulta(set('Cabecera/ObligadoEmision/NombreRazon', name)),
    }
    await matchesTable(
      'names',
      table(named, names, (check, name) => codesOf(check(name)({}))),
    )
  })
})

describe('a cancellation has the codes of its table', () => {
  it('by the party that cancels', async () => {
    const roles = byName([undefined, 'E', 'D', 'T', 'X'])
    const parties: Dimension<object | undefined> = {
      'no party': undefined,
      'the issuer': { NIF: 'B12345674' },
      another: { NIF: 'B77777779' },
      foreign: { IDOtro: { CodigoPais: 'FR', IDType: '04', ID: '1' } },
      unidentified: {},
    }
    const lines = table(roles, parties, (role, person) =>
      codesOf(
        ofAnulacion((r) => {
          if (role !== undefined) r.GeneradoPor = role
          if (person) r.Generador = { NombreRazon: 'Inventada, S.A.', ...person }
        })({}),
      ),
    )
    await matchesTable('cancelling-parties', lines)
  })
})
