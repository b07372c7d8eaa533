/**
 * The authority's checks about the meaning of a registration. Each row changes a valid record and names everything
 * that is reported then; its near miss is as close to it as can be, and nothing is reported of it.
 */
import { describe, expect, it } from 'vitest'
import { type CheckOptions, checkRecord } from '../../../src/verifactu/check.ts'
import { BREAKDOWN_CODES } from '../../../src/verifactu/rules/breakdown.ts'
import { CHAIN_CODES } from '../../../src/verifactu/rules/chain.ts'
import { DATE_CODES } from '../../../src/verifactu/rules/dates.ts'
import { INVOICE_CODES } from '../../../src/verifactu/rules/invoice.ts'
import { RATE_CODES } from '../../../src/verifactu/rules/rates.ts'
import { REGIME_CODES } from '../../../src/verifactu/rules/regimes.ts'
import { TOTAL_CODES } from '../../../src/verifactu/rules/totals.ts'
import type { FiscalRecord } from '../../../src/verifactu/types.ts'
import { alta, anulacion, evento, HEADER, PREVIOUS_HASH } from '../records.ts'

/** Values by JSON Pointer; undefined takes the member away. */
type Changes = Readonly<Record<string, unknown>>

function put(record: object, changes: Changes): void {
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.slice(1).split('/')
    const last = names.pop()!
    let block = record as Record<string, unknown>
    for (const name of names) {
      block[name] ??= {}
      block = block[name] as Record<string, unknown>
    }
    if (value === undefined) delete block[last]
    else block[last] = structuredClone(value)
  }
}

const GROUNDS = {
  alta: (changes: Changes, rehash: boolean): FiscalRecord => alta((record) => put(record, changes), rehash),
  anulacion: (changes: Changes, rehash: boolean): FiscalRecord =>
    anulacion((record) => put(record, changes), rehash),
  evento: (changes: Changes, rehash: boolean): FiscalRecord =>
    evento((record) => put(record, changes), rehash),
}

interface Setting {
  /** Kind of record that is changed; a registration if not said. */
  readonly of?: keyof typeof GROUNDS
  readonly options?: CheckOptions
  /** False leaves the hash as it was or as the row says. */
  readonly rehash?: boolean
}

interface Row extends Setting {
  readonly code: number
  readonly holds: string
  readonly wrong: Changes
  /** `code path` of everything that is reported, without the root element. */
  readonly items: readonly string[]
  readonly right: Changes
  /** What the near miss has besides. */
  readonly rightSetting?: Setting
}

const row = (
  code: number,
  holds: string,
  wrong: Changes,
  at: string | readonly string[],
  right: Changes,
  setting: Setting = {},
  rightSetting: Setting = {},
): Row => ({
  code,
  holds,
  wrong,
  items: (typeof at === 'string' ? [at] : at).map((item) =>
    item.startsWith('/') ? `${code} ${item}` : item,
  ),
  right,
  ...setting,
  rightSetting: { ...setting, ...rightSetting },
})

// ---- Grounds: changes that leave a registration valid ----

const LINE = '/Desglose/DetalleDesglose/0'
const line = (members: Changes): Changes =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${LINE}/${name}`, value]))

const totals = (tax: string, total: string): Changes => ({ '/CuotaTotal': tax, '/ImporteTotal': total })

const untaxed = (members: Changes): Changes => ({
  ...line({ TipoImpositivo: undefined, CuotaRepercutida: undefined, ...members }),
  ...totals('0.00', '100.00'),
})
const N = (kind: string, members: Changes = {}) => untaxed({ CalificacionOperacion: kind, ...members })
const E = (exemption: string, members: Changes = {}) =>
  untaxed({ CalificacionOperacion: undefined, OperacionExenta: exemption, ...members })
const S2 = (members: Changes = {}): Changes => ({
  ...line({ CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0', ...members }),
  ...totals('0.00', '100.00'),
})

/** A taxed line of 100.00 at a rate, with a surcharge if one is given, of a day if one is given. */
function rated(rate: number, date?: string, surcharge?: number, members: Changes = {}): Changes {
  const tax = rate + (surcharge ?? 0)
  return {
    ...(date === undefined ? {} : { '/FechaOperacion': date }),
    ...line({
      TipoImpositivo: String(rate),
      CuotaRepercutida: rate.toFixed(2),
      ...(surcharge === undefined
        ? {}
        : { TipoRecargoEquivalencia: String(surcharge), CuotaRecargoEquivalencia: surcharge.toFixed(2) }),
      ...members,
    }),
    ...totals(tax.toFixed(2), (100 + tax).toFixed(2)),
  }
}

const F2: Changes = { '/TipoFactura': 'F2', '/Destinatarios': undefined }
const R5: Changes = { ...F2, '/TipoFactura': 'R5', '/TipoRectificativa': 'I' }
const R1: Changes = { '/TipoFactura': 'R1', '/TipoRectificativa': 'I' }
const AMOUNTS = { BaseRectificada: '100.00', CuotaRectificada: '21.00' }
const R1S: Changes = { ...R1, '/TipoRectificativa': 'S', '/ImporteRectificacion': AMOUNTS }

const INVOICE = { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-0', FechaExpedicionFactura: '01-12-2026' }
const THIRD_PARTY = { NombreRazon: 'Gestoría Supuesta, S.L.', NIF: 'B77777779' }

const RECIPIENT = '/Destinatarios/IDDestinatario/0'
const foreign = (IDType: string): Changes => ({
  [`${RECIPIENT}/NIF`]: undefined,
  [`${RECIPIENT}/IDOtro`]:
    IDType === '02'
      ? { IDType, ID: 'FR40303265045' }
      : IDType === '07'
        ? { CodigoPais: 'ES', IDType, ID: '12345678Z' }
        : { CodigoPais: 'FR', IDType, ID: 'X12345' },
})

const LARGE: Changes = {
  ...line({ BaseImponibleOimporteNoSujeto: '100000000.00', CuotaRepercutida: '21000000.00' }),
  ...totals('21000000.00', '121000000.00'),
}

const of2 = (base: string, tax: string, total: string): Changes => ({
  ...F2,
  ...line({ BaseImponibleOimporteNoSujeto: base, CuotaRepercutida: tax }),
  ...totals(tax, total),
})

/** Certified works for a town. */
const WORKS: Changes = {
  ...line({ ClaveRegimen: '14' }),
  '/FechaOperacion': '15-02-2027',
  [`${RECIPIENT}/NIF`]: 'P1234567D',
}

const NOW = { options: { now: '2027-01-15T10:00:00+01:00' } }
const ISSUE = '/IDFactura/FechaExpedicionFactura'
const MOMENT = '/FechaHoraHusoGenRegistro'
const PREVIOUS = '/Encadenamiento/RegistroAnterior'
const HASH_A = 'A'.repeat(64)

const INVOICE_ROWS: readonly Row[] = [
  row(1106, 'an invoice type is one of the list', { '/TipoFactura': 'F4' }, '/TipoFactura', F2),
  row(
    1106,
    'what goes with an unknown type is not judged',
    { ...R1S, '/TipoFactura': 'R9', '/Cupon': 'S' },
    '/TipoFactura',
    { ...R1S, '/Cupon': 'S' },
  ),
  row(1265, 'an invoice type has two characters', { '/TipoFactura': 'F' }, '/TipoFactura', {
    '/TipoFactura': 'F1',
  }),
  row(1265, 'a longer type is told from an unknown one', { '/TipoFactura': 'F1 ' }, '/TipoFactura', {}),
  row(1107, 'a correction is S or I', { ...R1, '/TipoRectificativa': 'D' }, '/TipoRectificativa', R1),
  row(1114, 'a corrective type says how it corrects', { '/TipoFactura': 'R1' }, '/TipoRectificativa', R1),
  row(
    1114,
    'a correction without its kind is not also told that its amounts are too much',
    { '/TipoFactura': 'R1', '/ImporteRectificacion': AMOUNTS },
    '/TipoRectificativa',
    R1S,
  ),
  row(1115, 'other types say nothing of correcting', { '/TipoRectificativa': 'I' }, '/TipoRectificativa', R1),
  row(
    1116,
    'only F3 replaces invoices',
    { '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
    '/FacturasSustituidas',
    { '/TipoFactura': 'F3', '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
  ),
  row(
    1117,
    'only corrective types name what they correct',
    { '/FacturasRectificadas': { IDFacturaRectificada: [INVOICE] } },
    '/FacturasRectificadas',
    { ...R1, '/FacturasRectificadas': { IDFacturaRectificada: [INVOICE] } },
  ),
  row(
    1118,
    'a substitution states the amounts that it replaces',
    { ...R1S, '/ImporteRectificacion': undefined },
    '/ImporteRectificacion',
    R1S,
  ),
  row(
    1119,
    'differences replace no amounts',
    { ...R1, '/ImporteRectificacion': AMOUNTS },
    '/ImporteRectificacion',
    R1S,
  ),
  row(
    1119,
    'an invoice that corrects nothing replaces no amounts',
    { '/ImporteRectificacion': AMOUNTS },
    '/ImporteRectificacion',
    R1S,
  ),
  row(
    1136,
    'the mark of art. 7.2 and 7.3 is S or N',
    { '/FacturaSimplificadaArt7273': 'X' },
    '/FacturaSimplificadaArt7273',
    { '/FacturaSimplificadaArt7273': 'S' },
  ),
  row(1137, 'the mark of size is S or N', { '/Macrodato': '1' }, '/Macrodato', { '/Macrodato': 'N' }),
  row(
    1184,
    'the mark of art. 6.1.d is S or N',
    { ...F2, '/FacturaSinIdentifDestinatarioArt61d': 's' },
    '/FacturaSinIdentifDestinatarioArt61d',
    { ...F2, '/FacturaSinIdentifDestinatarioArt61d': 'S' },
  ),
  row(1138, 'a small total is not marked', { '/Macrodato': 'S' }, '/Macrodato', {
    ...LARGE,
    '/Macrodato': 'S',
  }),
  row(1139, 'a large total is marked', LARGE, '/Macrodato', {
    ...line({ BaseImponibleOimporteNoSujeto: '82644628.09', CuotaRepercutida: '17355371.90' }),
    ...totals('17355371.90', '99999999.99'),
  }),
  row(
    1139,
    'a large negative total is marked',
    {
      ...R1,
      ...line({ BaseImponibleOimporteNoSujeto: '-100000000.00', CuotaRepercutida: '-21000000.00' }),
      ...totals('-21000000.00', '-121000000.00'),
      '/Macrodato': 'N',
    },
    '/Macrodato',
    { ...LARGE, '/Macrodato': 'S' },
  ),
  row(
    1150,
    'a simplified invoice reaches 3,000 and the margin of 10',
    of2('2487.61', '522.40', '3010.01'),
    '/Desglose',
    of2('2487.60', '522.40', '3010.00'),
  ),
  row(1150, 'an agreement lifts the limit', of2('10000.00', '2100.00', '12100.00'), '/Desglose', {
    ...of2('10000.00', '2100.00', '12100.00'),
    '/NumRegistroAcuerdoFacturacion': 'ACUERDO1',
  }),
  row(1150, 'the mark of art. 6.1.d lifts the limit', of2('10000.00', '2100.00', '12100.00'), '/Desglose', {
    ...of2('10000.00', '2100.00', '12100.00'),
    '/FacturaSinIdentifDestinatarioArt61d': 'S',
  }),
  row(
    1151,
    'who else issues is T or D',
    { '/EmitidaPorTerceroODestinatario': 'E' },
    '/EmitidaPorTerceroODestinatario',
    { '/EmitidaPorTerceroODestinatario': 'D' },
  ),
  row(1153, 'X corrects a record', { '/RechazoPrevio': 'X' }, '/RechazoPrevio', {
    '/RechazoPrevio': 'X',
    '/Subsanacion': 'S',
  }),
  row(
    1161,
    'a rejection before corrects a record',
    { '/RechazoPrevio': 'S', '/Subsanacion': 'N' },
    '/RechazoPrevio',
    { '/RechazoPrevio': 'S', '/Subsanacion': 'S' },
  ),
  row(1161, 'a first record says N of rejections', { '/RechazoPrevio': 'S' }, '/RechazoPrevio', {
    '/RechazoPrevio': 'N',
  }),
  row(1171, 'a correction record is S or N', { '/Subsanacion': 'X' }, '/Subsanacion', {
    '/Subsanacion': 'S',
  }),
  row(
    1171,
    'a correction that cannot be read is not held against the rejection',
    { '/Subsanacion': 'si', '/RechazoPrevio': 'S' },
    '/Subsanacion',
    { '/Subsanacion': 'S', '/RechazoPrevio': 'S' },
  ),
  row(1275, 'a rejection before is N, S or X', { '/RechazoPrevio': 'Y' }, '/RechazoPrevio', {
    '/RechazoPrevio': 'N',
  }),
  row(
    1275,
    'a cancellation knows no X',
    { '/RechazoPrevio': 'X' },
    '/RechazoPrevio',
    { '/RechazoPrevio': 'S' },
    { of: 'anulacion' },
  ),
  row(1155, 'a third party issues only if the record says so', { '/Tercero': THIRD_PARTY }, '/Tercero', {
    '/Tercero': THIRD_PARTY,
    '/EmitidaPorTerceroODestinatario': 'T',
  }),
  row(
    1158,
    'a recipient that issues is named',
    { ...F2, '/EmitidaPorTerceroODestinatario': 'D' },
    '/EmitidaPorTerceroODestinatario',
    { '/EmitidaPorTerceroODestinatario': 'D' },
  ),
  row(
    1159,
    'no third party is named where the recipient issues',
    { '/Tercero': THIRD_PARTY, '/EmitidaPorTerceroODestinatario': 'D' },
    '/Tercero',
    { '/Tercero': THIRD_PARTY, '/EmitidaPorTerceroODestinatario': 'T' },
  ),
  row(1186, 'a third party that issues is named', { '/EmitidaPorTerceroODestinatario': 'T' }, '/Tercero', {
    '/EmitidaPorTerceroODestinatario': 'T',
    '/Tercero': THIRD_PARTY,
  }),
  row(1157, 'a coupon is S or N', { ...R1, '/Cupon': 'X' }, '/Cupon', { ...R1, '/Cupon': 'S' }),
  row(1157, 'a coupon belongs to R1 and R5', { ...R1, '/TipoFactura': 'R4', '/Cupon': 'S' }, '/Cupon', {
    ...R5,
    '/Cupon': 'S',
  }),
  row(
    1183,
    'a simplified invoice with recipient is no F2',
    { '/TipoFactura': 'F2', '/FacturaSimplificadaArt7273': 'S' },
    '/FacturaSimplificadaArt7273',
    { '/TipoFactura': 'F1', '/FacturaSimplificadaArt7273': 'S' },
  ),
  row(
    1185,
    'an F1 identifies its recipient',
    { '/Destinatarios': undefined, '/FacturaSinIdentifDestinatarioArt61d': 'S' },
    '/FacturaSinIdentifDestinatarioArt61d',
    { ...F2, '/FacturaSinIdentifDestinatarioArt61d': 'S' },
  ),
  row(1189, 'an F1 names its recipient', { '/Destinatarios': undefined }, '/Destinatarios', F2),
  row(
    1189,
    'a missing recipient that issues is one mistake',
    { '/Destinatarios': undefined, '/EmitidaPorTerceroODestinatario': 'D' },
    '/Destinatarios',
    { '/EmitidaPorTerceroODestinatario': 'D' },
  ),
  row(1190, 'an F2 names no recipient', { '/TipoFactura': 'F2' }, '/Destinatarios', F2),
  row(
    1190,
    'an R5 names no recipient',
    { '/TipoFactura': 'R5', '/TipoRectificativa': 'I' },
    '/Destinatarios',
    R5,
  ),
  row(
    1191,
    'the debtor of an R3 has a NIF or is not in the census',
    { ...R1, '/TipoFactura': 'R3', ...foreign('02') },
    `${RECIPIENT}/IDOtro/IDType`,
    { ...R1, '/TipoFactura': 'R3', ...foreign('07') },
  ),
  row(
    1192,
    'the debtor of an R2 may have a VAT number of another state',
    { ...R1, '/TipoFactura': 'R2', ...foreign('04') },
    `${RECIPIENT}/IDOtro/IDType`,
    { ...R1, '/TipoFactura': 'R2', ...foreign('02') },
  ),
  row(1197, 'a reverse charge needs a recipient', { ...F2, ...S2() }, '/TipoFactura', S2()),
  row(1253, 'a reference fits its field', { '/RefExterna': 'x'.repeat(61) }, '/RefExterna', {
    '/RefExterna': 'x'.repeat(60),
  }),
]

const DATE_ROWS: readonly Row[] = [
  row(1105, 'an issue date is a day of the calendar', { [ISSUE]: '31-02-2027' }, ISSUE, {
    [ISSUE]: '28-02-2027',
  }),
  row(1105, 'an issue date has its form', { [ISSUE]: '2027-01-15' }, ISSUE, { [ISSUE]: '15-01-2027' }),
  row(
    1105,
    'a cancelled invoice has an issue date',
    { [`${ISSUE}Anulada`]: '30-02-2027' },
    `${ISSUE}Anulada`,
    { [`${ISSUE}Anulada`]: '28-02-2027' },
    { of: 'anulacion' },
  ),
  row(1112, 'an invoice is not issued tomorrow', { [ISSUE]: '16-01-2027' }, ISSUE, {}, NOW),
  row(
    1112,
    'today is the day where the record was made',
    { [ISSUE]: '16-01-2027', [MOMENT]: '2027-01-15T23:30:00+00:00' },
    ISSUE,
    { [ISSUE]: '16-01-2027', [MOMENT]: '2027-01-16T00:30:00+01:00' },
    { options: { now: '2027-01-15T23:30:00Z' } },
  ),
  row(1133, 'an invoice is not twenty years old', { [ISSUE]: '14-01-2007' }, ISSUE, {
    [ISSUE]: '15-01-2027',
  }),
  row(1152, 'records begin on 28 October 2024', { [ISSUE]: '27-10-2024' }, ISSUE, { [ISSUE]: '28-10-2024' }),
  row(
    1134,
    'an operation is at most twenty years old',
    { '/FechaOperacion': '14-01-2007', ...line({ TipoImpositivo: '21' }) },
    '/FechaOperacion',
    { '/FechaOperacion': '15-01-2007' },
  ),
  row(
    1134,
    'twenty years are counted from the clock where there is one',
    { '/FechaOperacion': '15-01-2007', [MOMENT]: '2027-01-16T10:00:00+01:00' },
    '/FechaOperacion',
    { '/FechaOperacion': '16-01-2007', [MOMENT]: '2027-01-16T10:00:00+01:00' },
    { options: { now: '2027-01-16T10:00:00+01:00' } },
  ),
  row(
    1125,
    'an operation ends with next year',
    { '/FechaOperacion': '01-01-2029', ...line({ ClaveRegimen: '15' }) },
    '/FechaOperacion',
    { '/FechaOperacion': '31-12-2028', ...line({ ClaveRegimen: '15' }) },
    NOW,
  ),
  row(
    1173,
    'an operation of tomorrow needs regime 14 or 15',
    { '/FechaOperacion': '16-01-2027' },
    '/FechaOperacion',
    { '/FechaOperacion': '16-01-2027', ...line({ ClaveRegimen: '15' }) },
    NOW,
  ),
  row(1146, 'an invoice is not issued before its operation', { '/FechaOperacion': '16-01-2027' }, ISSUE, {
    '/FechaOperacion': '15-01-2027',
  }),
  row(
    1146,
    'the order of issue and operation is checked of IVA and IGIC',
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
    'works are due after the invoice',
    { ...WORKS, '/FechaOperacion': '15-01-2027' },
    '/FechaOperacion',
    { ...WORKS, '/FechaOperacion': '16-01-2027' },
  ),
  row(
    1145,
    'an operation is on a day of the calendar',
    { '/FechaOperacion': '31-11-2026' },
    '/FechaOperacion',
    {
      '/FechaOperacion': '30-11-2026',
    },
  ),
  row(1145, 'an operation date has its form', { '/FechaOperacion': '1-11-2026' }, '/FechaOperacion', {
    '/FechaOperacion': '01-11-2026',
  }),
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
      '/FacturasSustituidas': {
        IDFacturaSustituida: [{ ...INVOICE, FechaExpedicionFactura: '00-04-2026' }],
      },
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
  ).map(([what, moment]) =>
    row(1244, `a moment has not ${what}`, { [MOMENT]: moment }, MOMENT, { [MOMENT]: '2027-01-15T09:00:00Z' }),
  ),
  row(
    1244,
    'a cancellation has a moment',
    { [MOMENT]: '2027-01-15T10:00:00' },
    MOMENT,
    { [MOMENT]: '2027-01-15T10:00:00-05:00' },
    { of: 'anulacion' },
  ),
  row(
    1244,
    'an event has a moment',
    { '/Evento/FechaHoraHusoGenEvento': '2027-01-15T10:00:00.5+01:00' },
    '/Evento/FechaHoraHusoGenEvento',
    { '/Evento/FechaHoraHusoGenEvento': '2027-01-15T10:00:00+01:00' },
    { of: 'evento' },
  ),
  row(1268, 'a moment is not a day alone', { [MOMENT]: '2027-01-15' }, MOMENT, {}),
  row(
    1268,
    'a moment has no endless fraction',
    { [MOMENT]: `2027-01-15T10:00:00.${'1'.repeat(40)}Z` },
    MOMENT,
    {},
  ),
  row(
    2004,
    'a record is made at most 240 seconds before it is sent',
    { [MOMENT]: '2027-01-15T09:55:59+01:00' },
    MOMENT,
    { [MOMENT]: '2027-01-15T09:56:00+01:00' },
    NOW,
  ),
  row(
    2004,
    'a record is not made after it is sent, incident or not',
    { [MOMENT]: '2027-01-15T10:04:01+01:00' },
    MOMENT,
    { [MOMENT]: '2027-01-15T10:04:00+01:00' },
    { options: { ...NOW.options, header: { ...HEADER, RemisionVoluntaria: { Incidencia: 'S' } } } },
  ),
  row(
    2004,
    'a cancellation may be late after an incident',
    { [MOMENT]: '2027-01-15T09:00:00+01:00' },
    MOMENT,
    { [MOMENT]: '2027-01-15T09:00:00+01:00' },
    { of: 'anulacion', ...NOW },
    { options: { ...NOW.options, header: { ...HEADER, RemisionVoluntaria: { Incidencia: 'S' } } } },
  ),
]

const IPSI = { Impuesto: '02' }

const BREAKDOWN_ROWS: readonly Row[] = [
  row(
    1195,
    'a line says how its operation is taxed',
    line({ CalificacionOperacion: undefined }),
    LINE,
    line({ CalificacionOperacion: 'S1' }),
  ),
  row(
    1196,
    'a line says one thing of its operation',
    line({ OperacionExenta: 'E1' }),
    `${LINE}/OperacionExenta`,
    E('E1'),
  ),
  row(
    1181,
    'a qualification is one of the list',
    line({ CalificacionOperacion: 'S3' }),
    `${LINE}/CalificacionOperacion`,
    S2(),
  ),
  row(1182, 'an exemption is one of the list', E('E9'), `${LINE}/OperacionExenta`, E('E6')),
  row(
    1182,
    'E7 is an exemption of the IGIC',
    E('E7'),
    `${LINE}/OperacionExenta`,
    E('E7', { Impuesto: '03' }),
  ),
  row(
    1218,
    'a tax is one of the list',
    line({ Impuesto: '04' }),
    `${LINE}/Impuesto`,
    line({ Impuesto: undefined }),
  ),
  row(
    1198,
    'a reverse charge states a rate of 0',
    S2({ TipoImpositivo: '21' }),
    `${LINE}/TipoImpositivo`,
    S2({ TipoImpositivo: '0.00' }),
  ),
  row(
    1198,
    'a reverse charge states a tax of 0',
    S2({ CuotaRepercutida: undefined }),
    `${LINE}/CuotaRepercutida`,
    S2({ CuotaRepercutida: '0.00' }),
  ),
  row(
    1198,
    'a reverse charge that is charged after all is one mistake',
    line({ CalificacionOperacion: 'S2' }),
    `${LINE}/TipoImpositivo`,
    S2(),
  ),
  row(
    1207,
    'outside of IVA nothing is charged on what is not subject',
    N('N1', { Impuesto: '03', CuotaRepercutida: '7.00' }),
    `${LINE}/CuotaRepercutida`,
    N('N1', { Impuesto: '03', CuotaRepercutida: '0' }),
  ),
  row(
    1208,
    'a taxed line states its tax',
    line({ CuotaRepercutida: undefined }),
    `${LINE}/CuotaRepercutida`,
    line({ CuotaRepercutida: '21.00' }),
  ),
  row(
    1208,
    'a taxed line states its rate',
    line({ TipoImpositivo: undefined }),
    `${LINE}/TipoImpositivo`,
    line({ ...IPSI, TipoImpositivo: undefined, BaseImponibleACoste: '100.00' }),
  ),
  row(
    1209,
    'a taxed line of a group states its rate',
    line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00', TipoImpositivo: undefined }),
    `${LINE}/TipoImpositivo`,
    line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00' }),
  ),
  row(
    1237,
    'what is not subject to IVA has no rate',
    N('N2', { TipoImpositivo: '0' }),
    `${LINE}/TipoImpositivo`,
    N('N2'),
  ),
  row(
    1237,
    'what is not subject to IVA has no surcharge',
    N('N1', { TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5.20' }),
    `${LINE}/TipoRecargoEquivalencia`,
    N('N1', { Impuesto: undefined }),
  ),
  row(
    1238,
    'what is exempt has no tax',
    E('E1', { CuotaRepercutida: '0.00', Impuesto: '03' }),
    `${LINE}/CuotaRepercutida`,
    E('E1', { Impuesto: '03' }),
  ),
  row(
    1140,
    'the tax has the sign of the base at cost',
    {
      ...line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00', CuotaRepercutida: '-21.00' }),
      ...totals('-21.00', '79.00'),
    },
    `${LINE}/CuotaRepercutida`,
    line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00', BaseImponibleOimporteNoSujeto: '-90.00' }),
  ),
  row(
    1143,
    'the tax has the sign of the base',
    line({ CuotaRepercutida: '-0.01', BaseImponibleOimporteNoSujeto: '0.10' }),
    `${LINE}/CuotaRepercutida`,
    {
      ...line({ CuotaRepercutida: '0.01', BaseImponibleOimporteNoSujeto: '0.10' }),
      ...totals('0.01', '0.11'),
    },
  ),
  row(
    1143,
    'differences may have either sign',
    { ...R1S, ...line({ CuotaRepercutida: '-21.00' }), ...totals('-21.00', '79.00') },
    `${LINE}/CuotaRepercutida`,
    { ...R1, ...line({ CuotaRepercutida: '-21.00' }), ...totals('-21.00', '79.00') },
  ),
  row(
    1142,
    'the tax is base by rate, 10.00 more or less',
    { ...line({ CuotaRepercutida: '31.01' }), ...totals('31.01', '131.01') },
    `${LINE}/CuotaRepercutida`,
    { ...line({ CuotaRepercutida: '31.00' }), ...totals('31.00', '131.00') },
  ),
  row(
    1142,
    'a bad debt need not multiply out',
    { ...R1S, '/TipoFactura': 'R4', ...line({ CuotaRepercutida: '210.00' }), ...totals('210.00', '310.00') },
    `${LINE}/CuotaRepercutida`,
    { ...R1S, '/TipoFactura': 'R3', ...line({ CuotaRepercutida: '210.00' }), ...totals('210.00', '310.00') },
  ),
  row(
    1142,
    'a line that is wrong does not make the totals wrong',
    line({ CuotaRepercutida: '210.00' }),
    `${LINE}/CuotaRepercutida`,
    {},
  ),
  row(
    1142,
    'the largest amounts are multiplied exactly',
    {
      ...line({ BaseImponibleOimporteNoSujeto: '799999999999.99', CuotaRepercutida: '167999999989.99' }),
      ...totals('167999999989.99', '967999999989.98'),
      '/Macrodato': 'S',
    },
    `${LINE}/CuotaRepercutida`,
    {
      ...line({ BaseImponibleOimporteNoSujeto: '799999999999.99', CuotaRepercutida: '167999999990.00' }),
      ...totals('167999999990.00', '967999999989.99'),
      '/Macrodato': 'S',
    },
  ),
  row(
    1144,
    'the tax is cost by rate',
    {
      ...line({ ...IPSI, TipoImpositivo: '4', BaseImponibleACoste: '50.00', CuotaRepercutida: '12.01' }),
      ...totals('12.01', '112.01'),
    },
    `${LINE}/CuotaRepercutida`,
    {
      ...line({ ...IPSI, TipoImpositivo: '4', BaseImponibleACoste: '50.00', CuotaRepercutida: '12.00' }),
      ...totals('12.00', '112.00'),
    },
  ),
  row(
    1257,
    'a base at cost belongs to groups and other taxes',
    line({ BaseImponibleACoste: '100.00' }),
    `${LINE}/BaseImponibleACoste`,
    line({ ...IPSI, BaseImponibleACoste: '100.00' }),
  ),
  row(
    1281,
    'a reverse charge has no surcharge',
    S2({ TipoRecargoEquivalencia: '0', CuotaRecargoEquivalencia: '0' }),
    `${LINE}/TipoRecargoEquivalencia`,
    S2(),
  ),
  row(
    1281,
    'outside of IVA what is not subject has no surcharge',
    N('N1', { Impuesto: '03', CuotaRecargoEquivalencia: '0' }),
    `${LINE}/CuotaRecargoEquivalencia`,
    N('N1', { Impuesto: '03', TipoImpositivo: '7' }),
  ),
  row(
    1284,
    'a surcharge has an amount',
    line({ TipoRecargoEquivalencia: '5.2' }),
    `${LINE}/CuotaRecargoEquivalencia`,
    rated(21, undefined, 5.2),
  ),
  row(
    1284,
    'a surcharge has a rate',
    { ...line({ CuotaRecargoEquivalencia: '5.20' }), ...totals('26.20', '126.20') },
    `${LINE}/TipoRecargoEquivalencia`,
    rated(21, undefined, 1.75),
  ),
]

const RATE = `${LINE}/TipoImpositivo`
const SURCHARGE = `${LINE}/TipoRecargoEquivalencia`

const RATE_ROWS: readonly Row[] = [
  row(1124, 'a rate is one of IVA', rated(22), RATE, rated(4)),
  row(
    1124,
    'the IGIC has rates of its own',
    rated(7.25),
    RATE,
    rated(7.25, undefined, undefined, { Impuesto: '03' }),
  ),
  row(
    1124,
    'a wrong rate is not also multiplied',
    line({ TipoImpositivo: '9' }),
    RATE,
    line({ TipoImpositivo: '21.' }),
  ),
  row(1132, 'old rates end in 2012', rated(18, '01-01-2013'), RATE, rated(18, '31-12-2012')),
  row(
    1132,
    'an old rate takes its surcharge with it',
    rated(8, undefined, 1),
    RATE,
    rated(8, '15-01-2010', 1),
  ),
  row(1194, '5 % begins in July 2022', rated(5, '30-06-2022'), RATE, rated(5, '01-07-2022')),
  row(1194, '5 % ends in September 2024', rated(5, '01-10-2024', 0.62), RATE, rated(5, '30-09-2024', 0.62)),
  row(1235, '2 % ends in 2024', rated(2, '01-01-2025', 0.26), RATE, rated(2, '31-12-2024', 0.26)),
  row(1236, '7.5 % begins in October 2024', rated(7.5, '30-09-2024'), RATE, rated(7.5, '01-10-2024')),
  row(
    1206,
    'premises are let at 21 %',
    rated(10, undefined, undefined, { ClaveRegimen: '11' }),
    RATE,
    rated(21, undefined, undefined, { ClaveRegimen: '11' }),
  ),
  row(
    1127,
    'a surcharge is one of the list',
    rated(18, '15-01-2010', 3),
    SURCHARGE,
    rated(18, '15-01-2010', 4),
  ),
  row(
    1127,
    'a rate and a surcharge that do not exist are two mistakes',
    rated(22, undefined, 3),
    [`1124 ${RATE}`, SURCHARGE],
    rated(21, undefined, 5.2),
  ),
  row(
    1135,
    'the surcharge of 4 % ends in 2012',
    rated(21, '01-01-2013', 4),
    SURCHARGE,
    rated(16, '31-12-2012', 4),
  ),
  row(1162, '21 % goes with 5.2 and 1.75', rated(21, undefined, 1.4), SURCHARGE, rated(21, undefined, 1.75)),
  row(1163, '10 % goes with 1.4', rated(10, undefined, 0.5), SURCHARGE, rated(10, undefined, 1.4)),
  row(1164, '4 % goes with 0.5', rated(4, undefined, 0.62), SURCHARGE, rated(4, undefined, 0.5)),
  row(
    1160,
    '5 % goes with 0.5 and 0.62',
    rated(5, '15-08-2022', 1.4),
    SURCHARGE,
    rated(5, '15-08-2022', 0.5),
  ),
  row(1167, '5 % went with 0.5 in 2022', rated(5, '01-01-2023', 0.5), SURCHARGE, rated(5, '31-12-2022', 0.5)),
  row(
    1168,
    '5 % went with 0.62 from 2023 on',
    rated(5, '31-12-2022', 0.62),
    SURCHARGE,
    rated(5, '01-01-2023', 0.62),
  ),
  row(1169, '7.5 % went with 1', rated(7.5, '01-11-2024', 0.5), SURCHARGE, rated(7.5, '01-11-2024', 1)),
  row(1166, '2 % went with 0.26', rated(2, '01-11-2024', 0.5), SURCHARGE, rated(2, '01-11-2024', 0.26)),
  row(1165, '0 % went with 0', rated(0, '30-09-2024', 0.26), SURCHARGE, rated(0, '30-09-2024', 0)),
  row(
    1170,
    '0 % goes with 0.26 from October 2024 on',
    rated(0, '01-10-2024', 0),
    SURCHARGE,
    rated(0, '01-10-2024', 0.26),
  ),
  row(
    1277,
    '0 % went with nothing before 2023',
    rated(0, '31-12-2022', 0),
    SURCHARGE,
    rated(0, '01-01-2023', 0),
  ),
]

const KEY = `${LINE}/ClaveRegimen`
const QUALIFICATION = `${LINE}/CalificacionOperacion`
const EXEMPTION = `${LINE}/OperacionExenta`
const key = (ClaveRegimen: string): Changes => ({ ClaveRegimen })

const REGIME_ROWS: readonly Row[] = [
  row(1199, 'the general regime has no exports', E('E2'), EXEMPTION, E('E2', key('02'))),
  row(
    1199,
    'the IGIC has no exports there either',
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
  row(1203, 'cash accounting has no reverse charge', S2(key('07')), QUALIFICATION, line(key('07'))),
  row(1203, 'cash accounting has no intra-EU supply', E('E4', key('07')), EXEMPTION, E('E6', key('07'))),
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
    'what goes with an unknown regime is not judged',
    {
      ...line({ ...key('16'), BaseImponibleACoste: '90.00' }),
      '/FechaOperacion': '16-01-2027',
      '/ImporteTotal': '500.00',
    },
    KEY,
    { ...line(key('15')), '/FechaOperacion': '16-01-2027' },
  ),
  row(1252, 'what another territory taxes is N2', N('N1', key('08')), QUALIFICATION, N('N2', key('08'))),
  row(
    1260,
    'other taxes have no regimes',
    line({ Impuesto: '05' }),
    KEY,
    line({ Impuesto: '05', ClaveRegimen: undefined }),
  ),
  row(1289, 'the customer of an intra-EU supply has no NIF', E('E5'), `${RECIPIENT}/NIF`, {
    ...E('E5'),
    ...foreign('02'),
  }),
  row(
    1293,
    'what the IPSI taxes is N2 for the IGIC',
    line({ ...key('20'), Impuesto: '03' }),
    QUALIFICATION,
    N('N2', { ...key('20'), Impuesto: '03' }),
  ),
  row(
    1148,
    'works are no simplified invoice',
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
    'the IPSI has few regimes',
    N('N2', { ...IPSI, ...key('02') }),
    KEY,
    N('N2', { ...IPSI, ...key('08') }),
  ),
]

const TOTAL_ROWS: readonly Row[] = [
  row(1266, 'a total of taxes is an amount', { '/CuotaTotal': '21,00' }, '/CuotaTotal', {
    '/CuotaTotal': '21.0',
  }),
  row(1267, 'a total has twelve digits', { '/ImporteTotal': '1000000000121.00' }, '/ImporteTotal', {
    '/ImporteTotal': '121.0',
  }),
  row(1267, 'a total has no zeros in front', { '/ImporteTotal': '0121.00' }, '/ImporteTotal', {
    '/ImporteTotal': '121.00',
  }),
  row(
    2005,
    'the total is the sum, 10.00 more or less',
    totals('21.00', '131.01'),
    '/ImporteTotal',
    totals('21.00', '131.00'),
  ),
  row(2005, 'a margin need not add up', totals('21.00', '5000.00'), '/ImporteTotal', {
    ...totals('21.00', '5000.00'),
    ...line({ ClaveRegimen: '03' }),
  }),
  row(
    2006,
    'the taxes are the sum, 10.00 more or less',
    totals('31.01', '121.00'),
    '/CuotaTotal',
    totals('31.00', '121.00'),
  ),
  row(
    2006,
    'surcharges count',
    {
      ...rated(21, undefined, 5.2),
      ...line({
        BaseImponibleOimporteNoSujeto: '1000.00',
        CuotaRepercutida: '210.00',
        CuotaRecargoEquivalencia: '52.00',
      }),
      ...totals('210.00', '1262.00'),
    },
    '/CuotaTotal',
    {
      ...rated(21, undefined, 5.2),
      ...line({
        BaseImponibleOimporteNoSujeto: '1000.00',
        CuotaRepercutida: '210.00',
        CuotaRecargoEquivalencia: '52.00',
      }),
      ...totals('262.00', '1262.00'),
    },
  ),
  row(
    2005,
    'a line that is left out makes both totals wrong',
    totals('210.00', '1210.00'),
    ['2005 /ImporteTotal', '2006 /CuotaTotal'],
    {},
  ),
]

const FIRST: Changes = { '/Encadenamiento': { PrimerRegistro: 'S' } }
const EVENT_LINK = {
  EventoAnterior: {
    TipoEvento: '10',
    FechaHoraHusoGenEvento: '2027-01-15T08:00:00+01:00',
    HuellaEvento: PREVIOUS_HASH,
  },
}
const EVENT = '/Evento/Encadenamiento'
const KEEP: Setting = { rehash: false }

const CHAIN_ROWS: readonly Row[] = [
  row(
    1174,
    'the previous record has an issue date',
    { [`${PREVIOUS}/FechaExpedicionFactura`]: '31-02-2027' },
    `${PREVIOUS}/FechaExpedicionFactura`,
    { [`${PREVIOUS}/FechaExpedicionFactura`]: '01-01-2020' },
  ),
  row(
    1174,
    'the previous record’s date has its form',
    { [`${PREVIOUS}/FechaExpedicionFactura`]: '14/01/2027' },
    `${PREVIOUS}/FechaExpedicionFactura`,
    {},
    { of: 'anulacion' },
  ),
  row(
    1175,
    'the previous record has a number',
    { [`${PREVIOUS}/NumSerieFactura`]: ' ' },
    `${PREVIOUS}/NumSerieFactura`,
    { [`${PREVIOUS}/NumSerieFactura`]: '1' },
  ),
  row(
    1175,
    'the previous record’s number fits its field',
    { [`${PREVIOUS}/NumSerieFactura`]: '1'.repeat(61) },
    `${PREVIOUS}/NumSerieFactura`,
    { [`${PREVIOUS}/NumSerieFactura`]: '1'.repeat(60) },
    { of: 'anulacion' },
  ),
  row(1180, 'a record has a link', { '/Encadenamiento': {} }, '/Encadenamiento', FIRST, KEEP, {
    rehash: true,
  }),
  row(
    1180,
    'a record has one link',
    { '/Encadenamiento/PrimerRegistro': 'S' },
    PREVIOUS,
    {},
    { of: 'anulacion' },
  ),
  row(
    1180,
    'an event has one link',
    { [`${EVENT}/EventoAnterior`]: EVENT_LINK.EventoAnterior },
    `${EVENT}/EventoAnterior`,
    { [EVENT]: EVENT_LINK },
    { of: 'evento' },
  ),
  row(
    1269,
    'the link names the previous record’s issuer',
    { [`${PREVIOUS}/IDEmisorFactura`]: undefined },
    `${PREVIOUS}/IDEmisorFactura`,
    {},
  ),
  row(
    1269,
    'the link holds a hash',
    { [`${PREVIOUS}/Huella`]: undefined },
    `${PREVIOUS}/Huella`,
    {},
    { of: 'anulacion' },
  ),
  row(
    1269,
    'a hash that the schema refuses is no hash',
    { [`${PREVIOUS}/Huella`]: 'A'.repeat(65) },
    `${PREVIOUS}/Huella`,
    {},
  ),
  row(
    1264,
    'the mark of the first record is one character',
    { '/Encadenamiento': { PrimerRegistro: 'SI' } },
    '/Encadenamiento/PrimerRegistro',
    FIRST,
  ),
  row(
    1274,
    'the mark of the first record is S',
    { '/Encadenamiento': { PrimerRegistro: 'N' } },
    '/Encadenamiento/PrimerRegistro',
    FIRST,
    { of: 'anulacion' },
  ),
  row(
    1274,
    'the mark of the first event is S',
    { [`${EVENT}/PrimerEvento`]: 'N' },
    `${EVENT}/PrimerEvento`,
    { [`${EVENT}/PrimerEvento`]: 'S' },
    { of: 'evento' },
  ),
  row(1263, 'a kind of hash has two characters', { '/TipoHuella': '1' }, '/TipoHuella', {
    '/TipoHuella': '01',
  }),
  row(1247, 'a kind of hash is 01', { '/TipoHuella': 'H1' }, '/TipoHuella', {}),
  row(
    1247,
    'an event’s kind of hash is 01',
    { '/Evento/TipoHuella': '02' },
    '/Evento/TipoHuella',
    {},
    { of: 'evento' },
  ),
  row(
    2007,
    'a chain has one first record',
    FIRST,
    '/Encadenamiento/PrimerRegistro',
    FIRST,
    { options: { chainStarted: true } },
    { options: { chainStarted: false } },
  ),
  row(
    2007,
    'the first record’s mark is only held against a chain that is known',
    FIRST,
    '/Encadenamiento/PrimerRegistro',
    FIRST,
    { of: 'anulacion', options: { chainStarted: true } },
    { options: {} },
  ),
  row(1262, 'a hash has 64 characters', { '/Huella': HASH_A.slice(1) }, '/Huella', {}, KEEP, {
    rehash: true,
  }),
  row(
    1262,
    'a hash has no more than 64 characters',
    { '/Evento/HuellaEvento': `${HASH_A}A` },
    '/Evento/HuellaEvento',
    {},
    { of: 'evento', ...KEEP },
  ),
  row(1292, 'a hash is of letters and digits', { '/Huella': `-${HASH_A.slice(1)}` }, '/Huella', {}, KEEP),
  row(
    1291,
    'the previous hash is of letters and digits',
    { [`${PREVIOUS}/Huella`]: PREVIOUS_HASH.replace('0', '-') },
    `${PREVIOUS}/Huella`,
    { [`${PREVIOUS}/Huella`]: HASH_A },
  ),
  row(
    1291,
    'a control character in the previous hash is one mistake',
    { [EVENT]: { EventoAnterior: { ...EVENT_LINK.EventoAnterior, HuellaEvento: 'A\u0007' } } },
    `${EVENT}/EventoAnterior/HuellaEvento`,
    { [EVENT]: EVENT_LINK },
    { of: 'evento' },
  ),
  row(1292, 'a control character in a hash is one mistake', { '/Huella': '\u0000' }, '/Huella', {}, KEEP),
  row(
    2002,
    'the previous hash has 64 characters',
    { [`${PREVIOUS}/Huella`]: PREVIOUS_HASH.slice(1) },
    `${PREVIOUS}/Huella`,
    { [`${PREVIOUS}/Huella`]: HASH_A },
    { of: 'anulacion' },
  ),
  row(
    2003,
    'the previous hash is in upper case',
    { [`${PREVIOUS}/Huella`]: PREVIOUS_HASH.toLowerCase() },
    `${PREVIOUS}/Huella`,
    {},
  ),
  row(
    2003,
    'the previous event’s hash is hexadecimal',
    { [EVENT]: { EventoAnterior: { ...EVENT_LINK.EventoAnterior, HuellaEvento: 'G'.repeat(64) } } },
    `${EVENT}/EventoAnterior/HuellaEvento`,
    { [EVENT]: EVENT_LINK },
    { of: 'evento' },
  ),
  row(2008, 'the previous hash is another one', { '/Huella': PREVIOUS_HASH }, `${PREVIOUS}/Huella`, {}, KEEP),
  row(2000, 'a hash is that of the record', { '/Huella': HASH_A }, '/Huella', {}, KEEP),
  row(
    2000,
    'a hash covers the total as it is written',
    { '/ImporteTotal': '121.0' },
    '/Huella',
    { '/ImporteTotal': '121.0' },
    KEEP,
    { rehash: true },
  ),
  row(
    2000,
    'a cancellation’s hash is its own',
    { '/Huella': HASH_A },
    '/Huella',
    {},
    { of: 'anulacion', ...KEEP },
  ),
  row(
    2000,
    'an event’s hash is its own',
    { '/Evento/HuellaEvento': HASH_A },
    '/Evento/HuellaEvento',
    {},
    { of: 'evento', ...KEEP },
  ),
]

const FAMILIES = [
  ['invoice', INVOICE_CODES, INVOICE_ROWS],
  ['dates', DATE_CODES, DATE_ROWS],
  ['breakdown', BREAKDOWN_CODES, BREAKDOWN_ROWS],
  ['rates', RATE_CODES, RATE_ROWS],
  ['regimes', REGIME_CODES, REGIME_ROWS],
  ['totals', TOTAL_CODES, TOTAL_ROWS],
  ['chain', CHAIN_CODES, CHAIN_ROWS],
] as const

const ROOTS = { alta: '/RegistroAlta', anulacion: '/RegistroAnulacion', evento: '/RegistroEvento' }

const record = ({ of = 'alta', rehash = true }: Setting, changes: Changes): FiscalRecord =>
  GROUNDS[of](changes, rehash)

const reported = (setting: Setting, changes: Changes): string[] => {
  const root = ROOTS[setting.of ?? 'alta']
  return checkRecord(record(setting, changes), setting.options).map(({ code, path, extra }) => {
    expect(code).toBe(`aeat.${extra?.authority_code}`)
    expect(path.startsWith(root)).toBe(true)
    return `${extra?.authority_code} ${path.slice(root.length)}`
  })
}

describe.each(FAMILIES)('%s', (_name, codes, rows) => {
  it.each(rows.map((one) => [one.code, one.holds, one] as const))('%i: %s', (_code, _holds, one) => {
    expect(reported(one, one.wrong).toSorted()).toEqual([...one.items].toSorted())
    expect(reported(one.rightSetting ?? {}, one.right)).toEqual([])
  })

  it('has a row for every code that is decided offline', () => {
    const declared = codes.filter(({ offline }) => offline).map(({ code }) => code)
    expect([...new Set(rows.map(({ code }) => code))].toSorted()).toEqual(declared.toSorted())
  })

  it('has words in both languages, with every value filled in', () => {
    for (const one of rows)
      for (const locale of ['en', 'es'] as const)
        for (const { message } of checkRecord(record(one, one.wrong), { ...one.options, locale })) {
          expect(message, one.holds).not.toMatch(/—|\{|\}|undefined|null|«»|""|\[object/)
          expect(message, one.holds).toMatch(/^\S.*\(AEAT \d{4}; .+\)$/)
        }
  })
})

describe('a registration', () => {
  it('is reported nothing of when it is right, nor are a cancellation and an event', () => {
    for (const right of [alta(), anulacion(), evento()])
      expect(checkRecord(right, { locale: 'es' })).toEqual([])
  })

  it('with more lines than a breakdown has is told so, whatever the lines are', () => {
    const lines = [...Array.from({ length: 13 }, () => alta().RegistroAlta.Desglose.DetalleDesglose[0]), null]
    const items = checkRecord(record({}, { '/Desglose/DetalleDesglose': lines }))
    expect(items.map(({ path }) => path)).toEqual(['/RegistroAlta/Desglose/DetalleDesglose'])
  })

  it('of the IPSI without regime is a warning up to 2026 and an error from 2027 on', () => {
    const without = line({ ...IPSI, ClaveRegimen: undefined })
    const before = { ...without, [ISSUE]: '31-12-2026', [MOMENT]: '2026-12-31T23:59:59+01:00' }
    expect(checkRecord(record({}, before))[0]).toMatchObject({
      severity: 'warning',
      extra: { effect: 'accepted-with-errors', needs_subsanacion: false },
    })
    const [after] = checkRecord(
      record({}, { ...without, [MOMENT]: '2027-01-01T00:00:00+01:00', [ISSUE]: '01-01-2027' }),
    )
    expect(after).toMatchObject({ severity: 'error', extra: { effect: 'rejects-record' } })
    expect(after?.extra).not.toHaveProperty('needs_subsanacion')
  })

  it('with another hash is told the one expected and the text it is of', () => {
    const right = alta().RegistroAlta.Huella
    const [item] = checkRecord(record(KEEP, { '/Huella': HASH_A }))
    expect(item?.severity).toBe('error')
    expect(item?.extra).toMatchObject({ expected: right, received: HASH_A, effect: 'accepted-with-errors' })
    expect(item?.extra?.hashed_text).toMatch(/^IDEmisorFactura=B12345674&.*&FechaHoraHusoGenRegistro=2027-/)
  })

  it('made a while ago is a warning that asks for nothing', () => {
    const [item] = checkRecord(alta(), { now: '2027-01-15T11:00:00+01:00' })
    expect(item).toMatchObject({
      code: 'aeat.2004',
      severity: 'warning',
      extra: { seconds: -3600, needs_subsanacion: false },
    })
  })

  it('is not held against a clock that is not given', () => {
    const old = { [ISSUE]: '01-01-2026', [MOMENT]: '2026-01-01T10:00:00+01:00' }
    expect(checkRecord(record({}, old))).toEqual([])
    expect(checkRecord(record({}, { ...old, '/FechaOperacion': '31-12-2099', ...line(key('15')) }))).toEqual(
      [],
    )
  })
})
