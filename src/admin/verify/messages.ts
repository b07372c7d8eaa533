/** What `verify` can find: which check finds it, what it means, and what to do. `{placeholders}` are of the finding. */
import type { Text } from '../../invoice/index.ts'

/** In the order in which they are printed. */
export const CHECKS = {
  invoices: { en: 'invoices and their documents', es: 'facturas y sus documentos' },
  totals: { en: 'amounts, computed again', es: 'importes, recalculados' },
  numbers: { en: 'numbers held', es: 'números ocupados' },
  series: { en: 'counters of series', es: 'contadores de series' },
  counts: { en: 'counts of lists', es: 'recuentos de los listados' },
  events: { en: 'histories of invoices', es: 'historiales de facturas' },
  collections: { en: 'collections and payments', es: 'cobros y pagos' },
  records: { en: 'VeriFactu records', es: 'registros VeriFactu' },
  sif_events: { en: 'VeriFactu events', es: 'eventos VeriFactu' },
  signatures: { en: 'signatures of records', es: 'firmas de registros' },
  attachments: { en: 'attached files', es: 'ficheros adjuntos' },
  files: { en: 'files in the store', es: 'ficheros almacenados' },
} as const satisfies Record<string, Text>

export type Check = keyof typeof CHECKS

export interface BreakText {
  readonly check: Check
  readonly message: Text
  /** Without it, `BACKUP`. */
  readonly fix?: Text
}

/** What to do about most breaks. */
export const BACKUP: Text = {
  en: 'Somebody wrote to the database past the server: compare with a backup and restore the row.',
  es: 'Alguien escribió en la base de datos sin pasar por el servidor: compare con una copia y restaure la fila.',
}

export const BREAKS = {
  document_missing: {
    check: 'invoices',
    message: { en: 'has no stored document', es: 'no tiene documento guardado' },
  },
  document_unreadable: {
    check: 'invoices',
    message: {
      en: 'has a stored document that the engine cannot read: {reason}',
      es: 'tiene un documento guardado que el motor no puede leer: {reason}',
    },
  },
  column_differs: {
    check: 'invoices',
    message: {
      en: 'is listed with {column} {received}; its document says {expected}',
      es: 'figura en los listados con {column} {received}; su documento dice {expected}',
    },
  },
  total_differs: {
    check: 'totals',
    message: {
      en: 'has {received} in {path}; computed again, it is {expected}',
      es: 'tiene {received} en {path}; recalculado, es {expected}',
    },
  },
  sent_total_differs: {
    check: 'totals',
    message: {
      en: 'has {received} in {path}; {expected} was sent',
      es: 'tiene {received} en {path}; se envió {expected}',
    },
  },
  number_not_held: {
    check: 'numbers',
    message: {
      en: 'has the number {number}, which is not held for it: another invoice could get it',
      es: 'tiene el número {number}, que no está reservado para ella: otra factura podría recibirlo',
    },
  },
  number_twice: {
    check: 'numbers',
    message: {
      en: 'has the number {number}, which invoice {holder} holds',
      es: 'tiene el número {number}, que ocupa la factura {holder}',
    },
    fix: {
      en: 'Two invoices with one number: find out which was delivered, and correct the other by a corrective invoice.',
      es: 'Dos facturas con un número: averigüe cuál se entregó y corrija la otra con una rectificativa.',
    },
  },
  number_of_nobody: {
    check: 'numbers',
    message: {
      en: 'holds the number {number}, but does not exist or has another number',
      es: 'ocupa el número {number}, pero no existe o tiene otro número',
    },
    fix: {
      en: 'An invoice is lost, or its row was changed: restore it from a backup.',
      es: 'Se ha perdido una factura o se cambió su fila: restáurela de una copia.',
    },
  },
  counter_behind: {
    check: 'series',
    message: {
      en: 'continues with {next}, and {number} is held already',
      es: 'continúa con {next}, y {number} ya está ocupado',
    },
    fix: {
      en: 'Set the counter with `cuadra-admin series configure --next`.',
      es: 'Ajuste el contador con `cuadra-admin series configure --next`.',
    },
  },
  series_missing: {
    check: 'series',
    message: {
      en: 'does not exist, and the number {number} belongs to it',
      es: 'no existe, y el número {number} le pertenece',
    },
  },
  count_differs: {
    check: 'counts',
    message: {
      en: 'are counted as {received} in lists; there are {expected}',
      es: 'se cuentan como {received} en los listados; hay {expected}',
    },
  },
  no_event: {
    check: 'events',
    message: { en: 'has no event in its history', es: 'no tiene ningún evento en su historial' },
  },
  status_without_event: {
    check: 'events',
    message: {
      en: 'has the status {status}, and no event of its history made it so',
      es: 'tiene el estado {status}, y ningún evento de su historial lo explica',
    },
  },
  collection_without_invoice: {
    check: 'collections',
    message: { en: 'belongs to an invoice that does not exist', es: 'es de una factura que no existe' },
  },
  payment_without_invoice: {
    check: 'collections',
    message: { en: 'belongs to an invoice that does not exist', es: 'es de una factura que no existe' },
  },
  sequence_gap: {
    check: 'records',
    message: {
      en: 'comes after {before}: what was between them is missing',
      es: 'va después de {before}: falta lo que había entre ellos',
    },
    fix: {
      en: 'A record was deleted: restore it from a backup. Records are never deleted (art. 8 RD 1007/2023).',
      es: 'Se borró un registro: restáurelo de una copia. Los registros nunca se borran (art. 8 RD 1007/2023).',
    },
  },
  chain_head_differs: {
    check: 'records',
    message: {
      en: 'ends with {received} stored, and the last one that was made is {expected}',
      es: 'termina con {received} guardado, y el último generado es {expected}',
    },
    fix: {
      en: 'Records at the end of the chain were deleted or changed: restore them from a backup.',
      es: 'Se borraron o cambiaron registros al final de la cadena: restáurelos de una copia.',
    },
  },
  record_unreadable: {
    check: 'records',
    message: { en: 'cannot be read: {reason}', es: 'no puede leerse: {reason}' },
  },
  record_column_differs: {
    check: 'records',
    message: {
      en: 'is listed with {column} {received}; the record says {expected}',
      es: 'figura con {column} {received}; el registro dice {expected}',
    },
  },
  record_xml_differs: {
    check: 'records',
    message: {
      en: 'has XML that is not that of this record',
      es: 'tiene un XML que no es el de este registro',
    },
  },
  record_without_invoice: {
    check: 'records',
    message: {
      en: 'belongs to an invoice that does not exist, or that has another number or date',
      es: 'es de una factura que no existe, o que tiene otro número o fecha',
    },
  },
  record_total_differs: {
    check: 'records',
    message: {
      en: 'registers {received}; its invoice amounts to {expected}',
      es: 'registra {received}; su factura importa {expected}',
    },
  },
  record_missing: {
    check: 'records',
    message: {
      en: 'was issued on {issue_date} with VeriFactu active, and has no registration record',
      es: 'se emitió el {issue_date} con VeriFactu activo y no tiene registro de alta',
    },
    fix: {
      en: 'Records were deleted: restore them from a backup.',
      es: 'Se borraron registros: restáurelos de una copia.',
    },
  },
  signature_wrong: {
    check: 'signatures',
    message: { en: 'has a wrong signature: {reason}', es: 'tiene una firma incorrecta: {reason}' },
    fix: {
      en: 'The stored text was changed after it was signed: restore it from a backup.',
      es: 'El texto guardado se cambió después de firmarse: restáurelo de una copia.',
    },
  },
  attachment_without_invoice: {
    check: 'attachments',
    message: { en: 'belongs to an invoice that does not exist', es: 'es de una factura que no existe' },
  },
  file_missing: {
    check: 'attachments',
    message: { en: 'has no file ({file})', es: 'no tiene fichero ({file})' },
    fix: {
      en: 'Restore the file into the data folder from a backup.',
      es: 'Restaure el fichero en la carpeta de datos desde una copia.',
    },
  },
  file_differs: {
    check: 'attachments',
    message: {
      en: 'is not the file that was attached ({file}): {what} is {received}, not {expected}',
      es: 'no es el fichero que se adjuntó ({file}): {what} es {received}, no {expected}',
    },
    fix: {
      en: 'Restore the file into the data folder from a backup.',
      es: 'Restaure el fichero en la carpeta de datos desde una copia.',
    },
  },
  file_orphan: {
    check: 'files',
    message: { en: 'belongs to no attachment', es: 'no es de ningún adjunto' },
    fix: {
      en: 'Nothing refers to it. Keep it aside until you know where it comes from, then delete it.',
      es: 'Nada se refiere a él. Apártelo hasta saber de dónde procede y bórrelo después.',
    },
  },
} as const satisfies Record<string, BreakText>

export type BreakCode = keyof typeof BREAKS

export const NOTES = {
  date_held: {
    en: 'Series {series}: the last number has the date {last_date}, and for this machine, today is {today}. The next number keeps that date for a day; beyond that nothing is issued. Check the clocks.',
    es: 'Serie {series}: el último número lleva la fecha {last_date} y, para esta máquina, hoy es {today}. El número siguiente conserva esa fecha durante un día; más allá no se emite nada. Revise los relojes.',
  },
  date_falls: {
    en: 'Series {series}: {number} has the date {date}, earlier than {before} of {before_date}; so have {count} numbers in all. Numbers that were asked for cause this, and so did a clock that was set back.',
    es: 'Serie {series}: {number} lleva la fecha {date}, anterior a la de {before}, del {before_date}; son {count} números en total. Lo causan los números pedidos expresamente, y lo causaba un reloj atrasado.',
  },
  gap: {
    en: 'Series {series}: no invoice holds the numbers {first} to {last}. Only imports, numbers asked for and --next leave such gaps.',
    es: 'Serie {series}: ninguna factura ocupa los números de {first} a {last}. Solo dejan esos huecos las importaciones, los números pedidos expresamente y --next.',
  },
  more_gaps: {
    en: 'Series {series}: {count} more gaps.',
    es: 'Serie {series}: {count} huecos más.',
  },
  pending_files: {
    en: '{count} files are being written or removed just now, or wait for a server to remove them.',
    es: '{count} ficheros se están escribiendo o borrando ahora, o esperan a que un servidor los borre.',
  },
  verifactu_and_sii: {
    en: 'VeriFactu and the SII are both active. Whoever keeps the books through the SII is outside of VeriFactu (art. 3.3 RD 1007/2023): close one of them.',
    es: 'VeriFactu y el SII están activos a la vez. Quien lleva los libros por el SII queda fuera de VeriFactu (art. 3.3 RD 1007/2023): cierre uno de los dos.',
  },
  check_not_recorded: {
    en: 'The database can only be read here, so the events of this check are not recorded. Whoever works without VERI*FACTU runs `verify` on the database itself.',
    es: 'Aquí la base de datos es de solo lectura, por lo que los eventos de esta comprobación no se registran. Quien trabaja sin VERI*FACTU ejecuta `verify` sobre la propia base de datos.',
  },
  movements_overdue: {
    en: 'Collections and payments of cash-basis invoices that are past the day until which the SII had to be told of them: {count}. See `cuadra-admin collection list --open` and `cuadra-admin payment list --open`.',
    es: 'Cobros y pagos de facturas en criterio de caja cuyo plazo de suministro al SII ha vencido: {count}. Véanse `cuadra-admin collection list --open` y `cuadra-admin payment list --open`.',
  },
  movements_rejected: {
    en: 'Collections and payments of cash-basis invoices that the SII has rejected: {count}. `cuadra-admin collection list --open` and `cuadra-admin payment list --open` say why, and what to do.',
    es: 'Cobros y pagos de facturas en criterio de caja rechazados por el SII: {count}. `cuadra-admin collection list --open` y `cuadra-admin payment list --open` indican el motivo y qué hacer.',
  },
  unsigned_records: {
    en: '{count} records wait for the signature of whoever it was delegated to.',
    es: '{count} registros esperan la firma de quien la tiene delegada.',
  },
  no_canonical: {
    en: '{count} invoices have no canonical document, so their amounts were not computed again.',
    es: '{count} facturas no tienen documento canónico, por lo que no se recalcularon sus importes.',
  },
} as const satisfies Record<string, Text>

export type NoteCode = keyof typeof NOTES
