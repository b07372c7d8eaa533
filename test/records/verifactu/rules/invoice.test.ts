/** Tests of the rules for an invoice's type, correction and flags: see `rows.ts`. */
import { INVOICE_CODES } from '#records/verifactu/rules/invoice-checks.ts'
import {
  AMOUNTS,
  type Changes,
  F2,
  foreign,
  holdsTo,
  INVOICE,
  line,
  member,
  R1,
  R1S,
  R5,
  RECIPIENT,
  type Row,
  row,
  S2,
  totals,
  wrongMember,
} from './rows.ts'

const THIRD_PARTY = { NombreRazon: 'Gestoría Supuesta, S.L.', NIF: 'B77777779' }

const LARGE: Changes = {
  ...line({ BaseImponibleOimporteNoSujeto: '100000000.00', CuotaRepercutida: '21000000.00' }),
  ...totals('21000000.00', '121000000.00'),
}

const of2 = (base: string, tax: string, total: string): Changes => ({
  ...F2,
  ...line({ BaseImponibleOimporteNoSujeto: base, CuotaRepercutida: tax }),
  ...totals(tax, total),
})

const REPLACED = '/ImporteRectificacion'
const UNIDENTIFIED = '/FacturaSinIdentifDestinatarioArt61d'
const ISSUED_BY = '/EmitidaPorTerceroODestinatario'
const REJECTED = { base: { '/RechazoPrevio': 'S' } }
/** A simplified invoice of more than 3,000. */
const ABOVE = { base: of2('10000.00', '2100.00', '12100.00') }

const INVOICE_ROWS: readonly Row[] = [
  wrongMember(1106, 'an invoice type is one of the list', '/TipoFactura', 'F4', F2),
  member(1106, 'the requirements of an unknown type are not checked', '/TipoFactura', 'R9', 'R1', {
    base: { ...R1S, '/Cupon': 'S' },
  }),
  member(1265, 'an invoice type has two characters', '/TipoFactura', 'F', 'F1'),
  wrongMember(1265, 'a type that is too long is distinguished from an unknown one', '/TipoFactura', 'F1 '),
  row(1107, 'a correction is S or I', { ...R1, '/TipoRectificativa': 'D' }, '/TipoRectificativa', R1),
  row(1114, 'a corrective type states how it corrects', { '/TipoFactura': 'R1' }, '/TipoRectificativa', R1),
  row(
    1114,
    'a correction without its type is not also reported for its amounts',
    { '/TipoFactura': 'R1', '/ImporteRectificacion': AMOUNTS },
    '/TipoRectificativa',
    R1S,
  ),
  wrongMember(1115, 'other types have no type of correction', '/TipoRectificativa', 'I', R1),
  wrongMember(
    1116,
    'only F3 replaces invoices',
    '/FacturasSustituidas',
    { IDFacturaSustituida: [INVOICE] },
    { '/TipoFactura': 'F3', '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
  ),
  wrongMember(
    1117,
    'only corrective types name corrected invoices',
    '/FacturasRectificadas',
    { IDFacturaRectificada: [INVOICE] },
    { ...R1, '/FacturasRectificadas': { IDFacturaRectificada: [INVOICE] } },
  ),
  member(1118, 'a substitution states the amounts that it replaces', REPLACED, undefined, AMOUNTS, {
    base: R1S,
  }),
  row(1119, 'differences replace no amounts', { ...R1, [REPLACED]: AMOUNTS }, REPLACED, R1S),
  wrongMember(1119, 'an invoice that corrects nothing replaces no amounts', REPLACED, AMOUNTS, R1S),
  member(1136, 'the mark of arts. 7.2 and 7.3 is S or N', '/FacturaSimplificadaArt7273', 'X', 'S'),
  member(1137, 'the mark of size is S or N', '/Macrodato', '1', 'N'),
  member(1184, 'the mark of art. 6.1.d is S or N', UNIDENTIFIED, 's', 'S', { base: F2 }),
  wrongMember(1138, 'a small total is not marked', '/Macrodato', 'S', { ...LARGE, '/Macrodato': 'S' }),
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
    'a simplified invoice is at most 3,000 plus the margin of 10',
    of2('2487.61', '522.40', '3010.01'),
    '/Desglose',
    of2('2487.60', '522.40', '3010.00'),
  ),
  row(
    1150,
    'an agreement lifts the limit',
    {},
    '/Desglose',
    { '/NumRegistroAcuerdoFacturacion': 'ACUERDO1' },
    ABOVE,
  ),
  row(1150, 'the mark of art. 6.1.d lifts the limit', {}, '/Desglose', { [UNIDENTIFIED]: 'S' }, ABOVE),
  member(1151, 'another issuing party is T or D', ISSUED_BY, 'E', 'D'),
  row(
    1153,
    'X requires a correction',
    {},
    '/RechazoPrevio',
    { '/Subsanacion': 'S' },
    { base: { '/RechazoPrevio': 'X' } },
  ),
  row(
    1161,
    'a previous rejection requires a correction',
    { '/Subsanacion': 'N' },
    '/RechazoPrevio',
    { '/Subsanacion': 'S' },
    REJECTED,
  ),
  member(1161, 'a first record has no previous rejection', '/RechazoPrevio', 'S', 'N'),
  member(1171, 'a correction record is S or N', '/Subsanacion', 'X', 'S'),
  member(
    1171,
    'an unreadable correction is not also reported for the rejection',
    '/Subsanacion',
    'si',
    'S',
    REJECTED,
  ),
  member(1275, 'a previous rejection is N, S or X', '/RechazoPrevio', 'Y', 'N'),
  member(1275, 'X does not exist in a cancellation', '/RechazoPrevio', 'X', 'S', { of: 'anulacion' }),
  wrongMember(1155, 'a third party issues only if the record says so', '/Tercero', THIRD_PARTY, {
    '/Tercero': THIRD_PARTY,
    [ISSUED_BY]: 'T',
  }),
  row(1158, 'a recipient that issues is named', F2, ISSUED_BY, {}, { base: { [ISSUED_BY]: 'D' } }),
  row(
    1159,
    'no third party is named where the recipient issues',
    { [ISSUED_BY]: 'D' },
    '/Tercero',
    { [ISSUED_BY]: 'T' },
    { base: { '/Tercero': THIRD_PARTY } },
  ),
  member(1186, 'a third party that issues is named', '/Tercero', undefined, THIRD_PARTY, {
    base: { [ISSUED_BY]: 'T' },
  }),
  row(1157, 'a coupon is S or N', { ...R1, '/Cupon': 'X' }, '/Cupon', { ...R1, '/Cupon': 'S' }),
  row(1157, 'a coupon belongs to R1 and R5', { ...R1, '/TipoFactura': 'R4' }, '/Cupon', R5, {
    base: { '/Cupon': 'S' },
  }),
  row(
    1183,
    'a simplified invoice with recipient is not F2',
    { '/TipoFactura': 'F2' },
    '/FacturaSimplificadaArt7273',
    {},
    { base: { '/FacturaSimplificadaArt7273': 'S' } },
  ),
  row(1185, 'an F1 identifies its recipient', { '/Destinatarios': undefined }, UNIDENTIFIED, F2, {
    base: { [UNIDENTIFIED]: 'S' },
  }),
  wrongMember(1189, 'an F1 names its recipient', '/Destinatarios', undefined, F2),
  wrongMember(
    1189,
    'a missing issuing recipient is one mistake',
    '/Destinatarios',
    undefined,
    {},
    { base: { [ISSUED_BY]: 'D' } },
  ),
  row(1190, 'an F2 names no recipient', { '/TipoFactura': 'F2' }, '/Destinatarios', F2),
  row(1190, 'an R5 names no recipient', { '/TipoFactura': 'R5' }, '/Destinatarios', R5, { base: R1 }),
  row(
    1191,
    'the debtor of an R3 has a NIF or is not in the census',
    foreign('02'),
    `${RECIPIENT}/IDOtro/IDType`,
    foreign('07'),
    { base: { ...R1, '/TipoFactura': 'R3' } },
  ),
  row(
    1192,
    'the debtor of an R2 may have a VAT number of another state',
    foreign('04'),
    `${RECIPIENT}/IDOtro/IDType`,
    foreign('02'),
    { base: { ...R1, '/TipoFactura': 'R2' } },
  ),
  row(1197, 'a reverse charge needs a recipient', { ...F2, ...S2() }, '/TipoFactura', S2()),
  member(1253, 'a reference is not too long', '/RefExterna', 'x'.repeat(61), 'x'.repeat(60)),
]

holdsTo('invoice', INVOICE_CODES, INVOICE_ROWS)
