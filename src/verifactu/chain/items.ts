/** Codes of the audit of a chain, with their texts: the finding, the record and field, and the next step. */
import type { Severity } from '../../invoice/index.ts'
import { type MessageText, messageText, type Pair } from '../../messages/index.ts'

interface ChainMessages extends MessageText {
  readonly severity: Severity
}

/** Declares a finding. Findings cite no law, since the reader must decide on their legal meaning. */
const found = (en: Pair, es: Pair, severity: Severity = 'error'): ChainMessages => ({
  ...messageText('', en, es),
  severity,
})

const RESTORE = {
  en: 'Restore the record from a copy made when it was generated, or from the XML sent; keep both versions as evidence and, without VERI*FACTU, record an anomaly event (type 04).',
  es: 'Recupere el registro de una copia hecha al generarlo o del XML enviado; conserve ambas versiones como prueba y, sin VERI*FACTU, registre un evento de anomalía (tipo 04).',
}

/** Text of `chain.tampered` if the changed field is unknown. */
export const UNCERTAIN = found(
  [
    'The content of {record} does not match its own hash. The changed part is unknown: one or more of {fields}, or the hash itself.',
    RESTORE.en,
  ],
  [
    'El contenido de {record} no corresponde a su huella. No se sabe qué se modificó: uno o varios de {fields}, o la propia huella.',
    RESTORE.es,
  ],
)

/** Codes of the audit. `{record}` is the number and date of the invoice, or the type and timestamp of the event. */
export const CHAIN_CODES = {
  'chain.unreadable': found(
    [
      'This is not a readable record: {reason}.',
      'Read the file with the reader of this package, and correct the problems that it reports first.',
    ],
    [
      'No es un registro legible: {reason}.',
      'Lea el fichero con el lector de este paquete y corrija antes lo que señale.',
    ],
  ),
  'chain.tampered': found(
    ['The content of {record} does not match its own hash; changed after generation: {fields}.', RESTORE.en],
    [
      'El contenido de {record} no corresponde a su huella; modificado después de generarse: {fields}.',
      RESTORE.es,
    ],
  ),
  'chain.link_differs': found(
    [
      '{record} states {received} as {field} of its previous record, but that record has {expected}.',
      RESTORE.en,
    ],
    [
      '{record} identifica su registro anterior con {field} {received}, pero ese registro tiene {expected}.',
      RESTORE.es,
    ],
  ),
  'chain.replaced': found(
    [
      '{record} is not the record that {by} is linked to: {by} states the hash {expected}, but {record} has {received}.',
      `The record was changed and its hash was calculated again, or a record of the same invoice between the two is missing. ${RESTORE.en}`,
    ],
    [
      '{record} no es el registro al que sigue {by}: aquel tenía la huella {expected} y este tiene {received}.',
      `Se modificó y se volvió a calcular su huella, o falta entre ambos un registro de la misma factura. ${RESTORE.es}`,
    ],
  ),
  'chain.gap': found(
    [
      '{record} follows a record that is missing: {missing}. It comes after {before}: either the missing record was between the two, or {before} replaced it.',
      'Look for the missing records in backups, in the queue, or at the tax authority (query by number and date). Add them to the files in order, and audit again.',
    ],
    [
      '{record} sigue a un registro que falta: {missing}. Delante tiene {before}: o el que falta estaba entre ambos, o {before} lo sustituyó.',
      'Busque los registros que faltan en las copias, en la cola o en la AEAT (consulta por número y fecha) y repita la auditoría con ellos en su sitio.',
    ],
  ),
  'chain.fork': found(
    [
      '{record} follows the same record as {other}: the chain forks.',
      'Two processes used the same last record: make both processes use the same lock. Keep both records; chain the next one to the last one generated.',
    ],
    [
      '{record} sigue al mismo registro que {other}: la cadena se bifurca.',
      'Dos procesos usaron el mismo último registro: haga que compartan un bloqueo. Conserve ambos; encadene el siguiente al último generado.',
    ],
  ),
  'chain.given_twice': found(
    [
      'The record of {record} occurs twice; the audit skips this one.',
      'The files probably overlap: pass each record once. Fields that the hash does not cover (names, description) are not compared.',
    ],
    [
      'El registro de {record} está repetido; la auditoría omite este.',
      'Es probable que los ficheros se solapen: entregue cada registro una vez. Lo que la huella no cubre (nombres, descripción) no se compara.',
    ],
    'warning',
  ),
  'chain.number_reused': found(
    [
      '{record} is already in the chain, and this record is not marked as its correction.',
      'A number is never used again, not even after a cancellation: the tax authority rejects the record (3000). Mark a correction with Subsanacion S; give another invoice another number.',
    ],
    [
      '{record} ya está en la cadena y este registro no consta como subsanación.',
      'Un número no se reutiliza nunca, ni tras una anulación: la AEAT lo rechaza (3000). Una subsanación lleva Subsanacion S; otra factura necesita otro número.',
    ],
    'warning',
  ),
  'chain.continued': found(
    [
      'From {record} on, the chain belongs to another taxpayer or installation: {field} is {received}; before {record} it was {expected}.',
      'Check that this taxpayer or installation lawfully continues the chain (a merger); the hash does not prove it.',
    ],
    [
      'Desde {record}, la cadena es de otro titular: {field} es {received} y antes era {expected}.',
      'Compruebe que este obligado o instalación continúa legítimamente la cadena (una fusión); la huella no lo prueba.',
    ],
    'warning',
  ),
  'chain.order': found(
    [
      '{record} is out of order: it follows {other}.',
      'Sort the records in the order of generation (their links state it), then audit again.',
    ],
    [
      '{record} está fuera de orden: sigue a {other}.',
      'Ordene los registros como se generaron (lo indican sus enlaces) y repita la auditoría.',
    ],
  ),
  'chain.wrong_first': found(
    [
      'The first record here, {record}, follows another one: {missing}.',
      'Pass that earlier record (`after`), or begin with the first record of the installation.',
    ],
    [
      'El primer registro, {record}, sigue a otro: {missing}.',
      'Indique ese registro anterior (`after`) o empiece por el primero de la instalación.',
    ],
  ),
  'chain.first_again': found(
    [
      '{record} is marked as the first of the chain, but other records ({count}) come before it.',
      'A chain begins once: if this is another installation, audit it separately; otherwise the system lost its last record. Chain the next record to the last one generated.',
    ],
    [
      '{record} consta como el primero de la cadena, pero hay otros registros antes ({count}).',
      'Una cadena empieza una sola vez: si es otra instalación, audítela aparte; si no, el sistema perdió su último registro. Encadene el siguiente al último generado.',
    ],
  ),
  'chain.no_link': found(
    ['{record} states neither that it is the first nor which record it follows.', RESTORE.en],
    ['{record} no indica que sea el primero ni a qué registro sigue.', RESTORE.es],
  ),
  'chain.clock_backwards': found(
    [
      '{record} was generated at {received}, before the record that it follows ({expected}).',
      'Check the clock and the time zone of the machine; the order of the chain is not affected.',
    ],
    [
      '{record} se generó con fecha y hora {received}, antes que el registro al que sigue ({expected}).',
      'Compruebe el reloj y el huso horario del equipo; el orden de la cadena no cambia.',
    ],
  ),
  'chain.clock_ahead': found(
    [
      '{record} was generated at {received}, more than a minute after the current time ({expected}).',
      'Set the clock of the machine; the tax authority accepts the record with error 2004.',
    ],
    [
      '{record} se generó con fecha y hora {received}, más de un minuto después de la hora actual ({expected}).',
      'Ponga en hora el reloj del equipo; la AEAT acepta ese registro con el error 2004.',
    ],
  ),
  'chain.timestamp': found(
    ['{record} has no readable timestamp: "{received}".', RESTORE.en],
    ['{record} no tiene una fecha y hora legible: «{received}».', RESTORE.es],
  ),
  'chain.other_chain': found(
    [
      '{record} belongs to another chain: {field} is {received}; in the records before it was {expected}.',
      'A chain has one taxpayer and one installation: audit each separately (`split`), or pass `chain_continues` if it continues after a merger. If it is the same chain, the field was changed.',
    ],
    [
      '{record} es de otra cadena: {field} es {received} y hasta aquí era {expected}.',
      'Una cadena tiene un obligado y una instalación: audítelas por separado (`split`) o pase `chain_continues` si continúa tras una fusión. Si es la misma, el campo se modificó.',
    ],
  ),
  'chain.breakdown_differs': found(
    [
      '{field} of {record} is {received} and its breakdown adds up to {expected}.',
      'The hash does not cover the breakdown: compare the record with the invoice. If the record is wrong, correct it with a new record (Subsanacion S).',
    ],
    [
      '{field} de {record} es {received} y su desglose suma {expected}.',
      'La huella no cubre el desglose: compare el registro con la factura y, si está mal, corríjalo con un registro nuevo (Subsanacion S).',
    ],
    'warning',
  ),
}

export type ChainCode = keyof typeof CHAIN_CODES
