/** Decision tables of a registration: see `tables.ts`. */
import { describe, it } from 'vitest'
import { toFecha } from '#records/fiscal/literals.ts'
import { type CheckOptions, checkRecord } from '#records/verifactu/rules/check.ts'
import { SYSTEM } from '../records.ts'
import {
  AMOUNTS,
  type Changes,
  E,
  INVOICE,
  ISSUE,
  line,
  N,
  R1S,
  RECIPIENT,
  rated,
  record,
  S2,
  TIMESTAMP,
  totals,
} from './rows.ts'
import { byName, codesOf, type Dimension, matchesTable, product, table } from './tables.ts'

const codesWith = (changes: Changes, options: CheckOptions = {}): string =>
  codesOf(checkRecord(record({}, changes), options))

const TYPES = byName(['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5', 'F9'])
/** Lines of every class, with totals that match. */
const CLASSES: Dimension<Changes> = {
  S1: {},
  S2: S2(),
  N1: N('N1'),
  N2: N('N2'),
  ...Object.fromEntries(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'].map((name) => [name, E(name)])),
  'S1 and E5': line({ OperacionExenta: 'E5' }),
  'no class': line({ CalificacionOperacion: undefined }),
}
const KEYS = byName([...'01 02 03 04 05 06 07 08 09 10 11 12 14 15 18 20 21'.split(' '), undefined])
const TAXES = byName(['01', '02', '03', '05'])

describe('a registration has the codes of its table', () => {
  it('by rate, surcharge and date of the operation', async () => {
    const days = [
      ...['2010-01-15', '2012-12-31', '2013-01-01', '2022-06-30', '2022-07-01', '2022-12-31', '2023-01-01'],
      ...['2024-09-30', '2024-10-01', '2024-12-31', '2025-01-01'],
    ]
    const dates: Dimension<Changes> = {
      ...Object.fromEntries(days.map((day) => [day, { '/FechaOperacion': toFecha(day) }])),
      'issue date': { '/FechaOperacion': '31-02-2026' },
      'no date': { [ISSUE]: '31-02-2027' },
    }
    const rates = byName(['21', '18', '16', '10', '8', '7.5', '7', '5', '4', '2', '0', '22'])
    const surcharges = byName([undefined, '5.2', '4', '1.4', '1', '0.62', '0.5', '0.26', '0', '3'])
    const lines = table(product(rates, surcharges), dates, ([rate, surcharge], date) =>
      codesWith({
        ...rated(Number(rate), undefined, surcharge === undefined ? undefined : Number(surcharge)),
        ...date,
      }),
    )
    await matchesTable('rates', lines)
  })

  it('by rate and surcharge of another tax, class or regime', async () => {
    const others: Dimension<Changes> = {
      IPSI: { Impuesto: '02' },
      IGIC: { Impuesto: '03' },
      'no tax': { Impuesto: undefined },
      premises: { ClaveRegimen: '11' },
      'reverse charge': { CalificacionOperacion: 'S2' },
      'no rate': { TipoImpositivo: undefined },
      'unreadable rate': { TipoImpositivo: '-21' },
      'unreadable surcharge': { TipoRecargoEquivalencia: '-5.2' },
    }
    const rates: Dimension<Changes> = {
      '21': {},
      '10': { TipoImpositivo: '10', CuotaRepercutida: '10.00' },
      '22': { TipoImpositivo: '22' },
      '21 + 5.2': { TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5.20' },
      '21 + 3': { TipoRecargoEquivalencia: '3', CuotaRecargoEquivalencia: '3.00' },
    }
    await matchesTable(
      'rates-of-other-lines',
      table(others, rates, (members, rate) => codesWith(line({ ...rate, ...members }))),
    )
  })

  it('by tax, regime and class of its line', async () => {
    const cost = (key: unknown): Changes => (key === '06' ? { BaseImponibleACoste: '100.00' } : {})
    const lines = table(product(TAXES, KEYS), CLASSES, ([Impuesto, ClaveRegimen], members) =>
      codesWith({ ...line({ Impuesto, ClaveRegimen, ...cost(ClaveRegimen) }), ...members }),
    )
    await matchesTable('regimes', lines)
  })

  it('by the fields of its line', async () => {
    const fields: Dimension<Changes> = {
      none: {},
      rate: { TipoImpositivo: '21' },
      'zero rate': { TipoImpositivo: '0.00' },
      tax: { CuotaRepercutida: '21.00' },
      'zero tax': { CuotaRepercutida: '0' },
      'rate and tax': { TipoImpositivo: '21', CuotaRepercutida: '21.00' },
      'zero rate and tax': { TipoImpositivo: '21', CuotaRepercutida: '0' },
      'rate and zero tax': { TipoImpositivo: '0', CuotaRepercutida: '21.00' },
      zeros: { TipoImpositivo: '0', CuotaRepercutida: '0' },
      'unreadable tax': { TipoImpositivo: '21', CuotaRepercutida: '21,00' },
    }
    const surcharges: Dimension<Changes> = {
      alone: {},
      'with surcharge rate': { TipoRecargoEquivalencia: '5.2' },
      'with surcharge': { CuotaRecargoEquivalencia: '5.20' },
      'with both': { TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5.20' },
      'with cost': { BaseImponibleACoste: '100.00' },
    }
    const kinds: Dimension<Changes> = {
      S1: { CalificacionOperacion: 'S1' },
      'S1 of a group': { CalificacionOperacion: 'S1', ClaveRegimen: '06' },
      'S1 of the IPSI': { CalificacionOperacion: 'S1', Impuesto: '02' },
      S2: { CalificacionOperacion: 'S2' },
      N1: { CalificacionOperacion: 'N1' },
      'N2 of the IGIC': { CalificacionOperacion: 'N2', Impuesto: '03' },
      E1: { CalificacionOperacion: undefined, OperacionExenta: 'E1' },
      'E1 of the IPSI': { CalificacionOperacion: undefined, OperacionExenta: 'E1', Impuesto: '02' },
      unclassified: { CalificacionOperacion: undefined },
      'S1 and E1': { OperacionExenta: 'E1' },
      'S1 and E7': { OperacionExenta: 'E7' },
      S3: { CalificacionOperacion: 'S3' },
    }
    const empty = { TipoImpositivo: undefined, CuotaRepercutida: undefined }
    const lines = table(product(kinds, surcharges), fields, ([kind, surcharge], members) =>
      codesWith(line({ ...empty, ...kind, ...surcharge, ...members })),
    )
    await matchesTable('fields', lines)
  })

  it('by base, tax and kind of correction', async () => {
    const bases: Dimension<Changes> = {
      '100.00': {},
      '-100.00': { BaseImponibleOimporteNoSujeto: '-100.00' },
      '0.00': { BaseImponibleOimporteNoSujeto: '0.00' },
      'cost of 100.00': { ClaveRegimen: '06', BaseImponibleACoste: '100.00' },
      'cost of -100.00': { ClaveRegimen: '06', BaseImponibleACoste: '-100.00' },
      'cost of 0': { ClaveRegimen: '06', BaseImponibleACoste: '0' },
      'unreadable base': { BaseImponibleOimporteNoSujeto: '1,00' },
      'unreadable cost': { ClaveRegimen: '06', BaseImponibleACoste: '1,00' },
    }
    const kinds: Dimension<Changes> = {
      F1: {},
      'R1 by substitution': R1S,
      'R1 by differences': { ...R1S, '/TipoRectificativa': 'I', '/ImporteRectificacion': undefined },
      'R2 by substitution': { ...R1S, '/TipoFactura': 'R2' },
      'R3 by substitution': { ...R1S, '/TipoFactura': 'R3' },
    }
    const amounts = byName([
      ...['10.99', '11.00', '31.00', '31.01', '-10.99', '-11.00', '-31.00', '-31.01', '0', '0.01', '-0.01'],
    ])
    const lines = table(product(bases, kinds), amounts, ([base, kind], CuotaRepercutida) =>
      codesWith({ ...line({ ...base, CuotaRepercutida }), ...kind }),
    )
    await matchesTable('amounts', lines)
  })

  it('by its totals', async () => {
    const lines: Dimension<Changes> = {
      'a right line': {},
      'a surcharge': { TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5.20' },
      'no tax': { TipoImpositivo: undefined, CuotaRepercutida: undefined, CalificacionOperacion: 'N1' },
      'a wrong tax': { CuotaRepercutida: '42.00' },
      'a missing rate': { TipoImpositivo: undefined },
      'no class': { CalificacionOperacion: undefined },
      'no regime': { ClaveRegimen: undefined, Impuesto: '05' },
      'an unreadable base': { BaseImponibleOimporteNoSujeto: '100,00' },
      'an unreadable surcharge': { TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5,20' },
      ...Object.fromEntries(
        ['02', '03', '05', '06', '08', '09', '11', '12'].map((ClaveRegimen) => [
          `regime ${ClaveRegimen}`,
          { ClaveRegimen, ...(ClaveRegimen === '06' ? { BaseImponibleACoste: '100.00' } : {}) },
        ]),
      ),
    }
    const sums: Dimension<Changes> = Object.fromEntries(
      [
        ['21.00', '121.00'],
        ['11.00', '111.00'],
        ['10.99', '110.99'],
        ['31.00', '131.00'],
        ['31.01', '131.01'],
        ['36.20', '136.20'],
        ['36.21', '136.21'],
        ['-21.00', '-121.00'],
        ['21,00', '121,00'],
      ].map(([tax = '', total = '']) => [`${tax} of ${total}`, totals(tax, total)]),
    )
    await matchesTable(
      'totals',
      table(lines, sums, (members, sum) => codesWith({ ...line(members), ...sum })),
    )
  })

  it('by type and correction', async () => {
    const corrections: Dimension<Changes> = {
      none: {},
      'by substitution': { '/TipoRectificativa': 'S' },
      'by differences': { '/TipoRectificativa': 'I' },
    }
    const blocks: Dimension<Changes> = {
      alone: {},
      'corrected amounts': { '/ImporteRectificacion': AMOUNTS },
      'corrected invoices': { '/FacturasRectificadas': { IDFacturaRectificada: [INVOICE] } },
      'replaced invoices': { '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
      coupon: { '/Cupon': 'S' },
      'no coupon': { '/Cupon': 'N' },
      'reverse charge': S2(),
    }
    const lines = table(product(TYPES, corrections), blocks, ([type, correction], block) =>
      codesWith({
        ...(type === 'F2' || type === 'R5' ? { '/Destinatarios': undefined } : {}),
        '/TipoFactura': type,
        ...correction,
        ...block,
      }),
    )
    await matchesTable('corrections', lines)
  })

  it('by type, recipient and issuing party', async () => {
    const marks: Dimension<Changes> = {
      none: {},
      'art. 7.2': { '/FacturaSimplificadaArt7273': 'S' },
      'not art. 7.2': { '/FacturaSimplificadaArt7273': 'N' },
      'art. 6.1.d': { '/FacturaSinIdentifDestinatarioArt61d': 'S' },
      'not art. 6.1.d': { '/FacturaSinIdentifDestinatarioArt61d': 'N' },
    }
    const recipients: Dimension<Changes> = { recipient: {}, 'no recipient': { '/Destinatarios': undefined } }
    const third = { NombreRazon: 'Gestoría Supuesta, S.L.', NIF: 'B77777779' }
    const parties = product(byName([undefined, 'T', 'D']), {
      'without third': undefined,
      'with third': third,
    })
    const lines = table(
      product(TYPES, product(marks, recipients)),
      parties,
      ([type, [mark, recipient]], [by, party]) =>
        codesWith({
          '/TipoFactura': type,
          '/TipoRectificativa': /^R/.test(type) ? 'I' : undefined,
          '/EmitidaPorTerceroODestinatario': by,
          '/Tercero': party,
          ...mark,
          ...recipient,
        }),
    )
    await matchesTable('recipients', lines)
  })

  it('by type, regime and identifier of its recipient', async () => {
    const identifiers: Dimension<Changes> = {
      ...Object.fromEntries(
        ['B77777779', '00000008P', 'P1234567D', 'V12345674'].map((nif) => [
          nif,
          { [`${RECIPIENT}/NIF`]: nif },
        ]),
      ),
      ...Object.fromEntries(
        ['02', '03', '06', '07', '01'].map((IDType) => [
          `IDType ${IDType}`,
          {
            [`${RECIPIENT}/NIF`]: undefined,
            [`${RECIPIENT}/IDOtro`]: {
              CodigoPais: IDType === '07' ? 'ES' : 'FR',
              IDType,
              ID: IDType === '07' ? '12345678Z' : 'FR40303265045',
            },
          },
        ]),
      ),
    }
    const regimes: Dimension<Changes> = {
      '01': {},
      '06': line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00' }),
      '06 without cost': line({ ClaveRegimen: '06' }),
      '06 of another tax': line({ ClaveRegimen: '06', Impuesto: '05' }),
      '10': N('N1', { ClaveRegimen: '10' }),
      '10 of the IPSI': line({ ClaveRegimen: '10', Impuesto: '02' }),
      '14': { ...line({ ClaveRegimen: '14' }), '/FechaOperacion': '15-02-2027' },
      '14 of the IPSI': line({ ClaveRegimen: '14', Impuesto: '02' }),
      E5: E('E5'),
      'E5 of the IGIC': E('E5', { Impuesto: '03' }),
      E6: E('E6'),
    }
    const lines = table(product(TYPES, regimes), identifiers, ([type, regime], identifier) =>
      codesWith({
        '/TipoFactura': type,
        '/TipoRectificativa': /^R/.test(type) ? 'I' : undefined,
        ...regime,
        ...identifier,
      }),
    )
    await matchesTable('recipients-by-regime', lines)
  })

  it('by its dates', async () => {
    const unreadable = ['31-02-2027', '2027-01-15', '131-02-2027', '31-02-20270']
    const issues = byName([
      ...['14-01-2007', '15-01-2007', '27-10-2024', '28-10-2024', '14-01-2027', '15-01-2027', '16-01-2027'],
      ...unreadable,
    ])
    const operations = byName([
      ...['14-01-2007', '15-01-2007', '14-01-2027', '15-01-2027', '16-01-2027', '17-01-2027', '31-12-2028'],
      ...['01-01-2029', ...unreadable],
      undefined,
    ])
    const clocks = { 'no clock': {}, 'at 10:00': { now: '2027-01-15T10:00:00+01:00' } }
    const two = (one: Changes, two: Changes): Changes => {
      const base = {
        Impuesto: '01',
        ClaveRegimen: '01',
        CalificacionOperacion: 'S1',
        TipoImpositivo: '21',
        BaseImponibleOimporteNoSujeto: '50.00',
        CuotaRepercutida: '10.50',
      }
      return {
        '/Desglose/DetalleDesglose': [
          { ...base, ...one },
          { ...base, ...two },
        ],
      }
    }
    const regimes: Dimension<Changes> = {
      '01': {},
      '14': line({ ClaveRegimen: '14' }),
      '14 of the IPSI': line({ ClaveRegimen: '14', Impuesto: '02' }),
      '15': line({ ClaveRegimen: '15' }),
      '15 of the IPSI': line({ ClaveRegimen: '15', Impuesto: '02' }),
      '12': line({ ClaveRegimen: '12' }),
      '01 and 15': two({}, { ClaveRegimen: '15' }),
      '01 and 14': two({}, { ClaveRegimen: '14' }),
      '01 and 14 of the IPSI': two({}, { ClaveRegimen: '14', Impuesto: '02' }),
    }
    const body = { [`${RECIPIENT}/NIF`]: 'P1234567D' }
    const lines = table(
      product(regimes, product(clocks, byName(['27-10-2024', '15-01-2027', '16-01-2027']))),
      operations,
      ([regime, [clock, issue]], date) =>
        codesWith({ ...body, ...regime, [ISSUE]: issue, '/FechaOperacion': date }, clock),
    )
    await matchesTable(
      'issue-dates',
      table(clocks, issues, (clock, issue) => codesWith({ [ISSUE]: issue }, clock)),
    )
    await matchesTable('dates', lines)
  })

  it('by the classes of its two lines', async () => {
    const base = { Impuesto: '01', ClaveRegimen: '01', BaseImponibleOimporteNoSujeto: '50.00' }
    const taxed = { CalificacionOperacion: 'S1', TipoImpositivo: '21', CuotaRepercutida: '10.50' }
    const kinds: Dimension<Changes> = {
      S1: taxed,
      S2: { CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0' },
      N1: { CalificacionOperacion: 'N1' },
      E5: { OperacionExenta: 'E5' },
      'a margin': { ...taxed, ClaveRegimen: '03' },
      'a wrong rate': { ...taxed, TipoImpositivo: '22', CuotaRepercutida: '11.00' },
    }
    const lines = table(product(TYPES, kinds), kinds, ([type, one], other) =>
      codesWith({
        '/TipoFactura': type,
        '/Desglose/DetalleDesglose': [
          { ...base, ...one },
          { ...base, ...other },
        ],
      }),
    )
    await matchesTable('two-lines', lines)
  })

  it('by its timestamp and the clock', async () => {
    const timestamps = byName([
      ...['2027-01-15T09:55:59+01:00', '2027-01-15T09:56:00+01:00', '2027-01-15T10:00:00+01:00'],
      ...['2027-01-15T09:00:00Z', '2027-01-15T10:04:00+01:00', '2027-01-15T10:04:01+01:00'],
      ...['2027-01-15T10:00:00', '2027-01-15T10:00:00.1+01:00', '2027-01-15T10:00:00.123456789+01:00'],
      ...['2027-01-15T10:00:00.1234567890+01:00', '2027-02-30T10:00:00+01:00', '2027-01-15T10:00:0'],
      ...['2027-01-15', ''],
    ])
    const header = { ObligadoEmision: { NombreRazon: 'Calderas Ficticias, S.L.', NIF: 'B12345674' } }
    const now = '2027-01-15T10:00:00+01:00'
    const settings = {
      'no clock': {},
      clock: { now },
      incident: { now, header: { ...header, RemisionVoluntaria: { Incidencia: 'S' } } },
      'no incident': { now, header: { ...header, RemisionVoluntaria: { Incidencia: 'N' } } },
      request: { now, header: { ...header, RemisionRequerimiento: { RefRequerimiento: 'R1' } } },
    } as const
    await matchesTable(
      'timestamps',
      table(timestamps, settings, (timestamp, setting) => codesWith({ [TIMESTAMP]: timestamp }, setting)),
    )
  })

  it('by size, type and marks', async () => {
    const sizes: Dimension<Changes> = Object.fromEntries(
      [
        ['3009.99', '3009.99'],
        ['3010.00', '3010.00'],
        ['3010.01', '3010.01'],
        ['99999999.99', '99999999.99'],
        ['100000000.00', '100000000.00'],
        ['-99999999.99', '-99999999.99'],
        ['-100000000.00', '-100000000.00'],
        ['3010.01', '3010,01'],
      ].map(([base, total = '']) => [
        `${base} of ${total}`,
        {
          ...line({
            CalificacionOperacion: 'N1',
            TipoImpositivo: undefined,
            CuotaRepercutida: undefined,
            BaseImponibleOimporteNoSujeto: base,
          }),
          ...totals('0.00', total),
        },
      ]),
    )
    const marks: Dimension<Changes> = {
      none: {},
      large: { '/Macrodato': 'S' },
      'not large': { '/Macrodato': 'N' },
      'art. 6.1.d': { '/FacturaSinIdentifDestinatarioArt61d': 'S' },
      agreement: { '/NumRegistroAcuerdoFacturacion': 'A1' },
      'blank agreement': { '/NumRegistroAcuerdoFacturacion': ' ' },
    }
    const lines = table(product(byName(['F1', 'F2', 'F3']), sizes), marks, ([type, size], mark) =>
      codesWith({
        ...(type === 'F2' ? { '/Destinatarios': undefined } : {}),
        '/TipoFactura': type,
        ...size,
        ...mark,
      }),
    )
    await matchesTable('sizes', lines)
  })

  it('by correction record and previous rejection', async () => {
    const corrections = byName([undefined, 'S', 'N', 'X'])
    await matchesTable(
      'rejections',
      table(corrections, byName([undefined, 'S', 'N', 'X', 'Y']), (correction, rejection) =>
        codesWith({ '/Subsanacion': correction, '/RechazoPrevio': rejection }),
      ),
    )
  })

  it('by the system that generated it', async () => {
    const systems = byName(['', 'C', 'CU', 'cu', 'C-', 'CUA', '01'])
    await matchesTable(
      'systems',
      table(systems, { system: SYSTEM }, (IdSistemaInformatico, system) =>
        codesWith({ '/SistemaInformatico': { ...system, IdSistemaInformatico } }),
      ),
    )
  })
})
