/** What an invoice must have before a record or a QR code can be made of it. */
import { messageText } from '../../messages/index.ts'

/** Codes that records and QR codes share, with their words. */
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
      'The invoice has no {path}, which validate computes.',
      'Pass the `data` of validate(invoice, { operation: "issue" }), not the document as it was sent.',
    ],
    [
      'A la factura le falta {path}, que calcula validate.',
      'Pase el `data` de validate(factura, { operation: "issue" }), no el documento tal como se envió.',
    ],
  ),
  'record.required': messageText(
    'art. 10 RD 1007/2023',
    [
      'A record needs {field}.',
      'Assign it before the record is made: number and date are part of the record’s identity.',
    ],
    [
      'El registro necesita {field}.',
      'Asígnelo antes de generar el registro: número y fecha son parte de su identidad.',
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
      'Mend what validate says of it: an invoice with errors is not issued.',
    ],
    [
      'La factura tiene errores ({count}); el primero es {first}.',
      'Corrija lo que validate señala: una factura con errores no se expide.',
    ],
  ),
}

export type InvoiceCode = keyof typeof INVOICE_CODES
