/** Fixtures of spreadsheets: a mapping, and CSV text for it. */
import { invoiceOf } from '../../formats/invoice.ts'

type Members = Readonly<Record<string, unknown>>

/** Columns of the mapping, which `parts` replace. */
export const COLUMNS = {
  Número: '/invoice/header/invoice_number',
  Fecha: '/invoice/issue_data/issue_date',
  NIF: '/invoice/customer/tax_id',
  Cliente: '/invoice/customer/name',
  CP: '/invoice/customer/company/address/post_code',
  Concepto: '/invoice/lines/*/item_description',
  Cantidad: '/invoice/lines/*/quantity',
  Precio: '/invoice/lines/*/unit_price_without_tax',
  IVA: '/invoice/lines/*/tax_output_rate',
}

export const mappingOf = (parts: Members = {}, columns: Members = {}) => ({
  numbers: '1.234,56',
  dates: 'dd/MM/yyyy',
  group_by: ['Número'],
  columns: { ...COLUMNS, ...columns },
  constants: {
    '/meta': { direction: 'issued', source_system: 'test' },
    '/invoice/supplier': invoiceOf().invoice.supplier,
    '/invoice/header/invoice_type_code': '01',
    '/invoice/header/invoice_series_code': 'F',
    '/invoice/customer/country_code': 'ES',
  },
  ...parts,
})

/** A row of a valid invoice. */
export const ROW: Readonly<Record<string, string>> = {
  Número: 'F-1',
  Fecha: '16/03/2026',
  NIF: 'B77777779',
  Cliente: 'Estudio Imaginado, S.L.',
  CP: '39004',
  Concepto: 'Revisión de caldera',
  Cantidad: '3',
  Precio: '1.050,25',
  IVA: '21',
}

const quoted = (cell: string, delimiter: string): string =>
  /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Returns CSV text; the columns are those of the first row. */
export const csvOf = (
  rows: readonly Readonly<Record<string, string>>[],
  { delimiter = ';', end = '\n' } = {},
): string => {
  const names = Object.keys(rows[0] ?? ROW)
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
    .map((cells) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter) + end)
    .join('')
}
