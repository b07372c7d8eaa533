/**
 * Codes of the SII builders and readers, each with the problem, the instruction and the law. Placeholders are filled in
 * by `fill`.
 */
import { messageText } from '../../messages/index.ts'
import { INVOICE_CODES } from './messages-invoice.ts'

const CASH_BASIS = {
  'sii.not_cash_basis': messageText(
    'art. 61 decies RD 1624/1992',
    [
      'Collections and payments are reported only for invoices with regime key 07; this one has {received}.',
      'Report nothing, or correct the regime key first.',
    ],
    [
      'Solo se suministran cobros y pagos de facturas con clave 07; esta lleva {received}.',
      'No suministre nada o corrija antes la clave.',
    ],
  ),
  'sii.no_payments': messageText(
    'art. 61 decies RD 1624/1992',
    ['There is no collection or payment to report.', 'Pass at least one.'],
    ['No hay cobro ni pago que suministrar.', 'Pase al menos uno.'],
  ),
  'sii.payment_date': messageText(
    'art. 61 decies RD 1624/1992',
    ['"{received}" is not the day of a collection or payment.', 'Send a calendar date YYYY-MM-DD.'],
    ['«{received}» no es la fecha de un cobro o pago.', 'Envíe una fecha AAAA-MM-DD.'],
  ),
  'sii.payment_amount': messageText(
    'art. 61 decies RD 1624/1992',
    [
      '"{received}" is not the amount of a collection or payment.',
      'Send an amount in euros other than 0, VAT included; a correction is negative.',
    ],
    [
      '«{received}» no es el importe de un cobro o pago.',
      'Envíe un importe en euros distinto de 0, IVA incluido; una corrección es negativa.',
    ],
  ),
  'sii.payment_early': messageText(
    'art. 61 decies RD 1624/1992',
    [
      'The collection or payment dated {received} is earlier than the operation date {expected}.',
      'Correct the date; an advance payment has its own invoice.',
    ],
    [
      'El cobro o pago del {received} es anterior a la operación, del {expected}.',
      'Corrija la fecha; un anticipo tiene su propia factura.',
    ],
  ),
  'sii.payment_total': messageText(
    'art. 61 decies RD 1624/1992',
    [
      'The amounts add up to {received}, more than the {expected} of the invoice.',
      'Report at most the amount of the invoice, VAT included.',
    ],
    [
      'Los importes suman {received}, más que los {expected} de la factura.',
      'No suministre más que el importe de la factura, IVA incluido.',
    ],
  ),
  'sii.forced_accrual': messageText(
    'art. 163 terdecies Ley 37/1992; AEAT, error 1151',
    [
      'A forced accrual (devengo forzoso) must be dated 31 December; this one is dated {received}.',
      'Use 31 December of the year after the operation.',
    ],
    [
      'El devengo forzoso es del 31 de diciembre; este es del {received}.',
      'Use el 31 de diciembre del año siguiente a la operación.',
    ],
  ),
}

const MESSAGE = {
  'sii.record_count': messageText(
    'Orden HFP/417/2017, anexo I',
    [
      'A message contains 1 to {allowed} records; this one has {received}.',
      'Pass at least one record, and split the rest over several messages.',
    ],
    [
      'Un mensaje lleva de 1 a {allowed} registros; este tiene {received}.',
      'Pase al menos un registro y reparta los que sobren en varios mensajes.',
    ],
  ),
  'sii.representative': messageText(
    'AEAT, errors 1122 and 1123',
    [
      'The representative is missing, wrong, or is the book holder (Titular) itself (NIF: "{received}").',
      'A minor (NIF with K) needs the NIF of another person as representative.',
    ],
    [
      'El representante falta, es incorrecto o es el propio titular (NIF: «{received}»).',
      'Un menor (NIF con K) necesita el NIF de otra persona como representante.',
    ],
  ),
  'sii.holder_mismatch': messageText(
    'AEAT, error 1112',
    [
      'The record belongs to {received}, but the message belongs to {expected}.',
      'Send the records of each book holder (Titular) in a separate message.',
    ],
    [
      'El registro es de {received} y el mensaje, de {expected}.',
      'Envíe los registros de cada titular en su propio mensaje.',
    ],
  ),
  'sii.duplicate_record': messageText(
    'AEAT, error 3000',
    ['The same invoice ({received}) is already in this message.', 'Send it once.'],
    ['La misma factura ({received}) ya va en este mensaje.', 'Envíela una sola vez.'],
  ),
  'sii.not_a_response': messageText(
    'AEAT, esquemas del SII, versión 1.1',
    ['{received} is not {expected}.', 'Pass the response of the tax authority’s service.'],
    ['{received} no es {expected}.', 'Pase la respuesta del servicio de la Agencia Tributaria.'],
  ),
}

export const SII_CODES = { ...INVOICE_CODES, ...CASH_BASIS, ...MESSAGE }

export type SiiCode = keyof typeof SII_CODES
