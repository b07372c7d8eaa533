/** Tests of the rules for an invoice's type, correction and flags: see `rows.ts`. */
import { INVOICE_CODES } from '../../../src/verifactu/rules/invoice.ts'
import {
  AMOUNTS,
  type Changes,
  F2,
  foreign,
  holdsTo,
  INVOICE,
  line,
  R1,
  R1S,
  R5,
  RECIPIENT,
  type Row,
  row,
  S2,
  totals,
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

const INVOICE_ROWS: readonly Row[] = [
  row(1106, 'an invoice type is one of the list', { '/TipoFactura': 'F4' }, '/TipoFactura', F2),
  row(
    1106,
    'the requirements of an unknown type are not checked',
    { ...R1S, '/TipoFactura': 'R9', '/Cupon': 'S' },
    '/TipoFactura',
    { ...R1S, '/Cupon': 'S' },
  ),
  row(1265, 'an invoice type has two characters', { '/TipoFactura': 'F' }, '/TipoFactura', {
    '/TipoFactura': 'F1',
  }),
  row(
    1265,
    'a type that is too long is distinguished from an unknown one',
    { '/TipoFactura': 'F1 ' },
    '/TipoFactura',
    {},
  ),
  row(1107, 'a correction is S or I', { ...R1, '/TipoRectificativa': 'D' }, '/TipoRectificativa', R1),
  row(1114, 'a corrective type states how it corrects', { '/TipoFactura': 'R1' }, '/TipoRectificativa', R1),
  row(
    1114,
    'a correction without its type is not also reported for its amounts',
    { '/TipoFactura': 'R1', '/ImporteRectificacion': AMOUNTS },
    '/TipoRectificativa',
    R1S,
  ),
  row(
    1115,
    'other types have no type of correction',
    { '/TipoRectificativa': 'I' },
    '/TipoRectificativa',
    R1,
  ),
  row(
    1116,
    'only F3 replaces invoices',
    { '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
    '/FacturasSustituidas',
    { '/TipoFactura': 'F3', '/FacturasSustituidas': { IDFacturaSustituida: [INVOICE] } },
  ),
  row(
    1117,
    'only corrective types name corrected invoices',
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
    'the mark of arts. 7.2 and 7.3 is S or N',
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
    'a simplified invoice is at most 3,000 plus the margin of 10',
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
    'another issuing party is T or D',
    { '/EmitidaPorTerceroODestinatario': 'E' },
    '/EmitidaPorTerceroODestinatario',
    { '/EmitidaPorTerceroODestinatario': 'D' },
  ),
  row(1153, 'X requires a correction', { '/RechazoPrevio': 'X' }, '/RechazoPrevio', {
    '/RechazoPrevio': 'X',
    '/Subsanacion': 'S',
  }),
  row(
    1161,
    'a previous rejection requires a correction',
    { '/RechazoPrevio': 'S', '/Subsanacion': 'N' },
    '/RechazoPrevio',
    { '/RechazoPrevio': 'S', '/Subsanacion': 'S' },
  ),
  row(1161, 'a first record has no previous rejection', { '/RechazoPrevio': 'S' }, '/RechazoPrevio', {
    '/RechazoPrevio': 'N',
  }),
  row(1171, 'a correction record is S or N', { '/Subsanacion': 'X' }, '/Subsanacion', {
    '/Subsanacion': 'S',
  }),
  row(
    1171,
    'an unreadable correction is not also reported for the rejection',
    { '/Subsanacion': 'si', '/RechazoPrevio': 'S' },
    '/Subsanacion',
    { '/Subsanacion': 'S', '/RechazoPrevio': 'S' },
  ),
  row(1275, 'a previous rejection is N, S or X', { '/RechazoPrevio': 'Y' }, '/RechazoPrevio', {
    '/RechazoPrevio': 'N',
  }),
  row(
    1275,
    'X does not exist in a cancellation',
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
    'a simplified invoice with recipient is not F2',
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
    'a missing issuing recipient is one mistake',
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
  row(1253, 'a reference is not too long', { '/RefExterna': 'x'.repeat(61) }, '/RefExterna', {
    '/RefExterna': 'x'.repeat(60),
  }),
]

holdsTo('invoice', INVOICE_CODES, INVOICE_ROWS)
