/** Tests of the rules for regime keys: see `rows.ts`. */
import { REGIME_CODES } from '../../../src/verifactu/rules/regimes.ts'
import {
  E,
  F2,
  foreign,
  holdsTo,
  IPSI,
  key,
  LINE,
  line,
  N,
  R1,
  RECIPIENT,
  type Row,
  row,
  S2,
  WORKS,
} from './rows.ts'

const KEY = `${LINE}/ClaveRegimen`
const QUALIFICATION = `${LINE}/CalificacionOperacion`
const EXEMPTION = `${LINE}/OperacionExenta`

const REGIME_ROWS: readonly Row[] = [
  row(1199, 'the general regime has no exports', E('E2'), EXEMPTION, E('E2', key('02'))),
  row(
    1199,
    'the general regime of the IGIC has no exports either',
    E('E3', { Impuesto: '03' }),
    EXEMPTION,
    E('E4', { Impuesto: '03' }),
  ),
  row(1286, 'exports are exempt', N('N2', key('02')), QUALIFICATION, N('N2')),
  row(1200, 'second-hand goods are taxed', S2(key('03')), QUALIFICATION, line(key('03'))),
  row(1201, 'gold is a reverse charge', line(key('04')), QUALIFICATION, S2(key('04'))),
  row(
    1202,
    'a group states its base at cost',
    line(key('06')),
    `${LINE}/BaseImponibleACoste`,
    line({ ...key('06'), BaseImponibleACoste: '100.00' }),
  ),
  row(
    1202,
    'a group issues full invoices',
    { ...F2, ...line({ ...key('06'), BaseImponibleACoste: '100.00' }) },
    '/TipoFactura',
    { ...R1, ...line({ ...key('06'), BaseImponibleACoste: '100.00' }) },
  ),
  row(1203, 'the cash basis has no reverse charge', S2(key('07')), QUALIFICATION, line(key('07'))),
  row(
    1203,
    'the cash basis has no intra-Community supply',
    E('E4', key('07')),
    EXEMPTION,
    E('E6', key('07')),
  ),
  row(1205, 'collections are not subject', line(key('10')), QUALIFICATION, N('N1', key('10'))),
  row(
    1205,
    'collections are full invoices',
    { ...R1, ...N('N1', key('10')) },
    '/TipoFactura',
    N('N1', key('10')),
  ),
  row(
    1205,
    'collections are invoiced to a NIF',
    { ...foreign('02'), ...N('N1', key('10')) },
    `${RECIPIENT}/IDOtro`,
    N('N1', { ...key('10'), Impuesto: '03' }),
  ),
  row(1245, 'a line has a regime', line({ ClaveRegimen: undefined }), KEY, {
    ...line({ ClaveRegimen: undefined, Impuesto: '05' }),
  }),
  row(1246, 'a regime is one of the list', line(key('12')), KEY, line(key('17'))),
  row(1246, 'regime 21 is of the IGIC', line(key('21')), KEY, line({ ...key('21'), Impuesto: '03' })),
  row(
    1246,
    'the requirements of an unknown regime are not checked',
    {
      ...line({ ...key('16'), BaseImponibleACoste: '90.00' }),
      '/FechaOperacion': '16-01-2027',
      '/ImporteTotal': '500.00',
    },
    KEY,
    { ...line(key('15')), '/FechaOperacion': '16-01-2027' },
  ),
  row(
    1252,
    'an operation taxed by another territory is N2',
    N('N1', key('08')),
    QUALIFICATION,
    N('N2', key('08')),
  ),
  row(
    1260,
    'other taxes have no regimes',
    line({ Impuesto: '05' }),
    KEY,
    line({ Impuesto: '05', ClaveRegimen: undefined }),
  ),
  row(1289, 'the customer of an intra-Community supply has no NIF', E('E5'), `${RECIPIENT}/NIF`, {
    ...E('E5'),
    ...foreign('02'),
  }),
  row(
    1293,
    'an operation with IPSI is N2 for the IGIC',
    line({ ...key('20'), Impuesto: '03' }),
    QUALIFICATION,
    N('N2', { ...key('20'), Impuesto: '03' }),
  ),
  row(
    1148,
    'works are not a simplified invoice',
    { ...WORKS, ...F2, [`${RECIPIENT}/NIF`]: 'P1234567D', '/Destinatarios': undefined },
    '/TipoFactura',
    { ...WORKS, ...R1 },
  ),
  row(
    1149,
    'works are for public bodies',
    { ...WORKS, [`${RECIPIENT}/NIF`]: 'B77777779' },
    `${RECIPIENT}/NIF`,
    { ...WORKS, [`${RECIPIENT}/NIF`]: 'S1234567D' },
  ),
  row(1149, 'a public body has a NIF', { ...WORKS, ...foreign('04') }, `${RECIPIENT}/IDOtro`, WORKS),
  row(2009, 'the IPSI has regimes', line({ ...IPSI, ClaveRegimen: undefined }), KEY, line(IPSI)),
  row(
    2009,
    'the IPSI has only some regimes',
    N('N2', { ...IPSI, ...key('02') }),
    KEY,
    N('N2', { ...IPSI, ...key('08') }),
  ),
]

holdsTo('regimes', REGIME_CODES, REGIME_ROWS)
