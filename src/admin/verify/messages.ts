/** Messages of the failures and notes of `verify`. */
import type { Text } from '../../invoice/index.ts'

/** The checks, in printing order. */
export const CHECKS = {
  company: { en: 'settings of the company', es: 'configuración de la empresa' },
  invoices: { en: 'invoices and their documents', es: 'facturas y sus documentos' },
  totals: { en: 'recomputed amounts', es: 'importes, recalculados' },
  corrections: { en: 'corrective invoices', es: 'facturas rectificativas' },
  numbers: { en: 'assigned numbers', es: 'números asignados' },
  series: { en: 'counters of series', es: 'contadores de series' },
  counts: { en: 'counts of lists', es: 'recuentos de los listados' },
  events: { en: 'histories of invoices', es: 'historiales de facturas' },
  collections: { en: 'collections and payments', es: 'cobros y pagos' },
  records: { en: 'VeriFactu records', es: 'registros VeriFactu' },
  sif_events: { en: 'VeriFactu events', es: 'eventos VeriFactu' },
  signatures: { en: 'signatures of records', es: 'firmas de registros' },
  sii: { en: 'records of the SII', es: 'registros del SII' },
  messages: { en: 'messages to the authority', es: 'mensajes a la administración' },
  attachments: { en: 'attached files', es: 'ficheros adjuntos' },
  files: { en: 'files in the store', es: 'ficheros almacenados' },
} as const satisfies Record<string, Text>

export type Check = keyof typeof CHECKS

export interface FailureText {
  readonly check: Check
  readonly message: Text
  /** Defaults to `BACKUP`. */
  readonly fix?: Text
}

/** The fix of most failures. */
export const BACKUP: Text = {
  en: 'The database was changed outside of the server. Compare it with a backup and restore the row.',
  es: 'La base de datos se modificó sin pasar por el servidor. Compárela con una copia y restaure la fila.',
}

export const FAILURES = {
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
      en: 'is listed with {column} {received}, but its document has {expected}',
      es: 'figura en los listados con {column} {received}, pero su documento tiene {expected}',
    },
  },
  digest_differs: {
    check: 'messages',
    message: {
      en: 'differs from the digest that was stored with it, in table {table}: {columns}',
      es: 'no coincide con el resumen que se guardó con ella, en la tabla {table}: {columns}',
    },
  },
  flag_differs: {
    check: 'invoices',
    message: {
      en: 'is stored with {column} {received}, but its history and its validation imply {expected}',
      es: 'se guarda con {column} {received}, pero de su historial y su validación resulta {expected}',
    },
  },
  total_differs: {
    check: 'totals',
    message: {
      en: 'has {received} in {path}, but the recomputed amount is {expected}',
      es: 'tiene {received} en {path}, pero el importe recalculado es {expected}',
    },
  },
  sent_total_differs: {
    check: 'totals',
    message: {
      en: 'has {received} in {path}, but {expected} was sent',
      es: 'tiene {received} en {path}, pero se envió {expected}',
    },
  },
  number_not_held: {
    check: 'numbers',
    message: {
      en: 'has the number {number}, which is not reserved for this invoice: another invoice could be assigned the same number',
      es: 'tiene el número {number}, que no está reservado para ella: otra factura podría recibirlo',
    },
  },
  number_of_series: {
    check: 'numbers',
    message: {
      en: 'is in series {expected}, but its number {number} is reserved in series {received}',
      es: 'es de la serie {expected}, pero su número {number} está reservado en la serie {received}',
    },
  },
  number_twice: {
    check: 'numbers',
    message: {
      en: 'has the number {number}, which belongs to invoice {holder}',
      es: 'tiene el número {number}, que corresponde a la factura {holder}',
    },
    fix: {
      en: 'Two invoices have the same number. Find out which one was delivered, and issue a corrective invoice for the other.',
      es: 'Dos facturas tienen el mismo número. Averigüe cuál se entregó y rectifique la otra con una factura rectificativa.',
    },
  },
  number_unassigned: {
    check: 'numbers',
    message: {
      en: 'does not exist or has another number, although the number {number} is reserved for it',
      es: 'no existe o tiene otro número, aunque el número {number} está reservado para ella',
    },
    fix: {
      en: 'An invoice was lost, or its row was changed. Restore it from a backup.',
      es: 'Se ha perdido una factura o se ha modificado su fila. Restáurela de una copia.',
    },
  },
  counter_behind: {
    check: 'series',
    message: {
      en: 'continues with {next}, but {number} is already assigned',
      es: 'continúa con {next}, pero {number} ya está asignado',
    },
    fix: {
      en: 'Set the counter with `cuadra-admin series configure --next`.',
      es: 'Ajuste el contador con `cuadra-admin series configure --next`.',
    },
  },
  series_missing: {
    check: 'series',
    message: {
      en: 'does not exist, but the number {number} belongs to it',
      es: 'no existe, pero el número {number} le pertenece',
    },
  },
  count_differs: {
    check: 'counts',
    message: {
      en: 'are counted as {received} in lists, but there are {expected}',
      es: 'se cuentan como {received} en los listados, pero hay {expected}',
    },
  },
  no_event: {
    check: 'events',
    message: { en: 'has no event in its history', es: 'no tiene ningún evento en su historial' },
  },
  status_without_event: {
    check: 'events',
    message: {
      en: 'has the status {status}, but the last event of its history that changed it says {last}',
      es: 'tiene el estado {status}, pero el último evento de su historial que lo cambió dice {last}',
    },
  },
  event_gap: {
    check: 'events',
    message: {
      en: 'has {count} events in its history, but the last one is number {last}',
      es: 'tiene {count} eventos en su historial, pero el último es el número {last}',
    },
  },
  invoice_missing: {
    check: 'events',
    message: {
      en: 'does not exist, and no event of its history deletes it',
      es: 'no existe, y ningún evento de su historial la elimina',
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
      en: 'comes after {before}: the records between them are missing',
      es: 'va después de {before}: faltan los registros intermedios',
    },
    fix: {
      en: 'A record was deleted. Restore it from a backup: records must be kept (art. 8 RD 1007/2023).',
      es: 'Se ha borrado un registro. Restáurelo de una copia: los registros deben conservarse (art. 8 RD 1007/2023).',
    },
  },
  chain_head_differs: {
    check: 'records',
    message: {
      en: 'ends with the stored record {received}, but the last one made is {expected}',
      es: 'termina con el registro {received} guardado, pero el último generado es el {expected}',
    },
    fix: {
      en: 'Records at the end of the chain were deleted or changed. Restore them from a backup.',
      es: 'Se han borrado o modificado registros al final de la cadena. Restáurelos de una copia.',
    },
  },
  record_unreadable: {
    check: 'records',
    message: { en: 'cannot be read: {reason}', es: 'no puede leerse: {reason}' },
  },
  record_column_differs: {
    check: 'records',
    message: {
      en: 'is listed with {column} {received}, but the record has {expected}',
      es: 'figura con {column} {received}, pero el registro tiene {expected}',
    },
  },
  record_xml_differs: {
    check: 'records',
    message: {
      en: 'has the XML of another record',
      es: 'tiene un XML que no corresponde a este registro',
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
      en: 'registers {received}, but its invoice amounts to {expected}',
      es: 'registra {received}, pero el importe de su factura es {expected}',
    },
  },
  record_tax_differs: {
    check: 'records',
    message: {
      en: 'registers {received} of tax, but its invoice has {expected}',
      es: 'registra una cuota de {received}, pero la de su factura es {expected}',
    },
  },
  record_missing: {
    check: 'records',
    message: {
      en: 'was issued on {issue_date} with VeriFactu active, but has no registration record',
      es: 'se emitió el {issue_date} con VeriFactu activo, pero no tiene registro de alta',
    },
    fix: {
      en: 'Records were deleted. Restore them from a backup.',
      es: 'Se han borrado registros. Restáurelos de una copia.',
    },
  },
  cancellation_missing: {
    check: 'records',
    message: {
      en: 'has an incomplete cancellation: {problem}',
      es: 'tiene una anulación incompleta: {problem}',
    },
    fix: { en: '{reason}', es: '{reason}' },
  },
  cancellation_unexplained: {
    check: 'records',
    message: {
      en: 'is cancelled, and has neither a cancellation record nor a reason for its absence',
      es: 'está anulada y no tiene ni registro de anulación ni un motivo de que falte',
    },
    fix: {
      en: 'A record was deleted, or the row was changed. Restore it from a backup.',
      es: 'Se ha borrado un registro o se ha modificado la fila. Restáurelo de una copia.',
    },
  },
  cancellation_gap_differs: {
    check: 'records',
    message: {
      en: 'has the reason {received} for lacking a cancellation record, but its records and history allow {expected}',
      es: 'tiene el motivo {received} para carecer de registro de anulación, pero sus registros y su historial admiten {expected}',
    },
  },
  cancellation_unexpected: {
    check: 'records',
    message: {
      en: 'cancels an invoice whose status is {status}',
      es: 'anula una factura en estado «{status}»',
    },
  },
  signature_wrong: {
    check: 'signatures',
    message: { en: 'has an invalid signature: {reason}', es: 'tiene una firma no válida: {reason}' },
    fix: {
      en: 'The stored text was changed after it was signed. Restore it from a backup.',
      es: 'El texto guardado se ha modificado después de firmarse. Restáurelo de una copia.',
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
    message: { en: 'does not belong to any attachment', es: 'no pertenece a ningún adjunto' },
    fix: {
      en: 'Move it elsewhere until you know where it comes from, then delete it.',
      es: 'Apártelo hasta saber de dónde procede y bórrelo después.',
    },
  },
} as const satisfies Record<string, FailureText>

export type FailureCode = keyof typeof FAILURES

export const NOTES = {
  date_held: {
    en: 'Series {series}: the last number is dated {last_date}, but today is {today} on this machine. The next number keeps that date if it is at most a day ahead; otherwise nothing is issued. Check the clocks.',
    es: 'Serie {series}: el último número lleva la fecha {last_date}, pero en esta máquina hoy es {today}. El número siguiente conserva esa fecha si se adelanta un día como máximo; si no, no se emite nada. Revise los relojes.',
  },
  date_falls: {
    en: 'Series {series}: {number} is dated {date}, earlier than {before} of {before_date}; {count} numbers in all. Possible causes: explicitly requested numbers, or a clock that was set back.',
    es: 'Serie {series}: {number} lleva la fecha {date}, anterior a la de {before}, del {before_date}; son {count} números en total. Causas posibles: números pedidos expresamente o un reloj que se atrasó.',
  },
  gap: {
    en: 'Series {series}: no invoice has the numbers {first} to {last}. Possible causes: imports, explicitly requested numbers, or --next.',
    es: 'Serie {series}: ninguna factura tiene los números de {first} a {last}. Solo dejan esos huecos las importaciones, los números pedidos expresamente y --next.',
  },
  more_gaps: {
    en: 'Series {series}: {count} more gaps.',
    es: 'Serie {series}: {count} huecos más.',
  },
  corrected_not_in_force: {
    en: 'Corrective invoices of invoices that are not in force: {count}. The first: {invoice} corrects {corrected}, whose status is {status}. Cancel or correct the corrective invoice too, unless it is meant to stand alone (art. 15 RD 1619/2012).',
    es: 'Rectificativas de facturas que no están en vigor: {count}. La primera: {invoice} rectifica {corrected}, en estado «{status}». Anule o rectifique también la rectificativa, salvo que deba valer por sí sola (art. 15 RD 1619/2012).',
  },
  corrected_tax_group: {
    en: 'Corrective invoices with another tax than the corrected invoice: {count}. The first: {invoice} has {received}, but {corrected} has {expected}. What is corrected is the tax that was charged (arts. 80 and 89 Ley 37/1992): correct the one that is wrong.',
    es: 'Rectificativas con otro impuesto que la factura rectificada: {count}. La primera: {invoice} lleva {received}, pero {corrected} lleva {expected}. Se rectifica la cuota que se repercutió (arts. 80 y 89 Ley 37/1992): corrija la que esté mal.',
  },
  corrected_twice: {
    en: 'Second corrections by substitution of an invoice: {count}. The first: {invoice} replaces {corrected}, which {before} already replaces. The books take it back once, but have both corrections: let the later one correct the earlier one (art. 15 RD 1619/2012).',
    es: 'Segundas rectificaciones por sustitución de una factura: {count}. La primera: {invoice} sustituye a {corrected}, que {before} ya sustituye. Los libros la restan una vez, pero llevan las dos: haga que la posterior rectifique a la anterior (art. 15 RD 1619/2012).',
  },
  sii_differs: {
    en: 'Invoices that the SII accepted with other content than they have now: {count}. The first: {invoice}. They changed while the SII was off, or another version of the program wrote their records. Modify them in the electronic office of the tax authority.',
    es: 'Facturas que el SII aceptó con un contenido distinto del actual: {count}. La primera: {invoice}. Cambiaron mientras el SII estaba desactivado, o sus registros son de otra versión del programa. Modifíquelas en la sede electrónica de la AEAT.',
  },
  pending_files: {
    en: '{count} files are being written or removed, or will be removed by a server.',
    es: '{count} ficheros se están escribiendo o borrando, o los borrará un servidor.',
  },
  verifactu_and_sii: {
    en: 'VeriFactu and the SII are both active. VeriFactu does not apply to taxpayers in the SII (art. 3.3 RD 1007/2023). Close one of them.',
    es: 'VeriFactu y el SII están activos a la vez. VeriFactu no se aplica a quien lleva los libros por el SII (art. 3.3 RD 1007/2023). Cierre uno de los dos.',
  },
  check_not_recorded: {
    en: 'The database is read-only here, so the events of this check are not recorded. Without VERI*FACTU, run `verify` on the primary database.',
    es: 'Aquí la base de datos es de solo lectura, por lo que no se registran los eventos de esta comprobación. Sin VERI*FACTU, ejecute `verify` en la base de datos principal.',
  },
  movements_overdue: {
    en: 'Collections and payments of cash-basis invoices past their SII deadline: {count}. See `cuadra-admin collection list --open` and `cuadra-admin payment list --open`.',
    es: 'Cobros y pagos de facturas en criterio de caja cuyo plazo de suministro al SII ha vencido: {count}. Consulte `cuadra-admin collection list --open` y `cuadra-admin payment list --open`.',
  },
  movements_rejected: {
    en: 'Collections and payments of cash-basis invoices rejected by the SII: {count}. See `cuadra-admin collection list --open` and `cuadra-admin payment list --open` for the reasons and fixes.',
    es: 'Cobros y pagos de facturas en criterio de caja rechazados por el SII: {count}. Consulte el motivo y qué hacer con `cuadra-admin collection list --open` y `cuadra-admin payment list --open`.',
  },
  cancellations_without_record: {
    en: 'Cancelled invoices without a cancellation record, as none is needed: {sent} sent by mail before, {imported} imported, {never_registered} never registered.',
    es: 'Facturas anuladas sin registro de anulación porque no lo necesitan: {sent} ya enviadas por correo, {imported} importadas y {never_registered} nunca registradas.',
  },
  unsigned_records: {
    en: '{count} records are waiting for the delegated signatory to sign them.',
    es: '{count} registros están pendientes de la firma del firmante delegado.',
  },
  no_canonical: {
    en: '{count} invoices have no canonical document, so their amounts were not recomputed.',
    es: '{count} facturas no tienen documento canónico, por lo que no se recalcularon sus importes.',
  },
} as const satisfies Record<string, Text>

export type NoteCode = keyof typeof NOTES
