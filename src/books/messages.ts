/** Codes of invoices that the books cannot show, each with the problem, the instruction and the source. */
import { messageText } from '../messages/index.ts'

const FORMAT = 'AEAT, formato electrónico de los libros registro'

export const BOOK_CODES = {
  'books.not_canonical': messageText(
    'API specification',
    ['{invoice} is not a canonical invoice: {path} is missing.', 'Pass the data of validate.'],
    ['{invoice} no es una factura canónica: falta {path}.', 'Pase el data de validate.'],
  ),
  'books.errors': messageText(
    'API specification',
    ['{invoice} has errors ({count}). The first: {first}.', 'Correct the document, or remove it.'],
    ['{invoice} tiene errores ({count}). El primero: {first}.', 'Corrija el documento, o quítelo.'],
  ),
  'books.twice': messageText(
    FORMAT,
    ['Invoice {invoice} is given twice: {files}.', 'Remove one of the two.'],
    ['La factura {invoice} está dos veces: {files}.', 'Quite una de las dos.'],
  ),
  'books.currency': messageText(
    'art. 79.Once Ley 37/1992',
    [
      'Invoice {invoice} states its tax in {received}; the books are in euros.',
      'State its amounts in euros with tax_currency_code EUR, and {received} in issue_data.invoice_currency and the invoice_currency blocks.',
    ],
    [
      'La factura {invoice} expresa el impuesto en {received}; los libros van en euros.',
      'Exprese sus importes en euros con tax_currency_code EUR, y {received} en issue_data.invoice_currency y los bloques invoice_currency.',
    ],
  ),
  'books.company': messageText(
    'arts. 63 and 64 RD 1624/1992',
    ['Invoice {invoice} is one of {received}, not of {expected}.', 'Remove it, or use its company.'],
    ['La factura {invoice} es de {received}, no de {expected}.', 'Quítela, o use su empresa.'],
  ),
  'books.totals_differ': messageText(
    'art. 6 RD 1619/2012',
    ['Invoice {invoice} states {received} in {path}; its breakdown gives {expected}.', 'Correct its totals.'],
    ['La factura {invoice} indica {received} en {path}; su desglose da {expected}.', 'Corrija sus totales.'],
  ),
  'books.counterparty': messageText(
    FORMAT,
    ['Invoice {invoice} does not identify the other party.', 'Complete tax_id or identifiers of {path}.'],
    ['La factura {invoice} no identifica a la otra parte.', 'Complete tax_id o identifiers de {path}.'],
  ),
  'books.regime_key': messageText(
    FORMAT,
    ['Invoice {invoice} has the key {received}, which this book lacks.', 'Correct tax_regime_key.'],
    ['La factura {invoice} lleva la clave {received}, que este libro no tiene.', 'Corrija tax_regime_key.'],
  ),
  'books.number_length': messageText(
    FORMAT,
    [
      'The number {invoice} has {received} characters, more than {allowed}.',
      'State its invoice_series_code.',
    ],
    ['El número {invoice} tiene {received} caracteres, más de {allowed}.', 'Indique su invoice_series_code.'],
  ),
  'books.receipt_date': messageText(
    'art. 99.Tres Ley 37/1992',
    ['Invoice {invoice} was received on {received}, before {expected}.', 'Correct receipt_date.'],
    ['La factura {invoice} se recibió el {received}, antes del {expected}.', 'Corrija receipt_date.'],
  ),
  'books.pro_rata': messageText(
    'arts. 102 to 106 Ley 37/1992',
    ['The pro rata that invoice {invoice} needs is unknown.', 'State books.pro_rata in company.json.'],
    ['Se desconoce la prorrata que exige la factura {invoice}.', 'Indique books.pro_rata en company.json.'],
  ),
  'books.corrected_unknown': messageText(
    'art. 15 RD 1619/2012',
    ['Invoice {invoice} replaces {received}, whose rates are unknown.', 'Add the invoice {received}.'],
    ['La factura {invoice} sustituye a {received}, de tipos desconocidos.', 'Añada la factura {received}.'],
  ),
  'books.replaced_not_in_force': messageText(
    'art. 15 RD 1619/2012',
    [
      'Invoice {invoice} replaces {received}, which is not in these books ({reason}): nothing of it is taken back.',
      'Check whether {invoice} should be in force.',
    ],
    [
      'La factura {invoice} sustituye a {received}, que no está en estos libros ({reason}): no se retira nada de ella.',
      'Compruebe si {invoice} debe estar en vigor.',
    ],
  ),
  'books.replaced_twice': messageText(
    'art. 15 RD 1619/2012',
    [
      'Invoice {invoice} replaces {received}, which another correction has already replaced: it is not taken back again.',
      'Cancel one of the corrections, or correct the last one.',
    ],
    [
      'La factura {invoice} sustituye a {received}, que otra rectificativa ya ha sustituido: no se retira otra vez.',
      'Anule una de las rectificativas o rectifique la última.',
    ],
  ),
  'books.asset_type': messageText(
    'art. 65 RD 1624/1992',
    ['Invoice {invoice} has investment goods of an unknown type.', 'State asset.type in books.invoices.'],
    ['La factura {invoice} tiene bienes de inversión sin tipo.', 'Indique asset.type en books.invoices.'],
  ),
  'books.property': messageText(
    FORMAT,
    ['Invoice {invoice} is a lease of an unknown property.', 'State books.property in company.json.'],
    ['La factura {invoice} es de un arrendamiento sin inmueble.', 'Indique books.property en company.json.'],
  ),
}
export type BookCode = keyof typeof BOOK_CODES
