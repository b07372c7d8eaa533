/** Items that explain why a record was not built, with the builder's own codes. */
import { CORRECTION_MESSAGES } from '../../fiscal/correction.ts'
import { CORRECTED_LATER } from '../../fiscal/operation-day.ts'
import type { Locale } from '../../invoice/index.ts'
import { messageText, type Refusals, refusalsOf } from '../../messages/index.ts'
import { INVOICE_CODES } from './invoice-items.ts'
import { design, validations } from './laws.ts'

export const RECORD_CODES = {
  ...INVOICE_CODES,
  'record.recipient_unidentified': messageText(
    `art. 6.1.d RD 1619/2012; ${design('6, L7')}`,
    [
      'The recipient has no identifier that is allowed in a record.',
      'Send a valid NIF, an EU VAT number, a foreign tax id of at most 20 characters, or an identifier (passport); without an identifier, only a simplified invoice is possible.',
    ],
    [
      'El destinatario no tiene un identificador que pueda ir en el registro.',
      'Envíe un NIF válido, un NIF-IVA, un identificador fiscal extranjero de hasta 20 caracteres o un documento (pasaporte); sin él solo cabe una factura simplificada.',
    ],
  ),
  'record.recipient_omitted': messageText(
    `art. 7.2 RD 1619/2012; ${design('2')}`,
    [
      'The record of a corrective invoice for simplified invoices (R5) has no recipient: the customer is omitted.',
      'If the corrected invoice identified its customer, send invoice_type_code 03: the record is then of type R1 to R4 and identifies the customer.',
    ],
    [
      'El registro de una rectificativa de facturas simplificadas (R5) no lleva destinatario: se omite el cliente.',
      'Si la factura rectificada identificaba a su cliente, envíe invoice_type_code 03: el registro es entonces de tipo R1 a R4 e identifica al cliente.',
    ],
  ),
  'record.other_chain': messageText(
    'arts. 6 and 7 Orden HAC/1177/2024',
    [
      'The previous record belongs to another chain: its {part} is {received}, but here it is {expected}.',
      'Pass the last record of this taxpayer and installation; each has its own chain. After a merger that continues the chain, pass chain_continues.',
    ],
    [
      'El registro anterior es de otra cadena: su {part} es {received} y aquí es {expected}.',
      'Pase el último registro de este obligado e instalación: cada uno tiene su cadena. Tras una fusión que la continúa, pase chain_continues.',
    ],
  ),
  'record.already_registered': messageText(
    validations('6.1'),
    [
      'The previous record already registers this invoice ({received}).',
      'Give the invoice its own number, or pass the option "correction" if this record corrects the previous one.',
    ],
    [
      'El registro anterior ya registra esta misma factura ({received}).',
      'Dé a la factura su propio número o pase correction si este registro corrige aquel.',
    ],
  ),
  'record.previous_changed': messageText(
    'art. 7 Orden HAC/1177/2024',
    [
      'The content of the previous record does not match its own hash.',
      'The record is linked to it anyway, because invoicing must continue. Audit the chain (verifyChain) and record the anomaly.',
    ],
    [
      'El contenido del registro anterior no corresponde a su huella.',
      'El registro se encadena de todos modos, porque la facturación no debe detenerse. Audite la cadena (verifyChain) y registre la anomalía.',
    ],
  ),
  'record.intra_community': messageText(
    'art. 25 Ley 37/1992',
    [
      'The customer of the exempt intra-Community supply (E5) has no VAT number of another member state.',
      'Send the customer’s VAT number with its prefix; without it the supply is not exempt.',
    ],
    [
      'La entrega intracomunitaria exenta (E5) es a un cliente sin NIF-IVA de otro Estado miembro.',
      'Envíe el NIF-IVA del cliente con su prefijo; sin él la entrega no está exenta.',
    ],
  ),
  'record.reference': CORRECTION_MESSAGES.reference,
  'record.reference_not_earlier': CORRECTION_MESSAGES.reference_not_earlier,
  'record.correction': messageText(
    'art. 15 RD 1619/2012; art. 10 Orden HAC/1177/2024',
    [
      'A corrective invoice must state its correction method; {field} is missing.',
      'Send correction_type S or D, and with S the taxable amount and the tax amount of the corrected invoice.',
    ],
    [
      'Una factura rectificativa debe indicar cómo rectifica; falta {field}.',
      'Envíe correction_type S o D y, con S, la base y la cuota de la factura rectificada.',
    ],
  ),
  'record.corrected_surcharge': CORRECTION_MESSAGES.corrected_surcharge,
  'record.corrected_later': CORRECTED_LATER,
  'record.option': CORRECTION_MESSAGES.option,
  'record.cost_base': messageText(
    'art. 163 octies.Uno Ley 37/1992',
    [
      'No line under regime key 06 has the tax rate {received} % of this taxable amount at cost (BaseImponibleACoste), or the rate is repeated.',
      'Pass one taxable amount at cost for each tax rate of the lines under regime key 06.',
    ],
    [
      'La base a coste al {received} % no corresponde a ninguna línea de clave 06 o está repetida.',
      'Pase una base a coste por cada tipo impositivo de las líneas con clave 06.',
    ],
  ),
  'record.totals_differ': messageText(
    validations('3.1.3.16-17'),
    [
      '{field} is {received} and its breakdown adds up to {expected}.',
      'The invoice was changed after calculation: validate it again.',
    ],
    [
      '{field} es {received} y su desglose suma {expected}.',
      'La factura se modificó después de calcularla: valídela de nuevo.',
    ],
  ),
  'record.system': messageText(
    'art. 10 Orden HAC/1177/2024',
    [
      'The block of the invoicing software (SistemaInformatico) is missing.',
      'Pass `system` (SistemaInformatico) with the data of its responsible declaration.',
    ],
    [
      'Falta el bloque del sistema informático.',
      'Pase `system` (SistemaInformatico) con los datos de su declaración responsable.',
    ],
  ),
  'record.previous': messageText(
    'art. 7 Orden HAC/1177/2024',
    [
      'The previous record cannot be used: {reason}.',
      'Pass the last record of the chain (or its link with a hash of 64 upper-case hexadecimal digits), or null only for the first record of this installation.',
    ],
    [
      'El registro anterior no puede usarse: {reason}.',
      'Pase el último registro de la cadena (o su enlace, con una huella de 64 dígitos hexadecimales en mayúsculas), o null solo para el primer registro de la instalación.',
    ],
  ),
  'record.previous_later': messageText(
    'art. 7 Orden HAC/1177/2024',
    [
      'The timestamp {received} is before that of the previous record ({expected}).',
      'Check the clock of the machine: no record may have an earlier timestamp than the one before.',
    ],
    [
      'La fecha y hora {received} es anterior a la del registro previo ({expected}).',
      'Compruebe el reloj del equipo: ningún registro puede ser anterior al que lo precede.',
    ],
  ),
  'record.timestamp': messageText(
    'arts. 10 and 11 Orden HAC/1177/2024',
    [
      '"{received}" is not a valid timestamp of a record.',
      'Pass yyyy-mm-ddThh:mm:ss±hh:mm, whole seconds, such as 2027-01-31T10:00:00+01:00 (spanishTimestamp returns it).',
    ],
    [
      '«{received}» no es una fecha y hora válida para un registro.',
      'Pase aaaa-mm-ddThh:mm:ss±hh:mm, en segundos enteros, como 2027-01-31T10:00:00+01:00 (la devuelve spanishTimestamp).',
    ],
  ),
  'record.timestamp_zone': messageText(
    'arts. 10 and 11 Orden HAC/1177/2024',
    [
      'The offset of {received} is neither that of Europe/Madrid nor that of Atlantic/Canary at that time.',
      'Pass the local time of the place of issue with its own offset (spanishTimestamp returns it).',
    ],
    [
      'El desfase de {received} no es el de Europe/Madrid ni el de Atlantic/Canary en esa fecha.',
      'Pase la hora local del lugar de expedición con su desfase (la devuelve spanishTimestamp).',
    ],
  ),
  'record.event_type': messageText(
    'art. 9 Orden HAC/1177/2024',
    [
      'Event type "{received}" does not match the data passed with it.',
      'Pass the block of that type: {allowed}.',
    ],
    [
      'El tipo de evento «{received}» y los datos que lo acompañan no se corresponden.',
      'Pase el bloque de ese tipo: {allowed}.',
    ],
  ),
}

export type RecordCode = keyof typeof RECORD_CODES

export type Refuse = Refusals<RecordCode>['refuse']

/** Collects items in a language. */
export const refusals = (locale: Locale): Refusals<RecordCode> => refusalsOf(RECORD_CODES, locale)
