/** Tests of the rules for dates and timestamps: see `rows.ts`. */
import { DATE_CODES } from '#records/verifactu/rules/date-checks.ts'
import { HEADER } from '../records.ts'
import {
  holdsTo,
  INVOICE,
  ISSUE,
  line,
  member,
  R1,
  type Row,
  row,
  TIMESTAMP,
  WORKS,
  wrongMember,
} from './rows.ts'

const NOW = { options: { now: '2027-01-15T10:00:00+01:00' } }

const DATE_ROWS: readonly Row[] = [
  member(1105, 'an issue date is a calendar day', ISSUE, '31-02-2027', '28-02-2027'),
  member(1105, 'an issue date is well-formed', ISSUE, '2027-01-15', '15-01-2027'),
  member(1105, 'a cancelled invoice has an issue date', `${ISSUE}Anulada`, '30-02-2027', '28-02-2027', {
    of: 'anulacion',
  }),
  wrongMember(1112, 'an issue date is not in the future', ISSUE, '16-01-2027', {}, NOW),
  row(
    1112,
    'the current date is that of the record’s offset',
    { [ISSUE]: '16-01-2027', [TIMESTAMP]: '2027-01-15T23:30:00+00:00' },
    ISSUE,
    { [ISSUE]: '16-01-2027', [TIMESTAMP]: '2027-01-16T00:30:00+01:00' },
    { options: { now: '2027-01-15T23:30:00Z' } },
  ),
  member(1133, 'an invoice is at most twenty years old', ISSUE, '14-01-2007', '15-01-2027'),
  member(1152, 'records begin on 28 October 2024', ISSUE, '27-10-2024', '28-10-2024'),
  row(
    1134,
    'an operation is at most twenty years old',
    { '/FechaOperacion': '14-01-2007', ...line({ TipoImpositivo: '21' }) },
    '/FechaOperacion',
    { '/FechaOperacion': '15-01-2007' },
  ),
  row(
    1134,
    'twenty years count from the clock if there is one',
    { '/FechaOperacion': '15-01-2007', [TIMESTAMP]: '2027-01-16T10:00:00+01:00' },
    '/FechaOperacion',
    { '/FechaOperacion': '16-01-2007', [TIMESTAMP]: '2027-01-16T10:00:00+01:00' },
    { options: { now: '2027-01-16T10:00:00+01:00' } },
  ),
  row(
    1125,
    'an operation is at most at the end of next year',
    { '/FechaOperacion': '01-01-2029', ...line({ ClaveRegimen: '15' }) },
    '/FechaOperacion',
    { '/FechaOperacion': '31-12-2028', ...line({ ClaveRegimen: '15' }) },
    NOW,
  ),
  wrongMember(
    1173,
    'a future operation needs regime 14 or 15',
    '/FechaOperacion',
    '16-01-2027',
    { '/FechaOperacion': '16-01-2027', ...line({ ClaveRegimen: '15' }) },
    NOW,
  ),
  row(1146, 'an invoice is not issued before its operation', { '/FechaOperacion': '16-01-2027' }, ISSUE, {
    '/FechaOperacion': '15-01-2027',
  }),
  row(
    1146,
    'the order of issue and operation is checked for IVA and IGIC',
    { '/FechaOperacion': '16-01-2027', ...line({ Impuesto: '03' }) },
    ISSUE,
    { '/FechaOperacion': '16-01-2027', ...line({ Impuesto: '02' }) },
  ),
  row(
    1147,
    'works certificates state when the tax is due',
    { ...WORKS, '/FechaOperacion': undefined },
    '/FechaOperacion',
    WORKS,
  ),
  row(
    1147,
    'the tax of works is due after the invoice',
    { ...WORKS, '/FechaOperacion': '15-01-2027' },
    '/FechaOperacion',
    { ...WORKS, '/FechaOperacion': '16-01-2027' },
  ),
  member(1145, 'an operation date is a calendar day', '/FechaOperacion', '31-11-2026', '30-11-2026'),
  member(1145, 'an operation date is well-formed', '/FechaOperacion', '1-11-2026', '01-11-2026'),
  row(
    1145,
    'a corrected invoice has an issue date',
    {
      ...R1,
      '/FacturasRectificadas': {
        IDFacturaRectificada: [INVOICE, { ...INVOICE, FechaExpedicionFactura: '31-04-2026' }],
      },
    },
    '/FacturasRectificadas/IDFacturaRectificada/1/FechaExpedicionFactura',
    {
      ...R1,
      '/FacturasRectificadas': {
        IDFacturaRectificada: [INVOICE, { ...INVOICE, FechaExpedicionFactura: '30-04-2026' }],
      },
    },
  ),
  row(
    1145,
    'a replaced invoice has an issue date',
    {
      '/TipoFactura': 'F3',
      '/FacturasSustituidas': { IDFacturaSustituida: [{ ...INVOICE, FechaExpedicionFactura: '00-04-2026' }] },
    },
    '/FacturasSustituidas/IDFacturaSustituida/0/FechaExpedicionFactura',
    { '/TipoFactura': 'F3', '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
  ),
  ...(
    [
      ['fractions of a second', '2027-01-15T10:00:00.123+01:00'],
      ['no offset', '2027-01-15T10:00:00'],
      ['an impossible day', '2027-02-30T10:00:00+01:00'],
      ['an offset without colon', '2027-01-15T10:00:00+0100'],
      ['a space for the T', '2027-01-15 10:00:00+01:00'],
    ] as const
  ).map(([what, timestamp]) =>
    member(1244, `a timestamp does not have ${what}`, TIMESTAMP, timestamp, '2027-01-15T09:00:00Z'),
  ),
  member(
    1244,
    'a cancellation has a timestamp',
    TIMESTAMP,
    '2027-01-15T10:00:00',
    '2027-01-15T10:00:00-05:00',
    { of: 'anulacion' },
  ),
  member(
    1244,
    'an event has a timestamp',
    '/Evento/FechaHoraHusoGenEvento',
    '2027-01-15T10:00:00.5+01:00',
    '2027-01-15T10:00:00+01:00',
    { of: 'evento' },
  ),
  wrongMember(1268, 'a timestamp is not only a date', TIMESTAMP, '2027-01-15'),
  wrongMember(1268, 'a timestamp has no long fraction', TIMESTAMP, `2027-01-15T10:00:00.${'1'.repeat(40)}Z`),
  member(
    2004,
    'a record is generated at most 240 seconds before it is sent',
    TIMESTAMP,
    '2027-01-15T09:55:59+01:00',
    '2027-01-15T09:56:00+01:00',
    NOW,
  ),
  member(
    2004,
    'a record is not generated after it is sent, even with an incident',
    TIMESTAMP,
    '2027-01-15T10:04:01+01:00',
    '2027-01-15T10:04:00+01:00',
    { options: { ...NOW.options, header: { ...HEADER, RemisionVoluntaria: { Incidencia: 'S' } } } },
  ),
  row(
    2004,
    'a cancellation may be late after an incident',
    { [TIMESTAMP]: '2027-01-15T09:00:00+01:00' },
    TIMESTAMP,
    { [TIMESTAMP]: '2027-01-15T09:00:00+01:00' },
    { of: 'anulacion', ...NOW },
    { options: { ...NOW.options, header: { ...HEADER, RemisionVoluntaria: { Incidencia: 'S' } } } },
  ),
]

holdsTo('dates', DATE_CODES, DATE_ROWS)
