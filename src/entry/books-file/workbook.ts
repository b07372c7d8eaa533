/** Writes the books as one XLSX file, in the layout of the official template. */
import writeXlsxFile, { type SheetData } from 'write-excel-file/node'
import {
  type BookCompany,
  type Column,
  INVESTMENT_COLUMNS,
  ISSUED_COLUMNS,
  RECEIVED_COLUMNS,
  type Row,
  type VatBooks,
} from '#records/books/index.ts'

const isDecimal = ({ type }: Column): boolean => type.startsWith('Decimal')
const isDate = ({ type }: Column): boolean => type.startsWith('Fecha')

/** Returns the numeric format of a column; codes are texts, so that they keep their zeros. */
const formatOf = (column: Column): string =>
  isDate(column) ? 'dd/mm/yyyy' : !isDecimal(column) ? '@' : column.type.endsWith(',0)') ? '0' : '0.00'

function cellOf(column: Column, value: string | number | undefined): SheetData[number][number] {
  if (value === undefined) return null
  const format = formatOf(column)
  if (isDate(column)) return { type: Date, value: new Date(`${value}T00:00:00Z`), format }
  return isDecimal(column)
    ? { type: Number, value: Number(value), format }
    : { type: String, value: String(value), format }
}

/** Returns the row of group titles. Each title spans the columns of its group. */
const groupCells = (columns: readonly Column[]): SheetData[number] =>
  columns.map(({ group }, at) => {
    if (group === '' || columns[at - 1]?.group === group) return null
    const end = columns.findIndex((one, later) => later > at && one.group !== group)
    return { value: group, type: String, columnSpan: (end < 0 ? columns.length : end) - at, align: 'center' }
  })

/** Returns a sheet: row 1 has the groups, row 2 the headers, row 3 the types; the data begin in row 4. */
const sheetOf = (sheet: string, columns: readonly Column[], rows: readonly Row[]) => ({
  sheet,
  columns: columns.map(({ header }) => ({ width: Math.min(Math.max(header.length, 10), 30) })),
  stickyRowsCount: 3,
  data: [
    groupCells(columns),
    columns.map(({ header }) => ({ value: header, type: String, fontWeight: 'bold' as const })),
    columns.map(({ type }) => ({ value: type, type: String })),
    ...rows.map((row) => columns.map((column) => cellOf(column, row[column.name]))),
  ],
})

/** Returns the bytes of the XLSX file with the sheets of the three books. */
export const workbookOf = ({ issued, received, investment }: VatBooks): Promise<Uint8Array> =>
  writeXlsxFile([
    sheetOf('EXPEDIDAS', ISSUED_COLUMNS, issued),
    sheetOf('RECIBIDAS', RECEIVED_COLUMNS, received),
    sheetOf('BIENES-INVERSIÓN', INVESTMENT_COLUMNS, investment),
  ]).toBuffer()

/**
 * Returns the name of the file: year, tax id, `C` (all VAT books), and name of the company.
 *
 * @example
 * fileNameOf({ tax_id: 'B12345674', legal_name: 'ACME SL' }, 2026) // => '2026B12345674CACME SL.xlsx'
 */
export const fileNameOf = (
  { tax_id, legal_name }: Pick<BookCompany, 'tax_id' | 'legal_name'>,
  year: number,
): string => `${year}${tax_id}C${legal_name.replace(/[<>:"/\\|?*\p{Cc}]/gu, ' ').trim()}.xlsx`
