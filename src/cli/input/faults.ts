/** Items for input that never reaches the engine, such as invalid JSON or invalid UTF-8. */
import type { Extra, Locale, ValidationItem } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'
import { FAULTS } from '../../json/faults.ts'
import type { FaultReason } from '../../json/scan.ts'
import { fill, itemOf } from '../../messages/index.ts'

/** A message, and the one for an item with similar names. */
interface CliRule extends Text {
  readonly withSimilar?: Text
}

/** The codes that the command line adds to those of `rules()`, with their messages. */
export const CLI_RULES: Readonly<Record<string, CliRule>> = {
  'json.syntax': { en: 'The document is not valid JSON.', es: 'El documento no es JSON válido.' },
  'json.encoding': {
    en: 'The document is not UTF-8 text. Save it as UTF-8.',
    es: 'El documento no es texto UTF-8. Guárdelo como UTF-8.',
  },
  'json.too_large': {
    en: 'Line skipped: longer than {max_bytes} bytes.',
    es: 'Línea omitida: supera los {max_bytes} bytes.',
  },
  'convert.file_exists': {
    en: '{file} already exists. Use --force to replace it, or another folder.',
    es: '{file} ya existe. Use --force para sustituirlo, u otra carpeta.',
  },
  'convert.file_taken': {
    en: '{file} was already written for another document of this conversion. Convert this document into a separate folder.',
    es: '{file} corresponde a otro documento de esta conversión. Convierta este en una carpeta aparte.',
  },
  'convert.attachments': {
    en: 'json_1_1 cannot hold the {count} files attached to the document. Keep the original.',
    es: 'json_1_1 no admite los {count} ficheros adjuntos al documento. Conserve el original.',
  },
  'csv.too_large': {
    en: 'The file is larger than {max_bytes} bytes. Split it.',
    es: 'El fichero supera los {max_bytes} bytes. Divídalo.',
  },
  'csv.too_many_rows': {
    en: 'The file has more than {max_rows} rows. Split it.',
    es: 'El fichero tiene más de {max_rows} filas. Divídalo.',
  },
  'csv.workbook': {
    en: 'The file is a workbook of a spreadsheet program, not CSV. Save it as CSV.',
    es: 'El fichero es un libro de una hoja de cálculo, no un CSV. Guárdelo como CSV.',
  },
  'csv.encoding': {
    en: 'The file is not {encoding} text. Correct "encoding" in the mapping: Excel writes "windows-1252", and "utf-8" if you save as "CSV UTF-8".',
    es: 'El fichero no es texto en {encoding}. Corrija "encoding" en la correspondencia: Excel escribe en "windows-1252", y en "utf-8" si guarda como «CSV UTF-8».',
  },
  'csv.not_text': {
    en: 'The file is not text. Save the spreadsheet as CSV.',
    es: 'El fichero no es texto. Guarde la hoja de cálculo como CSV.',
  },
  'csv.quote_not_closed': {
    en: 'The quote that opens cell {cell} is never closed. Close it, and write a quote inside a cell twice: "".',
    es: 'Las comillas que abren la celda {cell} no se cierran. Ciérrelas, y escriba dos veces las comillas dentro de una celda: "".',
  },
  'csv.quote_inside': {
    en: 'Cell {cell} has a quote in its text. Put the whole cell in quotes, and write the quote inside it twice: "".',
    es: 'La celda {cell} tiene comillas en su texto. Ponga la celda entera entre comillas y escriba dos veces las de dentro: "".',
  },
  'csv.empty': {
    en: 'The file has no invoices. The first row must have the column names, and each further row is a line of an invoice.',
    es: 'El fichero no tiene facturas. La primera fila debe tener los nombres de las columnas, y cada una de las siguientes es una línea de una factura.',
  },
  'csv.delimiter': {
    en: 'The first row has one column, and contains {received}. Set "delimiter" in the mapping, which is {delimiter}.',
    es: 'La primera fila tiene una sola columna, y contiene {received}. Corrija "delimiter" en la correspondencia, que es {delimiter}.',
  },
  'csv.column_duplicate': {
    en: 'Cell {cell}: there is another column {column}. Rename one of them.',
    es: 'Celda {cell}: hay otra columna {column}. Cambie el nombre de una de las dos.',
  },
  'csv.column_unnamed': {
    en: 'Cell {cell}: this column has values, but no name in the first row. Name it, or delete the column.',
    es: 'Celda {cell}: esta columna tiene valores, pero no tiene nombre en la primera fila. Póngale nombre o elimine la columna.',
  },
  'csv.column_unknown': {
    en: 'Cell {cell}: the mapping does not have the column {column}. Add it to "columns", or to "ignore" if its content is not needed.',
    es: 'Celda {cell}: la columna {column} no está en la correspondencia. Añádala a "columns", o a "ignore" si no necesita su contenido.',
    withSimilar: {
      en: 'Cell {cell}: the mapping does not have the column {column}. Is it {similar}? Add it to "columns" with its field, or to "ignore" if its content is not needed.',
      es: 'Celda {cell}: la columna {column} no está en la correspondencia. ¿Es {similar}? Añádala a "columns" con su campo, o a "ignore" si no necesita su contenido.',
    },
  },
  'csv.column_missing': {
    en: 'The file does not have the column {column} of the mapping. Add it to the file, or correct its name in "columns". Similar or first columns of the file: {similar}.',
    es: 'El fichero no tiene la columna {column} de la correspondencia. Añádala al fichero o corrija su nombre en "columns". Columnas parecidas o primeras del fichero: {similar}.',
  },
  'csv.cell_count': {
    en: 'Cell {cell}: the row has {count} cells, but the first row has {expected}. Put cells that contain the delimiter or a line break in quotes.',
    es: 'Celda {cell}: la fila tiene {count} celdas, pero la primera tiene {expected}. Ponga entre comillas las celdas que contengan el delimitador o un salto de línea.',
  },
  'csv.key_empty': {
    en: 'Cell {cell}: the column {column} is empty, so the row cannot be assigned to an invoice. Repeat the value in each row of the invoice.',
    es: 'Celda {cell}: la columna {column} está vacía, y no se sabe de qué factura es la fila. Repita el valor en cada fila de la factura.',
  },
  'csv.rows_differ': {
    en: 'Cell {cell}, column {column}: {received} differs from {other} in cell {other_cell} of the same invoice. Correct one of them.',
    es: 'Celda {cell}, columna {column}: {received} no coincide con {other} de la celda {other_cell}, de la misma factura. Corrija una de las dos.',
  },
  'csv.number_invalid': {
    en: 'Cell {cell}, column {column}: {received} is not a number in the notation {format}. Correct the cell, or "numbers" in the mapping; for a column with a unit, such as %, add "unit".',
    es: 'Celda {cell}, columna {column}: {received} no es un número con la notación {format}. Corrija la celda, o "numbers" en la correspondencia; si la columna lleva unidad, como %, añada "unit".',
  },
  'csv.date_invalid': {
    en: 'Cell {cell}, column {column}: {received} is not a date in the notation {format}. Correct the cell, or "dates" in the mapping.',
    es: 'Celda {cell}, columna {column}: {received} no es una fecha con la notación {format}. Corrija la celda, o "dates" en la correspondencia.',
  },
  'csv.boolean_invalid': {
    en: 'Cell {cell}, column {column}: {received} is neither true nor false. Correct the cell, or translate the cells of the column with "values".',
    es: 'Celda {cell}, columna {column}: {received} no es true ni false. Corrija la celda, o traduzca las celdas de la columna con "values".',
  },
  'csv.value_unknown': {
    en: 'Cell {cell}, column {column}: "values" in the mapping does not have {received}. Use {allowed}, or add it to "values".',
    es: 'Celda {cell}, columna {column}: {received} no está en "values" de la correspondencia. Use {allowed}, o añádalo a "values".',
  },
  'csv.value_unlisted': {
    en: 'Column {column}: no cell in "values" of the mapping stands for {received}. Add one.',
    es: 'Columna {column}: ninguna celda de "values" de la correspondencia equivale a {received}. Añada una.',
  },
  'csv.character': {
    en: 'Column {column}: windows-1252 does not have the character {character}. Set "encoding" in the mapping to "utf-8-bom".',
    es: 'Columna {column}: windows-1252 no tiene el carácter {character}. Ponga "encoding" de la correspondencia a "utf-8-bom".',
  },
  'csv.key_missing': {
    en: 'The invoice has no value for {columns}, which identify invoices in the CSV. Add the value, or another column to "group_by".',
    es: 'La factura no tiene valor para {columns}, que identifican las facturas en el CSV. Añada el valor, u otra columna a "group_by".',
  },
  'csv.key_taken': {
    en: 'The CSV already has another invoice with {columns} {received}. Write this invoice to another CSV file.',
    es: 'El CSV ya tiene otra factura con {columns} {received}. Escriba esta factura en otro fichero CSV.',
  },
  'csv.surcharge_divided': {
    en: 'The breakdown has several equivalence surcharges at {rate} %, and the rows of a CSV do not state which lines have which. Convert the invoice to Facturae, or keep the original.',
    es: 'El desglose tiene varios recargos de equivalencia al {rate} % y las filas de un CSV no indican qué líneas llevan cada uno. Convierta la factura a Facturae o conserve el original.',
  },
  'csv.total_differs': {
    en: 'The rows of the CSV give {received} as {name}; the invoice has {expected}. Add the columns that are missing, or keep the original.',
    es: 'Las filas del CSV dan {received} como {name}; la factura tiene {expected}. Añada las columnas que faltan o conserve el original.',
  },
  'csv.not_written': {
    en: 'The CSV lacks {count} values of the invoice, because the mapping has no column for them or another constant: {fields}. Add columns, or keep the original.',
    es: 'El CSV no recoge {count} valores de la factura, porque la correspondencia no tiene columna para ellos o tiene otra constante: {fields}. Añada columnas o conserve el original.',
  },
  'engine.failure': {
    en: 'Internal error in cuadra: {reason}. Report it with this document.',
    es: 'Error interno de cuadra: {reason}. Comuníquelo junto con este documento.',
  },
}

/** Returns the message of a code; `reason` states why a text is not valid JSON. */
export function faultText(code: string, values: Extra, locale: Locale, reason?: FaultReason): string {
  const rule = required(CLI_RULES[code])
  const message = values?.similar === undefined ? rule : (rule.withSimilar ?? rule)
  const text = fill(message[locale], values, locale)
  return reason ? `${text.slice(0, -1)}: ${FAULTS[reason][locale]}.` : text
}

/** Returns a warning: an item that does not prevent the conversion. */
export const warningItem = (code: string, extra: Extra, locale: Locale): ValidationItem => ({
  ...faultItem(code, extra, locale),
  severity: 'warning',
})

/** Returns an error about the whole document. */
export const itemOfFault = (code: string, extra: Extra, message: string, fix = ''): ValidationItem =>
  itemOf({ source: 'schema', code, path: '', extra, severity: 'error' }, { message, fix, law: '' })

export const faultItem = (code: string, extra: Extra, locale: Locale, reason?: FaultReason): ValidationItem =>
  itemOfFault(code, extra, faultText(code, extra, locale, reason))
