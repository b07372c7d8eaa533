/** Codes for invoices that cannot become a record or a QR code. */
import { messageText } from '../../messages/index.ts'

export const INVOICE_CODES = {
  'record.direction': messageText(
    'art. 8 RD 1007/2023',
    [
      'Only issued invoices have VeriFactu records; meta.direction is "{received}".',
      'Register received invoices in your books (SII), not in the chain.',
    ],
    [
      'Solo las facturas emitidas tienen registro VeriFactu; meta.direction es «{received}».',
      'Las facturas recibidas van a sus libros (SII), no a la cadena.',
    ],
  ),
  'record.not_normalised': messageText(
    'art. 10 RD 1007/2023',
    [
      'The invoice lacks {path}, which validate computes.',
      'Pass the `data` of validate(invoice, { operation: "issue" }), not the original document.',
    ],
    [
      'A la factura le falta {path}, que calcula validate.',
      'Pase el `data` de validate(factura, { operation: "issue" }), no el documento original.',
    ],
  ),
  'record.required': messageText(
    'art. 10 RD 1007/2023',
    ['A record needs {field}.', 'Assign it before building the record: number and date identify the record.'],
    [
      'El registro necesita {field}.',
      'Asígnelo antes de generar el registro: número y fecha lo identifican.',
    ],
  ),
  'record.issuer_nif': messageText(
    'art. 10.1.a RD 1007/2023',
    ['The issuer’s NIF "{received}" is not a Spanish NIF of 9 characters.', 'Correct supplier.tax_id.'],
    ['El NIF del emisor «{received}» no es un NIF español de 9 caracteres.', 'Corrija supplier.tax_id.'],
  ),
  'record.invalid_invoice': messageText(
    'art. 10 RD 1007/2023',
    [
      'The invoice has errors ({count}); the first is {first}.',
      'Correct what validate reports: an invoice with errors must not be issued.',
    ],
    [
      'La factura tiene errores ({count}); el primero es {first}.',
      'Corrija lo que validate señala: una factura con errores no se expide.',
    ],
  ),
}

export type InvoiceCode = keyof typeof INVOICE_CODES
