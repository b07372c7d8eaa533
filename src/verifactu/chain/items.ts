/** What the audit of a chain can find, with its words: what, which record and field, what to do next. */
import type { Severity } from '../../invoice/index.ts'
import { type MessageText, messageText, type Pair } from '../../messages/index.ts'

interface ChainMessages extends MessageText {
  readonly severity: Severity
}

/** What a finding proves is for whoever reads it: it cites no law. */
const found = (en: Pair, es: Pair, severity: Severity = 'error'): ChainMessages => ({
  ...messageText('', en, es),
  severity,
})

const RESTORE = {
  en: 'Restore the record from a copy that was made when it was generated, or from the XML that was sent; keep both versions as evidence and, without VERI*FACTU, record an anomaly event (type 04).',
  es: 'Recupere el registro de una copia hecha al generarlo o del XML enviado; conserve ambas versiones como prueba y, sin VERI*FACTU, registre un evento de anomalía (tipo 04).',
}

/** Words of `chain.tampered` where it cannot be told which field was changed. */
export const UNCERTAIN = found(
  [
    'The content of {record} does not give its own hash. Which part was changed cannot be told: one or more of {fields}, or the hash itself.',
    RESTORE.en,
  ],
  [
    'El contenido de {record} no da su propia huella. No se puede saber qué se modificó: uno o varios de {fields}, o la propia huella.',
    RESTORE.es,
  ],
)

/** Codes of the audit. `{record}` is the number and date of the invoice, or the type and moment of the event. */
export const CHAIN_CODES = {
  'chain.unreadable': found(
    [
      'This is not a readable record: {reason}.',
      'Read the file with the reader of this package and mend what it reports first.',
    ],
    [
      'No es un registro legible: {reason}.',
      'Lea el fichero con el lector de este paquete y corrija antes lo que señale.',
    ],
  ),
  'chain.tampered': found(
    [
      'The content of {record} does not give its own hash; changed after it was generated: {fields}.',
      RESTORE.en,
    ],
    [
      'El contenido de {record} no da su propia huella; modificado después de generarse: {fields}.',
      RESTORE.es,
    ],
  ),
  'chain.link_differs': found(
    [
      '{record} names its previous record with {field} {received}, but that record has {expected}.',
      RESTORE.en,
    ],
    [
      '{record} identifica su registro anterior con {field} {received}, pero ese registro tiene {expected}.',
      RESTORE.es,
    ],
  ),
  'chain.replaced': found(
    [
      '{record} is not the record that {by} follows: that one had the hash {expected}, this one has {received}.',
      `It was changed and hashed again, or a record of the same invoice between the two is missing. ${RESTORE.en}`,
    ],
    [
      '{record} no es el registro al que sigue {by}: aquel tenía la huella {expected} y este tiene {received}.',
      `Se modificó y se volvió a calcular su huella, o falta entre ambos un registro de la misma factura. ${RESTORE.es}`,
    ],
  ),
  'chain.gap': found(
    [
      '{record} follows a record that is not here: {missing}. The one in front of it is {before}: either the missing one stood between the two, or {before} was put in its place.',
      'Look for the missing records in backups, in the queue, or with the authority (query by number and date), and audit again with them in their place.',
    ],
    [
      '{record} sigue a un registro que no está aquí: {missing}. Delante tiene {before}: o el que falta estaba entre ambos, o {before} se puso en su lugar.',
      'Busque los registros que faltan en las copias, en la cola o en la AEAT (consulta por número y fecha) y repita la auditoría con ellos en su sitio.',
    ],
  ),
  'chain.fork': found(
    [
      '{record} follows the same record as {other}: the chain forks.',
      'Two processes took the same last record: make them share a lock. Keep both records; chain the next one to the last one that was generated.',
    ],
    [
      '{record} sigue al mismo registro que {other}: la cadena se bifurca.',
      'Dos procesos tomaron el mismo último registro: haga que compartan un bloqueo. Conserve ambos; encadene el siguiente al último generado.',
    ],
  ),
  'chain.given_twice': found(
    [
      'The record of {record} is given twice; this one is left out of the audit.',
      'The files probably overlap: give each record once. What the hash does not cover (names, description) is not compared.',
    ],
    [
      'El registro de {record} está repetido; este no cuenta en la auditoría.',
      'Es probable que los ficheros se solapen: entregue cada registro una vez. Lo que la huella no cubre (nombres, descripción) no se compara.',
    ],
    'warning',
  ),
  'chain.number_reused': found(
    [
      '{record} has been in the chain before, and this record does not say that it corrects it.',
      'A number is never used again, not even after a cancellation: the authority rejects it (3000). A correction says Subsanacion S; another invoice needs another number.',
    ],
    [
      '{record} ya estaba en la cadena y este registro no dice que lo subsana.',
      'Un número no se reutiliza nunca, ni tras una anulación: la AEAT lo rechaza (3000). Una subsanación lleva Subsanacion S; otra factura necesita otro número.',
    ],
    'warning',
  ),
  'chain.continued': found(
    [
      'From {record} on, the chain belongs to another owner: {field} is {received}; before that it was {expected}.',
      'Check that this taxpayer or installation lawfully goes on with the chain (a merger); nothing in the hash proves it.',
    ],
    [
      'Desde {record}, la cadena es de otro titular: {field} es {received} y antes era {expected}.',
      'Compruebe que este obligado o instalación continúa legítimamente la cadena (una fusión); nada en la huella lo prueba.',
    ],
    'warning',
  ),
  'chain.order': found(
    [
      '{record} is out of place: it follows {other}.',
      'Put the records in the order in which they were generated (their links say it), then audit again.',
    ],
    [
      '{record} está fuera de sitio: sigue a {other}.',
      'Ordene los registros como se generaron (lo dicen sus enlaces) y repita la auditoría.',
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
      '{record} says that it is the first of the chain, but other records ({count}) come before it.',
      'A chain begins once: if this is another installation, audit it apart; otherwise the system lost its last record. Chain the next record to the last one generated.',
    ],
    [
      '{record} dice ser el primero de la cadena, pero hay otros registros antes ({count}).',
      'Una cadena empieza una sola vez: si es otra instalación, audítela aparte; si no, el sistema perdió su último registro. Encadene el siguiente al último generado.',
    ],
  ),
  'chain.no_link': found(
    ['{record} says neither that it is the first nor which record it follows.', RESTORE.en],
    ['{record} no dice ser el primero ni a qué registro sigue.', RESTORE.es],
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
      '{record} was generated at {received}, more than a minute after the present time ({expected}).',
      'Set the clock of the machine; the authority accepts such a record with error 2004.',
    ],
    [
      '{record} se generó con fecha y hora {received}, más de un minuto después de la hora actual ({expected}).',
      'Ponga en hora el reloj del equipo; la AEAT acepta ese registro con el error 2004.',
    ],
  ),
  'chain.moment': found(
    ['{record} has no readable moment: "{received}".', RESTORE.en],
    ['{record} no tiene una fecha y hora legible: «{received}».', RESTORE.es],
  ),
  'chain.other_chain': found(
    [
      '{record} belongs to another chain: {field} is {received}; so far it was {expected}.',
      'A chain is one taxpayer and one installation: audit each apart (`split`), or say that it goes on after a merger (`chain_continues`). If it is the same one, the field was changed.',
    ],
    [
      '{record} es de otra cadena: {field} es {received} y hasta aquí era {expected}.',
      'Una cadena es un obligado y una instalación: audítelas por separado (`split`) o indique que continúa tras una fusión (`chain_continues`). Si es la misma, el campo se modificó.',
    ],
  ),
  'chain.breakdown_differs': found(
    [
      '{field} of {record} is {received} and its breakdown adds up to {expected}.',
      'The breakdown is outside of the hash: compare the record with the invoice, and correct it with a new record (Subsanacion S) if it is wrong.',
    ],
    [
      '{field} de {record} es {received} y su desglose suma {expected}.',
      'El desglose queda fuera de la huella: compare el registro con la factura y, si está mal, corríjalo con un registro nuevo (Subsanacion S).',
    ],
    'warning',
  ),
}

export type ChainCode = keyof typeof CHAIN_CODES
