/** Words of the items about an invoice that cannot be reported as it is. */
import { type Words, words } from './words-shape.ts'

export const INVOICE_CODES = {
  'sii.not_normalised': words(
    'arts. 63-64 RD 1624/1992',
    [
      'The invoice has no computed {field}.',
      'Pass the data that validate answers, not the document as sent.',
    ],
    [
      'La factura no tiene {field} calculado.',
      'Pase el data que devuelve validate, no el documento tal como se envió.',
    ],
  ),
  'sii.direction': words(
    'arts. 63-64 RD 1624/1992',
    [
      'meta.direction is {received}; this book is for {expected} invoices.',
      'Use the function of the other book.',
    ],
    ['meta.direction es {received}; este libro es de facturas {expected}.', 'Use la función del otro libro.'],
  ),
  'sii.number': words(
    'arts. 63.3 and 64.4 RD 1624/1992',
    ['A record needs the number of the invoice.', 'Issue the invoice, or send {field}, before reporting it.'],
    [
      'El registro necesita el número de la factura.',
      'Expida la factura, o envíe {field}, antes de suministrarla.',
    ],
  ),
  'sii.issue_date': words(
    'arts. 63.3 and 64.4 RD 1624/1992',
    [
      'A record needs the day on which the invoice was issued.',
      'Issue the invoice, or send {field}, before reporting it.',
    ],
    [
      'El registro necesita la fecha de expedición.',
      'Expida la factura, o envíe {field}, antes de suministrarla.',
    ],
  ),
  'sii.holder_nif': words(
    'Orden HFP/417/2017, annex I',
    [
      '"{received}" is no Spanish NIF of 9 characters, which the holder of a book must have.',
      'Correct {path}.',
    ],
    [
      '«{received}» no es un NIF español de 9 caracteres, que el titular del libro debe tener.',
      'Corrija {path}.',
    ],
  ),
  'sii.counterparty': words(
    'arts. 63.3 and 64.4 RD 1624/1992; art. 6.1.d RD 1619/2012',
    [
      'The other party has no identifier that a record can carry.',
      'Send a valid NIF, an EU VAT number, a foreign tax id of at most 20 characters or an identifier (passport) in {path}.',
    ],
    [
      'La contraparte no tiene un identificador que pueda ir en el registro.',
      'Envíe en {path} un NIF válido, un NIF-IVA, un identificador extranjero de hasta 20 caracteres o un documento (pasaporte).',
    ],
  ),
  'sii.correction': words(
    'art. 15 RD 1619/2012; Orden HFP/417/2017, annex I',
    ['The record of a corrective invoice needs {field}.', 'Send it in header.corrective.'],
    ['El registro de una rectificativa necesita {field}.', 'Envíelo en header.corrective.'],
  ),
  'sii.regime_key': words(
    'Orden HFP/417/2017, annex I, regime keys',
    [
      'Regime key {received} does not exist in the book of {direction} invoices.',
      'Use a key of the catalog tax-regimes for that direction.',
    ],
    [
      'La clave de régimen {received} no existe en el libro de facturas con direction {direction}.',
      'Use una clave del catálogo tax-regimes para ese sentido.',
    ],
  ),
  'sii.too_many_details': words(
    'Orden HFP/417/2017, annex I',
    [
      '{block} would have {received} entries; a record holds {allowed}.',
      'Split the invoice, or use fewer rates.',
    ],
    [
      '{block} tendría {received} detalles; en un registro caben {allowed}.',
      'Divida la factura o use menos tipos.',
    ],
  ),
  'sii.surcharge_on_services': words(
    'arts. 154-157 Ley 37/1992',
    [
      'The surcharge of this entry is on {received}, more than the goods of the invoice; services have none, and the breakdown by operation has no place for it.',
      'Mark the lines that are goods with item_type goods, or take the surcharge off.',
    ],
    [
      'El recargo de esta entrada recae sobre {received}, más que los bienes de la factura; los servicios no lo llevan y el desglose por operación no lo admite.',
      'Marque como goods las líneas de bienes o quite el recargo.',
    ],
  ),
  'sii.registration_date': words(
    'art. 64 RD 1624/1992',
    [
      'The accounting date {received} is before the day of issue {expected}.',
      'Correct receipt_date or issue_date.',
    ],
    [
      'La fecha de registro contable {received} es anterior a la de expedición {expected}.',
      'Corrija receipt_date o issue_date.',
    ],
  ),
  'sii.pro_rata': words(
    'arts. 102-106 Ley 37/1992',
    [
      'The line is under the pro rata rule, and nothing says which percentage.',
      'Send its deduction_rate, or pass the option pro_rata.',
    ],
    [
      'La línea está en prorrata y nada dice el porcentaje.',
      'Envíe su deduction_rate o pase la opción pro_rata.',
    ],
  ),
  'sii.schema': words(
    'SII schemas, interface 1.1',
    [
      '{path} of the record does not fit the official schema ({violation}): {received}.',
      'Correct that value in the invoice.',
    ],
    [
      '{path} del registro no cumple el esquema oficial ({violation}): {received}.',
      'Corrija ese valor en la factura.',
    ],
  ),
} as const satisfies Record<string, Words>
