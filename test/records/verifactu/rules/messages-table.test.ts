/** Decision tables of messages, queries, links and hashes: see `tables.ts`. */
import { describe, it } from 'vitest'
import type { HASH_FIELDS } from '#records/verifactu/model/hash.ts'
import { checkRecord } from '#records/verifactu/rules/check.ts'
import { alta, anulacion, EVENT_LINK, evento, HEADER, PREVIOUS_HASH } from '../records.ts'
import {
  asRecipient,
  both,
  type Change,
  header,
  nothing,
  ofConsulta,
  ofEnvio,
  set,
  system,
  voluntary,
} from './form/case.ts'
import { record } from './rows.ts'
import { byName, codesOf, type Dimension, matchesTable, product, table } from './tables.ts'

describe('a message has the codes of its table', () => {
  const voluntaries: Dimension<object> = {
    'no voluntary block': {},
    'empty voluntary block': { RemisionVoluntaria: {} },
    'undefined members': { RemisionVoluntaria: { Incidencia: undefined } },
    incident: { RemisionVoluntaria: { Incidencia: 'S' } },
    'last day': { RemisionVoluntaria: { FechaFinVeriFactu: '31-12-2027' } },
    both: { RemisionVoluntaria: { Incidencia: 'N', FechaFinVeriFactu: '31-12-2027' } },
  }

  it('by its mode and the system of its records', async () => {
    const requests: Dimension<object> = {
      'no request': {},
      last: { RemisionRequerimiento: { RefRequerimiento: 'R1', FinRequerimiento: 'S' } },
      'not last': { RemisionRequerimiento: { RefRequerimiento: 'R1', FinRequerimiento: 'N' } },
      'without end': { RemisionRequerimiento: { RefRequerimiento: 'R1' } },
      'without reference': { RemisionRequerimiento: { FinRequerimiento: 'S' } },
      empty: { RemisionRequerimiento: {} },
    }
    const only = system(set('TipoUsoPosibleSoloVerifactu', 'S'))
    const systems: Dimension<object[]> = {
      'any system': [alta(), anulacion()],
      'registration of VERI*FACTU alone': [alta(set('IDFactura/NumSerieFactura', 'A-1')), alta(only)],
      'cancellation of VERI*FACTU alone': [anulacion(only)],
    }
    const lines = table(product(voluntaries, systems), requests, ([block, records], request) =>
      codesOf(ofEnvio(both(header({ ...block, ...request }), set('RegistroFactura', records)))({})),
    )
    await matchesTable('modes', lines)
  })

  it('by the reference of its request', async () => {
    const references = byName([
      ...['R1', 'r2027', '', ' ', ' R1 ', 'R/1', '/R', 'R/', 'Ñ1', 'R\u0007'],
      ...['R'.repeat(18), 'R'.repeat(19), `${'R'.repeat(17)}/`, `${'R'.repeat(18)}/`],
    ])
    const lines = table(references, { '': nothing }, (RefRequerimiento) =>
      codesOf(ofEnvio(header({ RemisionRequerimiento: { RefRequerimiento, FinRequerimiento: 'S' } }))({})),
    )
    await matchesTable('references', lines)
  })

  it('by the last day as VERI*FACTU and the clock', async () => {
    const days = byName([
      ...['30-12-2025', '31-12-2025', '30-06-2026', '31-12-2026', '01-01-2027', '30-12-2027', '31-12-2027'],
      ...['31-12-2028', '31-12-2099', '31-12-2100', '31-02-2027', '2027-12-31', ''],
    ])
    const clocks = {
      'no clock': {},
      'end of 2026': { now: '2026-12-31T23:59:59+01:00' },
      'start of 2027': { now: '2027-01-01T00:00:00+01:00' },
      '2027': { now: '2027-06-01T10:00:00+02:00' },
      'end of 2027': { now: '2027-12-31T23:59:59+01:00' },
      'start of 2028': { now: '2028-01-01T00:00:00+01:00' },
      '2029': { now: '2029-06-01T10:00:00+02:00' },
    }
    const lines = table(days, clocks, (FechaFinVeriFactu, clock) =>
      codesOf(
        ofEnvio(voluntary({ Incidencia: 'S', FechaFinVeriFactu }))(clock).filter(({ code }) =>
          code.startsWith('aeat.4'),
        ),
      ),
    )
    await matchesTable('last-days', lines)
  })

  it('by its records', async () => {
    const correction = alta(set('Subsanacion', 'S'))
    const first = alta(set('Subsanacion', 'N'))
    const other = alta(set('IDFactura/NumSerieFactura', 'A-3'))
    const later = alta(set('IDFactura/FechaExpedicionFactura', '14-01-2027'))
    const records: Dimension<unknown> = {
      'two invoices': [alta(), other],
      'two dates': [alta(), later],
      'an invoice twice': [alta(), alta()],
      'an invoice three times': [alta(), first, alta()],
      'its correction': [alta(), correction, correction],
      'its cancellation': [alta(), anulacion(), anulacion()],
      'an empty entry': [{}, alta()],
      'an entry that is null': [null, alta()],
      'an entry that is a text': ['alta', alta()],
      'a registration that is null': [{ RegistroAlta: null }],
      'a registration that is a text': [{ RegistroAlta: 'alta' }],
      'a registration of nothing': [{ RegistroAlta: {} }],
      'both records': [{ ...alta(), ...anulacion() }],
      'a null registration and a cancellation': [{ RegistroAlta: null, ...anulacion() }],
      'no registration but a cancellation': [{ RegistroAlta: undefined, ...anulacion() }],
      'an event': [evento()],
      'an unknown version': [alta(set('IDVersion', '2.0'))],
      'an unknown version of the eleventh': [
        ...Array.from({ length: 10 }, (_, i) => alta(set('IDFactura/NumSerieFactura', `B-${i}`))),
        alta(set('IDVersion', '2.0')),
      ],
      'no list': alta(),
    }
    const modes: Dimension<Change> = {
      voluntary: nothing,
      requested: set('Cabecera/RemisionRequerimiento', { RefRequerimiento: 'R1', FinRequerimiento: 'S' }),
    }
    const lines = table(records, modes, (RegistroFactura, mode) =>
      ofEnvio(both(mode, set('RegistroFactura', RegistroFactura)))({})
        .map(({ code, path }) => `${code.replace('aeat.', '')} ${path}`)
        .join(' + '),
    )
    await matchesTable('records-of-a-message', lines)
  })
})

describe('a query has the codes of its table', () => {
  it('by the querying party', async () => {
    const taxpayer = { NombreRazon: 'A', NIF: 'B12345674' }
    const headers: Dimension<object> = {
      issuer: { ObligadoEmision: taxpayer },
      recipient: { Destinatario: taxpayer },
      both: { ObligadoEmision: taxpayer, Destinatario: taxpayer },
      'no party': {},
    }
    const options: Dimension<Change> = {
      nothing,
      representative: set('Cabecera/IndicadorRepresentante', 'S'),
      'no representative': set('Cabecera/IndicadorRepresentante', 'N'),
      system: set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'S'),
      'no system': set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'N'),
      name: set('DatosAdicionalesRespuesta/MostrarNombreRazonEmisor', 'S'),
    }
    await matchesTable(
      'querying-parties',
      table(headers, options, (block, option) =>
        codesOf(ofConsulta(both(set('Cabecera', { IDVersion: '1.0', ...block }), option))({})),
      ),
    )
  })

  it('by its dates', async () => {
    const days = byName([undefined, '01-01-2027', '31-01-2027', '31-12-2026', '31-02-2027', '2027-01-31'])
    const range = '/FechaExpedicionFactura/RangoFechaExpedicion'
    await matchesTable(
      'queried-dates',
      table(days, days, (from, until) =>
        codesOf(
          ofConsulta(
            set(`FiltroConsulta${range}`, {
              ...(from === undefined ? {} : { Desde: from }),
              ...(until === undefined ? {} : { Hasta: until }),
            }),
          )({}),
        ),
      ),
    )
  })

  it('by its last record', async () => {
    const days = byName(['01-01-2027', '31-02-2027', '2027-01-31'])
    await matchesTable(
      'queried-pages',
      table(days, { issuer: nothing, recipient: asRecipient }, (FechaExpedicionFactura, change) =>
        codesOf(
          ofConsulta(
            both(
              change,
              set('FiltroConsulta/ClavePaginacion', {
                IDEmisorFactura: 'B12345674',
                NumSerieFactura: '1',
                FechaExpedicionFactura,
              }),
            ),
          )({}),
        ),
      ),
    )
  })
})

describe('a link has the codes of its table', () => {
  const hashes = byName([
    ...[PREVIOUS_HASH, 'A'.repeat(64), 'a'.repeat(64), 'G'.repeat(64), 'A'.repeat(63), 'A'.repeat(65)],
    ...[
      `-${'A'.repeat(63)}`,
      `-${'A'.repeat(62)}`,
      'Á'.repeat(64),
      '💶'.repeat(64),
      '',
      '\u0007',
      `${'A'.repeat(63)} `,
      `${'A'.repeat(63)}-`,
    ],
  ])
  const equal = byName(['A'.repeat(64), 'A'.repeat(63), `-${'A'.repeat(63)}`, 'a'.repeat(64)])
  const blockOf = (kind: string): string =>
    kind === 'evento' ? '/Evento/Encadenamiento/EventoAnterior' : '/Encadenamiento/RegistroAnterior'
  const ownOf = (kind: string): string => (kind === 'evento' ? '/Evento/HuellaEvento' : '/Huella')
  const kinds = byName(['alta', 'anulacion', 'evento'] as const)
  const event = {
    '/Evento/Encadenamiento': EVENT_LINK,
  }
  const linked = (kind: keyof typeof HASH_FIELDS): object => (kind === 'evento' ? event : {})

  it('by the hash of the previous record', async () => {
    const lines = table(kinds, hashes, (of, hash) => {
      const name = of === 'evento' ? 'HuellaEvento' : 'Huella'
      return codesOf(checkRecord(record({ of }, { ...linked(of), [`${blockOf(of)}/${name}`]: hash })))
    })
    await matchesTable('previous-hashes', lines)
  })

  it('by its own hash', async () => {
    const lines = table(kinds, hashes, (of, hash) =>
      codesOf(checkRecord(record({ of, rehash: false }, { ...linked(of), [ownOf(of)]: hash }))),
    )
    await matchesTable('own-hashes', lines)
  })

  it('by its own hash if it is that of the previous record', async () => {
    const lines = table(kinds, equal, (of, hash) => {
      const name = of === 'evento' ? 'HuellaEvento' : 'Huella'
      const changes = { ...linked(of), [`${blockOf(of)}/${name}`]: hash, [ownOf(of)]: hash }
      return codesOf(checkRecord(record({ of, rehash: false }, changes)))
    })
    await matchesTable('equal-hashes', lines)
  })

  it('by its own hash if it has two links', async () => {
    const lines = table(kinds, hashes, (of, hash) => {
      const at = of === 'evento' ? '/Evento/Encadenamiento/PrimerEvento' : '/Encadenamiento/PrimerRegistro'
      const changes = { ...linked(of), [at]: 'S', [ownOf(of)]: hash }
      return codesOf(checkRecord(record({ of, rehash: false }, changes)))
    })
    await matchesTable('own-hashes-of-two-links', lines)
  })

  it('by the mark of the first record and the chain', async () => {
    const marks = byName(['S', 'N', 's', '', 'SI', ' '])
    const chains = { unknown: {}, started: { chainStarted: true }, new: { chainStarted: false } }
    const links: Dimension<boolean> = { alone: false, 'with a previous record': true }
    const lines = table(product(kinds, product(links, marks)), chains, ([of, [isLinked, mark]], options) => {
      const at = of === 'evento' ? '/Evento/Encadenamiento' : '/Encadenamiento'
      const name = of === 'evento' ? 'PrimerEvento' : 'PrimerRegistro'
      const changes = isLinked ? { ...linked(of), [`${at}/${name}`]: mark } : { [at]: { [name]: mark } }
      return codesOf(checkRecord(record({ of }, changes), { ...options, header: HEADER }))
    })
    await matchesTable('first-records', lines)
  })

  it('by the timestamp of the previous event', async () => {
    const timestamps = byName([
      '2027-01-15T08:00:00+01:00',
      '2027-01-15T08:00:00',
      '2027-02-30T08:00:00Z',
      'x',
      '',
    ])
    const lines = table(timestamps, { '': nothing }, (timestamp) => {
      const at = '/Evento/Encadenamiento/EventoAnterior/FechaHoraHusoGenEvento'
      return codesOf(checkRecord(record({ of: 'evento' }, { ...event, [at]: timestamp })))
    })
    await matchesTable('previous-events', lines)
  })

  it('by the number of the previous record', async () => {
    const numbers = byName(['1', '', ' ', 'AÑO=1', 'A\u00071', '1'.repeat(60), '1'.repeat(61)])
    const lines = table(byName(['alta', 'anulacion'] as const), numbers, (of, number) =>
      codesOf(checkRecord(record({ of }, { [`${blockOf(of)}/NumSerieFactura`]: number }))),
    )
    await matchesTable('previous-numbers', lines)
  })
})

describe('an invoice number has the codes of its table', () => {
  it('by its characters', async () => {
    const numbers = byName([
      ...[
        '1',
        '',
        ' ',
        ' 1 ',
        'Ñ',
        'A\u00a0',
        'A\t1',
        'A1\n',
        'A\u00071',
        '"',
        "'",
        '<',
        '>',
        '=',
        '~',
        '\u007f',
        '='.repeat(61),
      ],
    ])
    const invoice = { IDEmisorFactura: 'B12345674', FechaExpedicionFactura: '01-12-2026' }
    const lines = table(numbers, { '': nothing }, (NumSerieFactura) =>
      [
        record({}, { '/IDFactura/NumSerieFactura': NumSerieFactura }),
        record({ of: 'anulacion' }, { '/IDFactura/NumSerieFacturaAnulada': NumSerieFactura }),
        record(
          {},
          {
            '/TipoFactura': 'R1',
            '/TipoRectificativa': 'I',
            '/FacturasRectificadas': { IDFacturaRectificada: [{ ...invoice, NumSerieFactura }] },
          },
        ),
        record(
          {},
          {
            '/TipoFactura': 'F3',
            '/FacturasSustituidas': { IDFacturaSustituida: [{ ...invoice, NumSerieFactura }] },
          },
        ),
      ]
        .map((one) => codesOf(checkRecord(one)))
        .join(' | '),
    )
    await matchesTable('numbers', lines)
  })
})
