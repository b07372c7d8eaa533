/** Codes of invoices that the books cannot show, each with the problem, the instruction and the source. */
import { messageText } from '../messages/index.ts'

const FORMAT = 'AEAT, formato electrónico de los libros registro'

export const BOOK_CODES = {
  'books.not_canonical': messageText(
    'API specification',
    [
      'Invoice {invoice}: not a canonical invoice, because {missing} is missing.',
      'Pass the data of validate, or the document that the server returns.',
    ],
    [
      'Factura {invoice}: no es una factura canónica, porque falta {missing}.',
      'Pase el data de validate o el documento que devuelve el servidor.',
    ],
  ),
  'books.errors': messageText(
    'API specification',
    [
      'Invoice {invoice} has {count} errors. First: {first}.',
      'Correct the document, or remove it if it is not an invoice of the company.',
    ],
    [
      'La factura {invoice} tiene {count} errores. El primero: {first}.',
      'Corrija el documento, o quítelo si no es una factura de la empresa.',
    ],
  ),
  'books.twice': messageText(
    FORMAT,
    ['Invoice {invoice} is given twice: {files}.', 'Remove one of the two.'],
    ['La factura {invoice} está dos veces: {files}.', 'Quite una de las dos.'],
  ),
  'books.number': messageText(
    FORMAT,
    ['Invoice {invoice} has no number or date.', 'Issue it first, or remove the draft.'],
    ['La factura {invoice} no tiene número o fecha.', 'Expídala antes, o quite el borrador.'],
  ),
  'books.currency': messageText(
    'art. 79.Once Ley 37/1992',
    [
      'Invoice {invoice} has amounts in {received}; the books are in euros.',
      'State the exchange rate in issue_data.invoice_currency, and validate the invoice again.',
    ],
    [
      'La factura {invoice} tiene los importes en {received}; los libros van en euros.',
      'Indique el tipo de cambio en issue_data.invoice_currency y valide de nuevo la factura.',
    ],
  ),
  'books.company': messageText(
    'arts. 63 and 64 RD 1624/1992',
    [
      'Invoice {invoice} belongs to {received}; the books are those of {expected}.',
      'Remove the invoice, or use the company.json of that company.',
    ],
    [
      'La factura {invoice} es de {received}; los libros son de {expected}.',
      'Quite la factura, o use el company.json de esa empresa.',
    ],
  ),
  'books.counterparty': messageText(
    FORMAT,
    [
      'Invoice {invoice} does not identify the other party, as its type requires.',
      'Complete tax_id or identifiers of {path}.',
    ],
    [
      'La factura {invoice} no identifica a la otra parte, como exige su tipo.',
      'Complete tax_id o identifiers de {path}.',
    ],
  ),
  'books.regime_key': messageText(
    FORMAT,
    [
      'Invoice {invoice} has the regime key {received}, which this book does not have.',
      'Correct tax_regime_key.',
    ],
    ['La factura {invoice} lleva la clave {received}, que este libro no tiene.', 'Corrija tax_regime_key.'],
  ),
  'books.number_length': messageText(
    FORMAT,
    [
      'The number of invoice {invoice} has {received} characters; the book takes {allowed}.',
      'State the series in header.invoice_series_code: it has its own column.',
    ],
    [
      'El número de la factura {invoice} tiene {received} caracteres; el libro admite {allowed}.',
      'Indique la serie en header.invoice_series_code: tiene su propia columna.',
    ],
  ),
  'books.receipt_date': messageText(
    'art. 99.Tres Ley 37/1992',
    [
      'Invoice {invoice} was received on {received}, before its date {expected}.',
      'Correct issue_data.receipt_date.',
    ],
    [
      'La factura {invoice} se recibió el {received}, antes de su fecha, el {expected}.',
      'Corrija issue_data.receipt_date.',
    ],
  ),
  'books.pro_rata': messageText(
    'arts. 102 to 106 Ley 37/1992',
    [
      'Invoice {invoice} is deducted by pro rata, and the percentage is unknown.',
      'State books.pro_rata in company.json, or deduction_rate in the lines.',
    ],
    [
      'La factura {invoice} se deduce por prorrata, y se desconoce el porcentaje.',
      'Indique books.pro_rata en company.json, o deduction_rate en las líneas.',
    ],
  ),
  'books.corrected_unknown': messageText(
    'art. 15 RD 1619/2012',
    [
      'Invoice {invoice} replaces {received} with several rates, and {received} is not among the invoices.',
      'Add {received}: its rows are written again with the opposite sign.',
    ],
    [
      'La factura {invoice} sustituye a {received} con varios tipos, y {received} no está entre las facturas.',
      'Añada {received}: sus filas se escriben de nuevo con el signo contrario.',
    ],
  ),
  'books.asset_type': messageText(
    'art. 65 RD 1624/1992',
    [
      'Invoice {invoice} has investment goods whose type is unknown.',
      'State number, supplier_tax_id and asset.type of the invoice in books.invoices of company.json.',
    ],
    [
      'La factura {invoice} tiene bienes de inversión de tipo desconocido.',
      'Indique number, supplier_tax_id y asset.type de la factura en books.invoices de company.json.',
    ],
  ),
  'books.property': messageText(
    FORMAT,
    [
      'Invoice {invoice} is a lease, and the book asks for the property.',
      'State books.property in company.json, or property of the invoice in books.invoices.',
    ],
    [
      'La factura {invoice} es de un arrendamiento, y el libro pide el inmueble.',
      'Indique books.property en company.json, o property de la factura en books.invoices.',
    ],
  ),
  'books.reception_number': messageText(
    'art. 64.4 RD 1624/1992',
    [
      'Invoice {invoice} was received in an earlier year, and its reception number is unknown.',
      'State reception_number of the invoice in books.invoices of company.json.',
    ],
    [
      'La factura {invoice} se recibió en un año anterior, y se desconoce su número de recepción.',
      'Indique reception_number de la factura en books.invoices de company.json.',
    ],
  ),
}
export type BookCode = keyof typeof BOOK_CODES
