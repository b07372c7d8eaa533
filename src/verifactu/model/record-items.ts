/** Why no record was made: the builder's own codes, in the shape of the engine's validation items. */
import { CORRECTION_MESSAGES } from '../../fiscal/correction.ts'
import { CORRECTED_LATER } from '../../fiscal/operation-day.ts'
import type { Locale } from '../../invoice/index.ts'
import { messageText, type Refusals, refusalsOf } from '../../messages/index.ts'
import { INVOICE_CODES } from './invoice-items.ts'
import { design, validations } from './laws.ts'

/** Codes of the record builder, with their words. */
export const RECORD_CODES = {
  ...INVOICE_CODES,
  'record.recipient_unidentified': messageText(
    `art. 6.1.d RD 1619/2012; ${design('6, L7')}`,
    [
      'The recipient has no identifier that a record can carry.',
      'Send a valid NIF, an EU VAT number, a foreign tax id of at most 20 characters, or an identifier (passport); without one only a simplified invoice is possible.',
    ],
    [
      'El destinatario no tiene un identificador que pueda ir en el registro.',
      'Envíe un NIF válido, un NIF-IVA, un identificador fiscal extranjero de hasta 20 caracteres o un documento (pasaporte); sin él solo cabe una factura simplificada.',
    ],
  ),
  'record.recipient_left_out': messageText(
    `art. 7.2 RD 1619/2012; ${design('2')}`,
    [
      'The record of a corrective of simplified invoices (R5) names no recipient: the customer is left out.',
      'If the corrected invoice named its customer, send invoice_type_code 03: the record is then R1 to R4 and names it.',
    ],
    [
      'El registro de una rectificativa de facturas simplificadas (R5) no lleva destinatario: el cliente no figura.',
      'Si la factura rectificada identificaba a su cliente, envíe invoice_type_code 03: el registro es entonces R1 a R4 y lo lleva.',
    ],
  ),
  'record.other_chain': messageText(
    'arts. 6 and 7 Orden HAC/1177/2024',
    [
      'The previous record is of another chain: its {part} is {received}, and here it is {expected}.',
      'Pass the last record of this taxpayer and installation; each has a chain of its own. After a merger that goes on with the chain, pass chain_continues.',
    ],
    [
      'El registro anterior es de otra cadena: su {part} es {received} y aquí es {expected}.',
      'Pase el último registro de este obligado e instalación: cada uno tiene su cadena. Tras una fusión que la continúa, pase chain_continues.',
    ],
  ),
  'record.already_registered': messageText(
    validations('6.1'),
    [
      'The previous record registers this same invoice ({received}).',
      'Give the invoice its own number, or pass correction if this record corrects that one.',
    ],
    [
      'El registro anterior ya registra esta misma factura ({received}).',
      'Dé a la factura su propio número o pase correction si este registro corrige aquel.',
    ],
  ),
  'record.previous_changed': messageText(
    'art. 7 Orden HAC/1177/2024',
    [
      'The content of the previous record does not give its own hash.',
      'The record is linked to it nevertheless, since invoicing must go on. Audit the chain (verifyChain) and record the anomaly.',
    ],
    [
      'El contenido del registro anterior no da su propia huella.',
      'El registro se encadena de todos modos, porque la facturación no debe detenerse. Audite la cadena (verifyChain) y registre la anomalía.',
    ],
  ),
  'record.intra_community': messageText(
    'art. 25 Ley 37/1992',
    [
      'The exempt intra-Community supply (E5) is to a customer without a VAT number of another member state.',
      'Send the customer’s VAT number with its prefix; without it the supply is not exempt.',
    ],
    [
      'La entrega intracomunitaria exenta (E5) es a un cliente sin NIF-IVA de otro Estado miembro.',
      'Envíe el NIF-IVA del cliente con su prefijo; sin él la entrega no está exenta.',
    ],
  ),
  'record.reference': CORRECTION_MESSAGES.reference,
  'record.correction': messageText(
    'art. 15 RD 1619/2012; art. 10 Orden HAC/1177/2024',
    [
      'A corrective invoice says how it corrects; {field} is missing.',
      'Send correction_type S or D, and with S the base and the tax of the corrected invoice.',
    ],
    [
      'Una factura rectificativa dice cómo rectifica; falta {field}.',
      'Envíe correction_type S o D y, con S, la base y la cuota de la factura rectificada.',
    ],
  ),
  'record.corrected_surcharge': CORRECTION_MESSAGES.corrected_surcharge,
  'record.corrected_later': CORRECTED_LATER,
  'record.option': CORRECTION_MESSAGES.option,
  'record.cost_base': messageText(
    'art. 163 octies.Uno Ley 37/1992',
    [
      'The base at cost at {received} % belongs to no line under key 06, or is repeated.',
      'Pass one for each rate of the lines under key 06.',
    ],
    [
      'La base a coste al {received} % no corresponde a ninguna línea de clave 06 o está repetida.',
      'Pase una por cada tipo de las líneas de clave 06.',
    ],
  ),
  'record.totals_differ': messageText(
    validations('3.1.3.16-17'),
    [
      '{field} is {received} and its breakdown adds up to {expected}.',
      'The invoice was changed after it was calculated: validate it again.',
    ],
    [
      '{field} es {received} y su desglose suma {expected}.',
      'La factura se cambió después de calcularla: valídela de nuevo.',
    ],
  ),
  'record.system': messageText(
    'art. 10 Orden HAC/1177/2024',
    [
      'The block of the invoicing system is missing.',
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
      'The previous record is not known: {reason}.',
      'Pass the last record of the chain (or its link with a hash of 64 upper-case hexadecimal digits), or null only for the very first record of this installation.',
    ],
    [
      'No se conoce el registro anterior: {reason}.',
      'Pase el último registro de la cadena (o su enlace, con una huella de 64 dígitos hexadecimales en mayúsculas), o null solo para el primer registro de la instalación.',
    ],
  ),
  'record.previous_later': messageText(
    'art. 7 Orden HAC/1177/2024',
    [
      'The moment {received} is before the previous record’s ({expected}).',
      'Check the clock of the machine: records follow each other in time.',
    ],
    [
      'La fecha y hora {received} es anterior a la del registro previo ({expected}).',
      'Compruebe el reloj del equipo: los registros se suceden en el tiempo.',
    ],
  ),
  'record.moment': messageText(
    'arts. 10 and 11 Orden HAC/1177/2024',
    [
      '"{received}" is not a moment that a record can carry.',
      'Pass yyyy-mm-ddThh:mm:ss±hh:mm, whole seconds, such as 2027-01-31T10:00:00+01:00 (spanishMoment makes it).',
    ],
    [
      '«{received}» no es una fecha y hora que pueda llevar un registro.',
      'Pase aaaa-mm-ddThh:mm:ss±hh:mm, en segundos enteros, como 2027-01-31T10:00:00+01:00 (spanishMoment la compone).',
    ],
  ),
  'record.moment_zone': messageText(
    'arts. 10 and 11 Orden HAC/1177/2024',
    [
      'The offset of {received} is neither that of Europe/Madrid nor that of Atlantic/Canary at that time.',
      'Pass the local time of the place of issue with its own offset (spanishMoment makes it).',
    ],
    [
      'El desfase de {received} no es el de Europe/Madrid ni el de Atlantic/Canary en esa fecha.',
      'Pase la hora local del lugar de expedición con su desfase (spanishMoment la compone).',
    ],
  ),
  'record.event_type': messageText(
    'art. 9 Orden HAC/1177/2024',
    [
      'Event type "{received}" and the data passed with it do not belong together.',
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

/** Collects items in the language asked for. */
export const refusals = (locale: Locale): Refusals<RecordCode> => refusalsOf(RECORD_CODES, locale)
